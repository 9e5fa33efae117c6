"""Reset and restore, then a first query, in worlds of 1, 10 and 100 MB.

Before each timed call another state is laid on the database, with changed rows, so that something has to be undone. The
peers start an attempt the usual ways: SQLite's backup of the world into ``:memory:``, and ``deserialize`` of its bytes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from harness import SIZES, Case, Report, actions, interleaved, main, order_desk

from simulator import Environment, World
from simulator.episode import workplace_of

QUERY = "select status, priority from purchase where id = 1"
GOAL = 50e-6


def measure(full: bool) -> Report:
    """Time it in every size."""
    report = Report("reset", "Reset or restore, and the first query after it")
    for size, scale in SIZES.items():
        _measure(order_desk(scale), size, report)
    return report


def _measure(world: World, size: str, report: Report) -> None:
    environment, engine = Environment(world), workplace_of(world).engine
    task = world.tasks()[0].id
    environment.reset(task=task)
    for action in actions(world, 10):
        environment.step(action)
    moment = environment.snapshot()
    environment.step(actions(world, 30)[-1])
    later = environment.snapshot()

    def query() -> object:
        with engine.laid(environment.snapshot()) as database:
            return database.query(QUERY, {}).rows

    def leave() -> None:
        environment.restore(later)
        query()

    def reset() -> None:
        environment.reset(task=task)
        query()

    def restore() -> None:
        environment.restore(moment)
        query()

    content = bytes(world.image.image.buffer)
    timings = interleaved({
        "reset": Case(reset, leave),
        "restore": Case(restore, leave),
        "backup": Case(_by_backup(content)),
        "deserialize": Case(_by_deserialize(content)),
    })  # fmt: skip
    peers = {"backup": timings["backup"], "deserialize": timings["deserialize"]}
    report.add_timing(f"reset, {size}", timings["reset"], goal=GOAL, peers=peers)
    report.add_timing(f"restore, {size}", timings["restore"], goal=GOAL, peers=peers)
    report.add_timing(f"peer: sqlite3 backup to :memory:, {size}", timings["backup"])
    report.add_timing(f"peer: sqlite3 deserialize, {size}", timings["deserialize"])


def _by_backup(content: bytes) -> Callable[[], object]:
    source = sqlite3.connect(":memory:")
    source.deserialize(content)

    def begin() -> object:
        copy = sqlite3.connect(":memory:")
        source.backup(copy)
        found = copy.execute(QUERY).fetchone()
        copy.close()
        return found

    return begin


def _by_deserialize(content: bytes) -> Callable[[], object]:
    def begin() -> object:
        copy = sqlite3.connect(":memory:")
        copy.deserialize(content)
        found = copy.execute(QUERY).fetchone()
        copy.close()
        return found

    return begin


if __name__ == "__main__":
    main(measure, __doc__)
