"""Determinism: equal actions have equal effects, whenever and wherever they are taken.

A solution is played, played again after a reset and forked half-way, and replayed from its trajectory. Another process,
with another hash seed, makes the world of the first seed anew and plays one task of each template in it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from simulator.agents import finish
from simulator.episode import Trajectory, replay
from simulator.errors import EngineFault
from simulator.evaluation.processes import interrupts_held_back, worker_pool
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Finding, Part, Tally
from simulator.evaluation.verification.subject import EPISODE_SEED, Episode, Subject
from simulator.scenario import Positions, Scenario
from simulator.scenario.times import parse_timestamp
from simulator.tasks import Task, World, generate_world

_TITLE = "The same actions give the same, after reset, fork and replay, and in another process"
_ADVICE = "Nothing a scenario says should do this: please report it, with the scenario."
_HASH_SEED = "PYTHONHASHSEED"
_NEAR = timedelta(days=2)
_FAR = timedelta(days=400)
"""From so far away, a world does not come upon today's date by chance."""


def difference(first: Episode, second: Episode) -> tuple[int, str] | None:
    """The first step at which two episodes differ (0: the start), and in what; None where they are equal."""
    if first.start_digest != second.start_digest:
        return 0, "the state"
    steps = zip(first.digests, first.observations, second.digests, second.observations, strict=False)
    for number, (digest, observation, other_digest, other_observation) in enumerate(steps, 1):
        if observation != other_observation:
            return number, "the observation"
        if digest != other_digest:
            return number, "the state"
    if len(first.digests) != len(second.digests):
        return min(len(first.digests), len(second.digests)) + 1, "the number of steps"
    return None if first.score == second.score else (len(first.digests), "the score")


def _of_template(subject: Subject) -> CheckResult:
    findings: list[Finding] = []
    played = same = 0
    for task in subject.tasks:
        solutions = subject.solutions(task)
        if not solutions:
            continue
        episode = subject.follow(task, solutions[0])
        found = [
            *_replayed(subject, episode),
            *_forked(subject, episode),
            *clock_findings(subject, episode, datetime.now(UTC)),  # noqa: TID251 - it must not show up
        ]
        findings += found
        played += 1
        same += not found
    return CheckResult(tuple(findings), (Tally("tasks", played, same),))


def _replayed(subject: Subject, episode: Episode) -> Iterator[Finding]:
    """Play the trajectory of the episode that was just played, as a file would hold it."""
    recorded = subject.environment.trajectory
    lines = json.loads(json.dumps(recorded.lines()))
    report = replay(Trajectory(lines[0], tuple(lines[1:-1]), lines[-1]), subject.world)
    if not report.same:
        message = f"A trajectory of {episode.task.id} does not replay: {report.difference or report.unfinished}."
        step = None if report.difference is None else report.difference.step
        yield Finding("determinism.replay", "blocking", subject.about, message, _ADVICE, episode.evidence(step))


def _forked(subject: Subject, episode: Episode) -> Iterator[Finding]:
    """Play the actions again in an environment that is forked half-way, and whose twin then goes another way."""
    environment = subject.environment
    environment.reset(task=episode.task, seed=EPISODE_SEED)
    half = len(episode.actions) // 2
    for action in episode.actions[:half]:
        environment.step(action)
    fork = environment.fork()
    environment.step(finish())
    for action in episode.actions[half:]:
        fork.step(action)
    again = replace(
        episode,
        start_digest=episode.start_digest,
        digests=tuple(step.state_digest for step in fork.snapshot().steps),
        observations=tuple(step.observation for step in fork.snapshot().steps),
        score=fork.score(),
    )
    differs = difference(episode, again)
    if differs is not None:
        step, what = differs
        kind, when = ("reset", "after a reset") if step <= half else ("fork", f"after a fork at step {half}")
        message = f"{episode.task.id}: {what} at step {step} differs {when}."
        yield Finding(f"determinism.{kind}", "blocking", subject.about, message, _ADVICE, episode.evidence(step))


def clock_findings(subject: Subject, episode: Episode, now: datetime) -> Iterator[Finding]:
    """An observation that tells the real time, which is ``now``: its minute, its seconds since 1970, or its date.

    The date is looked for only where the world's own time is far away.
    """
    away = abs(now - datetime.fromtimestamp(parse_timestamp(subject.document.world.now), UTC))
    if away < _NEAR:
        return
    minutes = [rf"{moment:%Y-%m-%d}[ T]{moment:%H:%M}" for moment in (now, now - timedelta(minutes=1))]
    patterns = [*minutes, rf"\b{int(now.timestamp()) // 1000}[0-9]{{3}}\b"]
    if away > _FAR:
        patterns.append(f"{now:%Y-%m-%d}")
    sought = re.compile("|".join(patterns))
    for number, observation in enumerate(episode.observations, 1):
        shown = sought.search(json.dumps(observation, ensure_ascii=False))
        if shown is not None:
            message = f"{episode.task.id}: the observation of step {number} tells the real time, {shown.group()}."
            advice = "Use `now()`, the world's time; if the scenario writes this time itself, choose another."
            evidence = episode.evidence(number)
            yield Finding("determinism.wall_clock", "blocking", subject.about, message, advice, evidence)
            return


def _of_scenario(scenario: Scenario, worlds: Sequence[World], parts: Sequence[Part]) -> CheckResult:
    world = worlds[0]
    plain = replace(scenario, source=None, positions=Positions())
    with worker_pool(1, _nothing_to_prepare) as pool:
        with _another_hash_seed(), interrupts_held_back():
            elsewhere = pool.submit(_made_anew, plain, world.seed, world.scale)
        here = _played(world)
        try:
            digest, there = elsewhere.result()
        except BrokenProcessPool as error:
            raise EngineFault("The other process died.") from error
    findings = []
    if digest != world.digest:
        message = f"Another process makes another world of seed {world.seed}: {digest}, not {world.digest}."
        findings.append(Finding("determinism.world", "blocking", "world", message, _ADVICE))
    for mine, other in zip(here, there, strict=True):
        differs = difference(mine, other)
        if differs is not None:
            step, what = differs
            message = f"{mine.task.id}: {what} at step {step} differs in another process."
            about = f"tasks.{mine.task.template}"
            findings.append(Finding("determinism.process", "blocking", about, message, _ADVICE, mine.evidence(step)))
    return CheckResult(tuple(findings), (Tally("tasks in another process", len(here), len(here) - len(findings)),))


def _made_anew(scenario: Scenario, seed: int, scale: float) -> tuple[str, list[Episode]]:
    """In the other process: the world's digest and the episodes played in it."""
    world = generate_world(scenario, seed, scale=scale)
    return world.digest, _played(world)


def _played(world: World) -> list[Episode]:
    """The first solution of the first task of each template."""
    first: dict[str, Task] = {}
    for task in world.tasks():
        first.setdefault(task.template, task)
    episodes = []
    for name, task in first.items():
        subject = Subject(world, name, [task])
        episodes += [subject.follow(item, plan) for item in subject.tasks for plan in subject.solutions(item)[:1]]
    return episodes


def _nothing_to_prepare() -> None:
    """What the other process does first."""


@contextmanager
def _another_hash_seed() -> Iterator[None]:
    """Processes started inside order sets and hash texts as this one does not."""
    before = os.environ.get(_HASH_SEED)
    os.environ[_HASH_SEED] = "2" if before == "1" else "1"
    try:
        yield
    finally:
        del os.environ[_HASH_SEED]
        if before is not None:
            os.environ[_HASH_SEED] = before


CHECK = Check("determinism", _TITLE, "template", _of_template)
IN_ANOTHER_PROCESS = Check("determinism", _TITLE, "scenario", _of_scenario)
