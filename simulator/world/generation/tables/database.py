"""The database a world is made in: bulk loading with the engine's rights, authors' SQL with an author's.

Its clock is the world's, so ``datetime('now')`` in a column's SQL means what it means in an episode.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter, lt
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import apsw

from simulator.errors import WorldError
from simulator.scenario.times import format_timestamp
from simulator.sql import AuthorPolicy, FunctionProblem, SqlProblem, assemble, connection_setup
from simulator.sql.schema import Schema, TableSchema, quoted
from simulator.sql.statement import Form
from simulator.world.changes import Value

WORK_PER_ROW = 2_000
"""Instructions an expression may take for each row, on average; a look-up by key takes about thirty."""
_BASE_WORK = 50_000_000
_MOST_TEXT = 512 << 20  # bytes of text that one column's SQL may give
_PAGE = 4096
_MOST_PAGES = 4_000_000  # 16 GB, in a file
_MOST_PAGES_IN_MEMORY = (1 << 30) // _PAGE
_MOST_PARAMETERS = 400  # values bound at once: many rows a statement load twice as fast as one
_CHUNK = 50_000
_BLOCK = 250  # rows read between two looks at their size: at most 250 MB
_UNIX_EPOCH = 210_866_760_000_000  # 1970-01-01 in milliseconds of the Julian day
_POLICY = AuthorPolicy("generation")
_names = itertools.count()

Progress = Callable[[int], None]
"""Told how many rows went in since the last time."""


class WorldDatabase:
    """A new database, in memory or at ``path``. Closed by leaving the ``with`` block."""

    def __init__(self, now: int, path: Path | None = None) -> None:
        self._files = _ClockedFileSystem(now)
        self._most_pages = _MOST_PAGES_IN_MEMORY if path is None else _MOST_PAGES
        try:
            self.connection = apsw.Connection(str(path) if path else ":memory:", vfs=self._files.name)
        except BaseException:
            self._files.unregister()
            raise
        for name, value in (
            ("page_size", _PAGE), ("journal_mode", "off"), ("synchronous", "off"), ("locking_mode", "exclusive"),
            ("temp_store", "memory"), ("cache_size", -200_000), ("foreign_keys", 0), ("auto_vacuum", 0),
            ("max_page_count", self._most_pages),
        ):  # fmt: skip
            self.connection.pragma(name, value)
        self._guarded = connection_setup(self.connection, context=_Clock(now))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()
        self._files.unregister()

    def create_table(self, schema: Schema, table: str) -> None:
        """Make a table of the schema, empty."""
        statements = zip(schema.tables, schema.table_statements(), strict=True)
        self.connection.execute(next(statement for name, statement in statements if name == table))
        self._guarded.authorizer.add_table(table)

    def load(self, table: TableSchema, columns: Sequence[Sequence[Value]], rows: int, progress: Progress) -> None:
        """Put ``rows`` rows into an empty table, in key order where the key is the table's order on disk."""
        if not _is_rowid_table(table):
            columns = _in_key_order(table, columns)
        self.connection.execute("begin")
        self._insert(table.name, columns, rows, progress)
        self.connection.execute("commit")

    def create_indexes(self, table: TableSchema) -> None:
        """Make the table's indexes. Raises WorldError when values that must be unique are not."""
        for statement in Schema({table.name: table}, {}).index_statements():
            try:
                self.connection.execute(statement)
            except apsw.ConstraintError as error:
                raise WorldError(f"{table.name}: values that must be unique are not ({error})") from error
            except apsw.FullError as error:
                raise self._too_large(table.name) from error

    def stage(self, table: TableSchema, names: Sequence[str], columns: Sequence[Sequence[Value]], rows: int) -> None:
        """Make a preliminary table of this name, whose rows stand in order, for expressions to read."""
        self.unstage(table.name)
        columns_sql = ", ".join(f"{quoted(name)} {_storage(table, name)}" for name in names) or "_nothing"
        self.connection.execute(f"create table {quoted(table.name)} ({columns_sql})")
        self._guarded.authorizer.add_table(table.name)
        filled = list(columns) or [[None] * rows]
        self.connection.execute("begin")
        self._insert(table.name, filled, rows, _silent)
        self.connection.execute("commit")
        for name in names:
            column = table.column(name)
            if name in table.key or (column is not None and column.references):
                index = quoted(f"{table.name}__{name}")
                self.connection.execute(f"create index {index} on {quoted(table.name)} ({quoted(name)})")

    def unstage(self, table: str) -> None:
        """Take the preliminary table away again, if there is one."""
        self.connection.execute(f"drop table if exists {quoted(table)}")

    def evaluate(self, expression: str, table: str, rows: int) -> list[Any]:
        """An author's expression for each row of a staged table, in order. Raises WorldError with what SQLite says."""
        found = self._author(f"select (\n{expression}\n) from {quoted(table)} order by _rowid_", expression, rows)
        if len(found) != rows:
            raise WorldError("the expression does not give one value for each row")
        return [value for (value,) in found]

    def keys_where(self, condition: str, table: TableSchema, rows: int) -> list[Any]:
        """Keys of the rows of a finished table for which an author's condition holds."""
        key = quoted(table.key[0])
        sql = f"select {key} from {quoted(table.name)} where (\n{condition}\n) order by {key}"
        return [value for (value,) in self._author(sql, condition, rows)]

    def query(self, query: str, rows: int, most: int) -> list[tuple[Any, ...]]:
        """The rows of an author's query over finished tables, which have ``rows`` rows in all; at most ``most``."""
        return self._author(query, query, rows, form="statement", most=most)

    def finish(self, schema: Schema, facts: dict[str, str]) -> None:
        """Check references, make views and triggers, and write down what the world is made of."""
        connection = self.connection
        self._check_references(schema)
        for statement in schema.view_statements():
            connection.execute(_single(statement))
        for statement in schema.trigger_statements():
            connection.execute(statement)
        connection.execute("create table _world (key text primary key, value text not null) strict, without rowid")
        connection.executemany("insert into _world values (?, ?)", sorted(facts.items()))
        # Statistics from a sample: enough for join orders, and quick in large worlds.
        connection.pragma("analysis_limit", 1000)
        connection.execute("analyze")

    def _author(
        self, sql: str, written: str, rows: int, *, form: Form = "condition", most: int | None = None
    ) -> list[tuple[Any, ...]]:
        alone = assemble(written, (), form)  # by itself first: brackets must not reach into what is around it
        if isinstance(alone, SqlProblem):
            raise WorldError(str(alone))
        guarded = self._guarded
        guarded.authorizer.policy, guarded.authorizer.denial = _POLICY, None
        outer = guarded.work.start(_BASE_WORK + WORK_PER_ROW * rows)
        try:
            return _fetch(self.connection.execute(sql, can_cache=False), rows if most is None else most)
        except apsw.InterruptError as error:
            raise WorldError(
                "the SQL takes too much work; look rows up by a key, a reference or an indexed column"
            ) from error
        except FunctionProblem as error:
            raise WorldError(str(error)) from error
        except apsw.AuthError as error:
            raise WorldError(str(guarded.authorizer.refusal(error))) from error
        except apsw.Error as error:
            raise WorldError(f"SQLite says: {error}") from error
        finally:
            guarded.work.stop(outer)
            guarded.authorizer.policy = None

    def _insert(self, table: str, columns: Sequence[Sequence[Value]], rows: int, progress: Progress) -> None:
        width = len(columns)
        step = max(1, min(100, _MOST_PARAMETERS // width))
        cells: list[Value] = [None] * (width * rows)
        for number, column in enumerate(columns):
            cells[number::width] = column
        one = f"({', '.join('?' * width)})"
        whole = rows // step * step
        try:
            chunk = _CHUNK // step * step
            for first in range(0, whole, chunk):
                last = min(first + chunk, whole)
                self.connection.executemany(
                    f"insert into {quoted(table)} values {', '.join([one] * step)}",
                    _slices(cells, first * width, last * width, step * width),
                )
                progress(last - first)
            if whole < rows:
                self.connection.executemany(
                    f"insert into {quoted(table)} values {one}", _slices(cells, whole * width, rows * width, width)
                )
                progress(rows - whole)
        except apsw.ConstraintError as error:
            raise WorldError(f"{table}: a row breaks a constraint ({error})") from error
        except apsw.TooBigError as error:
            raise WorldError(f"{table}: a row is longer than 1,000,000 bytes") from error
        except apsw.FullError as error:
            raise self._too_large(table) from error

    def _too_large(self, table: str) -> WorldError:
        size = f"{self._most_pages * _PAGE >> 30} GiB"
        if self._most_pages == _MOST_PAGES:
            return WorldError(f"{table}: the world grows beyond {size}; lower its rows or the length of its texts")
        message = f"{table}: the world grows beyond {size}, the most that is made in memory"
        return WorldError(f"{message}; lower its rows or the length of its texts, or make it in a `directory`")

    def _check_references(self, schema: Schema) -> None:
        broken = self.connection.execute("pragma foreign_key_check").fetchone()
        if broken is None:
            return
        name, rowid, parent, number = str(broken[0]), broken[1], broken[2], broken[3]
        listed = self.connection.execute(f"pragma foreign_key_list({quoted(name)})").fetchall()
        column = next(str(row[3]) for row in listed if row[0] == number)
        value = ""
        if rowid is not None:
            found = self.connection.execute(f"select {quoted(column)} from {quoted(name)} where rowid = ?", (rowid,))
            value = f" {found.get!r}"
        raise WorldError(f"{name}.{column}: the value{value} is no key of {parent}")


class _ClockedFileSystem(apsw.VFS):
    """The operating system's files with the world's clock."""

    def __init__(self, now: int) -> None:
        self.name = f"worldwright-making-{os.getpid()}-{next(_names)}"
        self._milliseconds = _UNIX_EPOCH + now * 1000
        super().__init__(self.name, "")

    def xCurrentTimeInt64(self) -> int:
        return self._milliseconds

    def xCurrentTime(self) -> float:
        return self._milliseconds / 86_400_000


class _Clock:
    """What SQL functions may ask while a world is made."""

    def __init__(self, now: int) -> None:
        self._now = format_timestamp(now)

    def now(self) -> str:
        """The world's time."""
        return self._now

    def new_id(self, table: str) -> int | str:
        """Keys are the sources' business while a world is made."""
        raise FunctionProblem(f"new_id({table!r}) gives keys in episodes; in a world the key's source makes them")


def _fetch(cursor: apsw.Cursor, most: int) -> list[tuple[Any, ...]]:
    """At most ``most`` rows of at most 512 MiB of text."""
    rows: list[tuple[Any, ...]] = []
    size = 0
    while block := list(itertools.islice(cursor, _BLOCK)):
        size += sum(len(value) for row in block for value in row if isinstance(value, str | bytes))
        rows += block
        if len(rows) > most or size > _MOST_TEXT:
            cursor.close(True)
            raise WorldError("the SQL gives too many rows or too much text")
    return rows


def _is_rowid_table(table: TableSchema) -> bool:
    key = table.column(table.key[0])
    return len(table.key) == 1 and key is not None and key.storage == "INTEGER"


def _in_key_order(table: TableSchema, columns: Sequence[Sequence[Value]]) -> Sequence[Sequence[Value]]:
    places = [table.column_names.index(name) for name in table.key]
    keys: list[Any] = list(columns[places[0]])
    if len(places) > 1:
        keys = list(zip(*(columns[place] for place in places), strict=True))
    if all(map(lt, keys, keys[1:])):
        return columns
    rows = sorted(zip(*columns, strict=True), key=itemgetter(*places))
    return list(zip(*rows, strict=True))


def _storage(table: TableSchema, name: str) -> str:
    column = table.column(name)
    return column.storage if column is not None else ""


def _slices(cells: list[Value], first: int, last: int, width: int) -> Iterator[list[Value]]:
    return (cells[at : at + width] for at in range(first, last, width))


def _silent(rows: int) -> None:
    pass


def _single(statement: str) -> str:
    """A CREATE VIEW statement whose query, an author's, passes as one statement."""
    query = statement.partition(" AS ")[2]
    checked = assemble(query)
    if isinstance(checked, SqlProblem):
        raise WorldError(f"{statement.partition(' AS ')[0]}: {checked}")
    return statement
