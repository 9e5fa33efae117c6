"""What lint says of tasks once there is a world to draw them from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from simulator.errors import Problem
from simulator.scenario.models import RESERVED_PARAMETERS, Actor, Call, ExpectedValue, ScenarioDocument, TaskTemplate
from simulator.scenario.paths import did_you_mean
from simulator.tasks.answers import answer_problems
from simulator.tasks.drawing import Drawn, draw
from simulator.tasks.placeholders import names_used
from simulator.tasks.solutions import MOST_CALLS, solutions_of
from simulator.world.database import Database, StatementFailed


def task_problems(database: Database) -> tuple[Problem, ...]:
    """All problems of a scenario's task templates in one world, on its start state, in document order.

    Draws that yield nothing or cannot be used, parameters with a name that is taken, placeholders that no parameter
    fills, answer checks that cannot be judged, refusals without a twin. What needs no data (SQL against the schema,
    names of tools, roles and tables) is for the scenario's own lint.
    """
    document = database.world.scenario.document
    problems: list[Problem] = []
    for name, template in document.tasks.items():
        drawn = draw(database, name, template)
        problems += drawn.problems
        problems += _placeholder_problems(database, name, template, drawn)
        for check_name, check in template.checks.items():
            if check.answer is not None:
                problems += answer_problems(check.answer, f"tasks.{name}.checks.{check_name}.answer")
        problems += _twin_problems(document, name, template)
    return tuple(problems)


def _placeholder_problems(database: Database, name: str, template: TaskTemplate, drawn: Drawn) -> Iterator[Problem]:
    path = f"tasks.{name}"
    if not drawn.columns and not drawn.parameters:
        return  # the draw could not even be run, which is reported
    known = set(drawn.columns)
    several = not isinstance(template.instruction, str)
    for index, phrase in enumerate(template.instruction if several else [str(template.instruction)]):
        yield from _unknown(phrase, known, f"{path}.instruction[{index}]" if several else f"{path}.instruction")
    if isinstance(template.as_, Actor):
        yield from _unknown(template.as_.actor, known, f"{path}.as.actor")
    for check_name, check in template.checks.items():
        if check.answer is None:
            continue
        for form in ("exact", "number", "set", "list"):
            value = getattr(check.answer, f"{form}_" if form in ("set", "list") else form)
            if not isinstance(value, ExpectedValue):
                yield from _unknown(value, known, f"{path}.checks.{check_name}.answer.{form}")
    for index, solution in enumerate(solutions_of(template)):
        place = f"{path}.solution" if template.solution is not None else f"{path}.solutions[{index}]"
        example = dict(drawn.parameters[0]) if drawn.parameters else None
        yield from _call_problems(database, solution, known | {"actor"}, example, place)


def _call_problems(
    database: Database, calls: Sequence[Call], known: Collection[str], example: Mapping[str, object] | None, path: str
) -> Iterator[Problem]:
    """Placeholders that nothing before them fills. ``example`` binds the queries of `each`; without it none is run."""
    known = set(known)
    for index, call in enumerate(calls):
        place = f"{path}[{index}]"
        yield from _unknown(call.arguments, known, f"{place}.{call.tool}")
        known |= set(call.remember)
        if call.each is not None and example is not None:
            bindings = {**dict.fromkeys(RESERVED_PARAMETERS), **example}
            try:
                rows = database.query(call.each, bindings, limit=MOST_CALLS)
            except StatementFailed as failure:
                yield Problem("each_fails", f"the query could not be run: {failure.message}", f"{place}.each")
                continue
            if rows.rows:  # a query without rows does not tell its columns
                row = rows.dictionaries()[0]
                yield from _call_problems(database, call.do, known | set(row), {**example, **row}, f"{place}.do")
            known |= {name for inner in call.do for name in inner.remember}


def _unknown(value: object, known: Collection[str], path: str) -> Iterator[Problem]:
    for name in names_used(value):
        if name not in known:
            message = f"`{{{name}}}` is filled by nothing: the draw has no such column."
            hint = did_you_mean(name, sorted(known)) or "Add it to the draw, or write {{ and }} for braces."
            yield Problem("unknown_placeholder", message, path, suggestion=hint)


def _twin_problems(document: ScenarioDocument, name: str, template: TaskTemplate) -> Iterator[Problem]:
    path = f"tasks.{name}.twin"
    if template.expects is None:
        return
    twin = document.tasks.get(template.twin or "")
    if template.twin is None:
        message = "a refusal needs a twin with the same wording where acting is right, or refusing blindly pays."
        yield Problem("refusal_without_twin", message, path, severity="warning")
    elif twin is not None and twin.expects is not None:
        message = f"the twin {template.twin!r} is a refusal too; it should be a task where acting is right."
        yield Problem("twin_refuses", message, path)
    elif twin is not None and twin.instruction != template.instruction:
        message = f"the twin {template.twin!r} is worded otherwise, which gives the refusal away."
        yield Problem("twin_wording", message, path, severity="warning")
