"""The episodes a worker holds, and what can be asked of them. What an agent may see is apart from the rest.

Every answer is a mapping: ``{"told": …}``, with ``"trainer"`` beside it where there is more, or ``{"refused": …}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.bundle import Bundle
from simulator.bundle.tool_episode import messages_of
from simulator.episode import Environment, Observation, workplace_of
from simulator.errors import EngineFault, UsageError, WorldwrightError
from simulator.serve.arguments import arguments_of
from simulator.tools.plain_values import Refused, parsed_json

Answer = dict[str, Any]
_INVALID = "invalid"


@dataclass(slots=True)
class _Held:
    """One episode: what was told first, and last; whether it is over, and how it ended."""

    environment: Environment
    task: str
    first: Observation
    last: Observation | None = None
    over: bool = False
    ending: str = ""


class HeldEpisodes:
    """Episodes of a bundle by name. Not for several threads."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._held: dict[str, _Held] = {}
        self._requests: Mapping[str, Callable[[dict[str, Any]], Answer]] = {
            "begin": self._begin,
            "observe": self._observe,
            "act": self._act,
            "operation": self._operation,
            "tool": self._tool,
            "stop": self._stop,
            "score": self._score,
            "trajectory": self._trajectory,
            "drop": self._drop,
        }

    def warm_up(self, seed: int) -> None:
        """Make a world and begin and score a task of each template, so that no agent waits for what is made once."""
        world = self._bundle.world(seed)
        templates = {task["template"]: task["id"] for task in self._bundle.tasks() if _in_world(task["id"], seed)}
        environment = Environment(world)
        for task in templates.values():
            environment.reset(task=task)
            environment.score()

    def answer(self, request: dict[str, Any]) -> Answer:
        """Do what is asked. Of an episode that is not held, ``{"gone": true}``. Only a fault of this program raises."""
        if request["do"] != "begin" and request["episode"] not in self._held:
            return {"gone": True}
        try:
            return self._requests[request["do"]](request)
        except EngineFault as fault:
            held = self._held.get(request["episode"])
            if held is not None:
                held.over, held.ending = True, _INVALID
            return _refused(500, "engine_fault", f"The engine failed; the episode has no reward. {str(fault)[:500]}")
        except UsageError as error:
            return _refused(422, "not_possible", str(error)[:1_000])
        except WorldwrightError as error:
            return _refused(500, "engine_fault", str(error)[:1_000])

    def _begin(self, request: dict[str, Any]) -> Answer:
        task = request["task"]
        environment = Environment(self._bundle.world_of(task), agent=request["agent"])
        first, info = environment.reset(task=task, seed=request["seed"])
        told = {**first, "tools": list(first["tools"])}
        self._held[request["episode"]] = _Held(environment, task, told)
        return {"told": told, "trainer": {"state_digest": info["state_digest"]}, "over": False}

    def _observe(self, request: dict[str, Any]) -> Answer:
        held = self._held[request["episode"]]
        messages = messages_of(self._bundle.world_of(held.task), held.task)
        told = {"observation": held.first, "messages": messages, "last": held.last, "over": held.over}
        trainer = {"task": held.task, "steps": len(held.environment.snapshot().events), "ending": held.ending or None}
        return {"told": told, "trainer": trainer, "over": held.over}

    def _act(self, request: dict[str, Any]) -> Answer:
        """Any action, the body of the request as it came."""
        try:
            action: object = parsed_json(request["body"])
        except Refused:
            action = request["body"]
        return self._step(self._held[request["episode"]], action)

    def _operation(self, request: dict[str, Any]) -> Answer:
        held, name = self._held[request["episode"]], request["operation"]
        operation = workplace_of(held.environment.world).engine.toolbox.operation(name)
        if operation is None:
            raise EngineFault(f"{name!r} has a path and is no operation")
        arguments = arguments_of(operation.arguments, request["path"], request["query"], request["body"])
        key = operation.idempotency
        if key is not None and request["key"] is not None and isinstance(arguments, dict):
            arguments.setdefault(key, request["key"])
        return self._step(held, {"tool": name, "arguments": arguments})

    def _tool(self, request: dict[str, Any]) -> Answer:
        held = self._held[request["episode"]]
        return self._step(held, {"tool": request["tool"], "arguments": request["body"]})

    def _step(self, held: _Held, action: object) -> Answer:
        told, reward, terminated, truncated, info = held.environment.step(action)
        if info.get("ending") == _INVALID:
            return _refused(500, "engine_fault", "The engine failed earlier in this episode, which has no reward.")
        held.over = terminated or truncated
        held.ending = str(info.get("ending", ""))
        held.last = told
        trainer = {
            "reward": reward,
            "terminated": terminated,
            "truncated": truncated,
            "state_digest": held.environment.state_digest,
        }
        return {"told": told, "trainer": trainer, "over": held.over}

    def _stop(self, request: dict[str, Any]) -> Answer:
        """End the episode, if it is not over, and score it."""
        held = self._held[request["episode"]]
        if not held.over:
            *_, info = held.environment.stop(request["reason"])
            held.over, held.ending = True, str(info.get("ending", ""))
        return self._score(request)

    def _score(self, request: dict[str, Any]) -> Answer:
        held = self._held[request["episode"]]
        facts: dict[str, Any] = {
            "task": held.task,
            "over": held.over,
            "ending": held.ending or None,
            "state_digest": held.environment.state_digest,
        }
        if held.ending == _INVALID:
            return {"told": {**facts, "reward": None, "success": None, "score": None}, "over": True}
        score = held.environment.score()
        told = {**facts, "reward": score.total, "success": score.success, "score": score.to_json()}
        return {"told": told, "over": held.over}

    def _trajectory(self, request: dict[str, Any]) -> Answer:
        held = self._held[request["episode"]]
        return {"told": list(held.environment.trajectory.lines()), "over": held.over}

    def _drop(self, request: dict[str, Any]) -> Answer:
        self._held.pop(request["episode"], None)
        return {"told": None, "over": True}


def _in_world(task: str, seed: int) -> bool:
    return task.startswith(f"w{seed}/")


def _refused(status: int, code: str, message: str) -> Answer:
    return {"refused": {"status": status, "code": code, "message": message}}
