"""Where checks are run: in this process, or in several that each open the worlds from files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Protocol

from simulator.errors import EngineFault, Problem, ScenarioError
from simulator.evaluation.processes import interrupts_held_back, worker_pool
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Evidence, Finding
from simulator.evaluation.verification.subject import EPISODE_SEED, Subject
from simulator.scenario import Positions, Scenario
from simulator.tasks import World, generate_world, open_world

ENGINE_FAULT = "engine.fault"
"""The id of a finding that tells of a fault of the engine."""


@dataclass(frozen=True, slots=True)
class Job:
    """These checks, by their places in the workshop, of tasks of one world; of one template, or (None) of all."""

    seed: int
    template: str | None
    tasks: tuple[str, ...]
    checks: tuple[int, ...]


Done = tuple[Job, tuple[CheckResult, ...]]
"""A job and the results of its checks."""


class Workshop(Protocol):
    """Makes worlds, and runs jobs in them."""

    def worlds(self, seeds: Sequence[int]) -> dict[int, tuple[World, float]]:
        """The worlds of these seeds, and how many seconds each took to make."""

    def work(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Run all jobs; they come back in any order."""


@contextmanager
def open_workshop(scenario: Scenario, folder: Path, workers: int, checks: Sequence[Check]) -> Iterator[Workshop]:
    """A workshop of so many processes for these checks; worlds are saved in ``folder`` where there are several.

    Its methods raise what making a world raises, and :class:`EngineFault` when a process dies.
    """
    if workers == 1:
        yield _Workbench(scenario, folder, checks)
        return
    plain = replace(scenario, source=None, positions=Positions())
    with worker_pool(workers, _begin_worker, plain, folder, tuple(checks)) as pool:
        yield _Hall(scenario, folder, pool)


def guarded(
    check: Check, about: str, run: Callable[[], CheckResult], evidence: Callable[[], Evidence | None] = lambda: None
) -> CheckResult:
    """What ``run`` finds; a fault of the engine is a finding."""
    try:
        return run()
    except EngineFault as fault:
        message = f"The engine failed in the check `{check.id}`: {fault}"
        advice = "This is a bug in Worldwright: please report it, with the scenario."
        return CheckResult((Finding(ENGINE_FAULT, "blocking", about, message, advice, evidence()),))


class _Workbench:
    """One process: makes worlds or opens saved ones, and runs jobs in them."""

    def __init__(self, scenario: Scenario, folder: Path, checks: Sequence[Check]) -> None:
        self._checks = checks
        self._scenario = scenario
        self._folder = folder
        self._worlds: dict[int, World] = {}

    def make(self, seed: int, *, save: bool) -> float:
        """Make the world of a seed; how many seconds it took."""
        begun = perf_counter()
        world = self._worlds[seed] = generate_world(self._scenario, seed)
        seconds = perf_counter() - begun
        if save:
            world.save(_file(self._folder, seed))
        return seconds

    def worlds(self, seeds: Sequence[int]) -> dict[int, tuple[World, float]]:
        """Make the worlds."""
        seconds = {seed: self.make(seed, save=False) for seed in seeds}
        return {seed: (self._worlds[seed], seconds[seed]) for seed in seeds}

    def work(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Run all jobs, one after the other."""
        return ((job, self.run(job)) for job in jobs)

    def run(self, job: Job) -> tuple[CheckResult, ...]:
        """The results of a job's checks."""
        world = self._world(job.seed)
        tasks = tuple(world.task(task) for task in job.tasks)
        checks = [self._checks[place] for place in job.checks]
        if job.template is None:
            return tuple(guarded(check, "", partial(check.run, world, tasks)) for check in checks)
        subject = Subject(world, job.template, tasks)

        def played() -> Evidence:
            state = subject.environment.snapshot()
            return Evidence(job.seed, state.task.id, EPISODE_SEED, tuple(step.action for step in state.steps))

        return tuple(guarded(check, subject.about, partial(check.run, subject), played) for check in checks)

    def _world(self, seed: int) -> World:
        if seed not in self._worlds:
            self._worlds[seed] = open_world(_file(self._folder, seed), self._scenario)
        return self._worlds[seed]


class _Hall:
    """Several processes, each with a workbench."""

    def __init__(self, scenario: Scenario, folder: Path, pool: ProcessPoolExecutor) -> None:
        self._scenario = scenario
        self._folder = folder
        self._pool = pool

    def worlds(self, seeds: Sequence[int]) -> dict[int, tuple[World, float]]:
        """Make and save the worlds, each in some process, and open them here."""
        with _told_of_death():
            with interrupts_held_back():
                making = {seed: self._pool.submit(_make, seed) for seed in seeds}
            seconds = {seed: _seconds(future.result()) for seed, future in making.items()}
        return {seed: (open_world(_file(self._folder, seed), self._scenario), seconds[seed]) for seed in seeds}

    def work(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Run all jobs, as processes come free."""
        with _told_of_death():
            with interrupts_held_back():
                futures = [self._pool.submit(_work, job) for job in jobs]
            for future in as_completed(futures):
                yield future.result()


def _file(folder: Path, seed: int) -> Path:
    return folder / f"{seed}.sqlite"


@contextmanager
def _told_of_death() -> Iterator[None]:
    try:
        yield
    except BrokenProcessPool as error:
        raise EngineFault("A worker process died; nothing can be said of the scenario.") from error


_benches: list[_Workbench] = []
"""In a worker process: its workbench, made by the initializer."""


def _begin_worker(scenario: Scenario, folder: Path, checks: Sequence[Check]) -> None:
    _benches[:] = [_Workbench(scenario, folder, checks)]


def _make(seed: int) -> float | tuple[Problem, ...]:
    """How long it took; the problems where no world can be made, because they outlive the way between processes."""
    (bench,) = _benches
    try:
        return bench.make(seed, save=True)
    except ScenarioError as error:
        return error.problems


def _seconds(made: float | tuple[Problem, ...]) -> float:
    if isinstance(made, tuple):
        raise ScenarioError(made)
    return made


def _work(job: Job) -> Done:
    (bench,) = _benches
    return job, bench.run(job)
