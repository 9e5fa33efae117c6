"""The reasons of a score, in words that the author of the scenario understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.reward.ledger import FailedAction, Ledger
from simulator.rules import ProcessResult, Violation
from simulator.tasks import CheckResult, Damage

if TYPE_CHECKING:
    from simulator.reward.score import Score

_ENDINGS = {
    "running": "the episode is still running",
    "stopped": "the episode was stopped before the agent finished",
    "truncated": "the step limit was reached before the agent finished",
}


def explanation(score: Score) -> str:
    """The whole score as text: the result, then one line a reason, points first."""
    head = f"{score.total:+.3f}  {'success' if score.success else 'no success'}"
    rows = [f"{line.points:+.3f}  {_step(line.step):>9}  {line.part} {line.name}: {line.text}" for line in score.lines]
    return "\n".join([head, *rows])


def check(result: CheckResult) -> str:
    """Why a check earned its points or did not."""
    words = f"{result.summary or result.name}: "
    if result.keeps:
        words += "still holds, as it did at the start" if result.passed else "held at the start and was broken"
    else:
        words += "done" if result.passed else "not done"
    return f"{words} ({result.detail})" if result.detail else words


def process(result: ProcessResult, completed: float) -> str:
    """Why a process rule earned its share or did not."""
    if result.violations:
        return f"broken: {min(result.violations, key=lambda item: item.step).sentence}"
    if not result.activated:
        return "never came into play, as it does in the solution"
    return "kept" if completed else "kept, but nothing was completed"


def efficiency(ledger: Ledger, par: int, completed: float) -> str:
    """How the steps taken compare with the solution's."""
    words = f"{ledger.steps} {'step' if ledger.steps == 1 else 'steps'} against {par} of the solution"
    words += f" and a limit of {ledger.limit}"
    if ledger.allowance:
        words += f", {ledger.allowance} in each for faults"
    if ledger.ending in _ENDINGS:
        return f"{words}; {_ENDINGS[ledger.ending]}"
    return words if completed else f"{words}; nothing was completed"


def halved(ledger: Ledger) -> str:
    """Why the episode is no success."""
    reasons = [f"check {check.name} does not hold" for check in ledger.checks if check.required and not check.passed]
    reasons += [
        f"check {check.name} was broken"
        for check in ledger.checks
        if check.keeps and not check.required and not check.passed
    ]
    if ledger.damages:
        reasons.append(f"{len(ledger.damages)} {'row' if len(ledger.damages) == 1 else 'rows'} changed that should not")
    critical = dict.fromkeys(item.rule for item in ledger.all_violations() if item.severity == "critical")
    reasons += [f"{rule} is critical and was violated" for rule in critical]
    if ledger.ending in _ENDINGS:
        reasons.append(_ENDINGS[ledger.ending])
    return "no success, so half of what was earned: " + "; ".join(reasons)


def violation(item: Violation) -> str:
    """Which rule was violated, and how gravely."""
    return f"{item.severity} violation: {item.sentence}"


def collateral(damage: Damage) -> str:
    """What changed that should not."""
    return f"changed outside the task: {damage.text}"


def failed_action(action: FailedAction) -> str:
    """What the action got."""
    return f"the call failed: {action.kind} ({action.code})"


def clipped(unclipped: float) -> str:
    """That the sum lay outside the range."""
    return f"the sum {unclipped:+.3f} lies outside -1 to 1"


def _step(step: int | None) -> str:
    return "" if step is None else f"step {step}"
