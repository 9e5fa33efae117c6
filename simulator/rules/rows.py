"""How rows are named in violations: as canonical JSON, so that the same row always has the same name."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from simulator.scenario.canonical import canonical_json
from simulator.world.changes import Key, Value


def row_name(table: str, key: Key) -> str:
    """``["ticket",[3]]``: a table and the key of one of its rows."""
    return canonical_json([table, [plain(value) for value in key]])


def result_name(row: Mapping[str, Value]) -> str:
    """``{"id":3,"status":"open"}``: a row that a query returned."""
    return canonical_json({name: plain(value) for name, value in row.items()})


def plain(value: Value) -> JsonValue:
    """A cell as JSON; bytes, which only an expression yields, as hexadecimal text."""
    return value.hex() if isinstance(value, bytes) else value
