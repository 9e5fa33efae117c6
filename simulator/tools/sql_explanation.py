"""What a statement of an SQL tool would do, in full: verdict, translation, what it touches, rows, changes, work."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from simulator.sql import SqlProblem
from simulator.tools.sql_tool import CompiledSqlTool, SqlAttempt, verdict_of_problem
from simulator.tools.verdicts import Verdict
from simulator.world.changes import RowChange
from simulator.world.database import Bindings, Database


@dataclass(frozen=True, slots=True)
class Explanation:
    """A statement, explained. Nothing of it was kept.

    ``translated`` is the text in SQLite's dialect, empty where the statement was refused before. ``reads`` are columns
    as ``table.column``, ``writes`` as ``update ticket.status`` or ``delete ticket``. ``work`` is in steps of the
    database. ``result`` is what an agent would get, before it is cut to an observation's length. ``line`` and
    ``column`` are the place in the agent's text that the verdict is about, both 0 where it has none.
    """

    verdict: Verdict
    translated: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    result: JsonValue = None
    changes: tuple[RowChange, ...] = ()
    work: int = 0
    line: int = 0
    column: int = 0


def explain_sql(
    database: Database, tool: CompiledSqlTool, sql: str, role: str | None, bindings: Bindings
) -> Explanation:
    """Judge ``sql`` as ``tool`` does for ``role``, run it on the state that is laid, and undo it.

    Rules and lifecycles are not asked. ``bindings`` hold ``actor``. Raises KeyError for a role without the tool.
    """
    statement = tool.judge_in_place(sql, role)
    if isinstance(statement, SqlProblem):
        return Explanation(verdict_of_problem(statement), line=statement.line, column=statement.column)
    if statement.is_write:
        with database.store.record() as recorder:
            attempt = tool.write(database, statement, bindings, recorder)
            recorder.rollback()
    else:
        attempt = tool.read(database, statement, bindings)
    return _explained(statement.sql, statement.reads, statement.writes, attempt)


def _explained(
    sql: str,
    reads: tuple[tuple[str, str], ...],
    writes: tuple[tuple[str, str, str], ...],
    attempt: SqlAttempt,
) -> Explanation:
    return Explanation(
        verdict=attempt.verdict,
        translated=sql,
        reads=tuple(f"{table}.{column}" if column else table for table, column in reads),
        writes=tuple(f"{verb} {table}.{column}" if column else f"{verb} {table}" for verb, table, column in writes),
        result=attempt.result,
        changes=attempt.changes,
        work=attempt.work,
    )
