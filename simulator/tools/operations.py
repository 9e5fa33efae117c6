"""Operations: `let`, `guards`, `effects`, then `returns`. All or nothing, in the transaction the caller opened.

What the data forbids (a failing guard, a broken constraint, too much work) is a verdict; the caller then rolls back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from simulator.scenario.canonical import canonical_json
from simulator.tools.arguments import ArgumentReader
from simulator.tools.calls import ToolCall
from simulator.tools.messages import MessageTemplate
from simulator.tools.results import CompiledReturns, build_result, converters
from simulator.tools.verdicts import OK, Verdict, failed
from simulator.world.database import Bindings, Database, RowSetValue, StatementFailed

MOST_REPETITIONS = 10_000

_CONSTRAINTS = {  # `detail` is what SQLite names: the columns, or the expression
    "unique": "There is a row with the same {detail} already.",
    "not_null": "{detail} must have a value.",
    "foreign_key": "This names a row that does not exist, or removes one that others refer to.",
    "check": "A value does not fit: {detail}.",
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """What running an operation came to. ``bindings`` and ``rowsets`` are what `returns` may refer to."""

    verdict: Verdict
    bindings: Mapping[str, Any] = field(default_factory=dict)
    rowsets: Mapping[str, RowSetValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Let:
    """A value, or a row set with its ``columns``, computed first."""

    name: str
    sql: str
    columns: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition that must hold, or, with ``refuses``, a query that must return no row; and the failure."""

    sql: str
    refuses: bool
    status: int
    code: str
    message: MessageTemplate


@dataclass(frozen=True, slots=True)
class Effect:
    """Writes; only if ``condition`` holds, once per row of the row set ``each``."""

    condition: str | None
    each: str | None
    writes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompiledOperation:
    """An operation, ready to run.

    ``reads`` are the tables its lets, guards and returns read, ``writes`` those its effects may write. ``takes`` is
    in seconds of the world's clock, ``page`` the rows of a page, ``idempotency`` the parameter that holds the key.
    """

    name: str
    summary: str
    arguments: ArgumentReader
    reads: frozenset[str]
    writes: frozenset[str]
    takes: int
    cost: float
    ends: bool
    reads_only: bool
    idempotency: str | None
    page: int | None
    roles: frozenset[str] | None
    parameters: tuple[str, ...]
    lets: tuple[Let, ...]
    guards: tuple[Guard, ...]
    effects: tuple[Effect, ...]
    returns: CompiledReturns | None

    def open_to(self, role: str | None) -> bool:
        """Whether an agent in this role may call it."""
        return self.roles is None or role in self.roles

    def idempotency_key(self, call: ToolCall) -> str | None:
        """The key this call gives, None when the operation has none or the agent left it out."""
        key = call.arguments.get(self.idempotency) if self.idempotency is not None else None
        return key if key is None or isinstance(key, str) else canonical_json(key)

    def run(self, database: Database, call: ToolCall, bindings: Bindings) -> Attempt:
        """Compute the lets, check the guards, apply the effects.

        ``bindings`` are the names known besides the parameters (`:actor`). On any verdict but ok the caller rolls back.
        """
        values: dict[str, Any] = {**bindings, **dict.fromkeys(self.parameters), **call.arguments}
        rowsets: dict[str, RowSetValue] = {}
        try:
            for let in self.lets:
                if let.columns is None:
                    values[let.name] = database.value(let.sql, values, rowsets=rowsets)
                else:
                    rows = database.query(let.sql, values, rowsets=rowsets)
                    rowsets[let.name] = RowSetValue(let.columns, rows.rows)
            for guard in self.guards:
                refusal = _refusal(guard, database, values, rowsets)
                if refusal is not None:
                    return Attempt(refusal)
            for effect in self.effects:
                _apply(effect, database, values, rowsets)
        except StatementFailed as failure:
            return Attempt(verdict_of(failure))
        return Attempt(OK, values, rowsets)

    def result(self, database: Database, call: ToolCall, attempt: Attempt) -> JsonValue | Verdict:
        """What the agent gets after ``attempt``, read from the database as it is now; a verdict if that fails."""
        if self.returns is None:
            return {"ok": True}
        page = call.arguments.get("page")
        number = page if isinstance(page, int) else 1
        try:
            return build_result(self.returns, database, attempt.bindings, attempt.rowsets, page=number)
        except StatementFailed as failure:
            return verdict_of(failure)


def verdict_of(failure: StatementFailed) -> Verdict:
    """A statement's failure as the agent is told it."""
    if failure.kind == "sql_limit":
        return failed("sql_limit", failure.code, failure.message)
    if failure.kind == "sql_error":
        return failed("constraint", "not_possible", failure.message)
    words = _CONSTRAINTS.get(failure.code, "{message}")
    detail = failure.message.partition(": ")[2] or failure.message
    return failed("constraint", failure.code, words.format(detail=detail, message=failure.message))


def _refusal(
    guard: Guard, database: Database, values: Mapping[str, Any], rowsets: Mapping[str, RowSetValue]
) -> Verdict | None:
    """The verdict of a guard that does not hold."""
    if not guard.refuses:
        if database.holds(guard.sql, values, rowsets=rowsets):
            return None
        message = guard.message.fill(values)
    else:
        rows = database.query(guard.sql, values, rowsets=rowsets, head=1)
        if not rows.rows:
            return None
        shown = zip(rows.columns, converters(rows), rows.rows[0], strict=True)
        message = guard.message.fill({**values, **{name: show(value) for name, show, value in shown}})
    return failed("guard", guard.code, message, status=guard.status)


def _apply(effect: Effect, database: Database, values: Mapping[str, Any], rowsets: Mapping[str, RowSetValue]) -> None:
    for bound in _repetitions(effect, values, rowsets):
        if effect.condition is None or database.holds(effect.condition, bound, rowsets=rowsets):
            for sql in effect.writes:
                database.write(sql, bound, rowsets=rowsets)


def _repetitions(
    effect: Effect, values: Mapping[str, Any], rowsets: Mapping[str, RowSetValue]
) -> Iterator[Mapping[str, Any]]:
    if effect.each is None:
        yield values
        return
    rows = rowsets[effect.each]
    if len(rows.rows) > MOST_REPETITIONS:
        message = f"this would be repeated for {len(rows.rows):,} rows; {MOST_REPETITIONS:,} are allowed"
        raise StatementFailed("sql_limit", "too_many_rows", message)
    for row in rows.rows:
        yield {**values, **dict(zip(rows.columns, row, strict=True))}
