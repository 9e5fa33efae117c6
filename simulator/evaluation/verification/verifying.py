"""Verify a scenario: every check on every template, in several worlds, in this process or in several.

What a check finds depends on its subject alone, so reports are equal for any number of processes. A fault of the engine
in a check is a finding that blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from simulator.errors import UsageError
from simulator.evaluation.verification.cache import ResultCache, result_key, template_digest
from simulator.evaluation.verification.check import Check, Level
from simulator.evaluation.verification.checks import CHECKS, cost
from simulator.evaluation.verification.findings import CheckResult, Finding, Part
from simulator.evaluation.verification.report import VerificationReport, outcomes
from simulator.evaluation.verification.workshop import ENGINE_FAULT, Job, Workshop, guarded, open_workshop
from simulator.scenario import Scenario
from simulator.scenario.python_values import instance, whole_number
from simulator.tasks import Task, World
from simulator.version import ENGINE_VERSION

TASKS = 5
"""How many tasks of each template and world are verified unless told otherwise."""

Done = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and what was done last, in words."""


def verify_scenario(
    scenario: Scenario,
    *,
    seeds: Sequence[int] = (1, 2, 3),
    tasks: int | None = TASKS,
    workers: int = 1,
    cache: ResultCache | None = None,
    checks: Sequence[Check] = CHECKS,
    done: Done = lambda finished, of, words: None,
) -> VerificationReport:
    """Verify a scenario in the worlds of ``seeds``: ``tasks`` tasks of each template in each, all if None.

    ``workers`` is how many processes work on it. With a ``cache``, results of what has not changed are taken from it.
    A report on fewer ``checks`` than all says nothing of the others.
    Raises :class:`UsageError` for arguments that cannot be, ScenarioError and WorldError when a world cannot be made,
    :class:`EngineFault` when a worker dies.
    """
    instance("scenario", scenario, Scenario, "Read one with load_scenario.")
    chosen = tuple(dict.fromkeys(whole_number("a seed", seed) for seed in seeds))
    if not chosen:
        raise UsageError("Name a seed to make a world with.")
    if tasks is not None and whole_number("tasks", tasks) < 1:
        raise UsageError("`tasks` is at least 1, or None for all.")
    with (
        TemporaryDirectory(prefix="worldwright-") as folder,
        open_workshop(scenario, Path(folder), workers, checks) as workshop,
    ):
        return _Verification(scenario, tuple(checks), chosen, tasks, cache, done, workshop).report()


class _Verification:
    """One verification."""

    def __init__(
        self,
        scenario: Scenario,
        checks: tuple[Check, ...],
        seeds: tuple[int, ...],
        asked: int | None,
        cache: ResultCache | None,
        done: Done,
        workshop: Workshop,
    ) -> None:
        self._scenario = scenario
        self._document = scenario.document
        self._checks = checks
        self._ids = tuple(check.id for check in checks)
        self._asked = asked
        self._seeds = seeds
        self._cache = cache
        self._done = done
        self._workshop = workshop
        self._digests = {name: template_digest(scenario.document, name) for name in scenario.document.tasks}

    def report(self) -> VerificationReport:
        """Verify, and tell."""
        self._done(0, 1, "worlds")
        made = self._workshop.worlds(self._seeds)
        worlds = {seed: world for seed, (world, _) in made.items()}
        verified = {seed: self._chosen(world) for seed, world in worlds.items()}
        parts = self._parts(verified)
        parts += self._of_scenario(tuple(worlds.values()), verified, parts)
        parts.append(Part(cost.CHECK.id, None, None, cost.of_making({seed: time for seed, (_, time) in made.items()})))
        parts += self._without_tasks(verified)
        parts = [part for part in parts if part.check in self._ids]
        places = {name: place for place, name in enumerate(self._document.tasks)}
        parts.sort(
            key=lambda part: (
                self._ids.index(part.check),
                -1 if part.template is None else places[part.template],
                -1 if part.seed is None else self._seeds.index(part.seed),
            )
        )
        if self._cache is not None:
            self._cache.prune()
        return VerificationReport(
            scenario=self._document.id,
            version=self._document.version,
            title=self._document.title,
            digest=self._scenario.digest,
            engine=ENGINE_VERSION,
            seeds=self._seeds,
            asked=self._asked,
            tasks={
                name: sum(task.template == name for tasks in verified.values() for task in tasks)
                for name in self._document.tasks
            },
            checks=outcomes(self._checks, parts),
            parts=tuple(parts),
        )

    def _chosen(self, world: World) -> tuple[Task, ...]:
        """The tasks of a world that are verified: the first of each template; ids are hashes, so any are as good."""
        counts: dict[str, int] = {}
        chosen = []
        for task in world.tasks():
            counts[task.template] = counts.get(task.template, 0) + 1
            if self._asked is None or counts[task.template] <= self._asked:
                chosen.append(task)
        return tuple(chosen)

    def _parts(self, verified: dict[int, tuple[Task, ...]]) -> list[Part]:
        """What the checks of templates and worlds find."""
        parts: list[Part] = []
        jobs: list[Job] = []
        for seed, tasks in verified.items():
            for name in self._document.tasks:
                mine = tuple(task.id for task in tasks if task.template == name)
                if mine:
                    self._plan(jobs, parts, "template", seed, name, mine)
            self._plan(jobs, parts, "world", seed, None, tuple(task.id for task in tasks))
        finished, of = len(parts), len(parts) + sum(len(job.checks) for job in jobs)
        self._done(finished, of, "")
        for job, results in self._workshop.work(jobs):
            for place, result in zip(job.checks, results, strict=True):
                self._keep(self._checks[place], job.seed, job.template, job.tasks, result)
                parts.append(Part(self._checks[place].id, job.template, job.seed, result))
            finished += len(results)
            self._done(finished, of, job.template or f"world {job.seed}")
        return parts

    def _plan(
        self, jobs: list[Job], parts: list[Part], level: Level, seed: int, template: str | None, tasks: tuple[str, ...]
    ) -> None:
        """Take known results as parts; what is not known becomes a job."""
        missing = []
        for place, check in enumerate(self._checks):
            if check.level != level:
                continue
            known = None if self._cache is None else self._cache.get(self._key(check, seed, template, tasks))
            if known is None:
                missing.append(place)
            else:
                parts.append(Part(check.id, template, seed, known))
        if missing:
            jobs.append(Job(seed, template, tasks, tuple(missing)))

    def _of_scenario(
        self, worlds: tuple[World, ...], verified: dict[int, tuple[Task, ...]], parts: Sequence[Part]
    ) -> list[Part]:
        """What the checks of the whole find."""
        found = []
        tasks = tuple(task.id for tasks in verified.values() for task in tasks)
        for check in self._checks:
            if check.level != "scenario":
                continue
            result = None
            if self._cache is not None:
                result = self._cache.get(self._key(check, None, None, tasks))
            if result is None:
                result = guarded(check, "", partial(check.run, self._scenario, worlds, tuple(parts)))
                self._keep(check, None, None, tasks, result)
            found.append(Part(check.id, None, None, result))
        return found

    def _without_tasks(self, verified: dict[int, tuple[Task, ...]]) -> Iterator[Part]:
        if not self._document.tasks:
            message, advice = "The scenario has no task.", "Write a task template."
            finding = Finding("solvable.no_task", "blocking", "tasks", message, advice)
            yield Part("solvable", None, None, CheckResult((finding,)))
        for name in self._document.tasks:
            empty = [seed for seed, tasks in verified.items() if all(task.template != name for task in tasks)]
            if empty:
                everywhere = len(empty) == len(verified)
                finding = Finding(
                    "solvable.no_task",
                    "blocking" if everywhere else "warning",
                    f"tasks.{name}",
                    f"The draw yields no task in the world of seed {', '.join(map(str, empty))}.",
                    "Widen the draw, or make rows that it finds.",
                )
                yield Part("solvable", name, None, CheckResult((finding,)))

    def _key(self, check: Check, seed: int | None, template: str | None, tasks: tuple[str, ...]) -> str:
        digest = self._scenario.digest if template is None else self._digests[template]
        others = self._ids if check.level == "scenario" else ()  # it is told what they found
        return result_key(check.id, check.level, digest, (seed, *tasks, *others))

    def _keep(
        self, check: Check, seed: int | None, template: str | None, tasks: tuple[str, ...], result: CheckResult
    ) -> None:
        if self._cache is not None and all(finding.check != ENGINE_FAULT for finding in result.findings):
            self._cache.put(self._key(check, seed, template, tasks), result)
