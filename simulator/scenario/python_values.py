"""What Python callers pass, checked where it comes in: a wrong type is told at once, with what to pass instead.

Each function gives the value as its type, or raises :class:`UsageError`. ``what`` names the argument in the message.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any, TypeVar

from simulator.errors import UsageError

_Kind = TypeVar("_Kind")


def whole_number(what: str, value: object, *, least: int = 0, most: int = (1 << 63) - 1) -> int:
    """A whole number from ``least`` to ``most``; NumPy's count, True and False do not."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        shown = "2**63 - 1" if most == (1 << 63) - 1 else f"{most:,}"
        raise UsageError(f"`{what}` is a whole number from {least} to {shown}, not {shown_value(value)}.")
    return number


def real_number(what: str, value: object) -> float:
    """A finite number."""
    try:
        number = float(value) if not isinstance(value, str | bytes | bool) else math.nan  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"`{what}` is a number, not {shown_value(value)}.")
    return number


def text(what: str, value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise UsageError(f"`{what}` is a text, not {shown_value(value)}.")
    return value


def mapping(what: str, value: object) -> Mapping[str, Any]:
    """A mapping whose keys are texts."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise UsageError(f"`{what}` is a dict with texts as keys, not {shown_value(value)}.")
    return value


def file_path(what: str, value: object) -> Path:
    """A path, given as one or as a text."""
    if not isinstance(value, str | os.PathLike):
        raise UsageError(f"`{what}` is a path, not {shown_value(value)}.")
    path = os.fspath(value)
    if not isinstance(path, str) or "\0" in path:
        raise UsageError(f"`{what}` is a path, not {shown_value(value)}.")
    return Path(path)


def instance(what: str, value: object, kind: type[_Kind], hint: str) -> _Kind:
    """An object of the engine's; ``hint`` says where one comes from."""
    if not isinstance(value, kind):
        raise UsageError(f"`{what}` is a {kind.__name__}, not {shown_value(value)}. {hint}")
    return value


def shown_value(value: object) -> str:
    """A value that was passed, short: ``b'x' (bytes)``. Foreign objects show their type only."""
    plain = value is None or isinstance(value, str | bytes | int | float)
    return f"{value!r:.60} ({type(value).__name__})" if plain else f"an object of type {type(value).__name__}"
