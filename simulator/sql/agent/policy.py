"""What an agent's statement may touch, as the authorizer asks for it. Everything not granted is denied.

There are two policies: one for the role's twin, which has nothing but what the role knows of, and one for the world.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simulator.sql.agent.grants import GrantedTable, Role
from simulator.sql.agent.views import PREFIX
from simulator.sql.authorizer import Verb
from simulator.sql.problems import SqlProblem


@dataclass(frozen=True, slots=True)
class TwinPolicy:
    """On the role's twin: reads what is visible, and writes what is granted."""

    name: str
    role: Role
    functions: frozenset[str]
    _tables: dict[str, GrantedTable] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._tables.update((name.lower(), table) for name, table in self.role.tables.items())

    def may_read(self, database: str, table: str, column: str, within: str) -> bool:
        """Visible columns; the presence of rows where some column is visible."""
        granted = self._tables.get(table.lower())
        if granted is None or database != "main":
            return False
        return column in granted.visible if column else True

    def may_write(self, verb: Verb, table: str, column: str, within: str) -> bool:
        """Granted verbs, and for updates granted columns."""
        granted = self._tables.get(table.lower())
        if granted is None:
            return False
        return column in granted.updatable if verb == "update" else granted.may(verb)

    def may_call(self, function: str, within: str) -> bool:
        """The functions of the dialect."""
        return function in self.functions


@dataclass(frozen=True, slots=True)
class WorldPolicy:
    """In the world, for one statement: base tables are read within the role's views only.

    Beside them a write reads, of the table it writes, the columns that are shown in every row, and the key; and SQLite
    reads what it needs to keep references, which it does not tell apart from the statement's own reads: that these
    name nothing hidden is the twin's part. ``views``
    are the role's views; ``trusted`` also holds the views behind these and the engine's triggers. ``ctes`` are names
    that the statement gives itself.
    """

    name: str
    functions: frozenset[str]
    views: frozenset[str]
    trusted: frozenset[str]
    ctes: frozenset[str]
    granted: frozenset[str]
    target: GrantedTable | None

    def may_read(self, database: str, table: str, column: str, within: str) -> bool:
        """See the class."""
        if within in self.trusted:
            return True
        if database == "temp":
            return table in self.views
        if database != "main":
            return False
        if not column:
            return table.lower() in self.granted or table.lower() in self.ctes
        target = self.target
        if target is None:
            return False
        if table == target.name and (column in target.clear_everywhere or column in target.relation.key):
            return True
        return (table, column) in target.relation.foreign

    def may_write(self, verb: Verb, table: str, column: str, within: str) -> bool:
        """The table that the statement writes, as granted; and what the engine's triggers write there."""
        target = self.target
        if target is None or table != target.name:
            return False
        if within in target.relation.triggers:
            return True
        return column in target.updatable if verb == "update" else target.may(verb)

    def may_call(self, function: str, within: str) -> bool:
        """The functions of the dialect, and what the role's views call."""
        return function in self.functions or within in self.trusted


def is_reserved(name: str) -> bool:
    """Whether a name belongs to the engine."""
    return name.lower().startswith(PREFIX)


def hidden_column(target: GrantedTable, column: str) -> SqlProblem:
    """A write that depends on what its role cannot see."""
    message = f"`{column}` is hidden, so a write of `{target.name}` may not depend on it."
    return SqlProblem("sql_forbidden", message, names=(target.name, column))
