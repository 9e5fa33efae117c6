"""Tables that exist only in memory: row sets bound to a statement, and the engine's own lists.

Both are eponymous virtual tables (https://sqlite.org/vtab.html#epovtab), so nothing is written to the database, and
values come out exactly as they went in: type, float bits, NULL.

A row set is read as ``_rows(:parameter)``. The parameter is bound to the rows themselves through SQLite's pointer
passing, so a statement cannot guess its way to rows it was not given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

Value = int | float | str | bytes | None
Row = tuple[Value, ...]

ROWS_TABLE = "_rows"
MAX_COLUMNS = 128
"""The most columns a row set may have; they are named c0, c1, …"""

_HANDLE_COLUMN = MAX_COLUMNS
_ROWS_DECLARATION = "create table rows(" + ", ".join(f"c{index}" for index in range(MAX_COLUMNS)) + ", handle hidden)"


def row_set(rows: Sequence[Row]) -> Any:
    """The value to bind to the parameter of a row set's CTE. The rows must not change while a statement reads them."""
    return apsw.pyobject(_Bound(rows))


@dataclass(frozen=True, slots=True)
class ListTable:
    """A table of the engine: its rows are what ``rows`` returns each time a statement begins to read it."""

    name: str
    columns: tuple[str, ...]
    rows: Callable[[], Sequence[Row]]


def register_row_sets(connection: apsw.Connection) -> None:
    """Make ``_rows`` readable on a connection."""
    _register(connection, ROWS_TABLE, _RowsModule())


def register_list_table(connection: apsw.Connection, table: ListTable) -> None:
    """Make an engine table readable on a connection. No table of the schema may have its name."""
    _register(connection, table.name, _ListModule(table))


def _register(connection: apsw.Connection, name: str, module: Any) -> None:
    # apsw's protocol for modules demands methods that a read-only eponymous table does not have: hence Any.
    connection.create_module(name, module, use_bestindex_object=True, eponymous_only=True, read_only=True)


@dataclass(frozen=True, slots=True)
class _Bound:
    rows: Sequence[Row]


class _RowsModule:
    """Makes the one ``_rows`` table of a connection. Method names are apsw's."""

    def Connect(self, connection: apsw.Connection, *_names: str) -> tuple[str, _RowsTable]:  # noqa: N802
        connection.vtab_config(apsw.SQLITE_VTAB_INNOCUOUS)
        return _ROWS_DECLARATION, _RowsTable()


class _RowsTable:
    def BestIndexObject(self, index: apsw.IndexInfo) -> bool:  # noqa: N802
        index.estimatedCost = 1_000_000.0
        for constraint in range(index.nConstraint):
            if (
                index.get_aConstraint_iColumn(constraint) == _HANDLE_COLUMN
                and index.get_aConstraint_op(constraint) == apsw.SQLITE_INDEX_CONSTRAINT_EQ
            ):
                if not index.get_aConstraint_usable(constraint):
                    return False
                index.set_aConstraintUsage_argvIndex(constraint, 1)
                index.set_aConstraintUsage_omit(constraint, True)
                index.estimatedCost = 25.0
                index.estimatedRows = 25
                break
        return True

    def Open(self) -> _Cursor:  # noqa: N802
        return _Cursor(None)

    def Disconnect(self) -> None:  # noqa: N802
        """Nothing to release."""


class _ListModule:
    def __init__(self, table: ListTable) -> None:
        self._table = table
        columns = ", ".join('"' + column.replace('"', '""') + '"' for column in table.columns)
        self._declaration = f"create table list({columns})"

    def Connect(self, connection: apsw.Connection, *_names: str) -> tuple[str, _ListTable]:  # noqa: N802
        connection.vtab_config(apsw.SQLITE_VTAB_INNOCUOUS)
        return self._declaration, _ListTable(self._table.rows)


class _ListTable:
    def __init__(self, rows: Callable[[], Sequence[Row]]) -> None:
        self._rows = rows

    def BestIndexObject(self, index: apsw.IndexInfo) -> bool:  # noqa: N802
        index.estimatedCost = 100.0
        index.estimatedRows = 100
        return True

    def Open(self) -> _Cursor:  # noqa: N802
        return _Cursor(self._rows)

    def Disconnect(self) -> None:  # noqa: N802
        """Nothing to release."""


class _Cursor:
    """Walks over rows: those of ``source``, or those bound to the handle."""

    __slots__ = ("_position", "_rows", "_source")

    def __init__(self, source: Callable[[], Sequence[Row]] | None) -> None:
        self._source = source
        self._rows: Sequence[Row] = ()
        self._position = 0

    def Filter(self, _number: int, _name: str, arguments: tuple[Any, ...] | None) -> None:  # noqa: N802
        if self._source is not None:
            self._rows = self._source()
        else:
            handle = arguments[0] if arguments else None
            self._rows = handle.rows if isinstance(handle, _Bound) else ()
        self._position = 0

    def Eof(self) -> bool:  # noqa: N802
        return self._position >= len(self._rows)

    def Next(self) -> None:  # noqa: N802
        self._position += 1

    def Rowid(self) -> int:  # noqa: N802
        return self._position

    def Column(self, number: int) -> Value:  # noqa: N802
        if number < 0:
            return self._position
        row = self._rows[self._position]
        return row[number] if number < len(row) else None

    def Close(self) -> None:  # noqa: N802
        self._rows = ()
