"""A live connection with everything a statement must pass: authorizer, limits, functions and the engine's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from simulator.errors import EngineFault
from simulator.sql.authorizer import Authorizer, Policy
from simulator.sql.functions import FunctionProblem, WorldContext, register_functions
from simulator.sql.limits import WorkLimit, apply_limits
from simulator.sql.problems import SqlProblem
from simulator.sql.rowset import ROWS_TABLE, ListTable, Row, register_list_table, register_row_sets
from simulator.sql.statement import Cte, Form, assemble

DEFAULT_WORK = 100_000_000
"""Instructions an author's statement may take; a scan of a million rows takes about ten million."""
DEFAULT_ROWS = 100_000
DEFAULT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Caps:
    """What one run may cost: instructions of SQLite's virtual machine, rows returned, and bytes of text in them."""

    work: int = DEFAULT_WORK
    rows: int = DEFAULT_ROWS
    size: int = DEFAULT_BYTES


_DEFAULT_CAPS = Caps()


@dataclass(frozen=True, slots=True)
class GuardedConnection:
    """What :func:`connection_setup` put on a connection. Outside :meth:`run` the connection has the engine's rights."""

    connection: apsw.Connection
    authorizer: Authorizer
    work: WorkLimit

    def run(
        self,
        sql: str,
        bindings: Mapping[str, Any] | None = None,
        *,
        policy: Policy,
        ctes: tuple[Cte, ...] = (),
        form: Form = "statement",
        caps: Caps = _DEFAULT_CAPS,
        cached: bool = True,
    ) -> list[Row] | SqlProblem:
        """Run one statement under a policy and hand back its rows, or why it was refused or stopped.

        ``bindings`` are the values of its parameters, row sets (:func:`row_set`) included; too many are ignored, a
        missing one is a fault. ``form="condition"`` runs a bare condition: one row, one column. With ``cached=False``
        the statement is prepared anew, so that an agent's work limit is exact.

        The result is all rows: nothing keeps reading afterwards. A problem found halfway through a write leaves
        undoing to the caller's savepoint; if SQLite has already rolled everything back (work limit, world full),
        ``connection.in_transaction`` is false. Raises :class:`EngineFault` for what is nobody's mistake.
        """
        text = assemble(sql, ctes, form)
        if isinstance(text, SqlProblem):
            return text
        authorizer = self.authorizer
        outer_policy, authorizer.policy, authorizer.denial = authorizer.policy, policy, None
        outer_work = self.work.start(caps.work)
        try:
            # The policy's name is part of what runs, so the cache never hands a statement from one policy to another.
            cursor = self.connection.execute(f"{text.sql}\n/*{policy.name}*/", bindings, can_cache=cached)
            rows = _fetch(cursor, caps)
        except apsw.InterruptError as error:
            if self.work.excess == "time":
                raise EngineFault(f"A statement ran longer than {WorkLimit.WATCHDOG:g} seconds.") from error
            return _excess(self.work, caps) if self.work.excess else _stopped(error)
        except apsw.AuthError as error:
            return authorizer.refusal(error)
        except FunctionProblem as error:
            return SqlProblem("sql_value", str(error))
        except (OverflowError, UnicodeEncodeError):
            return SqlProblem("sql_value", "A number has more than 64 bits, or a text has characters that are none.")
        except apsw.Error as error:
            return _failure(error)
        finally:
            self.work.stop(outer_work)
            authorizer.policy = outer_policy
        return rows


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


def _fetch(cursor: apsw.Cursor, caps: Caps) -> list[Row] | SqlProblem:
    rows: list[Row] = []
    size = 0
    for row in cursor:
        if len(rows) >= caps.rows:
            cursor.close(True)
            return SqlProblem("sql_limit", f"The query returns more than {caps.rows:,} rows.")
        for value in row:
            if isinstance(value, str | bytes):
                size += len(value)
        if size > caps.size:
            cursor.close(True)
            return SqlProblem("sql_limit", f"The query returns more than {caps.size:,} bytes.")
        rows.append(row)
    return rows


def _excess(work: WorkLimit, caps: Caps) -> SqlProblem:
    if work.excess == "memory":
        return SqlProblem("sql_limit", f"The statement needs more than {WorkLimit.MEMORY >> 20} MB of memory.")
    return SqlProblem("sql_limit", f"The statement takes more than {caps.work:,} units of work.")


def _stopped(error: apsw.Error) -> SqlProblem:
    return SqlProblem("sql_limit", f"The statement was stopped: {error}.")


def _failure(error: apsw.Error) -> SqlProblem:
    """The problem behind an error at run time; :class:`EngineFault` for errors no statement can be blamed for."""
    message = str(error)
    if isinstance(error, apsw.ConstraintError):
        return SqlProblem("constraint", message)
    if isinstance(error, apsw.TooBigError):
        return SqlProblem("sql_limit", "A text or row is longer than a value may be.")
    if isinstance(error, apsw.FullError):
        return SqlProblem("sql_limit", "The statement writes more than the world may grow.")
    if isinstance(error, apsw.SQLError):
        return SqlProblem("sql_value", f"SQLite says: {message}.")
    if isinstance(error, apsw.MismatchError):
        return SqlProblem("sql_value", "A value has the wrong type for its place.")
    raise EngineFault(f"SQLite failed: {message}") from error
