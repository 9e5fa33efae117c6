"""A tool that runs the agent's own SQL: the statement judged, run, its changes checked, its result as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

from pydantic import JsonValue

from simulator.scenario.durations import parse_duration
from simulator.scenario.models import Parameter, ScenarioDocument, SqlTool
from simulator.sql import SqlProblem
from simulator.sql.agent import GrantedTable, Judged, Limits, Relation
from simulator.sql.problems import SqlCode
from simulator.sql.schema import Schema
from simulator.tools.arguments import ArgumentReader
from simulator.tools.calls import ToolCall
from simulator.tools.operations import verdict_of
from simulator.tools.results import converters
from simulator.tools.sql_access import GuardedRole, guard_of, guarded_roles
from simulator.tools.sql_changes import check_changes
from simulator.tools.sql_description import described
from simulator.tools.verdicts import OK, STATUSES, Kind, Verdict, failed
from simulator.world.changes import RowChange
from simulator.world.database import AgentRows, Bindings, Database, StatementFailed
from simulator.world.store import Recorder

SQL = "sql"
"""The tool's one argument."""

TRUNCATED = "truncated"
_LONGEST_ARGUMENT = 100_000  # the gate has its own, stricter limit, and its own words

_KINDS: Mapping[SqlCode, Kind] = {
    "sql_syntax": "sql_syntax",
    "sql_unknown_name": "sql_unknown_name",
    "sql_unsupported": "sql_unsupported",
    "sql_forbidden": "sql_forbidden",
    "sql_limit": "sql_limit",
    "bad_time": "bad_time",
    "sql_value": "constraint",
}
_NAMED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_NAME = 80  # characters of an agent's own words in a message
_LONG_NAME = re.compile(r"\S{120,}+")


@dataclass(frozen=True, slots=True)
class SqlAttempt:
    """What a statement came to. ``changes`` are its row changes; ``work`` is in steps of the database."""

    verdict: Verdict
    result: JsonValue = None
    changes: tuple[RowChange, ...] = ()
    work: int = 0


class CompiledSqlTool:
    """An SQL tool, ready to run. ``takes`` is in seconds of the world's clock; ``roles`` are those that have grants.

    ``limits`` are those of one statement.
    """

    def __init__(
        self,
        name: str,
        tool: SqlTool,
        document: ScenarioDocument,
        relations: Mapping[str, Relation],
        schema: Schema,
    ) -> None:
        self.name = name
        self.dialect: str = tool.sql.dialect
        self.takes = parse_duration(tool.takes)
        self.roles: Mapping[str | None, GuardedRole] = guarded_roles(name, tool, document, relations, schema)
        self.arguments = ArgumentReader({SQL: _argument()})
        self._summary = tool.summary
        self._schema = schema
        limits = tool.sql.limits
        self.limits = Limits(limits.rows, limits.bytes, limits.work)
        self._affected = limits.affected

    def open_to(self, role: str | None) -> bool:
        """Whether an agent in this role has it."""
        return role in self.roles

    def in_dialect(self, dialect: str) -> CompiledSqlTool:
        """The same tool, with the same grants, for statements in another dialect."""
        views = frozenset(self._schema.views)
        other = copy(self)
        other.dialect = dialect
        other.roles = {
            name: GuardedRole(known.role, guard_of(known.role, views, dialect, self._schema))
            for name, known in self.roles.items()
        }
        return other

    def description(self, role: str | None) -> str:
        """What an agent in this role is told: dialect, tables, rights, limits."""
        return described(self._summary, self.dialect, self.roles[role].role, self._schema, self.limits, self._affected)

    def judge(self, sql: str, role: str | None) -> Judged | Verdict:
        """The statement as it may run, or the verdict that refuses it."""
        judged = self.judge_in_place(sql, role)
        return verdict_of_problem(judged) if isinstance(judged, SqlProblem) else judged

    def judge_in_place(self, sql: str, role: str | None) -> Judged | SqlProblem:
        """The same, with the place of what is wrong."""
        return self.roles[role].guard.judge(sql)

    def read(self, database: Database, statement: Judged, bindings: Bindings) -> SqlAttempt:
        """Run a query."""
        ran = database.run_agent(statement, self.limits, bindings.get("actor"))
        if isinstance(ran, SqlProblem):
            return SqlAttempt(verdict_of_problem(ran, statement.flags))
        return SqlAttempt(_ok(statement, ran), _table(ran, {}), work=ran.work)

    def write(self, database: Database, statement: Judged, bindings: Bindings, recorder: Recorder) -> SqlAttempt:
        """Run a write inside the recording the caller opened, and check what it changed.

        On any verdict but ok the caller rolls back.
        """
        try:
            ran = database.run_agent(statement, self.limits, bindings.get("actor"))
            if isinstance(ran, SqlProblem):
                return SqlAttempt(verdict_of_problem(ran, statement.flags))
            changes = recorder.changes
            affected = max(ran.affected, len(changes))
            if self._affected is not None and affected > self._affected:
                message = f"This changes {affected:,} rows; one statement may change {self._affected:,}."
                return SqlAttempt(failed("sql_limit", "too_many_rows_changed", message, flags=statement.flags))
            refused = check_changes(database, statement, recorder, changes, bindings)
        except StatementFailed as failure:
            return SqlAttempt(_broken(failure, statement.target))
        except UnicodeDecodeError:
            return SqlAttempt(failed("constraint", "not_possible", "A text that is not valid UTF-8 cannot be stored."))
        if refused is not None:
            return SqlAttempt(refused)
        result: dict[str, JsonValue] = {"changed": ran.affected}
        return SqlAttempt(_ok(statement, ran), _table(ran, result) if ran.rows.columns else result, changes, ran.work)


def statement_of(call: ToolCall) -> str:
    """The statement that a call of an SQL tool brings."""
    return str(call.arguments[SQL])


def verdict_of_problem(problem: SqlProblem, flags: tuple[str, ...] = ()) -> Verdict:
    """A problem with a statement as the agent is told it: what, where, and what to do."""
    kind = _KINDS.get(problem.code, "sql_forbidden")
    place = f" (line {problem.line}, column {problem.column})" if problem.line else ""
    message = problem.message.removesuffix(".") + place + "." if place else problem.message
    words = f"{message} {problem.suggestion}" if problem.suggestion else message
    words = _LONG_NAME.sub(lambda match: f"{match.group()[:_LONGEST_NAME]}…", words)
    code = "not_possible" if problem.code == "sql_value" else problem.code
    return failed(kind, code, words, flags=flags)


def _ok(statement: Judged, ran: AgentRows) -> Verdict:
    flags = (*statement.flags, *((TRUNCATED,) if ran.cut else ()))
    return Verdict("ok", "ok", STATUSES["ok"], "", flags) if flags else OK


def _table(ran: AgentRows, result: dict[str, JsonValue]) -> JsonValue:
    """Columns and rows, values as the results of operations show them."""
    shown = converters(ran.rows)
    result["columns"] = list(ran.rows.columns)
    result["rows"] = [[show(value) for show, value in zip(shown, row, strict=True)] for row in ran.rows.rows]
    if ran.cut:
        count = len(ran.rows.rows)
        what = "There are more rows" if ran.cut == "rows" else "The rows are too long to show them all"
        result["truncated"] = True
        result["note"] = f"{what}; these are the first {count:,}. Narrow the query, or page with LIMIT and OFFSET."
    return result


_FORMS = {
    "timestamp": "a time; write YYYY-MM-DD HH:MM:SS, in UTC",
    "date": "a date; write YYYY-MM-DD",
    "boolean": "true or false (1 or 0)",
    "json": "a JSON text",
}


def _broken(failure: StatementFailed, target: GrantedTable | None) -> Verdict:
    """The verdict on a broken constraint; columns the role does not know of are not named."""
    if failure.kind != "constraint" or target is None:
        return verdict_of(failure)
    relation = target.relation
    if set(_NAMED.findall(failure.message)) & set(relation.columns) - {*target.known, target.name}:
        message = f"A rule of `{target.name}` on columns that you may not set is not met."
        return failed("constraint", failure.code, message)
    column = failure.message.rpartition(": ")[2]
    if failure.code == "check" and column in relation.columns:
        kind = relation.types[relation.columns.index(column)]
        if kind in _FORMS:
            is_time = kind in ("timestamp", "date")
            message = f"The value for `{column}` must be {_FORMS[kind]}."
            return failed("bad_time" if is_time else "constraint", "bad_time" if is_time else "check", message)
    return verdict_of(failure)


def _argument() -> Parameter:
    return Parameter.model_validate(
        {"type": "string", "max_length": _LONGEST_ARGUMENT, "description": "One SQL statement."}
    )
