"""Every check of a verification, in the order in which reports tell of them."""

from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.checks import already_true, cost, determinism, floor, mutants, solvable

CHECKS: tuple[Check, ...] = (
    solvable.CHECK,
    floor.CHECK,
    already_true.CHECK,
    already_true.OF_WORLD,
    mutants.CHECK,
    mutants.OF_ALL,
    determinism.CHECK,
    determinism.IN_ANOTHER_PROCESS,
    cost.CHECK,
    cost.OF_WORLD,
)  # fmt: skip
"""All checks. Those of one level are run in this order."""

__all__ = ["CHECKS", "Check"]
