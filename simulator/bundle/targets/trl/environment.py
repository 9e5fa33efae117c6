"""Episodes of a bundle as TRL's environments (``GRPOTrainer(environment_factory=...)``).

TRL makes a tool of every public method, keeps the objects and resets them for each attempt; an episode ends when the
model makes no more calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from simulator.bundle.layout import TOOLS
from simulator.bundle.opening import shared_bundle
from simulator.bundle.targets.trl.names import check_tool_names, environment_name
from simulator.bundle.targets.trl.tool_methods import tool_method
from simulator.bundle.tool_episode import Outcome, ToolEpisode
from simulator.errors import EngineFault

FAILED = "The environment failed. This attempt does not count."


class BundleEnvironment:
    """One attempt after another. Its subclasses have the tools of a role as methods.

    The reward is the score's total, in [-1, 1]. An attempt in which the engine fails has none (None), so that TRL
    leaves it out of its group.
    """

    BUNDLE: ClassVar[str]

    def __init__(self) -> None:
        self._episode: ToolEpisode | None = None

    def reset(self, task: str, **row: object) -> None:
        """Begin an attempt at a task; the prompt in the row is all that is told of it.

        Raises UsageError for a task the bundle does not have, and whatever is wrong with its world: no attempt at it
        could be made then.
        """
        self._episode = ToolEpisode(shared_bundle(self.BUNDLE), task)

    def get_reward(self) -> float | None:
        """What the attempt earned."""
        outcome = self.outcome
        return None if outcome is None else outcome.reward

    @property
    def outcome(self) -> Outcome | None:
        """How the attempt came out; stops it where it stands. None when the engine failed."""
        if self._episode is None:
            return None
        try:
            return self._episode.outcome()
        except EngineFault:
            self._episode = None
            return None

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        if self._episode is None:
            return FAILED
        try:
            return self._episode.call(tool, arguments)
        except EngineFault:
            self._episode = None
            return FAILED


def environment_factories(bundle: str) -> dict[str, Callable[[], BundleEnvironment]]:
    """A factory for each role that has a task, by the name in a row's column `environment`.

    ``bundle`` is a folder or zip file. Raises BundleError for one that cannot be trusted, UsageError for a tool whose
    name TRL keeps for itself.
    """
    opened = shared_bundle(bundle)
    scenario = opened.scenario.document.id
    tools: Mapping[str, Sequence[Mapping[str, Any]]] = json.loads(opened.files[TOOLS])
    return {
        environment_name(scenario, role): _environment(bundle, environment_name(scenario, role), functions)
        for role, functions in tools.items()
    }


def log_score(
    *, environments: Sequence[BundleEnvironment], log_metric: Callable[[str, float], None], **_: object
) -> list[None]:
    """A function for TRL's `reward_funcs` that rewards nothing: it logs the means of success and the score's parts."""
    outcomes = [outcome for outcome in (environment.outcome for environment in environments) if outcome is not None]
    told: dict[str, list[float]] = {}
    for outcome in outcomes:
        for name, value in {**outcome.parts, "success": float(outcome.success)}.items():
            told.setdefault(name, []).append(value)
    for name, values in told.items():
        log_metric(f"score/{name}", sum(values) / len(values))
    return [None] * len(environments)


def _environment(bundle: str, name: str, tools: Sequence[Mapping[str, Any]]) -> type[BundleEnvironment]:
    """The class of a role's environments. Its name is that of the reward's column in TRL's logs."""
    functions = [tool["function"] for tool in tools]
    check_tool_names(function["name"] for function in functions)
    methods = {function["name"]: tool_method(function) for function in functions}
    return type(name, (BundleEnvironment,), {**methods, "BUNDLE": bundle, "__doc__": BundleEnvironment.__doc__})
