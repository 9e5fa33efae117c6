"""Discrimination: the reward tells good work from bad.

Each task is played by the oracle, by the noisy agent with 1, 2 and 4 mistakes, by the random and by the null agent. A
success without major violations must outrank every non-success; over the whole scenario mean rewards must fall with the
number of mistakes, and whoever makes one mistake must earn more than who acts at random or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from pydantic import JsonValue

from simulator.agents import NoisyAgent, NullAgent, OracleAgent, RandomAgent
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Finding, Part
from simulator.evaluation.verification.sameness import outcome_of
from simulator.evaluation.verification.subject import Episode, Subject
from simulator.scenario import Scenario
from simulator.tasks import World

MISTAKES = (0, 1, 2, 4)
"""How many mistakes are made on purpose; with 0 the oracle plays."""

FEW = 100
"""Means of fewer episodes each are chance, and not compared."""

_NONE = -1  # mistakes of an agent that follows no solution

_EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class _Played:
    agent: str
    mistakes: int
    episode: Episode
    grave: bool


def _run(subject: Subject) -> CheckResult:
    played: list[_Played] = []
    for task in subject.tasks:
        if not subject.runs(task):
            continue
        for mistakes in MISTAKES:
            agent = NoisyAgent(mistakes) if mistakes else OracleAgent()
            episode = subject.play(task, agent)
            made = len(agent.made) if isinstance(agent, NoisyAgent) else 0
            played.append(
                _Played(f"noisy_{mistakes}" if mistakes else "oracle", made, episode, outcome_of(subject).is_grave)
            )
        played += (
            _Played(other.name, _NONE, subject.play(task, other), outcome_of(subject).is_grave)
            for other in (RandomAgent(), NullAgent())
        )
    if not played:
        return CheckResult()
    findings = (*_rank(subject, played), *_spread(subject, played))
    rewards: dict[str, list[float]] = {}
    for item in played:
        rewards.setdefault(item.agent, []).append(round(item.episode.score.total, 6))
    pairs = [(item.mistakes, round(item.episode.score.total, 6)) for item in played if item.mistakes != _NONE]
    figures: dict[str, JsonValue] = {
        "rewards": {name: [*values] for name, values in rewards.items()},
        "mistakes": [[*pair] for pair in pairs],
        "correlation": rank_correlation(pairs),
    }
    return CheckResult(findings, figures=figures)


def _rank(subject: Subject, played: Sequence[_Played]) -> Iterator[Finding]:
    successes = [item.episode for item in played if item.episode.score.success and not item.grave]
    failures = [item.episode for item in played if not item.episode.score.success]
    if not successes or not failures:
        return
    worst = min(successes, key=lambda episode: episode.score.total)
    best = max(failures, key=lambda episode: episode.score.total)
    if worst.score.total <= best.score.total:
        message = (
            f"A failure earns {best.score.total:.2f} in {best.task.id}, and a success without a major violation "
            f"{worst.score.total:.2f} in {worst.task.id}."
        )
        advice = "Give completion more weight, or checks that success does not need less."
        yield Finding("discrimination.rank", "blocking", subject.about, message, advice, best.evidence())


def _spread(subject: Subject, played: Sequence[_Played]) -> Iterator[Finding]:
    totals = [item.episode.score.total for item in played]
    if max(totals) - min(totals) <= _EPSILON:
        message = f"Every agent earns {totals[0]:.2f} in every task, whatever it does."
        advice = "Check what the task asks for; see what `solvable` and `floor` say."
        yield Finding("discrimination.no_spread", "warning", subject.about, message, advice)


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Spearman's rank correlation, ties sharing their mean rank; None where one side is all alike."""
    if not pairs:
        return None
    left, right = _ranks([pair[0] for pair in pairs]), _ranks([pair[1] for pair in pairs])
    middle = (len(pairs) + 1) / 2
    spread = [sum((rank - middle) ** 2 for rank in side) for side in (left, right)]
    if not spread[0] or not spread[1]:
        return None
    together = sum((mine - middle) * (theirs - middle) for mine, theirs in zip(left, right, strict=True))
    return round(float(together / (spread[0] * spread[1]) ** 0.5), 6)


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda place: values[place])
    ranks = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            ranks[place] = (first + last) / 2 + 1
        first = last + 1
    return ranks


def _of_all(scenario: Scenario, worlds: Sequence[World], parts: Sequence[Part]) -> CheckResult:
    """Mean rewards of the whole, and their order."""
    rewards: dict[str, list[float]] = {}
    pairs: list[tuple[float, float]] = []
    for part in parts:
        if part.check != CHECK.id:
            continue
        of_agents, mistakes = part.result.figures.get("rewards"), part.result.figures.get("mistakes")
        if isinstance(of_agents, dict) and isinstance(mistakes, list):
            for name, values in of_agents.items():
                rewards.setdefault(name, []).extend(_numbers(values))
            pairs += [(pair[0], pair[1]) for pair in map(_numbers, mistakes)]
    means = {name: round(fmean(values), 6) for name, values in rewards.items()}
    findings: tuple[Finding, ...] = ()
    if rewards and min(map(len, rewards.values())) >= FEW:
        findings = (*_order(means),)
    return CheckResult(findings, figures={"means": dict(means), "correlation": rank_correlation(pairs)})


def _numbers(values: object) -> list[float]:
    return [value for value in values if isinstance(value, int | float)] if isinstance(values, list) else []


def _order(means: dict[str, float]) -> Iterator[Finding]:
    """Which means stand in the wrong order."""
    falling = ["oracle", *(f"noisy_{mistakes}" for mistakes in MISTAKES if mistakes)]
    wrong = [pair for pair in pairwise(falling) if means[pair[0]] <= means[pair[1]]]
    wrong += [("noisy_1", other) for other in ("random", "null") if means["noisy_1"] <= means[other]]
    for better, worse in wrong:
        message = f"The {worse} agent earns {means[worse]:.3f} on average, and the {better} agent {means[better]:.3f}."
        advice = "See which mistakes cost nothing: `mutants` tells them apart."
        yield Finding("discrimination.order", "blocking", "", message, advice)


CHECK = Check("discrimination", "The reward tells good work from bad", "template", _run)
OF_ALL = Check("discrimination", CHECK.title, "scenario", _of_all)
