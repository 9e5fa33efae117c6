"""Opening a bundle that may come from a stranger: everything it holds is data, checked before it is used."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from simulator.bundle.archive import Source, source_of
from simulator.bundle.images import opened
from simulator.bundle.layout import MANIFEST, MOST_MANIFEST, SCENARIO, agent_tasks, world_image
from simulator.bundle.manifest import Manifest, WorldEntry
from simulator.bundle.splits import split_of_seed
from simulator.episode import workplace_of
from simulator.errors import BundleError, Problem, ScenarioError, UsageError
from simulator.lint import checked
from simulator.scenario import Scenario, did_you_mean, parse_document, read_json
from simulator.scenario.python_values import file_path
from simulator.scenario.source_text import TextLimits
from simulator.tasks import SPLITS, World, generate_world
from simulator.version import ENGINE_VERSION

_TASK_ID = re.compile(r"w[0-9]{1,18}/")
_LINE_LIMITS = TextLimits(size=2_000_000, depth=16, nodes=10_000)


class Bundle:
    """An opened bundle: its manifest, its scenario, and its worlds, each made or unpacked when first asked for.

    ``files`` are all listed files but the images of worlds, checked against their digests.
    """

    def __init__(self, source: Source, manifest: Manifest, files: Mapping[str, bytes], scenario: Scenario) -> None:
        self._source = source
        self._worlds: dict[int, World] = {}
        self._making = Lock()
        self.manifest = manifest
        self.files = files
        self.scenario = scenario

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all files there are, listed in the manifest or not."""
        return tuple(self._source.sizes)

    def world(self, seed: int) -> World:
        """The world of a seed, unpacked or generated: once, whichever threads ask.

        Raises UsageError when the bundle has no such world, BundleError (``damaged_image``, ``other_world``) when what
        it has is not the world that the manifest tells of.
        """
        entry = next((entry for entry in self.manifest.worlds if entry.seed == seed), None)
        if entry is None:
            seeds = ", ".join(str(entry.seed) for entry in self.manifest.worlds)
            raise UsageError(f"The bundle has no world {seed}; it has {seeds}.")
        with self._making:
            if seed not in self._worlds:
                world = self._unpack(entry) if self.manifest.frozen else self._generate(entry)
                workplace_of(world)  # made while no other thread has the world
                self._worlds[seed] = world
        return self._worlds[seed]

    def tasks(self, split: str | None = None) -> tuple[Mapping[str, Any], ...]:
        """What an agent may know of the tasks of a split, or of all: id, template, instruction, difficulty, role."""
        if split is not None and split not in SPLITS:
            raise UsageError(f"There is no split {split!r}; there are {', '.join(SPLITS)}.")
        return tuple(task for task in self._tasks.values() if split in (None, task["split"]))

    def world_of(self, task_id: str) -> World:
        """The world in which a task is. Raises UsageError for a task the bundle does not have."""
        if task_id not in self._tasks:
            hint = did_you_mean(task_id, self._tasks) or f"It has {len(self._tasks):,} tasks."
            raise UsageError(f"The bundle has no task {task_id[:100]!r}. {hint}")
        return self.world(_seed_of(task_id))

    @cached_property
    def _tasks(self) -> dict[str, Mapping[str, Any]]:
        tasks = {}
        for split in SPLITS:
            name = agent_tasks(split)
            for number, line in enumerate(self.files.get(name, b"").splitlines(), 1):
                task = _task_line(line, name, number)
                if task["split"] != split or split_of_seed(_seed_of(task["id"])) != split:
                    message = f"Task {task['id'][:100]} is not one of the split {split}."
                    raise BundleError([Problem("other_split", message, f"{name}:{number}")])
                tasks[task["id"]] = task
        return tasks

    def _unpack(self, entry: WorldEntry) -> World:
        name = world_image(entry.seed)
        content = _verified(self._source, self.manifest, name)
        world = opened(content, self.scenario, name=name, size=entry.size, digest=entry.digest)
        if world.seed != entry.seed or world.scale != 1.0:
            message = f"{name} holds the world of seed {world.seed}, not of {entry.seed}."
            raise BundleError([Problem("other_world", message, name)])
        return world

    def _generate(self, entry: WorldEntry) -> World:
        world = generate_world(self.scenario, entry.seed)
        if world.digest != entry.digest:
            message = f"Seed {entry.seed} makes a world of digest {world.digest}, the manifest tells of {entry.digest}."
            raise BundleError([Problem("other_world", message, MANIFEST)])
        return world


def open_bundle(path: str | Path) -> Bundle:
    """Open a bundle: a folder, or a zip file, which is read where it lies.

    Raises BundleError with what is wrong with its names, sizes, digests, manifest or scenario; UsageError when there is
    nothing at ``path``.
    """
    source = source_of(file_path("path", path))
    if source.sizes[MANIFEST] > MOST_MANIFEST:
        message = f"{MANIFEST} is larger than {MOST_MANIFEST:,} bytes."
        raise BundleError([Problem("too_large", message, MANIFEST)])
    manifest = Manifest.from_bytes(source.read(MANIFEST))
    if manifest.engine.version != ENGINE_VERSION:
        message = f"The bundle was made by engine {manifest.engine.version[:40]}; this is {ENGINE_VERSION}."
        suggestion = "Another engine may make other worlds and scores: use the one that made it, under engine/."
        raise BundleError([Problem("other_engine", message, MANIFEST, suggestion=suggestion)])
    _check_listing(source, manifest)
    images = {world_image(entry.seed) for entry in manifest.worlds}
    files: dict[str, bytes] = {}
    problems: list[Problem] = []
    for name in manifest.files:
        if name in images:
            continue
        try:
            files[name] = _verified(source, manifest, name)
        except BundleError as error:
            problems += error.problems
    if problems:
        raise BundleError(problems)
    return Bundle(source, manifest, files, _scenario(files[SCENARIO], manifest))


_shared: dict[str, Bundle] = {}
_sharing = Lock()


def shared_bundle(path: str) -> Bundle:
    """The bundle at a path, opened once a process, whichever threads ask, so that all episodes share its worlds; see
    open_bundle.
    """  # fmt: skip
    with _sharing:
        if path not in _shared:
            _shared[path] = open_bundle(path)
        return _shared[path]


def _check_listing(source: Source, manifest: Manifest) -> None:
    """Every listed file is there, in its size; the files that a bundle needs are listed."""
    needed = [SCENARIO, *(agent_tasks(split) for split in SPLITS if manifest.splits[split].seeds)]  # type: ignore[index]
    needed += [world_image(entry.seed) for entry in manifest.worlds if manifest.frozen]
    problems = [
        Problem("missing_file", f"The manifest does not list {name}.", name)
        for name in needed
        if name not in manifest.files
    ]
    for name, entry in manifest.files.items():
        size = source.sizes.get(name)
        if size is None:
            problems.append(Problem("missing_file", f"{name} is listed and not there.", name))
        elif size != entry.size:
            problems.append(Problem("wrong_size", f"{name} is {size:,} bytes, listed are {entry.size:,}.", name))
    if problems:
        raise BundleError(problems[:100])


def _verified(source: Source, manifest: Manifest, name: str) -> bytes:
    content = source.read(name)
    digest = hashlib.sha256(content).hexdigest()
    if digest != manifest.files[name].sha256:
        message = f"{name} is not the file that was listed: its SHA-256 is {digest}."
        raise BundleError([Problem("wrong_digest", message, name)])
    return content


def _scenario(content: bytes, manifest: Manifest) -> Scenario:
    try:
        value, _ = read_json(content, file=SCENARIO)
        if not isinstance(value, dict):
            raise ScenarioError([Problem("not_a_mapping", "The document must be a mapping.")])
        scenario = checked(parse_document(value))
    except ScenarioError as error:
        raise BundleError([_in_scenario(problem) for problem in error.problems]) from error
    document, told = scenario.document, manifest.scenario
    if (document.id, document.version, document.title, scenario.digest) != (
        told.id, told.version, told.title, told.digest,
    ):  # fmt: skip
        raise BundleError([Problem("other_scenario", "The scenario is not the one the manifest names.", SCENARIO)])
    return scenario


def _in_scenario(problem: Problem) -> Problem:
    return Problem(problem.code, problem.message, f"{SCENARIO} {problem.path}".strip(), suggestion=problem.suggestion)


def _task_line(line: bytes, name: str, number: int) -> Mapping[str, Any]:
    place = f"{name}:{number}"
    try:
        value, _ = read_json(line, file=name, limits=_LINE_LIMITS)
    except ScenarioError as error:
        raise BundleError([Problem("bad_task", problem.message, place) for problem in error.problems]) from error
    texts = ("id", "template", "instruction", "split")
    if not isinstance(value, dict) or not all(isinstance(value.get(key), str) for key in texts):
        raise BundleError([Problem("bad_task", "The line is no task.", place)])
    if not _TASK_ID.match(str(value["id"])):
        raise BundleError([Problem("bad_task", "The task's id does not begin with its world.", place)])
    return value


def _seed_of(task_id: str) -> int:
    """The seed of a task's world, which its id begins with: ``w7/route/…``."""
    return int(task_id.partition("/")[0][1:])
