"""Solutions as the calls an oracle makes.

A solution is expanded on the world as the task begins: `each` becomes its rows, parameters are put in, and `finish` is
added where the author left it out. What earlier calls return stays as ``{name}`` until the run (`SolutionStep.call`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.errors import Problem, ScenarioError
from simulator.scenario.models import Call, Operation, ScenarioDocument, TaskTemplate
from simulator.tasks.answers import answer_text, expected_answers
from simulator.tasks.placeholders import fill_arguments, fill_partly, worded
from simulator.tasks.task import Task
from simulator.world.changes import Value
from simulator.world.database import Database

MOST_CALLS = 1_000
"""The most calls of one solution, as many as the longest episode has steps."""

_TIMES_EACH = 3  # rows an `each` is taken to have, before a world says how many


@dataclass(frozen=True, slots=True)
class SolutionStep:
    """One call of a solution. ``errs`` is the error code it is meant to get, None where it is meant to succeed.

    ``arguments`` may hold ``{name}`` of values that earlier steps ``remember`` (name → where in the result).
    """

    tool: str
    arguments: Mapping[str, Any]
    errs: str | None = None
    remember: Mapping[str, str] = field(default_factory=dict)

    def call(self, remembered: Mapping[str, Any]) -> dict[str, Any]:
        """The action, remembered values in place: ``{"tool": …, "arguments": …}``."""
        return {"tool": self.tool, "arguments": fill_arguments(dict(self.arguments), remembered)}


Solution = tuple[SolutionStep, ...]


def expand_solution(database: Database, template: TaskTemplate, task: Task) -> tuple[Solution, ...]:
    """Every solution of a task, on the world as the task begins; none if the template has none.

    A refusal without a solution is solved by refusing. Raises ScenarioError (``solution_too_long``) beyond 1,000 calls,
    StatementFailed when a query of the author's cannot be carried out.
    """
    document = database.world.scenario.document
    written = solutions_of(template) or (((),) if template.expects is not None else ())
    expanded = []
    for calls in written:
        steps: list[SolutionStep] = []
        for step in _expanded(database, document, task, calls, {}):
            steps.append(step)
            if len(steps) >= MOST_CALLS:
                message = f"the solution of {task.id} has more than {MOST_CALLS:,} calls."
                raise ScenarioError([Problem("solution_too_long", message, f"tasks.{task.template}.solution")])
        if not (steps and _ends(document, steps[-1].tool)):
            steps.append(SolutionStep("finish", _finish_arguments(database, template, task)))
        expanded.append(tuple(steps))
    return tuple(expanded)


def remembered_values(step: SolutionStep, result: Any) -> dict[str, Any]:
    """What a step remembers of its result.

    A place is a dotted path: ``ticket.id``, ``lines.0.id``; empty for the whole. What is absent is None.
    """
    return {name: _at(result, place) for name, place in step.remember.items()}


def solutions_of(template: TaskTemplate) -> tuple[Sequence[Call], ...]:
    """The solutions a template gives, one or several."""
    if template.solution is not None:
        return (template.solution,)
    return tuple(template.solutions or ())


def static_calls(calls: Sequence[Call], times: int = 1) -> Iterator[tuple[Call, int]]:
    """Every call as written, with how often it is made, an `each` taken to have three rows."""
    for call in calls:
        if call.each is None:
            yield call, times
        else:
            yield from static_calls(call.do, times * _TIMES_EACH)


def difficulty(document: ScenarioDocument, template: TaskTemplate) -> int:
    """The author's word, or an estimate from the easiest solution: 1 easy to 5 hard.

    Counted are the calls (those under `each` three times), half a point for each different tool, a quarter for each of
    the tools' guards, and a point for an answer to work out or a refusal to find. A task without a solution is a 3.
    """
    if template.difficulty is not None:
        return template.difficulty
    efforts = []
    for solution in solutions_of(template):
        calls = [(call, times) for call, times in static_calls(solution) if call.tool != "finish"]
        tools = [document.tools.get(name) for name in {call.tool for call, _ in calls} if name is not None]
        guards = sum(len(tool.guards) for tool in tools if isinstance(tool, Operation))
        efforts.append(sum(times for _, times in calls) + len(tools) / 2 + guards / 4)
    if not efforts:
        return 3
    thought = template.expects is not None or any(check.answer is not None for check in template.checks.values())
    return 1 + sum(min(efforts) + thought > bound for bound in (3, 6, 10, 15))


def _expanded(
    database: Database, document: ScenarioDocument, task: Task, calls: Sequence[Call], row: Mapping[str, Value]
) -> Iterator[SolutionStep]:
    values = {**task.parameters, "actor": task.actor, **row}
    for call in calls:
        if call.each is not None:
            rows = database.query(call.each, {**task.bindings(), **row}, limit=MOST_CALLS)
            for values_of_row in rows.dictionaries():
                yield from _expanded(database, document, task, call.do, {**row, **values_of_row})
        elif call.tool is not None:
            tool = document.tools.get(call.tool)
            types: Mapping[str, str] = {}
            if isinstance(tool, Operation):
                types = {name: parameter.type for name, parameter in tool.parameters.items()}
            elif call.tool == "finish":
                types = {"answer": "string"}
            arguments = {
                name: fill_partly(argument, _fitting(argument, types.get(name, ""), values))
                for name, argument in call.arguments.items()
            }
            yield SolutionStep(call.tool, arguments, call.errs, dict(call.remember))


def _fitting(argument: Any, json_type: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values, that of a lone placeholder in the JSON type its parameter wants.

    SQL has no booleans, lists or mappings: a column gives 0 or 1, or JSON text.
    """
    name = argument[1:-1] if isinstance(argument, str) else ""
    if name not in values:
        return values
    value = values[name]
    if json_type == "boolean" and value in (0, 1):
        value = bool(value)
    elif json_type == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    elif json_type == "string" and isinstance(value, (int, float)):
        value = worded(value)
    elif json_type in ("array", "object") and isinstance(value, str):
        value = _json(value)
    return {**values, name: value}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _ends(document: ScenarioDocument, tool: str) -> bool:
    operation = document.tools.get(tool)
    return tool == "finish" or (isinstance(operation, Operation) and operation.ends)


def _finish_arguments(database: Database, template: TaskTemplate, task: Task) -> dict[str, Any]:
    """How a solution finishes that does not say: with the refusal, or the answer its only answer check expects."""
    if template.expects is not None:
        return {"refusal": template.expects.refusal}
    checks = [check.answer for check in template.checks.values() if check.answer is not None]
    if len(checks) == 1:
        (expected,) = expected_answers(database, template, task).values()
        text = answer_text(checks[0], expected)
        return {} if text is None else {"answer": text.replace("{", "{{").replace("}", "}}")}
    return {}


def _at(result: Any, place: str) -> Any:
    for part in place.split(".") if place else ():
        if isinstance(result, Mapping):
            result = result.get(part)
        elif isinstance(result, list) and part.isdecimal() and int(part) < len(result):
            result = result[int(part)]
        else:
            return None
    return result
