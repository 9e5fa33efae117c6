"""Whether a task is done: its checks, run on the state and the answer an episode ended with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from simulator.errors import Problem
from simulator.scenario.models import Check, TaskTemplate
from simulator.scenario.times import parse_timestamp
from simulator.tasks.answers import answer_failure
from simulator.tasks.comparison import Comparison, generated_tables, same_changes
from simulator.tasks.task import Task
from simulator.world.changes import NetChanges
from simulator.world.database import Database, StatementFailed

Form = Literal["passes", "answer", "same_as_solution", "refusal"]

_SAME_AS_SOLUTION = Check.model_validate({"same_as_solution": True})


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How one check came out. ``detail`` says what was found; it is for authors and never shown to the agent.

    ``keeps`` marks a check that was true at reset: it earns nothing, and breaking it loses success. ``form`` is what it
    looks at; ``refusal`` is the check of a task whose right outcome is to refuse.
    """

    name: str
    passed: bool
    keeps: bool
    required: bool
    weight: float
    summary: str
    detail: str
    form: Form


def run_checks(  # noqa: PLR0913 - what an episode ended with has many parts
    database: Database,
    template: TaskTemplate,
    task: Task,
    *,
    answer: str | None,
    refusal: str | None,
    agent_changes: NetChanges,
    solution_changes: Sequence[NetChanges],
    expected: Mapping[str, JsonValue],
    elapsed: int = 0,
    told: frozenset[str] = frozenset(),
) -> tuple[CheckResult, ...]:
    """Run a task's checks on the current state, in the author's order.

    ``expected`` are the answers computed as the task began (`expected_answers`); ``elapsed`` is how many seconds of
    world time the longer of the agent's episode and the solutions' took, ``told`` the moments that the solutions' calls
    name. An author's query that fails on what the agent
    left behind is a check not passed. Without checks, `same_as_solution` is the check; a refusal has one of its own.
    """
    if template.expects is not None:
        return (_refusal(database, template.expects.refusal, refusal, agent_changes),)
    results = []
    for name, check in checks_of(template).items():
        form: Form = "same_as_solution"
        if check.passes is not None:
            form, failure = "passes", _passes_failure(database, task, check.passes, answer, refusal)
        elif check.answer is not None:
            form, failure = "answer", answer_failure(check.answer, expected[name], answer)
        else:
            failure = _same_failure(database, check, agent_changes, solution_changes, elapsed, told)
        results.append(
            CheckResult(
                name, not failure, check.keeps, check.required, check.weight, check.summary or name, failure, form
            )
        )
    return tuple(results)


def checks_of(template: TaskTemplate) -> Mapping[str, Check]:
    """The checks of a task that acts: those written, or `same_as_solution`."""
    return template.checks or {"same_as_solution": _SAME_AS_SOLUTION}


def start_problems(results: Sequence[CheckResult], task: Task) -> Iterator[Problem]:
    """What is wrong with how the checks stand as the task begins, before anything is done.

    ``results`` come from `run_checks` on the start state, without an answer, refusal or change.
    """
    path = f"tasks.{task.template}.checks"
    for result in results:
        if result.passed and not result.keeps:
            message = f"the check is already true as {task.id} begins, so doing nothing earns it."
            yield Problem("true_at_start", message, f"{path}.{result.name}", suggestion="Say `keeps: true`.")
        if result.keeps and not result.passed:
            message = f"the check says `keeps`, but is false as {task.id} begins."
            yield Problem("false_at_start", message, f"{path}.{result.name}", suggestion="Take `keeps` out.")
    if not any(result.required and not result.passed for result in results):
        message = f"no required check is false as {task.id} begins, so there is nothing to do."
        yield Problem("nothing_to_do", message, path)


def _refusal(database: Database, wanted: str, refusal: str | None, changes: NetChanges) -> CheckResult:
    histories = database.schema.history_tables()
    changed = [change for change in changes.rows() if change.table not in histories]
    failure = ""
    if refusal != wanted:
        failure = "the agent did not refuse" if refusal is None else f"the agent refused with {refusal}"
    elif changed:
        failure = f"the agent refused, but changed {len(changed)} {'row' if len(changed) == 1 else 'rows'}"
    summary = f"Refuses with {wanted} and changes nothing"
    return CheckResult("refusal", not failure, False, True, 1.0, summary, failure, "refusal")


def _passes_failure(database: Database, task: Task, query: str, answer: str | None, refusal: str | None) -> str:
    try:
        value = database.value(query, task.bindings(answer=answer, refusal=refusal))
    except StatementFailed as failure:
        return f"the query could not be run: {failure.message}"
    if isinstance(value, (int, float)) and value != 0:
        return ""
    return f"the query gives {'nothing' if value is None else repr(value)[:100]}"


def _same_failure(
    database: Database,
    check: Check,
    mine: NetChanges,
    solutions: Sequence[NetChanges],
    elapsed: int,
    told: frozenset[str],
) -> str:
    document = database.world.scenario.document
    comparison = Comparison(
        database.schema,
        generated_tables(document, database.schema),
        parse_timestamp(document.world.now),
        elapsed,
        check.exact,
        told,
    )
    if any(same_changes(mine, theirs, comparison) for theirs in solutions):
        return ""
    if not solutions:
        return "there is no solution to compare with"
    count = len(mine.rows())
    return f"the {count} changed {'row is' if count == 1 else 'rows are'} not those of a solution"
