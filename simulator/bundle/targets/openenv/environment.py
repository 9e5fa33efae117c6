"""Episodes of a bundle as an OpenEnv environment (https://github.com/huggingface/OpenEnv): tools to list and call.

Needs the package ``openenv``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import (
    CallToolAction,
    CallToolObservation,
    ListToolsAction,
    ListToolsObservation,
    Tool,
    ToolError,
    ToolErrorType,
)
from openenv.core.env_server.types import EnvironmentMetadata, Observation, State

from simulator.bundle.opening import shared_bundle
from simulator.bundle.role_tools import all_tools
from simulator.bundle.tool_episode import ToolEpisode
from simulator.errors import UsageError
from simulator.scenario.python_values import whole_number


class TaskObservation(Observation):  # type: ignore[misc] # Any where it is not installed
    """What ``reset`` tells: all a model is told at first. Some harnesses show a model all of an observation."""

    prompt: str


class BundleEnvironment(Environment):  # type: ignore[misc] # Any where it is not installed
    """One session's episodes, one after another. ``bundle`` is a folder or zip file.

    An agent's wrong calls are answered in ``result``. The rewards of an episode's steps sum to its score. At the end
    ``metadata`` tells trainers ``task``, ``state_digest``, ``ending``, ``success`` and the parts of the score.

    Raises BundleError for a bundle that cannot be trusted.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, bundle: str) -> None:
        super().__init__()
        self._bundle = shared_bundle(bundle)
        self._episode: ToolEpisode | None = None
        self._name = ""
        self._steps = 0

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        split: str | None = None,
        index: int = 0,
        task: str | None = None,
        episode_seed: int | None = None,
        **others: Any,
    ) -> TaskObservation:
        """Begin an episode: of ``task``, or of a split's task number ``seed``, wrapped around, or else ``index``.

        The split is the first that has tasks, unless named. Chance within the episode follows from the task, so that
        attempts at one task meet the same, unless ``episode_seed`` is given. Raises UsageError for what there is not.
        """
        if others:
            options = "split, index, task, episode_seed"
            raise UsageError(f"There is no reset option {min(others)[:100]!r}; there are seed, episode_id, {options}.")
        if task is None:
            split = self.list_splits()[0] if split is None else split
            number = index if seed is None else whole_number("seed", seed) % max(1, self.num_tasks(split))
            task = str(self._task(split, number)["id"])
        self._episode = ToolEpisode(self._bundle, task, seed=episode_seed)
        self._name = episode_id or task
        self._steps = 0
        return TaskObservation(prompt=self._episode.prompt, done=False, reward=0.0)

    def step(self, action: Any, timeout_s: float | None = None, **others: Any) -> Observation:
        """List the tools or call one. ``timeout_s`` changes nothing: every call is bounded by the engine.

        Raises EngineFault when the engine fails: the client then raises too, and the episode has no reward.
        """
        if isinstance(action, ListToolsAction):
            return ListToolsObservation(tools=_listed(self._tools()), done=self._over, reward=0.0)
        if not isinstance(action, CallToolAction):
            raise UsageError(f"There is no action {type(action).__name__}; tools are listed and called.")
        episode = self._episode
        if episode is None:
            error = ToolError(error_type=ToolErrorType.EXECUTION_ERROR, message="There is no episode yet: reset first.")
            return CallToolObservation(tool_name=action.tool_name, error=error, done=False, reward=0.0)
        self._steps += not episode.over
        text = episode.call(action.tool_name, action.arguments)
        return CallToolObservation(
            tool_name=action.tool_name,
            result=text,
            done=episode.over,
            reward=episode.last_reward,
            metadata=_facts(episode) if episode.over else {},
        )

    @property
    def state(self) -> State:
        """The episode's name, the number of calls so far, the task, and whether it is over."""
        task = self._episode.task_id if self._episode else None
        return State(episode_id=self._name or None, step_count=self._steps, task=task, over=self._over)

    def get_metadata(self) -> EnvironmentMetadata:
        """Name, version and description of the scenario."""
        scenario = self._bundle.manifest.scenario
        return EnvironmentMetadata(name=scenario.id, description=scenario.title, version=scenario.version)

    # OpenEnv's task API

    def list_splits(self) -> list[str]:
        """The splits that have tasks."""
        return [split for split, entry in self._bundle.manifest.splits.items() if entry.tasks]

    def num_tasks(self, split: str) -> int:
        """How many tasks a split has."""
        return len(self._bundle.tasks(split))

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """What an agent may know of a split's tasks, each with its ``index``."""
        return self.get_task_range(split)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """What an agent may know of one task. Raises IndexError beyond the last."""
        if not 0 <= index < self.num_tasks(split):
            raise IndexError(index)
        return self._task(split, index)

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """What an agent may know of some of a split's tasks; ``start`` and ``stop`` are those of a slice."""
        return [self._task(split, index) for index in range(self.num_tasks(split))[start:stop]]

    def _task(self, split: str, index: int) -> dict[str, Any]:
        tasks = self._bundle.tasks(split)
        if not 0 <= whole_number("index", index) < len(tasks):
            raise UsageError(f"The split {split} has {len(tasks):,} tasks; there is no number {index}.")
        return {"index": index, **tasks[index]}

    @property
    def _over(self) -> bool:
        return self._episode is not None and self._episode.over

    def _tools(self) -> list[Mapping[str, Any]]:
        return list(self._episode.tools) if self._episode else all_tools(self._bundle)


def _facts(episode: ToolEpisode) -> dict[str, Any]:
    outcome = episode.outcome()
    return {
        "task": episode.task_id,
        "state_digest": outcome.state_digest,
        "ending": outcome.ending,
        "success": outcome.success,
        **outcome.parts,
    }


def _listed(tools: list[Mapping[str, Any]]) -> list[Tool]:
    told = [tool["function"] for tool in tools]
    return [Tool(name=item["name"], description=item["description"], input_schema=item["parameters"]) for item in told]
