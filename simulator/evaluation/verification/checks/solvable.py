"""Solvable: whoever follows a solution of the author's earns everything.

Each solution of a task is played twice: as the engine measures it, where no fault strikes, and as an episode.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulator.episode import PlayedStep, SolutionRun
from simulator.errors import EngineFault, WorldwrightError
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Evidence, Finding, Tally
from simulator.evaluation.verification.subject import EPISODE_SEED, Episode, Subject
from simulator.tasks import Task

_ALL_BUT = 1e-9


def _run(subject: Subject) -> CheckResult:
    findings = [_unplayable(subject, task, error) for task, error in subject.unplayable]
    solved = played = 0
    for task in subject.tasks:
        runs = subject.runs(task)
        if not runs:
            findings.append(_without_solution(subject, task))
        for number, (plan, run) in enumerate(zip(subject.solutions(task), runs, strict=True), 1):
            name = f"Solution {number} of {task.id}" if len(runs) > 1 else f"The solution of {task.id}"
            found = [*_of_steps(subject, task, run, name), *_of_episode(subject, subject.follow(task, plan), name)]
            findings += found
            played += 1
            solved += not found
    return CheckResult(tuple(findings), (Tally("solutions", played, solved),))


def _unplayable(subject: Subject, task: Task, error: WorldwrightError) -> Finding:
    return Finding(
        "engine.fault" if isinstance(error, EngineFault) else "solvable.unplayable",
        "blocking",
        subject.about,
        f"{task.id} cannot be begun, or its solution not be played: {error}",
        "Mend the setup, and the queries of the solution and the checks.",
        Evidence(task.world_seed, task.id, EPISODE_SEED, ()),
    )


def _without_solution(subject: Subject, task: Task) -> Finding:
    return Finding(
        "solvable.no_solution",
        "review",
        subject.about,
        f"{task.id} has no solution, so nothing shows that it can be solved.",
        "Write a `solution`: the calls that do the task.",
        Evidence(task.world_seed, task.id, EPISODE_SEED, ()),
    )


def _of_steps(subject: Subject, task: Task, run: SolutionRun, name: str) -> Iterator[Finding]:
    """What is wrong with single steps, where no fault strikes."""
    actions = tuple(step.action for step in run.played)
    for number, step in enumerate(run.played, 1):
        verdict, wanted, tool = step.effect.verdict, step.call.errs, step.call.tool
        evidence = Evidence(task.world_seed, task.id, EPISODE_SEED, actions, number)
        if wanted is None and verdict.kind != "ok":
            message = f"{name}: step {number}, {tool}, errs with {verdict.code}: {verdict.message}"
            advice = "Mend the call, or say `errs` if the error is meant."
            yield Finding("solvable.step_errs", "blocking", subject.about, message, advice, evidence)
        elif wanted is not None and (verdict.kind == "ok" or verdict.code != wanted):
            came = "it goes well" if verdict.kind == "ok" else f"it errs with {verdict.code}"
            message = f"{name}: step {number}, {tool}, is marked `errs: {wanted}`, but {came}."
            advice = "Take `errs` out, name the code it gets, or mend the guard that should refuse the call."
            yield Finding("solvable.step_does_not_err", "blocking", subject.about, message, advice, evidence)
        elif wanted is None and not step.effect.changes and _is_a_write(subject, step):
            message = f"{name}: step {number}, {tool}, changes nothing."
            advice = "Leave the call out, or draw tasks in which there is something to change."
            yield Finding("solvable.no_effect", "blocking", subject.about, message, advice, evidence)


def _is_a_write(subject: Subject, step: PlayedStep) -> bool:
    """Whether a step means to change something: a writing operation, or a statement that tells how much it changed."""
    result = step.effect.result
    statement = subject.workplace.engine.toolbox.sql_tool(step.call.tool) is not None
    return subject.values.writes(step.call.tool) or (statement and isinstance(result, dict) and "changed" in result)


def _of_episode(subject: Subject, episode: Episode, name: str) -> Iterator[Finding]:
    """What the episode did not earn."""
    score = episode.score
    lost = [line for line in score.lines if line.part == "completion" and not line.points]
    if score.completion < 1 - _ALL_BUT:
        told = "; ".join(line.text for line in lost)
        message = f"{name} passes {score.completion:.0%} of the checks: {told}"
        advice = "Mend the check, or the solution."
        yield Finding("solvable.completion", "blocking", subject.about, message, advice, episode.evidence())
    violations = [line for line in score.lines if line.part in ("violation", "collateral")]
    violations += [line for line in score.lines if line.part == "process" and not line.points and score.completion]
    for line in violations:
        message = f"{name} breaks {line.name}: {line.text}"
        advice = "Mend the solution, narrow the rule, or widen `may_change`."
        yield Finding("solvable.violation", "blocking", subject.about, message, advice, episode.evidence(line.step))
    if not score.success and not violations and score.completion >= 1 - _ALL_BUT:
        message = f"{name} is no success: it ends with {episode.ending}, and a check that must hold does not."
        advice = "End the solution with `finish`, and keep what `keeps` says."
        yield Finding("solvable.success", "blocking", subject.about, message, advice, episode.evidence())


CHECK = Check("solvable", "Every solution earns full completion and success, and breaks no rule", "template", _run)
