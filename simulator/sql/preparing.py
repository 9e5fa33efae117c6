"""Preparing a statement under a policy, without running it: SQLite's own grammar says what it is and touches."""

from __future__ import annotations

from dataclasses import dataclass

import apsw

from simulator.errors import EngineFault
from simulator.sql.authorizer import Access, Policy
from simulator.sql.connection import GuardedConnection
from simulator.sql.problems import SqlProblem
from simulator.sql.statement import parameters_of

Description = tuple[tuple[str | None, ...], ...]
"""Of each column of a result: its name, the type declared at its origin, and the origin's database, table, column."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What SQLite says of a statement."""

    readonly: bool
    access: Access
    description: Description


def prepare(guarded: GuardedConnection, policy: Policy, sql: str) -> Prepared | SqlProblem | apsw.Error:
    """What ``sql`` does; why ``policy`` refuses it; or SQLite's error. Nothing runs."""
    cursor = guarded.connection.cursor()
    seen: list[tuple[bool, bool, Description]] = []

    def look(cursor: apsw.Cursor, _sql: str, _bindings: object) -> bool:
        seen.append((cursor.is_readonly, bool(cursor.is_explain), cursor.description_full))
        return False  # abort before the first step

    cursor.exec_trace = look
    authorizer = guarded.authorizer
    with authorizer.recording(policy) as access:
        try:
            cursor.execute(sql, dict.fromkeys(parameters_of(sql)), can_cache=False)
        except apsw.ExecTraceAbort:
            pass
        except apsw.AuthError as error:
            return authorizer.refusal(error)
        except apsw.Error as error:
            # A refusal inside a subquery can come out as another error.
            return authorizer.denial or error
    if len(seen) != 1 or seen[0][1]:
        return SqlProblem("sql_syntax", "This is not one statement.")
    readonly, _, description = seen[0]
    return Prepared(readonly, access, description)


class NoWorld:
    """Statements on a twin never run, so nothing is ever asked."""

    def now(self) -> str:
        """Raises :class:`EngineFault`."""
        raise EngineFault("A twin has no clock.")

    def new_id(self, table: str) -> int | str:
        """Raises :class:`EngineFault`."""
        raise EngineFault(f"A twin makes no keys of {table}.")
