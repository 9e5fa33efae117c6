"""Two agents on the same tasks: the difference of their results, task by task, and whether it may be chance.

The interval is the bootstrap's of the differences. The test is Fisher's of sign changes (R. A. Fisher, "The Design of
Experiments", 1935): if the agents were alike, each difference could as well have the other sign. All assignments of
signs are counted for few differences, seeded ones drawn for many; then the observed one counts as well, so that p is
never 0 (B. Phipson and G. K. Smyth, Stat. Appl. Genet. Mol. Biol. 9, 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from simulator.evaluation.playing import Outcome
from simulator.evaluation.statistics import Interval, mean_interval

_EXACT = 12
_DRAWS = 4_000
_UNIT = 1_000_000_000


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """``difference`` is the mean of first less second; ``wins`` and ``losses`` are the first's, the rest is equal.

    ``p`` is how often chance alone makes a difference as large, in either direction.
    """

    tasks: int
    difference: Interval
    wins: int
    losses: int
    p: float


def compare_paired(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> PairedComparison:
    """Compare results of two agents, those of one task at the same place.

    Raises ValueError for lists of different lengths, and what `mean_interval` raises.
    """
    differences = [mine - theirs for mine, theirs in zip(first, second, strict=True)]
    return PairedComparison(
        len(differences),
        mean_interval(differences, seed=seed),
        sum(difference > 0 for difference in differences),
        sum(difference < 0 for difference in differences),
        _sign_change_p([round(difference * _UNIT) for difference in differences], seed),
    )


@dataclass(frozen=True, slots=True)
class AgentComparison:
    """The rewards of two agents, compared on the tasks that both have played to an end."""

    first: str
    second: str
    reward: PairedComparison


def compare_agents(outcomes: Sequence[Outcome], *, seed: int = 0) -> tuple[AgentComparison, ...]:
    """Every agent with every later one, in the order of their first episodes. Of a task counts its mean reward.

    Two agents that share no task are left out.
    """
    rewards: dict[str, dict[str, list[float]]] = {}
    for outcome in outcomes:
        tasks = rewards.setdefault(outcome.assignment.agent.name, {})
        if outcome.played is not None:
            tasks.setdefault(outcome.assignment.task, []).append(outcome.played.score.total)
    means = {
        agent: {task: fsum(totals) / len(totals) for task, totals in tasks.items()} for agent, tasks in rewards.items()
    }
    compared = []
    for place, (first, mine) in enumerate(means.items()):
        for second, theirs in list(means.items())[place + 1 :]:
            shared = [task for task in mine if task in theirs]
            if shared:
                values = [mine[task] for task in shared], [theirs[task] for task in shared]
                compared.append(AgentComparison(first, second, compare_paired(*values, seed=seed)))
    return tuple(compared)


def _sign_change_p(differences: Sequence[int], seed: int) -> float:
    """Whole numbers, whose sums are exact: no order of addition shows in the result."""
    moved = np.array([difference for difference in differences if difference], dtype=np.int64)
    count, observed = len(moved), abs(int(moved.sum()))
    if count <= _EXACT:
        signs = 1 - 2 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
        return float((np.abs(signs @ moved) >= observed).mean())
    stream = np.random.Philox(key=seed % 2**64)
    extreme = 1
    for _ in range(_DRAWS):
        signs = 1 - 2 * (stream.random_raw(count) >> np.uint64(63)).astype(np.int64)
        extreme += abs(int((signs * moved).sum())) >= observed
    return extreme / (_DRAWS + 1)
