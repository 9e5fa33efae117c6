"""What a role sees of the world, as SQLite views on the live connection.

Each granted table has a temporary view that shows its granted columns, masked ones as NULL, of the granted rows; the
name of a table in an agent's statement stands for that view. Two more show the keys of the rows that may be updated and
deleted. Views are definitions, no state, so they outlive every episode laid on the connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from simulator.sql.agent.grants import GrantedTable, Role, any_of
from simulator.sql.authorizer import Verb
from simulator.sql.connection import GuardedConnection
from simulator.sql.rewriting import Edit, rewrite
from simulator.sql.rowset import Value
from simulator.sql.statement import quote
from simulator.sql.tokens import significant

PREFIX = "_granted_"
"""How the names of the engine's views and functions for agents begin; no statement may use such a name."""

ACTOR = f"{PREFIX}actor"
"""The function that stands for ``:actor``: a view has no parameters."""


@dataclass(slots=True)
class ActingAs:
    """Who acts on one connection at the moment: the value of ``:actor``."""

    actor: Value = None

    def who(self, *_: object) -> Value:
        """The function's value."""
        return self.actor


def view_name(role: Role, table: str, verb: Verb | None = None) -> str:
    """The view on a table, or on the keys of its rows that may be changed with a verb."""
    return f"{PREFIX}{role.label}_{table}" + (f"__{verb}" if verb is not None else "")


def register_actor(connection: apsw.Connection) -> ActingAs:
    """Add the function the views call to a connection, and hand back what it tells."""
    acting = ActingAs()
    flags = apsw.SQLITE_DETERMINISTIC | apsw.SQLITE_INNOCUOUS  # within one statement it is
    connection.create_scalar_function(ACTOR, acting.who, 0, flags=flags)
    return acting


def show(guarded: GuardedConnection, role: Role) -> None:
    """Create the views of a role on a connection. Done by the engine itself, once."""
    for name, sql in views_of(role):
        guarded.connection.execute(f"create temp view {quote(name)} as {sql}")
        guarded.authorizer.add_table(name)


def views_of(role: Role) -> Iterator[tuple[str, str]]:
    """The views of a role by name, with their queries."""
    for table in role.tables.values():
        if table.visible:
            shown = ", ".join(_shown(table, column) for column in table.visible)
            yield view_name(role, table.name), _query(table, shown, table.visible_rows())
        for verb in changing_verbs(table):
            keys = ", ".join(map(quote, table.relation.key))
            yield view_name(role, table.name, verb), _query(table, keys, table.rows_for(verb))


def changing_verbs(table: GrantedTable) -> tuple[Verb, ...]:
    """The verbs that may be used on some rows of a table only."""
    verbs: tuple[Verb, ...] = ("update", "delete")
    return tuple(verb for verb in verbs if table.may(verb) and table.rows_for(verb) is not None)


def _query(table: GrantedTable, columns: str, rows: str | None) -> str:
    where = f" where {_with_actor(rows)}" if rows is not None else ""
    return f"select {columns} from main.{quote(table.name)}{where}"


def _shown(table: GrantedTable, column: str) -> str:
    name = quote(column)
    showing = table.clear_by(column)
    if not showing:
        return f"null as {name}"
    if column in table.clear_everywhere:
        return name
    return f"case when {_with_actor(any_of(showing) or 'true')} then {name} end as {name}"


def _with_actor(condition: str) -> str:
    """A condition with the function in place of the parameter."""
    edits = [Edit(token.start, token.end, f"{ACTOR}()") for token in significant(condition) if token.text == ":actor"]
    return rewrite(condition, edits).sql
