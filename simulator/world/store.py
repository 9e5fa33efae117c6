"""The store: one live connection per world, on which any number of episode states are laid in turn.

A state is a :class:`Pages`, small and immutable, so fork, snapshot and restore copy nothing, and reset is laying the
image bare: microseconds, whatever the size of the world. The connection, its prepared statements, functions and
authorizer live on.

Changes are recorded through SQLite's preupdate hook (https://sqlite.org/c3ref/preupdate_blobwrite.html): it names each
row before its first change, whoever makes it (REPLACE, cascades and triggers too), and the row is read again when the
changes are asked for. This is what SQLite's session extension does, with the statements kept prepared. The hook
stands from the start on: a ``DELETE`` without ``WHERE`` prepared in its absence would empty the table unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from threading import RLock
from types import TracebackType
from typing import Any, Self, cast

import apsw

from simulator.errors import EngineFault, UsageError, WorldError
from simulator.world.changes import Key, RowChange, Value, in_order, row_change
from simulator.world.image import Image
from simulator.world.overlay import OverlayFile, OverlayFileSystem, Pages

ROW_LIMIT = 100_000
"""The most rows one recording may touch; the statement that goes beyond is interrupted."""

GROWTH_LIMIT = 64 * 1024 * 1024
"""The most bytes a state may be larger than its image; a statement that needs more raises ``apsw.FullError``."""

_PRAGMAS: Mapping[str, tuple[str | int, str | int]] = {  # name: (value set, value read back)
    "journal_mode": ("memory", "memory"),
    "synchronous": ("off", 0),
    "locking_mode": ("normal", "normal"),
    "temp_store": ("memory", 2),
    "foreign_keys": (1, 1),
    "recursive_triggers": (1, 1),
    "cache_size": (-8000, -8000),  # 8 MB
}
_STATEMENTS = 512  # prepared statements kept; a scenario's rules and operations have some hundreds

_COLUMNS = """
    select t.name, t.strict or t.wr, c.name, c.type, c."notnull", c.pk, c.hidden
    from pragma_table_list t join pragma_table_xinfo(t.name, 'main') c
    where t.schema = 'main' and t.type = 'table' and substr(t.name, 1, 1) <> '_' and substr(t.name, 1, 7) <> 'sqlite_'
    order by t.name, c.cid
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """What recording needs to know of a table. ``key_of`` takes the key out of a row; ``select`` reads a row by key."""

    name: str
    columns: tuple[str, ...]
    key_of: Callable[[tuple[Any, ...]], Key]
    select: str


class Store:
    """An image with a live connection to it. Writes go to the state laid last, never to the image.

    ``configure`` is called once with the finished connection, to install functions, limits and the authorizer. Install
    an authorizer once and for all: SQLite prepares every statement again after a change of authorizer. The preupdate
    hook belongs to the store.

    Tables whose name begins with ``_`` are the engine's and are not recorded. Every other table must have a primary
    key that cannot be NULL, and no generated columns, else :class:`WorldError` is raised. The schema must not change
    while changes are recorded.

    A store serves one thread at a time: callers hold ``lock`` from :meth:`lay` to :meth:`pages`. After a fork of the
    process, the child opens its own store on the same image.
    """

    def __init__(self, image: Image, *, configure: Callable[[apsw.Connection], None] | None = None) -> None:
        self.image = image
        self.lock = RLock()
        self._main = OverlayFile(image, writable=True)
        self._before = OverlayFile(image, writable=False)
        self._files = OverlayFileSystem({"main": self._main, "before": self._before})
        self._recording: Recorder | None = None
        try:
            self.connection = self._connect()
            try:
                self._tables = self._read_tables()
                self._tables_schema = self._main.schema
                self.connection.preupdate_hook(self._before_change)
                if configure is not None:
                    configure(self.connection)
            except BaseException:
                self.connection.close()
                raise
        except BaseException:
            self._files.unregister()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. The image stays open."""
        self.connection.close()
        self._files.unregister()

    @property
    def now(self) -> int:
        """The world's time, in whole seconds since 1970-01-01 UTC. All of SQLite's date functions go by it."""
        return self._files.now

    @now.setter
    def now(self, seconds: int) -> None:
        self._files.now = seconds

    def lay(self, state: Pages, before: Pages, now: int) -> None:
        """Show ``state`` as the database, ``before`` as the attached schema of that name, at world time ``now``.

        What was written since the last :meth:`pages` is lost. Raises :class:`EngineFault` inside a transaction or while
        a statement is still reading.
        """
        if self._main.locked or self._before.locked or self.connection.in_transaction:
            raise EngineFault("A state was laid before the last transaction or query on the store had ended.")
        self._show(state)
        if before is not self._before.state:
            self._before.lay(before)
        self._files.now = now
        self.connection.set_last_insert_rowid(0)  # SQL can read it, and it must not tell of another state

    def pages(self) -> Pages:
        """The state as it is now, all of its transactions committed; the same object while nothing is written."""
        if self.connection.in_transaction:
            raise EngineFault("A snapshot was asked for inside a transaction.")
        return self._main.snapshot()

    def record(self) -> Recorder:
        """A transaction whose row changes are recorded; use it in a ``with`` statement."""
        return Recorder(self)

    def fetch_row(self, table: str, key: Key) -> Mapping[str, Value] | None:
        """The whole row of ``table`` at ``key`` now, or None. :class:`UsageError` for a table that is not recorded."""
        known = self._known(table)
        row = self._row(known, key)
        return None if row is None else dict(zip(known.columns, row, strict=True))

    def _show(self, state: Pages) -> None:
        if state is not self._main.state or self._main.changed:
            self._main.lay(state)

    def _known(self, table: str) -> _Table:
        try:
            return self._tables[table]
        except KeyError:
            raise UsageError(f"There is no recorded table {table!r}; there are {', '.join(self._tables)}.") from None

    def _row(self, table: _Table, key: Key) -> tuple[Value, ...] | None:
        rows = self.connection.execute(table.select, key).fetchall()
        # A key column may compare more loosely (NOCASE) than keys of changes do.
        return cast(tuple[Value, ...], rows[0]) if rows and table.key_of(rows[0]) == key else None

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(
            "main", flags=apsw.SQLITE_OPEN_READWRITE, vfs=self._files.name, statementcachesize=_STATEMENTS
        )
        try:
            for name, (value, expected) in _PRAGMAS.items():
                connection.pragma(name, value)
                if connection.pragma(name) != expected:
                    raise EngineFault(f"SQLite did not accept the pragma {name} = {value}.")
            connection.pragma("max_page_count", (self.image.size + GROWTH_LIMIT) // self.image.page_size)
            connection.execute("attach 'before' as before")
            connection.pragma("cache_size", -2000, schema="before")
        except BaseException:
            connection.close()
            raise
        return connection

    def _read_tables(self) -> dict[str, _Table]:
        described: dict[str, list[tuple[Any, ...]]] = {}
        for name, *column in self.connection.execute(_COLUMNS):
            described.setdefault(name, []).append(tuple(column))
        return {name: _table(name, columns) for name, columns in described.items()}

    def _begin(self, recorder: Recorder) -> Pages:
        if self._recording is not None or self.connection.in_transaction:
            raise EngineFault("A recording was begun inside another transaction.")
        if self._tables_schema != self._main.schema:
            self._tables = self._read_tables()
            self._tables_schema = self._main.schema
        start = self._main.snapshot()
        self.connection.execute("savepoint recording")
        self._recording = recorder
        return start

    def _before_change(self, update: apsw.PreUpdate) -> None:
        recorder = self._recording
        if recorder is None or update.database_name != "main":
            return
        table = self._tables.get(update.table_name)
        if table is not None:
            recorder._touch(table, update.old, update.new)


class Recorder:
    """A transaction on a store, and the row changes made in it.

    Leaving the ``with`` block commits; leaving it by an exception undoes everything. Savepoints may be used inside, but
    nothing else may commit. A statement that puts text into a row that is not valid UTF-8 (``cast(x'ff' as text)``)
    raises UnicodeDecodeError and must be rolled back.
    """

    __slots__ = ("_start", "_store", "_touched", "overflowed")

    def __init__(self, store: Store) -> None:
        self._store = store
        self._start: Pages  # set on entering
        self._touched: dict[tuple[_Table, Key], tuple[Value, ...] | None] = {}
        self.overflowed = False
        """Whether more than ``ROW_LIMIT`` rows were touched; the statement that did was interrupted if it went on."""

    def __enter__(self) -> Self:
        self._start = self._store._begin(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        connection = self._store.connection
        self._store._recording = None
        kept = False
        try:
            if kind is None:
                if not connection.in_transaction:
                    raise EngineFault("SQLite had rolled the transaction back; call rollback() when that happens.")
                connection.execute("release recording")
                kept = True
        finally:
            if not kept:
                self._undo()

    @property
    def is_open(self) -> bool:
        """Whether the transaction still stands. SQLite ends it itself on an interrupt, ``FullError`` or OR ROLLBACK."""
        return self._store.connection.in_transaction

    @property
    def changes(self) -> tuple[RowChange, ...]:
        """The net row changes so far, by table name and key."""
        found = []
        for (table, key), old in self._touched.items():
            change = row_change(table.name, key, table.columns, old, self._store._row(table, key))
            if change is not None:
                found.append(change)
        return in_order(found) if len(found) > 1 else tuple(found)

    def row_before(self, table: str, key: Key) -> Mapping[str, Value] | None:
        """The whole row at ``key`` as it was when the recording began, or None if there was none.

        Raises :class:`UsageError` for a row that was not touched.
        """
        known = self._store._known(table)
        if (known, key) not in self._touched:
            raise UsageError(f"The row {key} of {table} was not touched in this recording.")
        old = self._touched[known, key]
        return None if old is None else dict(zip(known.columns, old, strict=True))

    def rollback(self) -> None:
        """Undo everything since the beginning. The transaction stays open for what shall be kept after all."""
        self._undo()
        self._store.connection.execute("savepoint recording")
        self._touched.clear()
        self.overflowed = False

    def _undo(self) -> None:
        if self._store.connection.in_transaction:
            self._store.connection.execute("rollback")  # unlike "rollback to", it leaves no page to be written
        self._store._show(self._start)  # for what was committed after SQLite had ended the transaction itself

    def _touch(self, table: _Table, old: tuple[Any, ...] | None, new: tuple[Any, ...] | None) -> None:
        touched = self._touched
        if old is not None:
            touched.setdefault((table, table.key_of(old)), old)
        if new is not None:
            touched.setdefault((table, table.key_of(new)), None)
        if len(touched) > ROW_LIMIT:
            self.overflowed = True
            self._store.connection.interrupt()


def _table(name: str, columns: list[tuple[Any, ...]]) -> _Table:
    """The description of a table from its rows of ``_COLUMNS``; :class:`WorldError` if it cannot be recorded."""
    key = sorted((pk, position) for position, (_, _, _, _, pk, _) in enumerate(columns) if pk)
    if not key:
        raise WorldError(f"Table {name} has no primary key, so its changes cannot be told apart.")
    if any(hidden for *_, hidden in columns):
        raise WorldError(f"Table {name} has a generated column; use a view for derived values.")
    for _, position in key:
        never_null, column, kind, declared_not_null, _, _ = columns[position]
        if not (never_null or declared_not_null or (len(key) == 1 and kind.upper() == "INTEGER")):
            raise WorldError(f"Key column {name}.{column} may be NULL; declare it NOT NULL or make the table STRICT.")
    names = tuple(column[1] for column in columns)
    positions = [position for _, position in key]
    pick = itemgetter(*positions)
    single = len(positions) == 1
    where = " and ".join(f"{_quoted(names[position])} = ?" for position in positions)
    return _Table(
        name=name,
        columns=names,
        key_of=(lambda row: (pick(row),)) if single else pick,
        select=f"select {', '.join(map(_quoted, names))} from main.{_quoted(name)} where {where}",
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
