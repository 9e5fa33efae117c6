"""Cells of the database as parameters and expected values."""

from __future__ import annotations

from simulator.scenario.models import Scalar
from simulator.world.changes import Value


def scalar(value: Value, column_type: str) -> Scalar:
    """A cell as JSON holds it: booleans become true and false, a blob its hexadecimal digits."""
    if column_type == "boolean" and value in (0, 1):
        return bool(value)
    if isinstance(value, bytes):
        return value.hex()
    return value
