"""What an agent achieved over many episodes: shares and means with 95 % intervals, counts, and what it does again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from simulator.agents import Played
from simulator.evaluation.playing import Outcome
from simulator.evaluation.repetition import mean_pass_all_k, mean_pass_at_k
from simulator.evaluation.statistics import Interval, mean_interval, share_interval

Name = TypeVar("Name", str, int)

MEASURES: Mapping[str, Callable[[Played], float | None]] = {
    "reward": lambda played: played.score.total,
    "completion": lambda played: played.score.completion,
    "process": lambda played: played.score.process,
    "efficiency": lambda played: played.score.efficiency,
    "penalties": lambda played: played.score.penalties,
    "steps": lambda played: float(played.steps),
}
"""What is averaged. A part of the score that does not apply to an episode is left out of its mean."""


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """One agent on some of the tasks: those of one template, or of one difficulty."""

    episodes: int
    successes: int
    success: Interval
    reward: Interval


@dataclass(frozen=True, slots=True)
class Repeated:
    """How an agent does in ``k`` episodes of one task: the chance of a success in any of them, and in all."""

    k: int
    pass_at_k: float
    pass_all_k: float


@dataclass(frozen=True, slots=True)
class AgentSummary:
    """``invalid`` counts the episodes in which the engine failed; they are in no share and no mean.

    ``means`` holds the :data:`MEASURES`, None where none applies. ``endings`` counts episodes, ``verdicts`` actions, by
    kind, most frequent first. ``repeated`` tells of 1, 2, 4 … episodes of a task, as far as every task was played so
    often; it is empty where some task was played once or not to its end.
    """

    agent: str
    episodes: int
    invalid: int
    success: Interval | None
    means: Mapping[str, Interval | None]
    endings: Mapping[str, int]
    verdicts: Mapping[str, int]
    templates: Mapping[str, GroupSummary]
    difficulties: Mapping[int, GroupSummary]
    repeated: tuple[Repeated, ...]

    def to_json(self) -> dict[str, Any]:
        """The summary as plain JSON."""
        return asdict(self)


def summarise(outcomes: Sequence[Outcome], *, seed: int = 0) -> tuple[AgentSummary, ...]:
    """One summary for each agent, in the order of their first episodes. ``seed`` is that of the bootstrap."""
    by_agent: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_agent.setdefault(outcome.assignment.agent.name, []).append(outcome)
    return tuple(_summary(agent, group, seed) for agent, group in by_agent.items())


def _summary(agent: str, outcomes: Sequence[Outcome], seed: int) -> AgentSummary:
    episodes = [outcome.played for outcome in outcomes if outcome.played is not None]
    successes = sum(played.score.success for played in episodes)
    return AgentSummary(
        agent=agent,
        episodes=len(outcomes),
        invalid=len(outcomes) - len(episodes),
        success=share_interval(successes, len(episodes)) if episodes else None,
        means={name: _mean(episodes, measure, seed) for name, measure in MEASURES.items()},
        endings=_counts(played.ending for played in episodes),
        verdicts=_counts(kind for played in episodes for kind in played.kinds),
        templates=_grouped(episodes, lambda played: played.template, seed),
        difficulties=dict(sorted(_grouped(episodes, lambda played: played.difficulty, seed).items())),
        repeated=tuple(_repeated(outcomes)),
    )


def _mean(episodes: Sequence[Played], measure: Callable[[Played], float | None], seed: int) -> Interval | None:
    values = [value for played in episodes if (value := measure(played)) is not None]
    return mean_interval(values, seed=seed) if values else None


def _counts(words: Any) -> dict[str, int]:
    return dict(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))


def _grouped(episodes: Sequence[Played], name: Callable[[Played], Name], seed: int) -> dict[Name, GroupSummary]:
    """The episodes by what ``name`` says of them, in the order in which that comes up."""
    groups: dict[Name, list[Played]] = {}
    for played in episodes:
        groups.setdefault(name(played), []).append(played)
    return {key: _group(group, seed) for key, group in groups.items()}


def _group(episodes: Sequence[Played], seed: int) -> GroupSummary:
    successes = sum(played.score.success for played in episodes)
    reward = mean_interval([played.score.total for played in episodes], seed=seed)
    return GroupSummary(len(episodes), successes, share_interval(successes, len(episodes)), reward)


def _repeated(outcomes: Sequence[Outcome]) -> Iterator[Repeated]:
    tasks: dict[str, list[bool]] = {}
    for outcome in outcomes:
        played = tasks.setdefault(outcome.assignment.task, [])
        if outcome.played is not None:
            played.append(outcome.played.score.success)
    counted = [(sum(successes), len(successes)) for successes in tasks.values()]
    least = min((episodes for _, episodes in counted), default=0)
    k = 1
    while least > 1 and k <= least:
        yield Repeated(k, mean_pass_at_k(counted, k), mean_pass_all_k(counted, k))
        k *= 2
