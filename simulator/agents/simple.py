"""Agents that need no plan: null, random and scripted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simulator.agents.chance import Chance
from simulator.agents.protocol import finish
from simulator.agents.values import WorldValues
from simulator.episode import Environment, Observation
from simulator.errors import UsageError
from simulator.scenario.models import Operation
from simulator.scenario.regular_files import read_regular

_MOST_SCRIPT = 10_000_000


class NullAgent:
    """Finishes at once. An environment that rewards it is broken."""

    name = "null"

    def begin(self, environment: Environment, observation: Observation, seed: int) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> object | None:
        """Finish."""
        return finish()


class RandomAgent:
    """Calls operations it has, with arguments their schemas accept, drawn from the world; finishes in one of ten."""

    name = "random"

    def __init__(self) -> None:
        self._values: WorldValues | None = None
        self._operations: Mapping[str, Operation] = {}

    def begin(self, environment: Environment, observation: Observation, seed: int) -> None:
        """Look at which operations there are."""
        if self._values is None or self._values.world is not environment.world:
            self._values = WorldValues(environment.world)
        self._operations = self._values.operations(environment)
        self._chance = Chance("random", environment.task.id, seed)

    def act(self, observation: Observation) -> object | None:
        """Any call."""
        if self._values is None or not self._operations or self._chance.happens(0.1):
            return finish()
        name = self._chance.choice(tuple(self._operations))
        arguments = self._values.arguments(name, self._operations[name], self._chance)
        return finish() if arguments is None else {"tool": name, "arguments": arguments}


class ScriptedAgent:
    """Plays a list of actions in every episode, then stops."""

    name = "scripted"

    def __init__(self, actions: Sequence[Any]) -> None:
        self._actions = tuple(actions)
        self._next = 0

    @classmethod
    def load(cls, path: Path) -> ScriptedAgent:
        """Read a JSON file: a list of actions. Raises :class:`UsageError` for anything else."""
        try:
            actions = json.loads(read_regular(path, _MOST_SCRIPT).decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{path} is no JSON list of actions: {error}") from error
        if not isinstance(actions, list):
            raise UsageError(f"{path} holds no list of actions.")
        return cls(actions)

    def begin(self, environment: Environment, observation: Observation, seed: int) -> None:
        """Start again at the first action."""
        self._next = 0

    def act(self, observation: Observation) -> object | None:
        """The next action of the list."""
        if self._next >= len(self._actions):
            return None
        self._next += 1
        action: object = self._actions[self._next - 1]
        return action
