"""Running a judged statement in the world: under the authorizer, freshly prepared, within its limits.

Work is counted in instructions of SQLite's virtual machine, but one instruction may handle a text of any length. So a
statement runs first with short texts only; where that does not do, again with longer ones and in proportion less work.
Instructions times bytes stay bounded, whatever the statement does, and nothing depends on a clock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import apsw

from simulator.errors import EngineFault
from simulator.sql.agent.policy import hidden_column
from simulator.sql.connection import GuardedConnection
from simulator.sql.functions import FunctionProblem
from simulator.sql.preparing import Description
from simulator.sql.problems import SqlProblem
from simulator.sql.rowset import Row

if TYPE_CHECKING:
    from simulator.sql.agent.guard import Judged

TIERS = ((1_000, 1), (8_000, 8), (100_000, 64))
"""The longest text or row in bytes, and how many times an instruction counts there."""

LONGEST_PATTERN = 100
"""Bytes of a LIKE or GLOB pattern: SQLite's matching takes time in proportion to text times pattern."""

_USUAL_WORK = 2_000_000


Cut = Literal["rows", "bytes", ""]
"""The limit that cut the rows of a result, if any."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one statement: rows and bytes returned (more are cut), work in instructions."""

    rows: int
    bytes: int
    work: int


@dataclass(frozen=True, slots=True)
class Ran:
    """What a statement gave. ``affected`` counts the rows it changed itself; ``cut`` says which limit cut the rows."""

    columns: Description
    rows: tuple[Row, ...]
    affected: int
    work: int
    cut: Cut = ""


def run(guarded: GuardedConnection, judged: Judged, limits: Limits) -> Ran | SqlProblem:
    """Run a statement on the state that is laid on the connection.

    A write stands inside a recording, which the caller undoes unless rows come back. Raises apsw.ConstraintError for
    a row that a table refuses, and :class:`EngineFault` when SQLite fails or the watchdog bites.
    """
    connection = guarded.connection
    usual = {limit: connection.limit(limit) for limit in (apsw.SQLITE_LIMIT_LENGTH, _PATTERN)}
    connection.limit(_PATTERN, LONGEST_PATTERN)
    spent = 0
    try:
        for length, weight in TIERS:
            allowance = (limits.work - spent) // weight
            if allowance <= 0:
                return _too_much_work(limits)
            connection.limit(apsw.SQLITE_LIMIT_LENGTH, length)
            attempt = _Attempt(guarded, judged, limits)
            outcome = attempt.run(allowance)
            spent += attempt.work * weight
            if outcome is not None:
                return replace(outcome, work=spent) if isinstance(outcome, Ran) else outcome
        return SqlProblem("sql_limit", f"A text or row is longer than {TIERS[-1][0]:,} bytes.")
    finally:
        for limit, value in usual.items():
            connection.limit(limit, value)


_PATTERN = apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH


class _Attempt:
    """One run within one limit on lengths."""

    def __init__(self, guarded: GuardedConnection, judged: Judged, limits: Limits) -> None:
        self.guarded = guarded
        self.judged = judged
        self.limits = limits
        self.work = 0
        self.description: Description = ()

    def run(self, allowance: int) -> Ran | SqlProblem | None:
        """What came of it; None when a text was too long."""
        authorizer, work, connection = self.guarded.authorizer, self.guarded.work, self.guarded.connection
        outer_policy, authorizer.policy, authorizer.denial = authorizer.policy, self.judged.policy, None
        outer_work = work.start(allowance, patience=max(1, self.limits.work // _USUAL_WORK))
        savepoint = self.judged.is_write
        try:
            if savepoint:
                self._engine("savepoint attempt")
            return self._carried_out(connection)
        except apsw.TooBigError:
            if savepoint:
                self._engine("rollback to attempt")
            return None
        except apsw.InterruptError as error:
            return self._interrupted(error)
        except apsw.ConstraintError:
            raise
        except apsw.FullError:
            return SqlProblem("sql_limit", "The database grew too large.")
        except apsw.AuthError:
            return self._refused()
        except (apsw.SQLError, apsw.MismatchError, FunctionProblem, OverflowError, UnicodeError) as error:
            return self._stopped(str(error))
        except apsw.Error as error:
            raise EngineFault(f"SQLite failed on an agent's statement: {error}") from error
        finally:
            self.work = work.stop(outer_work)
            authorizer.policy = outer_policy

    def _engine(self, sql: str) -> None:
        """A statement of the engine's own amid the agent's."""
        authorizer = self.guarded.authorizer
        policy, authorizer.policy = authorizer.policy, None
        try:
            self.guarded.connection.execute(sql)
        finally:
            authorizer.policy = policy

    def _carried_out(self, connection: apsw.Connection) -> Ran:
        cursor = connection.cursor()
        cursor.exec_trace = self._look
        cursor.execute(self.judged.live, can_cache=False)
        rows: list[Row] = []
        size = 0
        cut: Cut = ""
        for row in cursor:
            size += sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
            cut = self._cut(len(rows), size)
            if not cut:
                rows.append(row)
            elif not self.judged.is_write:  # a write is carried through, whatever of it is shown
                break
        cursor.close()
        affected = connection.changes() if self.judged.is_write else 0
        if self.judged.is_write:
            self._engine("release attempt")
        return Ran(self.description, tuple(rows), affected, 0, cut)

    def _cut(self, rows: int, size: int) -> Cut:
        if rows == self.limits.rows:
            return "rows"
        return "bytes" if size > self.limits.bytes else ""

    def _look(self, cursor: apsw.Cursor, _sql: str, _bindings: object) -> bool:
        """Take note of the columns before the first row; false stops a statement that is not what was judged."""
        self.description = cursor.description_full
        return not cursor.is_explain and cursor.is_readonly != self.judged.is_write

    def _interrupted(self, error: apsw.InterruptError) -> SqlProblem:
        excess = self.guarded.work.excess
        if excess == "time":
            raise EngineFault("An agent's statement ran longer than the watchdog allows.") from error
        if excess == "memory":
            return SqlProblem("sql_limit", "The statement needs too much memory.", suggestion=_LESS)
        if excess == "work":
            return _too_much_work(self.limits)
        return SqlProblem("sql_limit", "The statement changes too many rows.", suggestion=_LESS)

    def _stopped(self, message: str) -> SqlProblem:
        """A refusal inside a subquery can come out as another error."""
        return _failed(message) if self.guarded.authorizer.denial is None else self._refused()

    def _refused(self) -> SqlProblem:
        """The world's refusal of what the twin had let through. Names appear only where the role knows them."""
        denial, target = self.guarded.authorizer.denial, self.judged.target
        names = denial.names if denial is not None else ()
        if target is not None and len(names) == 2 and names[0] == target.name and names[1] in target.visible:
            return hidden_column(target, names[1])
        return SqlProblem("sql_forbidden", "This statement touches more than is allowed here.")


_LESS = "Ask for less, or narrow it with WHERE."


def _too_much_work(limits: Limits) -> SqlProblem:
    message = f"The statement needs more work than {limits.work:,} steps of the database."
    return SqlProblem("sql_limit", message, suggestion=_LESS)


def _failed(message: str) -> SqlProblem:
    """The problem behind an error that showed only in the world."""
    if message.startswith("ambiguous column name"):
        name = message.rpartition(": ")[2]
        suggestion = f"Write the table or its alias before `{name}`."
        return SqlProblem("sql_unknown_name", f"`{name}` could be in more than one table.", suggestion=suggestion)
    if message == "datatype mismatch":
        return SqlProblem("sql_value", "A value does not fit the type of its column.")
    if "pattern too complex" in message:
        return SqlProblem("sql_limit", f"A LIKE or GLOB pattern has at most {LONGEST_PATTERN} bytes.")
    return SqlProblem("sql_value", f"{message[:1].upper()}{message[1:]}.")
