"""One attempt at a task of a bundle, for frameworks that give a model tools to call: messages, calls, an outcome.

What an adapter needs and no more, so that every framework shows the same texts and pays the same reward.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.bundle.opening import Bundle
from simulator.episode import Environment, Observation, Trajectory, render
from simulator.errors import EngineFault
from simulator.tasks import World
from simulator.tools.plain_values import Refused, parsed_json

_PARTS = ("completion", "process", "efficiency", "penalties")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt came out.

    ``reward`` is the score's total, in [-1, 1]; ``parts`` are its parts by name, but those that do not apply to the
    task; ``state_digest`` is that of the data at the end.
    """

    reward: float
    success: bool
    ending: str
    parts: Mapping[str, float]
    state_digest: str


class ToolEpisode:
    """An attempt at the task ``task_id``. Without a ``seed``, chance follows from the task, the same for all attempts.

    ``prompt`` is all a model is told at first, for frameworks with one message; ``messages`` is the same as a system
    and a user message. ``tools`` are the functions it may call, in OpenAI's format. ``last_reward`` is what the last
    call or the end was paid; all of them sum to the score. Not for several threads at once.

    Raises UsageError for a task the bundle does not have, BundleError when its world cannot be trusted.
    """

    def __init__(self, bundle: Bundle, task_id: str, *, seed: int | None = None) -> None:
        self._environment = Environment(bundle.world_of(task_id))
        told, _ = self._environment.reset(task=task_id, seed=seed)
        self.task_id = task_id
        self.prompt = render(told)
        self.tools: Sequence[Mapping[str, Any]] = told["tools"]
        self.messages = first_messages(told)
        self._ending = ""
        self.last_reward = 0.0
        self.over = False

    @property
    def state_digest(self) -> str:
        """The digest of the data as it is now."""
        return self._environment.state_digest

    @property
    def trajectory(self) -> Trajectory:
        """The record so far. It is the grader's: it holds the score, once there is one."""
        return self._environment.trajectory

    def call(self, tool: str, arguments: object, *, call_id: str | None = None) -> str:
        """Call a tool and tell what came of it. ``arguments`` is a mapping, or its JSON text as models write it.

        A wrong call is answered, never raised. After the end every call is told that the episode is over. Raises
        EngineFault when the engine fails, and from then on: such an attempt has no reward, and a trainer must leave it
        out.
        """
        return self.act({"tool": tool, "arguments": _parsed(arguments)}, call_id=call_id)

    def act(self, action: object, *, call_id: str | None = None) -> str:
        """Do an action, ``{"tool": name, "arguments": {...}}``; any other value is a mistake and answered as one."""
        told, reward, terminated, truncated, info = self._environment.step(action, call_id=call_id)
        self._pay(reward, info)
        self.over = terminated or truncated
        return render(told)

    def outcome(self, reason: str = "The agent made no more calls.") -> Outcome:
        """How the attempt came out. One that is not over is stopped first, with ``reason``, and scored as it stands."""
        if not self.over:
            _, reward, _, _, info = self._environment.stop(reason)
            self._pay(reward, info)
            self.over = True
        score = self._environment.score()
        return Outcome(
            reward=score.total,
            success=score.success,
            ending=self._ending,
            parts=_parts(score.to_json()),
            state_digest=self.state_digest,
        )

    def _pay(self, reward: float, info: Mapping[str, Any]) -> None:
        if info.get("ending") == "invalid":
            raise EngineFault("The engine failed earlier in this episode, which has no reward.")
        self.last_reward = reward
        self._ending = str(info.get("ending", ""))


def messages_of(world: World, task_id: str) -> list[dict[str, str]]:
    """What a model is told at first of a task of a world: the policy, if there is one, as the system's message, then
    the task as the user's. Raises UsageError for a task the world does not have.
    """  # fmt: skip
    told, _ = Environment(world).reset(task=task_id)
    return first_messages(told)


def first_messages(told: Observation) -> list[dict[str, str]]:
    """An episode's first observation as a system's and a user's message."""
    first = [{"role": "system", "content": told["policy"].strip()}] if told["policy"] else []
    return [*first, {"role": "user", "content": render({**told, "policy": None})}]


def _parsed(arguments: object) -> object:
    """The arguments that a text stands for; a text that is no JSON stays what it is, and the episode answers it."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return parsed_json(arguments) if arguments.strip() else {}
    except Refused:
        return arguments


def _parts(score: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(score[name]) for name in _PARTS if score[name] is not None}
