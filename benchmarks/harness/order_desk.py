"""The world that most benchmarks measure, in the sizes of the step budget, and actions in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simulator import World, generate_world, load_scenario

SCENARIO = Path(__file__).parents[1] / "scenarios" / "order_desk.yaml"
SEED = 7
SCALES = {"1 MB": 1.0, "10 MB": 11.0, "100 MB": 108.0}
"""The scale that makes a world about as large as its name."""

LOOK, CHANGE = "get_purchase", "reprioritise"
"""An operation that reads, and one with two guards and one effect under two change rules."""


def order_desk(scale: float) -> World:
    """The world at a scale."""
    return generate_world(load_scenario(SCENARIO), SEED, scale=scale)


def actions(world: World, count: int) -> list[dict[str, Any]]:
    """``count`` calls of `reprioritise` that each change a row: open orders in turn, to and fro."""
    orders = [task.parameters["purchase_id"] for task in world.tasks()][:20]
    return [
        {
            "tool": CHANGE,
            "arguments": {"purchase_id": orders[number % len(orders)], "priority": 1 + number // len(orders) % 3},
        }
        for number in range(count)
    ]
