"""`worldwright serve` under load: 1,000 agents at once in the support desk, over HTTP, and what a killed worker costs.

Every agent has a connection and an episode of its own, does what the oracle did there, and thinks for some seconds
between two calls, as a model would: a closed loop. The load generator runs on the same machine and takes part of it.
The server has two workers. In the second run one of them is killed in the middle; the agents of its episodes are told
so (410) and begin others.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness import Report, main, support_desk

from simulator import Environment
from simulator.agents import OracleAgent, play

KEY = "a key for benchmarks, long enough"
WORKERS = 2
THINK = 5.0
"""Seconds between an answer and the agent's next call, on average; they lie between half and three halves of it."""
RAMP = 20.0
"""Seconds within which the agents begin."""
GOAL = 0.25
SCENARIO = Path(__file__).parents[1] / "scenarios" / "gallery" / "support_desk"


@dataclass(slots=True)
class Load:
    """What the agents met: seconds of each operation once all had begun, statuses, transport errors.

    ``measured`` is for how many seconds that was.
    """

    measured: float
    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)

    def percentile(self, share: float) -> float:
        """The time within which this share of the operations was answered."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Connection:
    """A connection that is kept, for one request after the other."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, token: str, value: object = None) -> tuple[int, Any]:
        """The status and the answer's JSON."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 24)
        reader, writer = self._streams
        body = b"" if value is None else json.dumps(value).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: b\r\nAuthorization: Bearer {token}\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        content = await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection") == "close":
            self.close()
        return int(lines[0].split(" ")[1]), json.loads(content) if content else None

    def close(self) -> None:
        """Close it; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def agent(number: int, port: int, plans: list[tuple[str, list[Any]]], load: Load, until: float) -> None:
    """Episode after episode until the time is over; the agents begin one after the other, within the ramp."""
    connection = Connection(port)
    turn = number
    think = THINK * (0.5 + (number * 2654435761 % 1000) / 1000)
    await asyncio.sleep(RAMP * (number * 40503 % 1000) / 1000)
    begun_at = until - load.measured
    while time.monotonic() < until:
        task, actions = plans[turn % len(plans)]
        turn += 1
        try:
            status, begun = await connection.ask("POST", "/worldwright/episodes", KEY, {"task": task})
            if status != 201:
                load.statuses[status] += 1
                await asyncio.sleep(1)
                continue
            for action in actions:
                started = time.perf_counter()
                status, _ = await connection.ask("POST", "/worldwright/act", begun["token"], action)
                if time.monotonic() > begun_at:
                    load.seconds.append(time.perf_counter() - started)
                load.statuses[status] += 1
                if status != 200 or time.monotonic() > until:
                    break
                await asyncio.sleep(think)
            if status == 200:
                await connection.ask("DELETE", f"/worldwright/episodes/{begun['episode']}", KEY)
        except (OSError, asyncio.IncompleteReadError) as error:
            load.errors[type(error).__name__] += 1
            connection.close()
    connection.close()


async def run(port: int, agents: int, seconds: float, plans: list[tuple[str, list[Any]]], *, kill: bool) -> Load:
    """All agents at once."""
    load = Load(seconds)
    until = time.monotonic() + RAMP + seconds
    tasks = [asyncio.create_task(agent(number, port, plans, load, until)) for number in range(agents)]
    if kill:
        await asyncio.sleep(RAMP + seconds / 2)
        _, told = await Connection(port).ask("GET", "/worldwright/workers", KEY)
        os.kill(told["workers"][0]["pid"], signal.SIGKILL)
    await asyncio.gather(*tasks)
    return load


def serve(port: int) -> subprocess.Popen[bytes]:
    """A server that is ready."""
    words = [
        sys.executable,
        "-c",
        "from simulator.cli import main; main()",
        "serve",
        str(SCENARIO),
        "--port",
        str(port),
    ]
    server = subprocess.Popen(
        [*words, "--workers", str(WORKERS)],
        env={**os.environ, "WORLDWRIGHT_SERVER_KEY": KEY},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(600):
        try:
            status, told = asyncio.run(Connection(port).ask("GET", "/readyz", KEY))
            if status == 200 and told["workers_ready"] == WORKERS:
                return server
        except OSError:
            pass
        time.sleep(0.1)
    server.kill()
    raise TimeoutError("the server was not ready within a minute")


def plans_of(count: int) -> list[tuple[str, list[Any]]]:
    """What the oracle does in tasks of all templates."""
    world = support_desk(1)
    tasks = world.tasks("train")
    plans = []
    for task in tasks[:: max(1, len(tasks) // count)]:
        environment = Environment(world)
        play(environment, OracleAgent(), task, 0)
        plans.append((task.id, [step["action"] for step in environment.trajectory.steps]))
    return plans


def measure(full: bool) -> Report:
    """The same load without and with a killed worker."""
    report = Report("serve", "Serving over HTTP: 1,000 agents at once in the support desk")
    seconds = 120.0 if full else 45.0
    plans = plans_of(200)
    for kill in (False, True):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = serve(port)
        try:
            load = asyncio.run(run(port, 1_000, seconds, plans, kill=kill))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)
        what = "a worker killed: " if kill else ""
        report.add(f"{what}an operation, median", load.percentile(0.5), "s")
        report.add(f"{what}an operation, 99th percentile", load.percentile(0.99), "s", goal=None if kill else GOAL)
        report.add(f"{what}operations", len(load.seconds) / seconds, "operations/s")
        lost = load.statuses.pop(410, 0)
        wrong = sum(number for status, number in load.statuses.items() if status >= 400) + sum(load.errors.values())
        told = f"{what}{len(load.seconds):,} operations; {wrong:,} errors"
        report.notes.append(f"{told}; {lost:,} episodes answered 410." if kill else f"{told}, {lost:,} episodes lost.")
    report.notes.append(
        f"{WORKERS} workers; between two calls an agent thinks for {THINK / 2:g} to {THINK * 1.5:g} s; "
        f"measured from {RAMP:g} s on, when all have begun; the load generator runs on the same machine."
    )
    return report


if __name__ == "__main__":
    main(measure, __doc__)
