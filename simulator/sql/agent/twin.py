"""The twin of a role: an empty database that has the granted tables and columns, and nothing else.

What is not granted does not exist there, so no message about a statement prepared on it can give anything away.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from simulator.errors import EngineFault
from simulator.sql.agent.grants import GrantedTable, Role
from simulator.sql.agent.policy import TwinPolicy
from simulator.sql.catalogue import Catalogue
from simulator.sql.connection import connection_setup
from simulator.sql.preparing import NoWorld, Prepared, prepare
from simulator.sql.problems import SqlProblem
from simulator.sql.statement import quote


class RoleTwin:
    """What a role knows of the world; statements are prepared on it, never run.

    ``functions`` may be called; ``dialects`` says that those of translations are among them.
    """

    def __init__(self, role: Role, functions: frozenset[str], *, dialects: bool = False) -> None:
        connection = apsw.Connection(":memory:")
        try:
            for table in role.tables.values():
                for statement in _statements(table):
                    connection.execute(statement)
        except apsw.Error as error:
            raise EngineFault(f"A role's twin cannot be made: {error}.") from error
        self._guarded = connection_setup(connection, context=NoWorld())
        if dialects:
            from simulator.sql.dialects import register_dialect_functions  # loads a parser

            register_dialect_functions(connection)
        self._policy = TwinPolicy("agent", role, functions)
        self.catalogue = Catalogue.of(connection, ())

    def prepare(self, sql: str) -> Prepared | SqlProblem | apsw.Error:
        """What a statement does in the eyes of its role, or why it cannot."""
        return prepare(self._guarded, self._policy, sql)


def _statements(table: GrantedTable) -> Iterator[str]:
    """A table without row numbers, like the views in its place; unique where the role can know it, for ON CONFLICT."""
    columns = table.known
    key = table.relation.key if set(table.relation.key) <= set(columns) else ()
    names = ", ".join(map(quote, columns))
    yield f"create table {quote(table.name)} ({names}, primary key ({_names(key or columns)})) without rowid"
    for index, group in enumerate(table.relation.unique):
        if set(group) <= set(columns):
            index_name = quote(f"{table.name}__unique_{index}")
            yield f"create unique index {index_name} on {quote(table.name)} ({_names(group)})"


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(map(quote, columns))
