"""A live connection with everything a statement must pass: authorizer, limits, functions and the engine's tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from simulator.sql.authorizer import Authorizer
from simulator.sql.functions import WorldContext, register_functions
from simulator.sql.limits import WorkLimit, apply_limits
from simulator.sql.rowset import ROWS_TABLE, ListTable, register_list_table, register_row_sets


@dataclass(frozen=True, slots=True)
class GuardedConnection:
    """What :func:`connection_setup` put on a connection.

    The connection has the engine's rights until ``authorizer.policy`` is set, and no work limit until ``work`` is
    started. SQLite's cache does not ask the authorizer again: a text that runs under different policies must differ,
    for instance in a comment that names the policy.
    """

    connection: apsw.Connection
    authorizer: Authorizer
    work: WorkLimit


def connection_setup(
    connection: apsw.Connection, *, context: WorldContext, engine_tables: Iterable[ListTable] = ()
) -> GuardedConnection:
    """Put functions, engine tables, limits and the authorizer on a connection, once its databases are attached."""
    tables = tuple(engine_tables)
    register_functions(connection, context)
    register_row_sets(connection)
    for table in tables:
        register_list_table(connection, table)
    apply_limits(connection)
    authorizer = Authorizer.of(connection, frozenset((ROWS_TABLE, *(table.name for table in tables))))
    connection.authorizer = authorizer
    return GuardedConnection(connection, authorizer, WorkLimit(connection))
