"""Every check of a verification, in the order in which reports tell of them."""

from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.checks import solvable

CHECKS: tuple[Check, ...] = (
    solvable.CHECK,
)  # fmt: skip
"""All checks. Those of one level are run in this order."""

__all__ = ["CHECKS", "Check"]
