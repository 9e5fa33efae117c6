"""The twin of a world: its schema without rows, on which statements are prepared but never run.

SQLite itself says what a statement reads, writes, calls and returns; its answer is the only one that counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import apsw

from simulator.errors import EngineFault
from simulator.sql.authorizer import AuthorPolicy, Verb
from simulator.sql.catalogue import Catalogue
from simulator.sql.connection import GuardedConnection, connection_setup
from simulator.sql.messages import explain, locate, without_column
from simulator.sql.preparing import NoWorld, Prepared, prepare
from simulator.sql.problems import SqlProblem
from simulator.sql.rowset import ROWS_TABLE, ListTable
from simulator.sql.statement import Cte, RowNames, Spliced, assemble, parameters_of, quote

Role = Literal["query", "write", "condition"]

_MOST_PROBLEMS = 8


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of a query's result.

    ``table`` and ``column`` are where it comes from, empty for expressions; ``type`` is the type declared there.
    """

    name: str
    type: str = ""
    database: str = ""
    table: str = ""
    column: str = ""


@dataclass(frozen=True, slots=True)
class StatementFacts:
    """What a statement does, by SQLite's word.

    ``sql`` is the text to run, CTEs included. ``reads`` holds (database, table, column) and ``writes`` (verb, table,
    column), sorted; a column is empty where rows are only counted, inserted or deleted. Tables behind a view are named
    beside the view. Where a table of the world and of ``before`` cannot be told apart (``count(*)``), the world's is
    named: nothing that is read is missing, row sets excepted. ``parameters`` stand in order of first appearance.
    """

    sql: str
    kind: Literal["select", "insert", "update", "delete"]
    reads: tuple[tuple[str, str, str], ...]
    writes: tuple[tuple[Verb, str, str], ...]
    functions: frozenset[str]
    parameters: tuple[str, ...]
    columns: tuple[ResultColumn, ...]

    @property
    def is_write(self) -> bool:
        """Whether it changes the world."""
        return self.kind != "select"

    @property
    def tables_read(self) -> frozenset[str]:
        """Tables and views of the world, and engine tables, that decide what the statement does."""
        return frozenset(table for database, table, _ in self.reads if database == "main")

    @property
    def tables_written(self) -> frozenset[str]:
        """Tables it may change."""
        return frozenset(table for _, table, _ in self.writes)


class Twin:
    """An empty database with the schema ``ddl`` as ``main`` and ``before``.

    ``engine_tables`` are names and columns of the engine's tables (``action``, ``change``); ``protected`` the tables
    authors may not write. Raises :class:`EngineFault` when SQLite does not accept the DDL, which the engine makes.
    """

    def __init__(
        self,
        ddl: str,
        *,
        engine_tables: Sequence[tuple[str, tuple[str, ...]]] = (),
        protected: frozenset[str] = frozenset(),
    ) -> None:
        connection = apsw.Connection(":memory:")
        try:
            for _ in connection.execute(ddl):
                pass
        except apsw.Error as error:
            raise EngineFault(f"The schema is not valid: {error}.") from error
        connection.execute("attach ':memory:' as before")
        connection.deserialize("before", connection.serialize("main"))
        self._lists = tuple(ListTable(name, columns, tuple) for name, columns in engine_tables)
        self._guarded: GuardedConnection = connection_setup(connection, context=NoWorld(), engine_tables=self._lists)
        self.catalogue = Catalogue.of(connection, self._lists)
        self._policy = AuthorPolicy("twin", writes=True, protected=protected)

    def analyse(
        self, sql: str, *, role: Role, ctes: Sequence[Cte] = (), over: Sequence[RowNames] = ()
    ) -> StatementFacts | list[SqlProblem]:
        """What ``sql`` does, or everything found wrong with it. Nothing runs.

        ``role`` is what the place in the scenario asks for: a query, a write, or a bare condition. ``ctes`` are row
        sets readable there, ``over`` rows whose columns a condition names directly (``old.status``).
        """
        text = assemble(sql, tuple(ctes), "condition" if role == "condition" else "statement", tuple(over))
        if isinstance(text, SqlProblem):
            return [text]
        prepared = self._prepare(text.sql)
        if isinstance(prepared, SqlProblem):
            return [locate(prepared, text, sql)]
        if isinstance(prepared, apsw.Error):
            return self._explain(prepared, text, sql, (*ctes, *over))
        facts = _facts(text.sql, prepared)
        problems = self._misuses(facts, role)
        return problems or facts

    def define_view(self, name: str, sql: str) -> list[SqlProblem]:
        """Add an author's view, readable by what is analysed afterwards; nothing is added when there are problems."""
        facts = self.analyse(sql, role="query")
        if isinstance(facts, list):
            return facts
        if facts.parameters:
            message = f"A view has no parameters, and this one reads :{facts.parameters[0]}."
            return [SqlProblem("sql_syntax", message, names=facts.parameters)]
        connection = self._guarded.connection
        for database in ("main", "before"):
            try:
                connection.execute(f"create view {database}.{quote(name)} as {facts.sql}")
            except apsw.SQLError as error:
                return [SqlProblem("sql_syntax", f"SQLite says: {error}.")]
        self._guarded.authorizer.add_table(name)
        self.catalogue = Catalogue.of(connection, self._lists)
        return []

    def _prepare(self, sql: str) -> Prepared | SqlProblem | apsw.Error:
        return prepare(self._guarded, self._policy, sql)

    def _explain(
        self, error: apsw.Error, text: Spliced, original: str, names: Sequence[Cte | RowNames]
    ) -> list[SqlProblem]:
        """The problem behind an error, and behind further unknown columns that SQLite would name one at a time."""
        catalogue = self.catalogue.extended(names)
        problems: list[SqlProblem] = []
        sql = text.sql
        while len(problems) < _MOST_PROBLEMS:
            problems.append(explain(error, text, original, catalogue))
            mended = without_column(error, sql)
            if mended is None:
                break
            sql = mended
            following = self._prepare(sql)
            if not isinstance(following, apsw.Error) or without_column(following, sql) is None:
                break
            error = following
        return problems

    def _misuses(self, facts: StatementFacts, role: Role) -> list[SqlProblem]:
        if role != "write" and facts.is_write:
            return [SqlProblem("not_a_query", "A query belongs here, and this is a write.")]
        if role == "write" and not facts.is_write:
            return [SqlProblem("not_a_write", "A write belongs here, and this is a query.")]
        keys = (
            (table, column)
            for verb, table, column in facts.writes
            if verb == "update" and self.catalogue.is_key_column(table, column)
        )
        return [
            SqlProblem(
                "key_update",
                f"`{table}.{column}` is part of the key, and keys do not change.",
                suggestion="Delete the row and insert another.",
                names=(table, column),
            )
            for table, column in dict.fromkeys(keys)
        ]


def _facts(sql: str, prepared: Prepared) -> StatementFacts:
    access = prepared.access
    return StatementFacts(
        sql=sql,
        kind="select" if prepared.readonly else access.writes[0][0],
        reads=tuple(sorted(read for read in access.reads if read[1] != ROWS_TABLE)),
        writes=tuple(sorted(set(access.writes))),
        functions=frozenset(access.functions),
        parameters=parameters_of(sql),
        columns=tuple(_column(*column) for column in prepared.description),
    )


def _column(
    name: str | None, declared: str | None, database: str | None, table: str | None, column: str | None
) -> ResultColumn:
    if table is None or table == ROWS_TABLE:
        return ResultColumn(name or "")
    return ResultColumn(name or "", declared or "", database or "", table, column or "")
