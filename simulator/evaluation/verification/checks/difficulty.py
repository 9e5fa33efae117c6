"""Difficulty: how hard tasks look, by what their solutions are made of, and how hard they are, by who passes them.

The structure: steps and tools of the solution, tables that it touches (joins), tools there are to choose from
(branching), and those of them that the solution does not need (distractors).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from pydantic import JsonValue

from simulator.evaluation.statistics import mean_interval, share_interval
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Finding, Part, Tally, merged
from simulator.evaluation.verification.subject import Episode, Subject
from simulator.scenario import Scenario
from simulator.tasks import Task, World
from simulator.tools import FINISH, WAIT

_MOST_MISTAKES = "noisy_4"
_WRITES = "writes"
_FEWEST = 6
"""Tasks from which on it is no chance that every plan with mistakes passes."""


def _run(subject: Subject) -> CheckResult:
    if not subject.tasks:
        return CheckResult()
    played = subject.by_agent
    passed = {name: [episode.score.success for episode in episodes] for name, episodes in played.items()}
    findings = []
    shown = played["oracle"][0].evidence()
    if not any(any(successes) for successes in passed.values()):
        message = "No agent passes any of its tasks, not even the one that plays the solution."
        advice = "Mend the solution or the checks: a task that nobody passes teaches nothing."
        findings.append(Finding("difficulty.nobody", "warning", subject.about, message, advice, shown))
    elif all(all(successes) for successes in passed.values()):
        message = "Every agent passes all of its tasks, even those that do nothing."
        advice = "Add checks that only the work makes true."
        findings.append(Finding("difficulty.everybody", "warning", subject.about, message, advice, shown))
    tallies = tuple(Tally(name, len(successes), sum(successes)) for name, successes in passed.items())
    return CheckResult(
        tuple(findings),
        tallies,
        {"structure": _structure(subject), "agents": _measured(played), _WRITES: _writes(subject)},
    )


def _measured(played: Mapping[str, Sequence[Episode]]) -> JsonValue:
    """Pass rate and mean reward of each agent, with 95 % intervals."""
    figures: dict[str, JsonValue] = {}
    for name, episodes in played.items():
        passed = share_interval(sum(episode.score.success for episode in episodes), len(episodes))
        reward = mean_interval([episode.score.total for episode in episodes])
        figures[name] = {
            "passed": [round(passed.value, 4), round(passed.low, 4), round(passed.high, 4)],
            "reward": [round(reward.value, 4), round(reward.low, 4), round(reward.high, 4)],
        }
    return figures


def _structure(subject: Subject) -> JsonValue:
    """What the solutions are made of: means over the tasks, of the shortest solution of each."""
    rows = [_of_task(subject, task) for task in subject.tasks if subject.runs(task)]
    names = ("steps", "tools", "joins", "branching", "distractors")
    figures: dict[str, JsonValue] = {
        name: round(fmean(row[at] for row in rows), 2) for at, name in enumerate(names) if rows
    }
    figures["difficulty"] = subject.tasks[0].difficulty
    return figures


def _of_task(subject: Subject, task: Task) -> Sequence[int]:
    run = min(subject.runs(task), key=lambda run: run.steps)
    used = {step.call.tool for step in run.played} - {FINISH, WAIT}
    toolbox = subject.workplace.engine.toolbox
    open_to = set(toolbox.names(task.role)) - {FINISH, WAIT}
    tables: set[str] = set()
    for name in used:
        operation = toolbox.operation(name)
        if operation is not None:
            tables |= operation.reads
    return run.steps, len(used), max(0, len(tables) - 1), len(open_to), len(open_to - used)


def _writes(subject: Subject) -> bool:
    """Whether solutions change something: mistakes in what only reads need not cost success."""
    return any(run.changes.rows() for task in subject.tasks for run in subject.runs(task))


def _of_scenario(scenario: Scenario, worlds: Sequence[World], parts: Sequence[Part]) -> CheckResult:
    """Templates whose tasks, over all worlds, mistakes never cost."""
    findings = []
    for name in scenario.document.tasks:
        mine = [part.result for part in parts if (part.check, part.template) == ("difficulty", name)]
        tallies = merged(tuple(tally for result in mine for tally in result.tallies))
        mistaken = next((tally for tally in tallies if tally.kind == _MOST_MISTAKES), Tally(_MOST_MISTAKES))
        writes = any(result.figures.get(_WRITES) for result in mine)
        if writes and mistaken.of >= _FEWEST and mistaken.noticed == mistaken.of:
            message = f"Plans with four mistakes pass all of its {mistaken.of} tasks, so mistakes cost no success."
            advice = "Let checks and `may_change` ask for the very rows and values."
            findings.append(Finding("difficulty.no_gradient", "review", f"tasks.{name}", message, advice))
    return CheckResult(tuple(findings))


_TITLE = "Tasks are neither for everybody nor for nobody, and mistakes tell"
CHECK = Check("difficulty", _TITLE, "template", _run)
OF_SCENARIO = Check("difficulty", _TITLE, "scenario", _of_scenario)
