"""Episodes of a bundle as an ORS environment (https://openrewardstandard.io), a session each.

Needs the package ``openreward``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any, ClassVar

from openreward.environments import (
    Environment,
    ListToolsOutput,
    Message,
    TextBlock,
    ToolOutput,
    ToolSpec,
    terminal,
    tool,
)
from pydantic import BaseModel, ConfigDict

from simulator.bundle.opening import Bundle, shared_bundle
from simulator.bundle.role_tools import all_tools, tools_by_role
from simulator.bundle.tool_episode import ToolEpisode
from simulator.errors import UsageError


class BundleEnvironment(Environment):  # type: ignore[misc] # Any where it is not installed
    """One session: an attempt at the task whose ``id`` the task's specification names.

    The rewards of its calls sum to its score. At the end ``metadata`` tells trainers ``task``, ``state_digest``,
    ``ending``, ``success`` and the parts of the score. Use a subclass made by :func:`environment_of`.

    Raises UsageError for a task the bundle does not have.
    """

    bundle: ClassVar[Bundle]
    shared_tools: ClassVar[frozenset[str]]

    def __init__(self, task_spec: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
        super().__init__(task_spec, secrets)
        task = task_spec.get("id")
        if not isinstance(task, str):
            raise UsageError("A task is named by its `id`.")
        self.episode = ToolEpisode(self.bundle, task)
        self._lock = Lock()

    @classmethod
    def list_splits(cls) -> list[str]:
        """The splits that have tasks."""
        return [split for split, entry in cls.bundle.manifest.splits.items() if entry.tasks]

    @classmethod
    def list_tasks(cls, split: str) -> list[dict[str, Any]]:
        """What an agent may know of a split's tasks."""
        return [dict(task) for task in cls.bundle.tasks(split)]

    def get_prompt(self) -> list[TextBlock]:
        """All a model is told at first, in one text."""
        return [TextBlock(text=self.episode.prompt)]

    def get_messages(self) -> list[Message]:
        """The same, as a system and a user message."""
        told = self.episode.messages
        return [Message(role=message["role"], blocks=[TextBlock(text=message["content"])]) for message in told]

    def list_task_tools(self) -> ListToolsOutput:
        """The tools of the task's role that not all roles have alike."""
        own = [item["function"] for item in self.episode.tools if item["function"]["name"] not in self.shared_tools]
        return ListToolsOutput(
            tools=[
                ToolSpec(name=item["name"], description=item["description"], input_schema=item["parameters"])
                for item in own
            ]
        )

    @terminal  # type: ignore[untyped-decorator] # Any where it is not installed
    @tool  # type: ignore[untyped-decorator]
    def _stop(self) -> ToolOutput:
        """The agent makes no more calls: the attempt is scored as it stands."""
        with self._lock:
            self.episode.outcome()
            return self._output("The episode is over.")

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolOutput:
        """Call a tool; an agent's mistake is answered in the text.

        Raises EngineFault when the engine fails: the client then raises too, and the attempt has no reward.
        """
        with self._lock:  # the framework runs calls of one session in several threads
            return self._output(self.episode.call(name, arguments))

    def _output(self, text: str) -> ToolOutput:
        episode = self.episode
        facts: dict[str, Any] | None = None
        if episode.over:
            outcome = episode.outcome()
            ended = {"ending": outcome.ending, "success": outcome.success, **outcome.parts}
            facts = {"task": episode.task_id, "state_digest": outcome.state_digest, **ended}
        return ToolOutput(
            blocks=[TextBlock(text=text)], metadata=facts, reward=episode.last_reward, finished=episode.over
        )


def environment_of(bundle: str, name: str) -> type[BundleEnvironment]:
    """The environment ``name`` of a bundle, a folder or zip file.

    Raises BundleError for a bundle that cannot be trusted.
    """
    opened = shared_bundle(bundle)
    roles = list(tools_by_role(opened).values())
    shared = frozenset(item["function"]["name"] for item in roles[0] if all(item in tools for tools in roles))
    tools = {
        item["function"]["name"]: _method(item["function"], shared=item["function"]["name"] in shared)
        for item in all_tools(opened)
    }
    toolset = type("Tools", (_Tools,), tools)
    return type(name, (BundleEnvironment,), {"bundle": opened, "shared_tools": shared, "toolsets": (toolset,)})


class _Tools:
    """The tools, apart from the environment: theirs may be any names, those of its methods too."""

    def __init__(self, environment: BundleEnvironment) -> None:
        self._environment = environment


class _Arguments(BaseModel):
    """Arguments of whatever kind: the engine judges them, and words its answer for the agent."""

    model_config = ConfigDict(extra="allow")
    _schema: ClassVar[Mapping[str, Any]]

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        return dict(cls._schema)


def _method(function: Mapping[str, Any], *, shared: bool) -> Callable[..., ToolOutput]:
    name = str(function["name"])

    def method(self: _Tools, arguments: _Arguments) -> ToolOutput:
        return self._environment.call(name, arguments.model_extra or {})

    method.__name__ = name
    method.__doc__ = str(function["description"])
    arguments = type("Arguments", (_Arguments,), {"_schema": function["parameters"], "__module__": __name__})
    method.__annotations__ = {"arguments": arguments, "return": ToolOutput}
    return tool(shared=shared)(method)  # type: ignore[no-any-return]
