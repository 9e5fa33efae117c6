"""The tools of a bundle's tasks as a server for verifiers: one process for all rollouts of a worker.

It runs on the machine of the evaluation, never in the agent's runtime, for its process holds the worlds. What it knows
of a rollout it takes from the rollout's state, so it may forget an episode and make it again. Started as a module.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, cast
from weakref import WeakValueDictionary

import verifiers.v1 as vf
from mcp.types import CallToolResult, TextContent, Tool
from pydantic_config import BaseConfig

from simulator.bundle.opening import Bundle, shared_bundle
from simulator.bundle.targets.verifiers.attempt import AttemptState, episode_of
from simulator.bundle.tool_episode import ToolEpisode
from simulator.errors import EngineFault
from simulator.tools.plain_values import MOST_CHARACTERS

MOST_EPISODES = 512
"""So many episodes are kept; those called longest ago are made again when they are called."""
LONGEST_NAME = 200
FAILED = "The environment failed. This attempt does not count."


class BundleToolsConfig(BaseConfig):  # type: ignore[misc] # Any where it is not installed
    """Where the tools are served: by a process of the evaluation's machine. ``bundle`` is a folder or zip file."""

    runtime: vf.SubprocessConfig = vf.SubprocessConfig()
    url: None = None
    bundle: str = ""


class BundleToolset(vf.Toolset[BundleToolsConfig, AttemptState]):  # type: ignore[misc]
    """The tools of each rollout's task, under their own names."""

    TOOL_PREFIX = None

    def __init__(self, config: BundleToolsConfig) -> None:
        super().__init__(config)
        self._episodes: OrderedDict[str, tuple[ToolEpisode, int]] = OrderedDict()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def register(self, mcp: Any) -> None:
        """Serve the tools of the calling rollout's task instead of a fixed list."""
        mcp.list_tools = self._with_state(self.list_tools)
        mcp.call_tool = self.call_tool

    async def list_tools(self) -> list[Tool]:
        """The tools of the task."""
        functions = [tool["function"] for tool in self._episode().tools]
        return [
            Tool(name=item["name"], description=item["description"], input_schema=item["parameters"])
            for item in functions
        ]

    async def call_tool(self, name: str, arguments: Mapping[str, Any], context: object = None) -> CallToolResult:
        """What a call tells. Calls of one rollout are done one after another, since each writes the whole state."""
        attempt = await self._with_state(self._attempt)()
        async with self._turns.setdefault(attempt, asyncio.Lock()):
            told = await self._with_state(self._call)(name, arguments)
        return CallToolResult(content=[TextContent(type="text", text=told)])

    @property
    def _bundle(self) -> Bundle:
        return shared_bundle(self.config.bundle)

    @property
    def _attempted(self) -> AttemptState:
        """The state of the calling rollout."""
        return cast(AttemptState, self.state)

    def _attempt(self) -> str:
        return self._attempted.attempt

    def _call(self, name: str, arguments: Mapping[str, Any]) -> str:
        state = self._attempted
        if state.fault:
            return FAILED
        # Longer than an engine reads, it is refused whatever follows: the state need not hold that.
        call = (name[:LONGEST_NAME], json.dumps(arguments)[: MOST_CHARACTERS + 1])
        try:
            episode = self._episode()
            told = episode.call(*call)
        except EngineFault as fault:
            state.fault = str(fault)[:1_000]
            return FAILED
        if not state.over:
            state.calls = [*state.calls, call]
            self._episodes[state.attempt] = (episode, len(state.calls))
        state.over = episode.over
        state.digest = episode.state_digest
        return told

    def _episode(self) -> ToolEpisode:
        """The episode of the calling rollout, as its state tells of it: a call whose state was lost is not in it."""
        state = self._attempted
        episode, calls = self._episodes.pop(state.attempt, (None, 0))
        if episode is None or calls != len(state.calls):
            episode = episode_of(self._bundle, state.task, state.calls)
        self._episodes[state.attempt] = (episode, len(state.calls))
        while len(self._episodes) > MOST_EPISODES:
            self._episodes.popitem(last=False)
        return episode


if __name__ == "__main__":
    BundleToolset.run()
