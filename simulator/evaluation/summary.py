"""What an agent achieved over many episodes: shares and means with 95 % intervals, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from simulator.agents import Played
from simulator.evaluation.playing import Outcome
from simulator.evaluation.statistics import Interval, mean_interval, share_interval

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
class TemplateSummary:
    """One agent on the tasks of one template."""

    episodes: int
    successes: int
    reward: float


@dataclass(frozen=True, slots=True)
class AgentSummary:
    """``invalid`` counts the episodes in which the engine failed; they are in no share and no mean.

    ``means`` holds the :data:`MEASURES`, None where none applies. ``endings`` counts episodes, ``verdicts`` actions, by
    kind, most frequent first.
    """

    agent: str
    episodes: int
    invalid: int
    success: Interval | None
    means: Mapping[str, Interval | None]
    endings: Mapping[str, int]
    verdicts: Mapping[str, int]
    templates: Mapping[str, TemplateSummary]

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
        templates=_by_template(episodes),
    )


def _mean(episodes: Sequence[Played], measure: Callable[[Played], float | None], seed: int) -> Interval | None:
    values = [value for played in episodes if (value := measure(played)) is not None]
    return mean_interval(values, seed=seed) if values else None


def _counts(words: Any) -> dict[str, int]:
    return dict(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))


def _by_template(episodes: Sequence[Played]) -> dict[str, TemplateSummary]:
    groups: dict[str, list[Played]] = {}
    for played in episodes:
        groups.setdefault(played.template, []).append(played)
    return {
        template: TemplateSummary(
            len(group),
            sum(played.score.success for played in group),
            round(sum(played.score.total for played in group) / len(group), 9),
        )
        for template, group in groups.items()
    }
