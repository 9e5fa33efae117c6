"""Episodes of a bundle as a Gymnasium environment (https://gymnasium.farama.org/api/env/): texts in, texts out.

Needs the package ``gymnasium``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from simulator.bundle.layout import POLICY
from simulator.bundle.opening import shared_bundle
from simulator.episode import Environment, Observation, render
from simulator.errors import UsageError
from simulator.tools.plain_values import Refused, parsed_json

LONGEST_ACTION = 65_536
LEAST_TEXT = 32_768
"""The longest text of an observation, in characters, where policy and instructions need no more."""

_CHARACTERS = "\t\n" + "".join(chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0xD800), *range(0xE000, 0xFFFE)))
_SHOWN = frozenset(_CHARACTERS)


class BundleEnvironment(gymnasium.Env[dict[str, Any], str]):  # type: ignore[misc] # Any where it is not installed
    """The tasks of one split of a bundle, or one task. ``bundle`` is its folder or zip file.

    An action is the JSON text of one call, ``{"tool": name, "arguments": {...}}``; any other text is a mistake of the
    agent's, which it is told of. An observation is ``text``, as every adapter shows it (characters outside the basic
    plane as escapes, the end cut off beyond ``observation_space``), and ``step``, the number of actions so far. Rewards
    sum to the score. ``reset(seed=...)`` chooses the task; ``options`` may name it (``task``) and the seed of chance
    within the episode (``episode_seed``), which otherwise follows from the task, so that attempts at one task meet the
    same. ``info`` is for trainers: ``task``, ``tools`` (JSON text) and ``state_digest``, and at the end ``ending``,
    ``success`` and ``score`` (JSON text).

    Raises UsageError for a split, task or option there is not, BundleError for a bundle that cannot be trusted.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self, bundle: str, *, split: str = "train", task: str | None = None, render_mode: str | None = None
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise UsageError(f"There is no render mode {render_mode!r}; there is `ansi`.")
        self.render_mode = render_mode
        self._bundle = shared_bundle(bundle)
        known = self._bundle.tasks() if task is not None else self._bundle.tasks(split)
        self._tasks = tuple(item["id"] for item in known if task in (None, item["id"]))
        if not self._tasks:
            raise UsageError(f"The bundle has no task {task[:100]!r}." if task else f"The split {split} has no tasks.")
        policy = len(self._bundle.files.get(POLICY, b""))
        longest = policy + max(len(item["instruction"]) for item in known) + 2_000
        self._most_steps = self._bundle.manifest.resources.most_steps
        self.action_space = spaces.Text(LONGEST_ACTION, min_length=0, charset=_SHOWN)
        self.observation_space = spaces.Dict(
            {
                "step": spaces.Discrete(self._most_steps + 1),
                "text": spaces.Text(max(LEAST_TEXT, longest), min_length=0, charset=_SHOWN),
            }
        )
        self._environment: Environment | None = None
        self._steps = 0
        self._text = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        given = dict(options or {})
        number = int(self.np_random.integers(len(self._tasks)))  # drawn also where named, so that draws stay in step
        task = given.pop("task", self._tasks[number])
        episode_seed = given.pop("episode_seed", None)
        if given:
            raise UsageError(f"There is no reset option {min(given)!r}; there are `task` and `episode_seed`.")
        if task not in self._tasks:
            raise UsageError(f"This environment has no task {str(task)[:100]!r}.")
        self._environment = Environment(self._bundle.world_of(task))
        told, info = self._environment.reset(task=task, seed=episode_seed)
        self._steps = 0
        facts = {"task": task, "tools": json.dumps(told["tools"]), "state_digest": info["state_digest"]}
        return self._observation(told), facts

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Do one action."""
        if self._environment is None:
            raise UsageError("There is no episode yet; call reset() first.")
        told, reward, terminated, truncated, info = self._environment.step(_call(action))
        self._steps = min(self._steps + 1, self._most_steps)
        facts: dict[str, Any] = {"state_digest": self._environment.state_digest}
        if terminated or truncated:
            score = self._environment.score()
            facts |= {"ending": info["ending"], "success": score.success, "score": json.dumps(score.to_json())}
        return self._observation(told), float(reward), terminated, truncated, facts

    def render(self) -> str | None:
        """The text of the last observation, in the mode `ansi`."""
        return self._text if self.render_mode == "ansi" else None

    def _observation(self, told: Observation) -> dict[str, Any]:
        shown = "".join(char if char in _SHOWN else _escaped(char) for char in render(told))
        self._text = shown[: self.observation_space["text"].max_length]
        return {"step": np.int64(self._steps), "text": self._text}


def _call(action: object) -> object:
    """The call an action is the text of; what is no JSON stays what it is, and the episode answers it."""
    try:
        return parsed_json(action) if isinstance(action, str) else action
    except Refused:
        return action


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
