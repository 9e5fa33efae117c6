"""Worlds: generated from scenarios, kept as immutable images, played in overlays that cost microseconds.

Generation (:mod:`.generation`) makes an image (:mod:`.image`); a store (:mod:`.store`) lays episode states over it
(:mod:`.overlay`), records row changes (:mod:`.changes`) and digests them (:mod:`.digest`); author SQL runs through the
database (:mod:`.database`).
"""

from simulator.world.build import WorldImage, build_world, open_world
from simulator.world.changes import Key, NetChanges, RowChange, Value
from simulator.world.database import Bindings, Database, EngineLogs, Rows, RowSetValue, StatementFailed
from simulator.world.digest import delta, state_digest
from simulator.world.generation.tables import estimate_rows, world_problems
from simulator.world.image import Image
from simulator.world.keys import KeySequences
from simulator.world.overlay import Pages
from simulator.world.store import Recorder, Store

__all__ = [
    "Bindings",
    "Database",
    "EngineLogs",
    "Image",
    "Key",
    "KeySequences",
    "NetChanges",
    "Pages",
    "Recorder",
    "RowChange",
    "RowSetValue",
    "Rows",
    "StatementFailed",
    "Store",
    "Value",
    "WorldImage",
    "build_world",
    "delta",
    "estimate_rows",
    "open_world",
    "state_digest",
    "world_problems",
]
