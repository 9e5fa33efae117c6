"""Floor: who does not do the work fails, whatever is answered.

The agents here know much (the reads of the solution, every value they have seen, the refusal codes) and do nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulator.agents import Chance, finish
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Finding, Tally
from simulator.evaluation.verification.subject import Episode, Subject
from simulator.scenario.models import Operation
from simulator.sql.schema import quoted
from simulator.tasks import Task
from simulator.tools import FINISH, WAIT

FLOOR = 0.1
"""What doing nothing may earn at most."""

_LONGEST_ANSWER = 20_000
_SMALL_TABLE = 50

_AGENTS = {
    "null": "An agent that finishes at once",
    "anything": "An agent that finishes at once with the answer `done`",
    "instruction": "An agent that repeats the instruction as its answer",
    "read_only": "An agent that only reads",
    "answer_dump": "An agent that answers with every value it can see",
    "blind_refusal": "An agent that refuses whatever it is asked",
}
"""What each agent does, by the name that stands in the ids of findings and in tallies."""


def _run(subject: Subject) -> CheckResult:
    tables = _small_tables(subject)
    played: dict[str, list[Episode]] = {name: [] for name in _AGENTS}
    for task in subject.tasks:
        for name, episode in _episodes(subject, task, tables):
            played[name].append(episode)
    findings: list[Finding] = []
    passed: dict[str, Episode] = {}
    for name, episodes in played.items():
        findings += _judged(subject, name, episodes)
        for episode in episodes:
            for line in episode.score.lines:
                if line.part == "completion" and line.points > 0:
                    passed.setdefault(line.name, episode)
    findings += (_label(subject, check, episode) for check, episode in passed.items())
    tallies = tuple(
        Tally(name, len(episodes), sum(not _earns(episode) for episode in episodes))
        for name, episodes in played.items()
        if episodes
    )
    return CheckResult(tuple(findings), tallies)


def _earns(episode: Episode) -> bool:
    return episode.score.success or episode.score.total > FLOOR


def _judged(subject: Subject, name: str, episodes: Sequence[Episode]) -> Iterator[Finding]:
    """One finding for all tasks in which an agent earned something."""
    earning = [episode for episode in episodes if _earns(episode)]
    if not earning:
        return
    worst = max(earning, key=lambda episode: (episode.score.success, episode.score.total))
    what = "succeeds in" if worst.score.success else f"earns more than {FLOOR} in"
    message = (
        f"{_AGENTS[name]} {what} {len(earning)} of {len(episodes)} episodes, such as {worst.task.id} "
        f"(reward {worst.score.total:.2f})."
    )
    advice = "Add a check that only the work makes true."
    yield Finding(f"floor.{name}", "blocking", subject.about, message, advice, worst.evidence())


def _label(subject: Subject, check: str, episode: Episode) -> Finding:
    return Finding(
        "floor.check_passed",
        "warning",
        f"{subject.about}.checks.{check}",
        f"Passed by doing nothing: the check holds in {episode.task.id} though nothing was changed or worked out.",
        "Let it ask for what only the work brings about.",
        episode.evidence(),
    )


def _episodes(subject: Subject, task: Task, tables: Sequence[object]) -> Iterator[tuple[str, Episode]]:
    """What each agent plays, by its name."""
    at_once = {
        "null": [finish()],
        "anything": [finish(answer="done")],
        "instruction": [finish(answer=task.instruction[:_LONGEST_ANSWER])],
        "blind_refusal": [finish(refusal=code) for code in _wrong_refusals(subject)],
    }
    names = [name for name, actions in at_once.items() for _ in actions]
    actions = [action for some in at_once.values() for action in some]
    yield from zip(names, subject.branches(task, (), actions), strict=True)
    seen: list[object] = []
    for reads in (_reads_of_solution(subject, task), _every_read(subject, task)):
        if reads:
            (only,) = subject.branches(task, reads, [finish()])
            yield "read_only", only
            seen += (observation.get("result") for observation in only.observations)
    answers = [finish(answer=answer) for answer in _dumps([*seen, *tables])]
    for episode in subject.branches(task, (), answers):
        yield "answer_dump", episode


def _wrong_refusals(subject: Subject) -> tuple[str, ...]:
    """The codes that are wrong in these tasks: all of them where acting is right."""
    expects = subject.template.expects
    return tuple(code for code in subject.document.refusals if expects is None or code != expects.refusal)


def _reads_of_solution(subject: Subject, task: Task) -> list[Mapping[str, Any]]:
    """The calls of the first solution that changed nothing and did not end the episode."""
    runs = subject.runs(task)
    steps = runs[0].played if runs else ()
    reads = [
        step.action
        for step in steps
        if step.effect.verdict.ok
        and not step.effect.changes
        and step.call.tool not in (FINISH, WAIT)
        and not subject.values.writes(step.call.tool)
    ]
    return reads[: task.steps - 1]


def _every_read(subject: Subject, task: Task) -> list[Mapping[str, Any]]:
    """One call of each reading operation the agent has, with the task's own parameters where they fit."""
    chance = Chance("floor", task.id)
    calls: list[Mapping[str, Any]] = []
    for name in subject.workplace.engine.toolbox.names(task.role):
        operation = subject.document.tools.get(name)
        if not isinstance(operation, Operation) or operation.ends or subject.values.writes(name):
            continue
        arguments = subject.values.arguments(name, operation, chance)
        if arguments is not None:
            given = {key: value for key, value in task.parameters.items() if key in operation.parameters}
            calls.append({"tool": name, "arguments": {**arguments, **given}})
    return calls[: task.steps - 1]


def _dumps(seen: Sequence[object]) -> Iterator[str]:
    """Answers that hold every value seen, as far as an answer may go: a list in JSON, and plain text."""
    values = list(dict.fromkeys(value for item in seen for value in _scalars(item)))
    room = _LONGEST_ANSWER - 2
    kept = []
    for value in values:
        room -= len(json.dumps(value, ensure_ascii=False)) + 2
        if room < 0:
            break
        kept.append(value)
    yield json.dumps(kept, ensure_ascii=False)
    yield " ".join(map(str, kept))


def _scalars(value: object) -> Iterator[str | int | float]:
    """Every text and number inside a JSON value."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _scalars(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _scalars(item)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield value


def _small_tables(subject: Subject) -> list[object]:
    """The rows of the world's small tables, such as an agent may know by heart."""
    engine = subject.workplace.engine
    rows: list[object] = []
    with engine.laid_bare() as database:
        for name in engine.schema.tables:
            found = database.query(f"select * from {quoted(name)} order by 1 limit {_SMALL_TABLE + 1}", {}).rows
            if len(found) <= _SMALL_TABLE:
                rows += found
    return rows


CHECK = Check("floor", "Who does nothing fails every task", "template", _run)
