"""Cost: how long it takes to make a world, to begin a task and to take a step, and how large a world is.

Figures only: nothing here is wrong, and no two measurements are equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from time import perf_counter

from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult
from simulator.evaluation.verification.subject import EPISODE_SEED, Subject
from simulator.sql.schema import quoted
from simulator.tasks import Task, World
from simulator.world import Database


def _of_template(subject: Subject) -> CheckResult:
    resets, steps = [], []
    environment = subject.environment
    for task in subject.tasks:
        begun = perf_counter()
        environment.reset(task=task, seed=EPISODE_SEED)
        resets.append(perf_counter() - begun)
        for run in subject.runs(task)[:1]:
            for played in run.played:
                environment.step(played.action)
            steps += [step.wall for step in environment.snapshot().steps]
    return CheckResult(figures={"reset_ms": _milliseconds(resets), "step_ms": _milliseconds(steps)})


def _milliseconds(seconds: list[float]) -> float | None:
    """Their median in milliseconds, None if there are none."""
    return round(median(seconds) * 1000, 3) if seconds else None


def _of_world(world: World, tasks: Sequence[Task]) -> CheckResult:
    with Database(world.image) as database:
        counts = [database.value(f"select count(*) from {quoted(name)}", {}) for name in world.image.schema.tables]
    rows = sum(number for number in counts if isinstance(number, int))
    return CheckResult(figures={"rows": rows, "bytes": world.image.image.size, "tasks": len(world.tasks())})


def of_making(seconds: Mapping[int, float]) -> CheckResult:
    """The figure of how long worlds took to make: seconds by seed."""
    return CheckResult(figures={"generation_s": {str(seed): round(time, 3) for seed, time in seconds.items()}})


_TITLE = "What worlds, tasks and steps cost"
CHECK = Check("cost", _TITLE, "template", _of_template, measures=True)
OF_WORLD = Check("cost", _TITLE, "world", _of_world, measures=True)
