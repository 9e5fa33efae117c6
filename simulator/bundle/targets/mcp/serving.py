"""The server's command: one episode over stdio, or many over HTTP."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio

from simulator.bundle.opening import shared_bundle
from simulator.bundle.targets.mcp.episodes import MOST_EPISODES, Episodes
from simulator.bundle.targets.mcp.protocol import server_of
from simulator.bundle.tool_episode import ToolEpisode
from simulator.errors import EngineFault, WorldwrightError

KEY = "WORLDWRIGHT_MCP_KEY"
"""The environment variable that holds the trainer's key; without one, a key is made and printed."""


def main(bundle: str, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run the command ``arguments`` (those of the process) with the bundle at a path; the exit status."""
    options = _options(name).parse_args(arguments)
    try:
        return _over_http(bundle, name, options) if options.transport == "http" else _over_stdio(bundle, name, options)
    except WorldwrightError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _options(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description="Episodes of a bundle by MCP.")
    ways = parser.add_subparsers(dest="transport", required=True)
    one = ways.add_parser("stdio", help="one episode over standard input and output")
    one.add_argument("--task", required=True, help="the task's id")
    one.add_argument("--seed", type=int, default=None, help="the episode's seed; the task's own if not given")
    one.add_argument("--result", type=Path, help="a file for the outcome, as JSON, written at the end")
    one.add_argument("--trajectory", type=Path, help="a file for the record, written at the end")
    many = ways.add_parser("http", help=f"many episodes over HTTP; {KEY} is the trainer's key")
    many.add_argument("--host", default="127.0.0.1")
    many.add_argument("--port", type=int, default=8080)
    many.add_argument("--most", type=int, default=MOST_EPISODES, help="how many episodes at once")
    return parser


def _over_stdio(bundle: str, name: str, options: Any) -> int:
    from mcp.server.stdio import stdio_server

    episode = ToolEpisode(shared_bundle(bundle), options.task, seed=options.seed)
    server = server_of(name, lambda _: episode)

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        fault = _keep(episode, options.result, options.trajectory)
    return 1 if fault else 0


def _keep(episode: ToolEpisode, result: Path | None, trajectory: Path | None) -> bool:
    """Write what the trainer wants to know; whether the engine failed."""
    try:
        outcome = episode.outcome("The agent has gone.")
        told: dict[str, Any] = {
            "task": episode.task_id, "reward": outcome.reward, "success": outcome.success, "ending": outcome.ending,
            "parts": dict(outcome.parts), "state_digest": outcome.state_digest,
        }  # fmt: skip
    except EngineFault as error:
        told = {"task": episode.task_id, "fault": str(error)}
    if result is not None:
        result.write_text(json.dumps(told) + "\n", encoding="utf-8")
    if trajectory is not None:
        episode.trajectory.save(trajectory)
    return "fault" in told


def _over_http(bundle: str, name: str, options: Any) -> int:
    import uvicorn

    from simulator.bundle.targets.mcp.http import application

    key = os.environ.get(KEY) or secrets.token_urlsafe(32)
    if KEY not in os.environ:
        sys.stderr.write(f"The trainer's key ({KEY}): {key}\n")
    episodes = Episodes(shared_bundle(bundle), most=options.most)
    uvicorn.run(application(name, episodes, key), host=options.host, port=options.port, log_level="warning")
    return 0
