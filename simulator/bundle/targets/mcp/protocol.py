"""The tools of an episode by MCP: the same server for both generations of the package ``mcp``.

Needs the package ``mcp``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server

from simulator.bundle.tool_episode import ToolEpisode
from simulator.version import ENGINE_VERSION

EpisodeOf = Callable[[Any], ToolEpisode]
"""The episode that a request is about: it is given the HTTP request, or None where there is one episode only."""

PROMPT = "task"
_INSTRUCTIONS = (
    "The tools act on a simulated business. The prompt `task` tells the policy and what is asked for; `finish` ends it."
)
_FIRST_OF_SECOND = 2


def server_of(name: str, episode_of: EpisodeOf) -> Any:
    """A server of these episodes: their tools as they are, and the prompt ``task``: what a model is told first.

    A wrong call is a result like any other, as in every target. When the engine fails the call is an error of the
    protocol, and the episode has no reward.
    """
    if int(importlib.metadata.version("mcp").partition(".")[0]) >= _FIRST_OF_SECOND:
        return _second(name, episode_of)
    return _first(name, episode_of)


def _second(name: str, episode_of: EpisodeOf) -> Any:
    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=_tools(episode_of(context.request)))

    async def call_tool(context: Any, params: Any) -> types.CallToolResult:
        return types.CallToolResult(content=_called(episode_of(context.request), params.name, params.arguments))

    async def list_prompts(context: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=_prompts())

    async def get_prompt(context: Any, params: Any) -> types.GetPromptResult:
        return _prompt(episode_of(context.request), params.name)

    return Server(
        name, version=ENGINE_VERSION, instructions=_INSTRUCTIONS,
        on_list_tools=list_tools, on_call_tool=call_tool, on_list_prompts=list_prompts, on_get_prompt=get_prompt,
    )  # fmt: skip


def _first(name: str, episode_of: EpisodeOf) -> Any:
    server = Server(name, version=ENGINE_VERSION, instructions=_INSTRUCTIONS)

    def episode() -> ToolEpisode:
        return episode_of(server.request_context.request)

    async def list_tools() -> list[types.Tool]:
        return _tools(episode())

    async def call_tool(tool: str, arguments: Any) -> list[Any]:
        return _called(episode(), tool, arguments)

    async def list_prompts() -> list[types.Prompt]:
        return _prompts()

    async def get_prompt(prompt: str, arguments: Any) -> types.GetPromptResult:
        return _prompt(episode(), prompt)

    server.list_tools()(list_tools)
    server.call_tool(validate_input=False)(call_tool)  # the episode answers what is wrong, in its own words
    server.list_prompts()(list_prompts)
    server.get_prompt()(get_prompt)
    return server


def _tools(episode: ToolEpisode) -> list[types.Tool]:
    return [
        types.Tool(
            name=tool["function"]["name"],
            description=tool["function"].get("description", ""),
            inputSchema=dict(tool["function"]["parameters"]),
        )
        for tool in episode.tools
    ]


def _called(episode: ToolEpisode, tool: str, arguments: Any) -> list[Any]:
    return [types.TextContent(type="text", text=episode.call(tool, {} if arguments is None else arguments))]


def _prompts() -> list[types.Prompt]:
    return [types.Prompt(name=PROMPT, description="The policy and the task, as a model is told them first.")]


def _prompt(episode: ToolEpisode, name: str) -> types.GetPromptResult:
    if name != PROMPT:
        raise ValueError(f"There is one prompt, {PROMPT}.")
    content = types.TextContent(type="text", text=episode.prompt)
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])
