"""False negatives: whoever does the work another right way succeeds as well.

Of each task at most :data:`MOST` variants of a kind are played: two steps in the other order, SQL for an operation
where grants and rules allow it, a read made twice, the answer in another form. A variant of the first two kinds counts
only where it comes to the same as the solution, has waited for the same to happen by itself, and breaks nothing; then
nothing but the score can tell them apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulator.agents.plan_edits import repeated, with_arguments
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Finding, Tally, merged
from simulator.evaluation.verification.mutations import Mutator, answer_checks
from simulator.evaluation.verification.sameness import outcome_of, same_reaction, same_state
from simulator.evaluation.verification.subject import Episode, Subject
from simulator.tasks import SolutionStep, Task
from simulator.tools import FINISH

MOST = 2
"""The most variants of each kind, for each task."""

_THOUSAND = 1_000

_WORDS = {
    "order": ("The steps in another order", "Check what holds at the end, not how it came about."),
    "sql": ("SQL that changes the same", "Check what holds at the end, or take the grant away."),
    "number_form": ("The same number in another form", "Use `number` for an answer that is one."),
    "json_form": ("The same JSON in another form", "Use `set`, `list` or `schema`, not `exact` or `pattern`."),
    "text_form": ("The same text with blanks around it", "Use `exact`, or let the pattern allow blanks."),
    "extra_read": ("One more read", "Let no check or critical rule count reads."),
}
"""What each kind of variant is and how to mend what refuses it, by its name in the ids of findings and in tallies."""

Plan = Sequence[SolutionStep]


def _run(subject: Subject) -> CheckResult:
    findings: dict[str, Finding] = {}
    tallies = []
    for task in subject.tasks:
        for name, episode in _variants(subject, task):
            tallies.append(Tally(name, 1, int(episode.score.success)))
            if not episode.score.success:
                findings.setdefault(name, _refused(subject, name, episode))
    return CheckResult(tuple(findings.values()), merged(tuple(tallies)))


def _refused(subject: Subject, name: str, episode: Episode) -> Finding:
    words, advice = _WORDS[name]
    lost = [line.text for line in episode.score.lines if line.part == "halved" or line.points < 0]
    message = f"{words} is no success in {episode.task.id}: {'; '.join(lost[:3]) or 'nothing is completed'}."
    return Finding(f"false_negatives.{name}", "blocking", subject.about, message, advice, episode.evidence())


def _variants(subject: Subject, task: Task) -> Iterator[tuple[str, Episode]]:
    """What is right as well, by its kind."""
    solutions, runs = subject.solutions(task), subject.runs(task)
    if not solutions:
        return
    solution, run = solutions[0], runs[0]
    trail = subject.trail(task, solution)
    if not trail.episode.score.success:
        return  # `solvable` tells of it
    base = outcome_of(subject)
    mutator = Mutator(subject, task, solution, run)
    for name, mutants in (("order", mutator.mutants("swap_order")), ("sql", mutator.mutants("sql_instead"))):
        for mutant in mutants[:MOST]:
            episode = subject.resume(trail, mutant.plan)
            outcome = outcome_of(subject)
            same_process = outcome.process == base.process and outcome.severities == base.severities
            same_process = same_process and outcome.failed == base.failed
            if same_process and same_state(subject, outcome, base) and same_reaction(subject, outcome, base):
                yield name, episode
    plan = list(solution[: len(run.played)])
    room = task.steps - len(plan)
    reads = [
        place
        for place, step in enumerate(run.played)
        if not step.effect.changes and step.effect.verdict.ok and step.call.tool != FINISH and not step.call.remember
    ]
    for place in reads[-MOST:] if room > 0 else ():
        if not subject.values.writes(plan[place].tool):
            yield "extra_read", subject.resume(trail, repeated(plan, place))
    for name, answer in _answers(subject, task, plan):
        given: Mapping[str, Any] = {**plan[-1].arguments, "answer": answer}
        yield name, subject.resume(trail, with_arguments(plan, len(plan) - 1, given))


def _answers(subject: Subject, task: Task, plan: Plan) -> Iterator[tuple[str, str]]:
    """The right answer in other forms."""
    checks = answer_checks(subject)
    answer = plan[-1].arguments.get("answer") if plan and plan[-1].tool == FINISH else None
    if not isinstance(answer, str) or not checks or any(f"{{{name}}}" in answer for name in _remembered(plan)):
        return
    value = _json(answer)
    if isinstance(value, int | float) and not isinstance(value, bool):
        is_code = any("exact" in check.model_fields_set for check in checks)  # digits that stand for a name
        for form in () if is_code else _number_forms(value):
            yield "number_form", form
    elif isinstance(value, list | dict):
        for form in (json.dumps(value, indent=2, ensure_ascii=False), json.dumps(value, separators=(",", ":"))):
            yield "json_form", form
        if isinstance(value, dict):
            yield "json_form", json.dumps(dict(reversed(value.items())))
        elif all(check.set_ is not None for check in checks):
            yield "json_form", json.dumps(value[::-1])
    elif all("exact" in check.model_fields_set for check in checks):
        yield "text_form", f" {answer}\n"
        yield "text_form", answer.upper()


def _number_forms(value: float) -> Iterator[str]:
    """One number as people write it: with decimals, with blanks, with thousands set off as the language allows."""
    if float(value).is_integer():
        whole = int(value)
        yield f"{whole}.0"
        yield f"{whole}.00 "
    else:
        yield f" {value}0"
    if abs(value) >= _THOUSAND:
        yield f"{value:,}"


def _remembered(plan: Plan) -> set[str]:
    return {name for step in plan for name in step.remember}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


CHECK = Check("false_negatives", "Whoever does the work another right way succeeds", "template", _run)
