"""The tables of a world: what the document says about them, made row by row in memory and loaded in bulk."""

from simulator.world.generation.tables.builder import Making
from simulator.world.generation.tables.counts import MOST_CELLS, MOST_ROWS, check_size, estimate_rows
from simulator.world.generation.tables.database import WorldDatabase
from simulator.world.generation.tables.making import Progress, make_tables
from simulator.world.generation.tables.problems import WorldPlan, plan_world, world_problems

__all__ = [
    "MOST_CELLS",
    "MOST_ROWS",
    "Making",
    "Progress",
    "WorldDatabase",
    "WorldPlan",
    "check_size",
    "estimate_rows",
    "make_tables",
    "plan_world",
    "world_problems",
]
