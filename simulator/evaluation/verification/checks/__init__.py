"""Every check of a verification, in the order in which reports tell of them."""

from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.checks import (
    already_true,
    consistency,
    cost,
    determinism,
    difficulty,
    discrimination,
    exploits,
    false_negatives,
    floor,
    leakage,
    mutants,
    solvable,
)

CHECKS: tuple[Check, ...] = (
    solvable.CHECK,
    floor.CHECK,
    already_true.CHECK,
    already_true.OF_WORLD,
    mutants.CHECK,
    mutants.OF_ALL,
    exploits.CHECK,
    false_negatives.CHECK,
    determinism.CHECK,
    determinism.IN_ANOTHER_PROCESS,
    leakage.CHECK,
    leakage.OF_WORLD,
    leakage.OF_SCENARIO,
    difficulty.CHECK,
    difficulty.OF_SCENARIO,
    consistency.CHECK,
    consistency.OF_SCENARIO,
    discrimination.CHECK,
    discrimination.OF_ALL,
    cost.CHECK,
    cost.OF_WORLD,
)  # fmt: skip
"""All checks. Those of one level are run in this order."""

__all__ = ["CHECKS", "Check"]
