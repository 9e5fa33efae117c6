"""What a statement may read, write and call, decided by SQLite's own grammar while it prepares.

SQLite asks the connection's authorizer about every table, column and function of a statement
(https://sqlite.org/c3ref/set_authorizer.html), so no trick of spelling gets past it. One :class:`Authorizer` is
installed for the life of a connection (a change of authorizer makes SQLite prepare everything again); what changes
between statements is its ``policy``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, Protocol

import apsw

from simulator.sql.allowed import AUTHOR_FUNCTIONS, refused_because
from simulator.sql.problems import SqlProblem
from simulator.sql.rowset import ROWS_TABLE

Verb = Literal["insert", "update", "delete"]

READABLE_MODULES = frozenset({"json_each", "json_tree"})
"""SQLite's own table-valued functions that only compute on their argument."""


class Policy(Protocol):
    """Decides for one kind of statement. Names come as the schema spells them.

    ``name`` tells policies apart: statements prepared under one are never reused under another of a different name.
    """

    @property
    def name(self) -> str:
        """A short word, unique among the policies of a connection."""

    def may_read(self, database: str, table: str, column: str, within: str) -> bool:
        """Whether ``table.column`` may be read; ``column`` is empty when only the presence of rows is asked for.

        ``within`` is the innermost view, trigger or CTE that reads, empty for the statement itself.
        """

    def may_write(self, verb: Verb, table: str, column: str, within: str) -> bool:
        """Whether ``table`` of the world may be written; ``column`` is empty but for updates."""

    def may_call(self, function: str, within: str) -> bool:
        """Whether a function, in lower case, may be called."""


@dataclass(frozen=True, slots=True)
class AuthorPolicy:
    """An author's statement: reads the world, its start and the engine's tables, and writes the world if ``writes``.

    ``protected`` names tables that only the engine writes (histories).
    """

    name: str
    writes: bool = False
    protected: frozenset[str] = frozenset()

    def may_read(self, database: str, table: str, column: str, within: str) -> bool:
        """Everything but the engine's private tables, whose names begin with ``_``; row sets excepted."""
        return not table.startswith("_") or table == ROWS_TABLE

    def may_write(self, verb: Verb, table: str, column: str, within: str) -> bool:
        """Tables of the world that are not the engine's."""
        return self.writes and not table.startswith("_") and table not in self.protected

    def may_call(self, function: str, within: str) -> bool:
        """Functions whose result depends on nothing but the world and their arguments."""
        return function in AUTHOR_FUNCTIONS


@dataclass(slots=True)
class Access:
    """What a statement and the triggers it sets off touch, as seen while it was prepared."""

    reads: set[tuple[str, str, str]] = field(default_factory=set)
    """(database, table, column); the column is empty when rows are only counted or tested for."""
    writes: list[tuple[Verb, str, str]] = field(default_factory=list)
    """(verb, table, column) in the order met; the column is empty but for updates."""
    functions: set[str] = field(default_factory=set)


class Authorizer:
    """The callback of one connection.

    ``policy`` is the policy in force; ``None`` is the engine's own work, which may do anything. ``tables`` are the
    tables and views of the schema, ``engine_tables`` virtual tables of the engine. Every other virtual table is
    refused, so what SQLite adds one day stays out.

    SQLite names the view or trigger that reads in the callback's last argument, but a CTE can take that name: a policy
    that trusts a name must see to it that no statement gives it to a CTE.
    """

    def __init__(self, *, tables: frozenset[str], engine_tables: frozenset[str]) -> None:
        self.policy: Policy | None = None
        self.denial: SqlProblem | None = None
        self._access: Access | None = None
        self._tables = {name.lower() for name in tables}
        self._engine_tables = {name.lower() for name in engine_tables | READABLE_MODULES}

    @classmethod
    def of(cls, connection: apsw.Connection, engine_tables: frozenset[str]) -> Authorizer:
        """The authorizer for the schema ``connection`` has now. Installs nothing."""
        rows = connection.execute("select name from main.sqlite_schema where type in ('table', 'view')")
        return cls(tables=frozenset(name for (name,) in rows), engine_tables=engine_tables)

    def add_table(self, name: str) -> None:
        """Take note of a table or view made later."""
        self._tables.add(name.lower())

    @contextmanager
    def recording(self, policy: Policy) -> Iterator[Access]:
        """Put ``policy`` in force and record what is prepared under it."""
        previous_policy, previous_access = self.policy, self._access
        self.policy, self._access, self.denial = policy, Access(), None
        try:
            yield self._access
        finally:
            self.policy, self._access = previous_policy, previous_access

    def refusal(self, error: apsw.AuthError) -> SqlProblem:
        """Why the last statement was refused."""
        return self.denial or SqlProblem("sql_forbidden", f"SQLite says: {error}.")

    def __call__(
        self, action: int, first: str | None, second: str | None, database: str | None, within: str | None
    ) -> int:
        """SQLite's question about one access; the answer never raises."""
        policy = self.policy
        if policy is None:
            return apsw.SQLITE_OK
        if action == apsw.SQLITE_READ:
            allowed = self._read(policy, database, first or "", second or "", within or "")
        elif action == apsw.SQLITE_FUNCTION:
            allowed = self._function(policy, (second or "").lower(), within or "")
        elif action in _VERBS:
            allowed = self._write(policy, _VERBS[action], database, first or "", second or "", within or "")
        else:
            # Full-text tables ask for this while they are read; an author's PRAGMA never gets as far as here.
            harmless = action == apsw.SQLITE_PRAGMA and first == "data_version" and second is None
            allowed = harmless or action in (apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE)
            if not allowed:
                self._deny(f"{_spoken(action)} is not possible here.")
        return apsw.SQLITE_OK if allowed else apsw.SQLITE_DENY

    def _read(self, policy: Policy, database: str | None, table: str, column: str, within: str) -> bool:
        folded = table.lower()
        known = folded in self._engine_tables or folded in self._tables
        if not known:
            # SQLite names no database where rows are only counted: a name that is no table is then a CTE or a
            # subquery, unless it is a virtual table of SQLite's own.
            nameless = database is None and column == ""
            if nameless and not folded.startswith(("pragma_", "sqlite_", "_")) and folded not in _MODULES:
                return True
            return self._deny(f"The table `{table}` may not be read.", table)
        if database not in (None, "main", "before", "temp"):
            return self._deny(f"The database `{database}` may not be read.", table)
        if folded not in READABLE_MODULES and not policy.may_read(database or "main", table, column, within):
            what = f"`{table}.{column}`" if column else f"The table `{table}`"
            return self._deny(f"{what} may not be read.", table, column)
        if self._access is not None:
            self._access.reads.add((database or "main", table, column))
        return True

    def _write(self, policy: Policy, verb: Verb, database: str | None, table: str, column: str, within: str) -> bool:
        if database != "main" or table.lower() not in self._tables:
            place = f"{database}.{table}" if database else table
            return self._deny(f"`{place}` may not be written.", table)
        if not policy.may_write(verb, table, column, within):
            where = f"{table}.{column}" if column else table
            return self._deny(f"{verb.upper()} on `{where}` is not allowed here.", table, column)
        if self._access is not None:
            self._access.writes.append((verb, table, column))
        return True

    def _function(self, policy: Policy, function: str, within: str) -> bool:
        if not policy.may_call(function, within):
            return self._deny(f"The function {function}() may not be called.", function, why=refused_because(function))
        if self._access is not None:
            self._access.functions.add(function)
        return True

    def _deny(self, message: str, *names: str, why: str = "") -> bool:
        if self.denial is None:
            self.denial = SqlProblem(
                "sql_forbidden", message, suggestion=why, names=tuple(name for name in names if name)
            )
        return False


_VERBS: dict[int, Verb] = {
    apsw.SQLITE_INSERT: "insert",
    apsw.SQLITE_UPDATE: "update",
    apsw.SQLITE_DELETE: "delete",
}

# Virtual tables of SQLite that can be read without being created; `pragma_...` and `sqlite_...` go by their prefix.
_MODULES = frozenset({"bytecode", "completion", "dbstat", "fts3tokenize", "fts4aux", "fts5vocab", "tables_used"})


def _spoken(action: int) -> str:
    return str(apsw.mapping_authorizer_function[action]).removeprefix("SQLITE_").replace("_", " ")
