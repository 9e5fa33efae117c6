"""The sidecar: the world of one attempt, in a container of its own beside the agent's.

The agent reaches it by HTTP: ``GET /tools`` and ``POST /call``. The grader reaches it by a socket in the sidecar's own
files, which nothing in the agent's container can open, and gets the outcome.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import socketserver
import sys
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from simulator.bundle.opening import shared_bundle
from simulator.bundle.targets.harbor.places import PORT, RESULT, SOCKET
from simulator.bundle.tool_episode import ToolEpisode
from simulator.errors import EngineFault, WorldwrightError
from simulator.tools.plain_values import Refused, parsed_json

MOST_BODY = 1_000_000
"""Bytes of the largest request."""
SECONDS = 60.0
"""How long a connection may say nothing."""


class _World:
    """The one episode there is."""

    def __init__(self, bundle: str, task: str) -> None:
        self._lock = Lock()
        self._episode = ToolEpisode(shared_bundle(bundle), task)
        self.tools = json.dumps(list(self._episode.tools), ensure_ascii=False, indent=1)

    def call(self, body: str) -> str:
        """What came of a call, ``{"tool": name, "arguments": {...}}``; anything else is a mistake, and answered."""
        try:
            asked = parsed_json(body)
        except Refused:
            asked = body
        with self._lock:
            tool = asked.get("tool") if isinstance(asked, dict) and set(asked) <= {"tool", "arguments"} else None
            if isinstance(asked, dict) and isinstance(tool, str):
                return self._episode.call(tool, asked.get("arguments", {}))
            return self._episode.act(asked)

    def outcome(self) -> Mapping[str, str]:
        """The files of the outcome. When the engine failed there is no reward among them."""
        with self._lock:
            try:
                outcome = self._episode.outcome()
            except EngineFault as error:
                told: dict[str, Any] = {"task": self._episode.task_id, "fault": str(error)}
                return {"outcome.json": json.dumps(told)}
            numbers = {"success": float(outcome.success), **outcome.parts}
            told = {
                "task": self._episode.task_id, "reward": outcome.reward, **numbers, "ending": outcome.ending,
                "state_digest": outcome.state_digest,
            }  # fmt: skip
            lines = "".join(json.dumps(line) + "\n" for line in self._episode.trajectory.lines())
            reward = json.dumps({"reward": outcome.reward, **numbers})
            return {"reward.json": reward, "outcome.json": json.dumps(told), "trajectory.jsonl": lines}


class _Agents(BaseHTTPRequestHandler):
    """What an agent may ask."""

    timeout = SECONDS
    server_version = "world"
    sys_version = ""

    def do_GET(self) -> None:
        if self.path == "/tools":
            self._answer(200, self._world.tools, "application/json")
        elif self.path == "/healthz":
            self._answer(200, "ok")
        else:
            self._answer(404, "There are GET /tools and POST /call.")

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "")
        if self.path != "/call":
            self._answer(404, "There are GET /tools and POST /call.")
        elif not size.isascii() or not size.isdigit() or len(size) > 9 or int(size) > MOST_BODY:
            self._answer(413, f"Say how long the body is; it has at most {MOST_BODY:,} bytes.")
        else:
            body = self.rfile.read(int(size)).decode("utf-8", "replace")
            try:
                self._answer(200, self._world.call(body))
            except EngineFault:
                self._answer(500, "The environment failed. This attempt does not count.")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Nothing: an agent's requests are in the trajectory."""

    @property
    def _world(self) -> _World:
        world: _World = self.server.world  # type: ignore[attr-defined]
        return world

    def _answer(self, status: int, text: str, kind: str = "text/plain") -> None:
        content = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = True


class _Grader(socketserver.StreamRequestHandler):
    """Whoever opens the socket gets the outcome."""

    def handle(self) -> None:
        world: _World = self.server.world  # type: ignore[attr-defined]
        self.wfile.write(json.dumps(world.outcome()).encode())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``arguments`` (those of the process); the exit status."""
    parser = argparse.ArgumentParser(prog="python -m simulator.bundle.targets.harbor.sidecar", description=__doc__)
    ways = parser.add_subparsers(dest="way", required=True)
    serve = ways.add_parser("serve", help="hold the episode of the task that WORLD_TASK names")
    serve.add_argument("--bundle", default="/bundle")
    serve.add_argument("--host", default="0.0.0.0")  # noqa: S104 - the agent's container must reach it
    outcome = ways.add_parser("outcome", help="end the episode and write how it came out")
    serve.add_argument("--port", type=int, default=PORT)
    outcome.add_argument("--result", type=Path, default=Path(RESULT))
    for way in (serve, outcome):
        way.add_argument("--socket", default=SOCKET)
    options = parser.parse_args(arguments)
    try:
        return {"serve": _serve, "outcome": _outcome}[options.way](options)
    except (WorldwrightError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _serve(options: argparse.Namespace) -> int:
    world = _World(options.bundle, os.environ.get("WORLD_TASK", ""))
    grader = socketserver.UnixStreamServer(options.socket, _Grader)
    Path(options.socket).chmod(0o600)
    grader.world = world  # type: ignore[attr-defined]
    Thread(target=grader.serve_forever, daemon=True).start()
    agents = ThreadingHTTPServer((options.host, options.port), _Agents)
    agents.world = world  # type: ignore[attr-defined]
    agents.serve_forever()
    return 0


def _outcome(options: argparse.Namespace) -> int:
    """Write the outcome; 1 when the engine failed and there is no reward."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(SECONDS)
        connection.connect(options.socket)
        with connection.makefile("rb") as answer:
            files = json.loads(answer.read())
    options.result.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (options.result / name).write_text(text, encoding="utf-8")
    return 0 if "reward.json" in files else 1


if __name__ == "__main__":
    sys.exit(main())
