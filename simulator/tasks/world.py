"""A world as a caller holds it: the image, and the tasks drawn from it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from simulator.errors import UsageError
from simulator.scenario.paths import did_you_mean
from simulator.scenario.python_values import file_path, instance, real_number, shown_value, text, whole_number
from simulator.scenario.scenario import Scenario
from simulator.scenario.times import parse_timestamp
from simulator.tasks.drawing import draw_tasks
from simulator.tasks.task import SPLITS, Task
from simulator.world.build import WorldImage, build_world
from simulator.world.build import open_world as open_image
from simulator.world.database import Database
from simulator.world.generation.tables import Progress


class World:
    """One generated company and the work to be done in it. Tasks are drawn at the first question for them."""

    def __init__(self, image: WorldImage) -> None:
        self.image = image

    @property
    def scenario(self) -> Scenario:
        """The scenario it was made from."""
        return self.image.scenario

    @property
    def seed(self) -> int:
        """The seed it was made with."""
        return self.image.seed

    @property
    def scale(self) -> float:
        """What its row counts were multiplied by."""
        return self.image.scale

    @property
    def digest(self) -> str:
        """The digest of its content."""
        return self.image.digest

    def tasks(self, split: str | None = None) -> tuple[Task, ...]:
        """Its tasks, all or those of one split, by template in the author's order, then by id.

        Raises UsageError for a split there is not, ScenarioError when a template's draw cannot be used.
        """
        if split is not None and text("split", split) not in SPLITS:
            raise UsageError(f"There is no split {split!r}; there are {', '.join(SPLITS)}.")
        return tuple(task for task in self._by_id.values() if split in (None, task.split))

    def task(self, task_id: str) -> Task:
        """The task of this id. Raises UsageError, naming the nearest id, when the world has no such task."""
        task = self._by_id.get(text("task_id", task_id))
        if task is None:
            hint = did_you_mean(task_id, self._by_id) or f"It has {len(self._by_id):,} tasks."
            raise UsageError(f"World {self.seed} has no task {task_id[:100]!r}. {hint}")
        return task

    def save(self, path: str | Path) -> None:
        """Write the image to a file, to be opened again with the same scenario."""
        self.image.save(file_path("path", path))

    @cached_property
    def _by_id(self) -> dict[str, Task]:
        with Database(self.image) as database:
            database.store.now = parse_timestamp(self.scenario.document.world.now)
            return {task.id: task for task in draw_tasks(database, self.image)}


def generate_world(
    scenario: Scenario,
    seed: int,
    *,
    scale: float = 1.0,
    progress: Progress | None = None,
    directory: Path | None = None,
) -> World:
    """Make the world of ``seed``; :func:`simulator.world.build.build_world` tells of the arguments and errors.

    Raises UsageError for an argument of a wrong type.
    """
    instance("scenario", scenario, Scenario, "Read one with load_scenario.")
    seed, scale = whole_number("seed", seed), real_number("scale", scale)
    if directory is not None:
        directory = file_path("directory", directory)
    if progress is not None and not callable(progress):
        raise UsageError(f"`progress` is a function, not {shown_value(progress)}.")
    return World(build_world(scenario, seed, scale=scale, progress=progress, directory=directory))


def open_world(path: str | Path, scenario: Scenario) -> World:
    """Open a world that was saved. Raises :class:`WorldError` when it is damaged or another scenario's."""
    instance("scenario", scenario, Scenario, "Read one with load_scenario.")
    return World(open_image(file_path("path", path), scenario))
