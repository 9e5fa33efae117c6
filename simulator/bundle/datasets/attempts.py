"""Which episodes there are to learn from: the trajectories of a folder that have an end and a score."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.episode import Trajectory
from simulator.errors import TrajectoryError, UsageError
from simulator.tasks import SPLITS

_MOST_FILES = 1_000_000


@dataclass(frozen=True, slots=True)
class Attempt:
    """One scored episode: its trajectory, and what it is told apart by. ``reward`` is the score's total."""

    file: str
    trajectory: Trajectory
    scenario: str
    task: str
    split: str
    reward: float
    success: bool

    @property
    def did(self) -> str:
        """What the agent did, as text: equal for attempts that did the same."""
        return json.dumps([step["action"] for step in self.trajectory.steps], sort_keys=True, ensure_ascii=False)

    @property
    def key(self) -> tuple[str, str]:
        """The task in its scenario."""
        return (self.scenario, self.task)


@dataclass(frozen=True, slots=True)
class Attempts:
    """What was read: ``scored`` in the order of their files' names, and how many of the rest there are, by reason."""

    scored: tuple[Attempt, ...]
    left_out: Mapping[str, int]


def read_attempts(folder: Path) -> Attempts:
    """Every trajectory (``*.jsonl``) in a folder and the folders in it.

    Left out are records without an end, without a score, and without a split. Raises UsageError when there is no
    file, TrajectoryError with the file's name for one that is no trajectory.
    """
    files = sorted(file for file in folder.rglob("*.jsonl") if file.is_file()) if folder.is_dir() else []
    if not files:
        raise UsageError(f"There is no trajectory (*.jsonl) in {folder}.")
    if len(files) > _MOST_FILES:
        raise UsageError(f"There are more than {_MOST_FILES:,} trajectories in {folder}.")
    scored: list[Attempt] = []
    left_out: dict[str, int] = {}
    for file in files:
        try:
            trajectory = Trajectory.load(file)
        except TrajectoryError as error:
            raise TrajectoryError(f"{file}: {error}") from error
        found = _attempt(str(file.relative_to(folder)), trajectory)
        if isinstance(found, Attempt):
            scored.append(found)
        else:
            left_out[found] = left_out.get(found, 0) + 1
    return Attempts(tuple(scored), left_out)


def _attempt(file: str, trajectory: Trajectory) -> Attempt | str:
    footer, header = trajectory.footer, trajectory.header
    if footer is None:
        return "not at its end"
    score = footer.get("score")
    if not isinstance(score, Mapping) or not _is_number(score.get("total")):
        return "without a score"
    task, scenario = header["task"], header["scenario"]
    if task.get("split") not in SPLITS or not _are_texts(task.get("id"), scenario.get("digest")):
        return "of no task"
    reward, success = float(score["total"]), score.get("success") is True
    return Attempt(file, trajectory, scenario["digest"], task["id"], task["split"], reward, success)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_texts(*values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def best_first(attempts: Sequence[Attempt]) -> list[Attempt]:
    """One attempt for each thing that was done: the best first, of equally good ones the shorter, then by file."""
    once: dict[str, Attempt] = {}
    for attempt in attempts:
        once.setdefault(attempt.did, attempt)
    return sorted(once.values(), key=lambda item: (-item.reward, len(item.trajectory.steps), item.file))
