"""Which episodes are played: task, seed and file of each, fixed before the first begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from simulator.errors import UsageError
from simulator.evaluation.agent_choice import AgentChoice
from simulator.tasks import Task


@dataclass(frozen=True, slots=True)
class Assignment:
    """One episode to play: the ``number``-th of its agent, counted from 0. ``file`` gets the trajectory."""

    agent: AgentChoice
    number: int
    task: str
    seed: int
    file: Path | None = None


def assign(
    agents: Sequence[AgentChoice], tasks: Sequence[Task], *, episodes: int, seed: int, folder: Path | None = None
) -> tuple[Assignment, ...]:
    """``episodes`` episodes for each agent: number i plays task i modulo their count, whoever plays it.

    The tasks are taken in turns over the templates, so that few episodes see many. The episode's seed derives from
    (``seed``, i). Trajectories go to ``folder/<agent>/<task>.jsonl``, with ``_`` for the slashes of a task's id; the
    second episode of a task to ``<task>.2.jsonl``, and so on. Raises :class:`UsageError` when there is no task.
    """
    if not tasks:
        raise UsageError("There is no task to play.")
    ordered = _in_turns(tasks)
    return tuple(
        Assignment(
            agent=agent,
            number=number,
            task=ordered[number % len(ordered)].id,
            seed=episode_seed(seed, number),
            file=folder and folder / agent.name / _file_name(ordered, number),
        )
        for agent in agents
        for number in range(episodes)
    )


def episode_seed(seed: int, number: int) -> int:
    """The seed of episode ``number``: 31 bits of a hash."""
    digest = blake2b(f"episode/{seed}/{number}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


def _in_turns(tasks: Sequence[Task]) -> list[Task]:
    """The first task of every template, then the second of each, and so on."""
    turns: dict[str, int] = {}
    placed = []
    for task in tasks:
        turns[task.template] = turns.get(task.template, -1) + 1
        placed.append((turns[task.template], task))
    return [task for _, task in sorted(placed, key=lambda item: item[0])]


def _file_name(ordered: Sequence[Task], number: int) -> str:
    attempt = number // len(ordered) + 1
    suffix = f".{attempt}" if attempt > 1 else ""
    return ordered[number % len(ordered)].id.replace("/", "_") + f"{suffix}.jsonl"
