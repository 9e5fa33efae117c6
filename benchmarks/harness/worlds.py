"""The worlds that are measured, and actions in them.

Most benchmarks use the order desk, a scenario made for them, in the sizes of the step budget; some the support desk, a
real one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw

from simulator import Scenario, World, WorldError, __version__, generate_world, load_scenario, open_world

ROOT = Path(__file__).parents[2]
SEED = 7
SIZES = {"1 MB": 1.0, "10 MB": 11.0, "100 MB": 108.0}
"""The scale that makes an order desk about as large as its name."""

LOOK, CHANGE = "get_purchase", "reprioritise"
"""An operation that reads, and one with two guards and one effect under two change rules."""


def order_desk(scale: float) -> World:
    """The order desk at a scale: some 12,000 rows at scale 1."""
    return generate_world(_order_desk(), SEED, scale=scale)


def order_desk_from(path: Path) -> World:
    """An order desk that was saved."""
    return open_world(path, _order_desk())


def support_desk(scale: float) -> World:
    """The gallery's support desk at a scale."""
    return generate_world(_support_desk(), SEED, scale=scale)


def kept_support_desk(scale: float) -> World:
    """The same, kept in ``build/bench/worlds`` from one run to the next."""
    scenario = _support_desk()
    folder = ROOT / "build" / "bench" / "worlds"
    digest = scenario.digest.replace(":", "-")[:32]
    path = folder / f"{scenario.document.id}-{digest}-{__version__}-{scale:g}.sqlite"
    try:
        return open_world(path, scenario)
    except WorldError:  # not made yet, or by another version
        folder.mkdir(parents=True, exist_ok=True)
        generate_world(scenario, SEED, scale=scale).save(path)
        return open_world(path, scenario)


def gallery() -> dict[str, World]:
    """A world of every ready business at scale 1, by name."""
    folders = sorted(path.parent for path in (ROOT / "scenarios" / "gallery").glob("*/scenario.yaml"))
    return {folder.name: generate_world(load_scenario(folder), SEED) for folder in folders}


def rows_of(world: World) -> int:
    """How many rows a world has, in all its tables."""
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", bytes(world.image.image.buffer))
    counts = [connection.execute(f'select count(*) from "{table}"').get for table in world.image.schema.tables]
    connection.close()
    return sum(counts)


def actions(world: World, count: int) -> list[dict[str, Any]]:
    """``count`` calls of `reprioritise` on an order desk that each change a row: open orders in turn."""
    orders = [task.parameters["purchase_id"] for task in world.tasks()][:20]
    return [
        {
            "tool": CHANGE,
            "arguments": {"purchase_id": orders[number % len(orders)], "priority": 1 + number // len(orders) % 3},
        }
        for number in range(count)
    ]


def _order_desk() -> Scenario:
    return load_scenario(ROOT / "benchmarks" / "scenarios" / "order_desk.yaml")


def _support_desk() -> Scenario:
    return load_scenario(ROOT / "scenarios" / "gallery" / "support_desk")
