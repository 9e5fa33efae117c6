"""Reading a built world: its own tables by page, filtered and sorted. The SQL is ours; names are those the world has.

The image is opened read-only, and a query that takes too long is stopped.
"""

from __future__ import annotations

import csv
import io
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scenarios.models import World
from scenarios.services.refusals import Refused
from scenarios.services.stored_files import open_local

PAGE = 50
_LONGEST = 2.0
_STEPS = 20_000
"""Instructions of SQLite between two looks at the clock."""
_MOST_OFFSET = 2_000_000
_MOST_CELL = 400


@dataclass(frozen=True, slots=True)
class Column:
    """A column, its type, and the table and column that its values are keys of, if they are."""

    name: str
    type: str
    key: bool
    table: str | None = None
    column: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """What of a table is looked at: rows in which ``column`` holds ``text``, or is ``text`` with ``exact``."""

    column: str = ""
    text: str = ""
    exact: bool = False
    sort: str = ""
    descending: bool = False
    page: int = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as it is shown: None for NULL, shortened where it is long, with what it refers to."""

    text: str | None
    cut: bool
    column: Column


@dataclass(frozen=True, slots=True)
class TablePage:
    """One page of a table's rows. ``found`` counts those that the filter lets through."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    found: int
    page: int
    pages: int


def table_page(world: World, table: str, look: Look) -> TablePage:
    """A page of a table. Raises KeyError for a table the world does not have, Refused when it takes too long."""
    with _reading(world) as database:
        columns = _columns(database, world, table)
        named = {column.name: column for column in columns}
        where, values = _where(look, named)
        sort = look.sort if look.sort in named else ""
        way = "desc" if look.descending else "asc"
        order = f"order by {_quoted(sort)} {way}, {_own_order(columns)}" if sort else f"order by {_own_order(columns)}"
        found = int(database.execute(f"select count(*) from {_quoted(table)} {where}", values).fetchone()[0])
        pages = max(1, -(-found // PAGE))
        page = min(max(1, look.page), pages, _MOST_OFFSET // PAGE)
        shown = ", ".join(_quoted(column.name) for column in columns)
        sql = f"select {shown} from {_quoted(table)} {where} {order} limit {PAGE} offset {(page - 1) * PAGE}"
        rows = database.execute(sql, values).fetchall()
    cells = tuple(tuple(_cell(value, column) for value, column in zip(row, columns, strict=True)) for row in rows)
    return TablePage(columns, cells, found, page, pages)


def table_csv(world: World, table: str) -> Iterator[str]:
    """The table as CSV, a piece at a time. Raises KeyError at once for a table the world does not have."""
    if table not in world.tables:
        raise KeyError(table)
    return _csv(world, table)


def _csv(world: World, table: str) -> Iterator[str]:
    with _reading(world, bounded=False) as database:
        columns = _columns(database, world, table)
        names = [column.name for column in columns]
        shown = ", ".join(map(_quoted, names))
        cursor = database.execute(f"select {shown} from {_quoted(table)} order by {_own_order(columns)}")
        yield _lines([names])
        while rows := cursor.fetchmany(500):
            yield _lines([[_plain(value) for value in row] for row in rows])


@contextmanager
def _reading(world: World, *, bounded: bool = True) -> Iterator[sqlite3.Connection]:
    if world.file is None:
        raise Refused(_("The world is not built yet."))
    with open_local(world.file) as path:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as database:
            database.execute("pragma query_only = on")
            if bounded:
                ends = time.monotonic() + _LONGEST
                database.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
            try:
                yield database
            except sqlite3.OperationalError as error:
                if "interrupted" not in str(error):
                    raise
                raise Refused(_("That takes too long on so large a table; filter by a key.")) from error


def _columns(database: sqlite3.Connection, world: World, table: str) -> tuple[Column, ...]:
    if table not in world.tables:
        raise KeyError(table)
    references: Mapping[str, tuple[str, str | None]] = {
        row[3]: (row[2], row[4]) for row in database.execute(f"pragma foreign_key_list({_quoted(table)})")
    }
    found = []
    for _number, name, kind, _notnull, _default, key in database.execute(f"pragma table_info({_quoted(table)})"):
        other, column = references.get(name, (None, None))
        if other is not None and other not in world.tables:
            other = None
        if other is not None and column is None:
            keys = [row[1] for row in database.execute(f"pragma table_info({_quoted(other)})") if row[5]]
            column = keys[0] if len(keys) == 1 else None
        found.append(Column(name, kind, bool(key), other if column else None, column))
    return tuple(found)


def _own_order(columns: Sequence[Column]) -> str:
    """The order of the table's own key; a table without one has row numbers."""
    return ", ".join(_quoted(column.name) for column in columns if column.key) or "rowid"


def _where(look: Look, named: Mapping[str, Column]) -> tuple[str, Sequence[Any]]:
    if not look.text:
        return "", ()
    if look.column in named:
        column = _quoted(look.column)
        if look.exact:
            return f"where {column} = ? or cast({column} as text) = ?", (look.text, look.text)
        return f"where instr(lower(cast({column} as text)), lower(?)) > 0", (look.text,)
    either = " or ".join(f"instr(lower(cast({_quoted(name)} as text)), lower(?)) > 0" for name in named)
    return f"where {either}", (look.text,) * len(named)


def _cell(value: Any, column: Column) -> Cell:
    if value is None:
        return Cell(None, False, column)
    text = _plain(value)
    return Cell(text[:_MOST_CELL], len(text) > _MOST_CELL, column)


def _plain(value: Any) -> str:
    return "" if value is None else value.hex() if isinstance(value, bytes) else str(value)


def _lines(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
