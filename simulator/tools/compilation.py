"""From the model of an operation to one that runs: texts parsed, references resolved, the tables it touches known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from simulator.errors import Problem, ScenarioError
from simulator.scenario import models
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import ConditionalEffect, Operation, RowSet, ScenarioDocument
from simulator.scenario.paths import Path, did_you_mean, render_path
from simulator.sql import Cte, Role, SqlProblem, StatementFacts, row_set_cte
from simulator.tools.arguments import ArgumentReader
from simulator.tools.messages import MessageTemplate
from simulator.tools.operations import CompiledOperation, Effect, Guard, Let
from simulator.tools.parameters import arguments_schema
from simulator.tools.results import CompiledReturns


class Analyse(Protocol):
    """Says what an SQL text does without running it: `Twin.analyse`."""

    def __call__(self, sql: str, *, role: Role, ctes: Sequence[Cte] = ()) -> StatementFacts | list[SqlProblem]:
        """The facts, or everything found wrong."""
        ...


def tool_problems(document: ScenarioDocument) -> list[Problem]:
    """What is wrong with the operations of a document, their SQL aside."""
    return [
        problem
        for name, tool in document.tools.items()
        if isinstance(tool, Operation)
        for problem in operation_problems(tool, ("tools", name))
    ]


def operation_problems(operation: Operation, path: Path) -> Iterator[Problem]:
    """What is wrong with one operation, which stands at ``path``, its SQL aside."""
    _, problems = arguments_schema(operation.parameters, paged=operation.page is not None, path=(*path, "parameters"))
    yield from problems
    rowsets = [name for name, let in operation.let.items() if isinstance(let, RowSet)]
    for name in operation.let:
        if name in operation.parameters:
            yield _problem("name_taken", f"`{name}` is a parameter already.", (*path, "let", name))
    for index, effect in enumerate(operation.effects):
        if isinstance(effect, ConditionalEffect) and effect.each is not None and effect.each not in rowsets:
            message = f"there is no row set `{effect.each}` among the lets."
            hint = did_you_mean(effect.each, rowsets) or "Write `let: {name: {rows: select …}}`."
            yield _problem("unknown_row_set", message, (*path, "effects", index, "each"), hint)
    key = operation.idempotency
    if key is not None and key not in operation.parameters:
        hint = did_you_mean(key, operation.parameters)
        yield _problem("unknown_parameter", f"there is no parameter `{key}`.", (*path, "idempotency"), hint)
    if operation.page is not None and (operation.returns is None or operation.returns.many is None):
        yield _problem("page_without_many", "`page` cuts the rows of `returns: {many: …}`.", (*path, "page"))
    if operation.reads_only and operation.effects:
        yield _problem("not_reads_only", "an operation with effects does not only read.", (*path, "reads_only"))
    for index, guard in enumerate(operation.guards):
        template = MessageTemplate.parse(guard.else_.message)
        place = (*path, "guards", index, "else", "message")
        yield from (_problem("bad_template", f"{words}.", place) for words in template.problems)
    if operation.returns is not None and operation.returns.text is not None:
        template = MessageTemplate.parse(operation.returns.text)
        place = (*path, "returns", "text")
        yield from (_problem("bad_template", f"{words}.", place) for words in template.problems)


def compile_operation(name: str, operation: Operation, analyse: Analyse) -> CompiledOperation:
    """The operation, ready to run. Raises ScenarioError with everything that is wrong with it, its SQL included."""
    path: Path = ("tools", name)
    problems = list(operation_problems(operation, path))
    touched = _Touched(analyse)
    lets = tuple(
        Let(let_name, *touched.let(let_name, let, (*path, "let", let_name))) for let_name, let in operation.let.items()
    )
    for index, guard in enumerate(operation.guards):
        place = (*path, "guards", index)
        if guard.require is not None:
            touched.query(guard.require, (*place, "require"), "condition")
        if guard.refuse is not None:
            touched.query(guard.refuse, (*place, "refuse"))
    effects = tuple(map(_effect, operation.effects))
    for index, effect in enumerate(effects):
        touched.effect(effect, (*path, "effects", index))
    returns = CompiledReturns.compile(operation.returns, operation.page) if operation.returns is not None else None
    for place, sql in returns.queries((*path, "returns")) if returns is not None else ():
        touched.rows(sql, place)
    problems += touched.problems
    if problems:
        raise ScenarioError(problems)
    return CompiledOperation(
        name=name,
        summary=operation.summary,
        arguments=ArgumentReader(operation.parameters, paged=operation.page is not None),
        reads=frozenset(touched.reads),
        writes=frozenset(touched.writes),
        takes=parse_duration(operation.takes),
        cost=operation.cost,
        ends=operation.ends,
        reads_only=not effects if operation.reads_only is None else operation.reads_only,
        idempotency=operation.idempotency,
        page=operation.page,
        roles=frozenset(operation.roles) if operation.roles is not None else None,
        parameters=tuple(operation.parameters),
        lets=lets,
        guards=tuple(map(_guard, operation.guards)),
        effects=effects,
        returns=returns,
    )


class _Touched:
    """What the SQL of one operation reads and writes, text by text; the row sets seen so far are readable."""

    def __init__(self, analyse: Analyse) -> None:
        self._analyse = analyse
        self._rowsets: list[Cte] = []
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.problems: list[Problem] = []

    def let(self, name: str, let: str | RowSet, path: Path) -> tuple[str, tuple[str, ...] | None]:
        """A let's SQL, and the columns it has if it is a row set."""
        if isinstance(let, str):
            self.query(let, path)
            return let, None
        columns = self.rows(let.rows, (*path, "rows"))
        self._rowsets.append(row_set_cte(name, columns))
        return let.rows, columns

    def rows(self, sql: str, path: Path) -> tuple[str, ...]:
        """The columns of a query whose rows are taken by name; two of one name would hide each other."""
        facts = self.query(sql, path)
        columns = tuple(column.name for column in facts.columns) if facts is not None else ()
        for name in dict.fromkeys(column for column in columns if columns.count(column) > 1):
            message = f"the column `{name}` comes more than once."
            self.problems.append(_problem("duplicate_column", message, path, "Name one of them with `as`."))
        return columns

    def query(self, sql: str, path: Path, role: Role = "query") -> StatementFacts | None:
        facts = self._facts(sql, role, path)
        if facts is not None:
            self.reads |= facts.tables_read
        return facts

    def effect(self, effect: Effect, path: Path) -> None:
        if effect.condition is not None:
            self.query(effect.condition, (*path, "if"), "condition")
        for sql in effect.writes:
            facts = self._facts(sql, "write", path)
            if facts is not None:
                self.writes |= facts.tables_written

    def _facts(self, sql: str, role: Role, path: Path) -> StatementFacts | None:
        facts = self._analyse(sql, role=role, ctes=tuple(self._rowsets))
        if isinstance(facts, StatementFacts):
            return facts
        self.problems += (_problem(found.code, found.message, path, found.suggestion) for found in facts)
        return None


def _effect(effect: str | ConditionalEffect) -> Effect:
    if isinstance(effect, str):
        return Effect(None, None, (effect,))
    return Effect(effect.if_, effect.each, (effect.do,) if isinstance(effect.do, str) else tuple(effect.do))


def _guard(guard: models.Guard) -> Guard:
    failure = guard.else_
    message = MessageTemplate.parse(failure.message)
    return Guard(guard.require or guard.refuse or "", guard.refuse is not None, failure.status, failure.code, message)


def _problem(code: str, message: str, path: Path, suggestion: str = "") -> Problem:
    return Problem(code, message, render_path(path), suggestion=suggestion)
