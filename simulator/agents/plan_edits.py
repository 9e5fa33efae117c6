"""Plans with one thing changed: what mistakes, and the mutants of a verification, are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator.tasks import SolutionStep

Plan = Sequence[SolutionStep]


def left_out(steps: Plan, index: int) -> list[SolutionStep]:
    """The plan without one step."""
    return [*steps[:index], *steps[index + 1 :]]


def repeated(steps: Plan, index: int) -> list[SolutionStep]:
    """The plan with one step made twice."""
    return followed(steps, index, steps[index])


def followed(steps: Plan, index: int, step: SolutionStep) -> list[SolutionStep]:
    """The plan with ``step`` put in after another, remembering nothing."""
    return [*steps[: index + 1], replace(step, remember={}), *steps[index + 1 :]]


def swapped(steps: Plan, first: int, second: int) -> list[SolutionStep]:
    """The plan with two steps in each other's place."""
    changed = list(steps)
    changed[first], changed[second] = steps[second], steps[first]
    return changed


def exchanged(steps: Plan, index: int, others: Plan) -> list[SolutionStep]:
    """The plan with other steps in the place of one."""
    return [*steps[:index], *others, *steps[index + 1 :]]


def with_arguments(steps: Plan, index: int, arguments: Mapping[str, Any]) -> list[SolutionStep]:
    """The plan with other arguments in one step."""
    return exchanged(steps, index, [replace(steps[index], arguments=arguments)])
