"""The score of one episode.

    total = (wc·C + wp·C·P + we·C·E) / (wc + wp + we) − penalties

C is the weighted share of the checks passed, of those that were false at reset. P is the share of the base process
rules that were kept (those a solution activates, and those the agent violated), E the efficiency; both are scaled by C,
so that nothing is earned by doing nothing. A part that does not apply leaves numerator and denominator. Without success
the earned part is halved. The total is clipped to [−1, 1].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from math import fsum
from typing import Any, Literal

from simulator.reward import explain
from simulator.reward.ledger import Ledger, SolutionTrace
from simulator.rules import Violation
from simulator.scenario.models import Reward
from simulator.tasks import CheckResult

SMALL_PENALTY_CAP = 0.1
"""What failed actions and minor violations cost together at most, so that quitting is never the best policy."""

PRICED_ROWS = 3
"""How many rows a rule, or collateral damage, is priced for."""

UNPRICED_KINDS = frozenset({"ok", "fault", "limit", "sql_unsupported", "episode_over"})
"""Verdicts that are not a failed action of the agent's making."""

Part = Literal["completion", "process", "efficiency", "halved", "violation", "collateral", "failed_action", "clipped"]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One reason for points: the check or rule ``name``, the step it came from (None: not known), and why, in words.

    ``points`` is 0 for what could have been earned and was not.
    """

    part: Part
    name: str
    points: float
    step: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    """The score, its parts and its reasons. The points of ``lines`` sum to ``total``.

    ``completion``, ``process`` and ``efficiency`` are C, P and E in [0, 1]; P is None when no process rule applies, E
    when the task has no solution. ``penalties`` is the sum taken off, never negative.
    """

    total: float
    success: bool
    completion: float
    process: float | None
    efficiency: float | None
    penalties: float
    lines: tuple[ScoreLine, ...]

    def to_json(self) -> dict[str, Any]:
        """The score as plain JSON."""
        return {**asdict(self), "lines": [asdict(line) for line in self.lines]}


def score(ledger: Ledger, reward: Reward) -> Score:
    """Score an episode. With several solutions, the one under which the episode earns most is the measure."""
    completed = completion(ledger.checks)
    success = succeeded(ledger)
    measures = [_Measure(ledger, reward, completed, solution) for solution in ledger.solutions]
    best = max(measures or [_Measure(ledger, reward, completed, None)], key=lambda measure: measure.earned)
    lines = list(best.lines())
    earned = fsum(line.points for line in lines)
    if not success and earned > 0:
        lines.append(ScoreLine("halved", "success", -earned / 2, _end(ledger), explain.halved(ledger)))
    penalties = list(_penalties(ledger, reward))
    lines += penalties
    unclipped = fsum(line.points for line in lines)
    total = min(1.0, max(-1.0, unclipped))
    if total != unclipped:
        lines.append(ScoreLine("clipped", "total", total - unclipped, None, explain.clipped(unclipped)))
    return Score(
        total=total,
        success=success,
        completion=completed,
        process=best.process,
        efficiency=best.efficiency,
        penalties=abs(fsum(line.points for line in penalties)),
        lines=tuple(lines),
    )


def completion(checks: Iterable[CheckResult]) -> float:
    """C: the weighted share of the checks passed. Checks that were true at reset earn nothing."""
    earning = [check for check in checks if not check.keeps]
    if not earning:
        return 0.0
    return fsum(check.weight for check in earning if check.passed) / fsum(check.weight for check in earning)


def potential(checks: Iterable[CheckResult]) -> float:
    """Φ of a state, for shaping: C of the checks that look at the state, not at the answer.

    The caller takes 0 at the start and at the end of an episode.
    """
    return completion(check for check in checks if check.form in ("passes", "same_as_solution"))


def succeeded(ledger: Ledger) -> bool:
    """Whether the agent ended the episode itself with every required check and every `keeps` holding, nothing changed
    outside `may_change`, and no critical violation.
    """  # fmt: skip
    return (
        ledger.ending in ("finished", "ended")
        and all(check.passed for check in ledger.checks if check.required or check.keeps)
        and not ledger.damages
        and not any(violation.severity == "critical" for violation in ledger.all_violations())
    )


class _Measure:
    """The earned part of an episode, measured against one solution, or none."""

    def __init__(self, ledger: Ledger, reward: Reward, completed: float, solution: SolutionTrace | None) -> None:
        self._ledger = ledger
        self._weights = reward.weights
        self._completed = completed
        violated = {result.rule for result in ledger.process if result.violations}
        expected = solution.activates if solution is not None else frozenset()
        self._base = tuple(result for result in ledger.process if result.rule in violated | expected)
        kept = sum(result.kept for result in self._base)
        self._par = None if solution is None else solution.steps + ledger.allowance
        self.process = kept / len(self._base) if self._base else None
        self.efficiency = None if self._par is None else _efficiency(ledger, self._par)
        terms = [(self._weights.completion, 1.0)]
        if self.process is not None:
            terms.append((self._weights.process, self.process))
        if self.efficiency is not None:
            terms.append((self._weights.efficiency, self.efficiency))
        self._denominator = fsum(weight for weight, _ in terms)
        self.earned = completed * fsum(weight * share for weight, share in terms) / self._denominator

    def lines(self) -> Iterator[ScoreLine]:
        """Where the earned part comes from, check by check and rule by rule."""
        ledger = self._ledger
        all_weights = fsum(check.weight for check in ledger.checks if not check.keeps)
        for check in ledger.checks:
            step = ledger.check_steps.get(check.name, _end(ledger))
            share = 0.0 if check.keeps or not check.passed else check.weight / all_weights
            points = self._weights.completion * share / self._denominator
            yield ScoreLine("completion", check.name, points, step, explain.check(check))
        scale = self._completed / self._denominator
        for result in self._base:
            first = min((violation.step for violation in result.violations), default=None)
            points = self._weights.process * scale / len(self._base) if result.kept else 0.0
            text = explain.process(result, self._completed)
            yield ScoreLine("process", result.rule, points, first if first is not None else _end(ledger), text)
        if self.efficiency is not None and self._par is not None:
            points = self._weights.efficiency * scale * self.efficiency
            text = explain.efficiency(ledger, self._par, self._completed)
            yield ScoreLine("efficiency", "steps", points, _end(ledger), text)


def _efficiency(ledger: Ledger, par: int) -> float:
    """E: 1 up to the par, falling linearly to 0 at the limit; 0 when the agent did not end the episode itself."""
    if ledger.ending not in ("finished", "ended"):
        return 0.0
    if ledger.steps <= par:
        return 1.0
    return max(0.0, (ledger.limit - ledger.steps) / (ledger.limit - par)) if ledger.limit > par else 0.0


def _penalties(ledger: Ledger, reward: Reward) -> Iterator[ScoreLine]:
    """What is taken off. Minor violations and failed actions share one cap, used up in the order of their steps."""
    prices = reward.penalties
    small: list[tuple[float, ScoreLine]] = []
    for violation in _priced(ledger.all_violations()):
        line = ScoreLine("violation", violation.rule, 0.0, violation.step, explain.violation(violation))
        if violation.severity == "minor":
            small.append((prices.minor, line))
        else:
            price = prices.critical if violation.severity == "critical" else prices.major
            yield _cost(line, price)
    for damage in ledger.damages[:PRICED_ROWS]:
        line = ScoreLine("collateral", damage.table, 0.0, damage.step, explain.collateral(damage))
        yield _cost(line, prices.collateral)
    for action in ledger.failed_actions:
        if action.kind not in UNPRICED_KINDS:
            line = ScoreLine("failed_action", action.tool, 0.0, action.step, explain.failed_action(action))
            small.append((prices.failed_action, line))
    left = SMALL_PENALTY_CAP
    for price, line in sorted(small, key=lambda item: item[1].step or 0):
        yield _cost(line, min(price, left))
        left = max(0.0, left - price)


def _cost(line: ScoreLine, price: float) -> ScoreLine:
    return ScoreLine(line.part, line.name, -price if price else 0.0, line.step, line.text)


def _priced(violations: Iterable[Violation]) -> Iterator[Violation]:
    """The violations that cost: each (rule, row) once, at most three rows a rule, only those with a severity."""
    rows: dict[str, set[str]] = {}
    for violation in violations:
        seen = rows.setdefault(violation.rule, set())
        if violation.severity is not None and violation.row not in seen and len(seen) < PRICED_ROWS:
            seen.add(violation.row)
            yield violation


def _end(ledger: Ledger) -> int | None:
    """The last step taken, None before the first."""
    return ledger.steps or None
