"""Fork a running episode into an independent one and take its first step; and 10,000 live episodes at once.

The peer copies the database of the running episode with SQLite's backup into a new ``:memory:`` database and makes the
same change there. Memory is measured in a process of its own, which opens the 100 MB world from a file: its resident
bytes with 10,000 episodes in which three rows were changed, less those it had before the first.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness import SIZES, Case, Report, actions, interleaved, main, order_desk, order_desk_from, resident

from simulator import Environment, World

GOAL = 0.4e-3
MEMORY_GOAL = 4e9
EPISODES = 10_000
CHANGES = 3


def measure(full: bool) -> Report:
    """Time forks in every size, then count the bytes of many episodes."""
    report = Report("fork", "Fork into an independent live episode")
    for size, scale in SIZES.items():
        world = order_desk(scale)
        _measure(world, size, report)
    with tempfile.TemporaryDirectory(prefix="worldwright-bench-") as folder:
        path = Path(folder) / "world.sqlite"
        world.save(path)
        del world
        live = subprocess.run([sys.executable, __file__, "--live", str(path)], check=True, stdout=subprocess.PIPE)
    _report_memory(json.loads(live.stdout), report)
    return report


def _measure(world: World, size: str, report: Report) -> None:
    environment = Environment(world)
    environment.reset(task=world.tasks()[0].id)
    *before, action = actions(world, 11)
    for earlier in before:
        environment.step(earlier)
    elsewhere = environment.fork()

    def fork_and_step() -> None:
        environment.fork().step(action)

    def step_elsewhere() -> None:
        elsewhere.fork().step(before[0])

    timings = interleaved({
        "fork": Case(environment.fork),
        "fork and step": Case(fork_and_step, step_elsewhere),
        "backup": _by_backup(world, action),
    })  # fmt: skip
    peers = {"backup and bare update": timings["backup"]}
    report.add_timing(f"fork, {size}", timings["fork"], goal=GOAL)
    report.add_timing(f"fork and first step, {size}", timings["fork and step"], peers=peers)
    report.add_timing(f"peer: sqlite3 backup and a bare update, {size}", timings["backup"])


def _by_backup(world: World, action: dict[str, Any]) -> Case:
    running = sqlite3.connect(":memory:")
    running.deserialize(bytes(world.image.image.buffer))
    row = (action["arguments"]["priority"], action["arguments"]["purchase_id"])

    def fork_and_step() -> None:
        copy = sqlite3.connect(":memory:")
        running.backup(copy)
        copy.execute("update purchase set priority = ? where id = ?", row)
        copy.commit()
        copy.close()

    return Case(fork_and_step)


def _report_memory(told: dict[str, int], report: Report) -> None:
    if "resident" not in told:
        report.notes.append("Memory was not measured: this system does not tell a process what it has resident.")
        return
    report.add(f"{EPISODES:,} live episodes of the 100 MB world", told["resident"], "B", goal=MEMORY_GOAL)
    report.add("each of them", told["resident"] / EPISODES, "B")
    report.add("of which pages it changed", told["pages"] / EPISODES, "B")
    report.notes.append(f"Each live episode looked at nothing and changed {CHANGES} rows.")


def _live(path: Path) -> None:
    """Hold many episodes at once; print what they take as JSON. Runs in a process of its own."""
    world = order_desk_from(path)
    tasks = world.tasks()
    Environment(world).reset(task=tasks[0].id)
    at_first = resident()
    changes = actions(world, 40)
    episodes = []
    for number in range(EPISODES):
        environment = Environment(world)
        environment.reset(task=tasks[number % len(tasks)].id)
        for step in range(CHANGES):
            environment.step(changes[(number + step) % len(changes)])
        episodes.append(environment)
    told = {}
    if at_first:
        told["resident"] = resident()["VmRSS"] - at_first["VmRSS"]
    told["pages"] = sum(len(page) for live in episodes for page in live.snapshot().pages.pages.values())
    print(json.dumps(told))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--live"]:
        _live(Path(sys.argv[2]))
    else:
        main(measure, __doc__)
