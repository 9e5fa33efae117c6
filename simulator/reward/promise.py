"""The promise of every scenario: a success without major violations outranks every non-success.

A non-success earns at most half of 1, reached by an agent that does all and breaks a `keeps` that has no price. A
success without major violations keeps at least its required checks, with P = E = 0 and the small penalties at their
cap. So the promise holds exactly when ``share · wc / (wc + wp + we) − cap > 1/2``, where ``share`` is the weight of the
required checks among those that earn.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from types import MappingProxyType

from simulator.errors import Problem
from simulator.reward.score import SMALL_PENALTY_CAP
from simulator.scenario.models import Reward, TaskTemplate

_LEAST = 0.5 + 1e-9  # what a non-success can reach, and room for rounding
_NO_TEMPLATES: Mapping[str, TaskTemplate] = MappingProxyType({})


def reward_problems(reward: Reward, templates: Mapping[str, TaskTemplate] = _NO_TEMPLATES) -> list[Problem]:
    """Why the promise does not hold: ``weak_completion`` for the scenario's weights, ``optional_checks`` for a task."""
    if least_success(reward, 1.0) <= _LEAST:
        weights = reward.weights
        times = (0.5 + _cap(reward)) / (0.5 - _cap(reward))
        needed = times * (weights.process + weights.efficiency)
        return [
            Problem(
                "weak_completion",
                "with these weights an episode that fails can outrank one that succeeds.",
                "reward.weights.completion",
                suggestion=f"Make completion more than {needed:g} ({times:g} times process and efficiency together).",
            )
        ]
    problems = []
    for name, template in templates.items():
        share = required_share(template)
        if least_success(reward, share) <= _LEAST:
            problems.append(
                Problem(
                    "optional_checks",
                    f"the required checks carry {share:.0%} of the weight, so an episode that fails can outrank one "
                    "that succeeds.",
                    f"tasks.{name}.checks",
                    suggestion="Give the checks with `required: false` less weight.",
                )
            )
    return problems


def least_success(reward: Reward, share: float) -> float:
    """The least a success without major violations can total, its required checks having this share of the weight."""
    weights = reward.weights
    return share * weights.completion / fsum((weights.completion, weights.process, weights.efficiency)) - _cap(reward)


def required_share(template: TaskTemplate) -> float:
    """The weight of the required checks among those that earn; 1 where no check is written, or none earns."""
    earning = [check for check in template.checks.values() if not check.keeps]
    if not earning:
        return 1.0
    return fsum(check.weight for check in earning if check.required) / fsum(check.weight for check in earning)


def _cap(reward: Reward) -> float:
    return SMALL_PENALTY_CAP if reward.penalties.minor or reward.penalties.failed_action else 0.0
