"""The types an expression can have while a statement is translated, and how they meet.

They are PostgreSQL's, which are the strictest of the dialects: what a column of the language is (``integer``,
``decimal``…) is told by :data:`OF_LANGUAGE`, how its values lie in SQLite by :mod:`simulator.sql.schema`. Beside those,
an interval is the text PostgreSQL prints (``1 mon 2 days 03:00:00``) and an array is a JSON array.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

TypeName = Literal[
    "int4", "int8", "numeric", "float8", "text", "boolean", "date", "time", "timestamp", "timestamptz", "interval",
    "json", "array", "unknown",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Type:
    """A type. ``scale`` is a numeric's digits after the point, where known; ``element`` an array's element type."""

    name: TypeName
    scale: int | None = None
    element: Type | None = None

    @property
    def is_number(self) -> bool:
        """Whether arithmetic is defined on it."""
        return self.name in _NUMBERS

    @property
    def is_integer(self) -> bool:
        """Whether it has no fraction."""
        return self.name in ("int4", "int8")

    @property
    def is_instant(self) -> bool:
        """A date or a point in time."""
        return self.name in _INSTANTS

    @property
    def label(self) -> str:
        """The name as PostgreSQL's messages write it."""
        if self.element is not None:
            return self.element.label if self.name == "unknown" else f"{self.element.label}[]"
        return _LABELS.get(self.name, self.name)


INT4 = Type("int4")
INT8 = Type("int8")
NUMERIC = Type("numeric")
FLOAT8 = Type("float8")
TEXT = Type("text")
BOOLEAN = Type("boolean")
DATE = Type("date")
TIME = Type("time")
TIMESTAMP = Type("timestamp")
TIMESTAMPTZ = Type("timestamptz")
INTERVAL = Type("interval")
JSON = Type("json")
UNKNOWN = Type("unknown")
TEXT_LITERAL = Type("unknown", element=TEXT)
"""A literal in quotes that may be a text or a time, but no number: where a dialect converts no further by itself."""

_NUMBERS: tuple[TypeName, ...] = ("int4", "int8", "numeric", "float8")
_INSTANTS: tuple[TypeName, ...] = ("date", "timestamp", "timestamptz")
_OF_TEXT_LITERALS: tuple[TypeName, ...] = ("unknown", "text", "date", "time", "timestamp", "timestamptz")
_LABELS = {
    "int4": "integer", "int8": "bigint", "float8": "double precision", "timestamp": "timestamp without time zone",
    "timestamptz": "timestamp with time zone", "time": "time without time zone", "json": "jsonb",
}  # fmt: skip

OF_LANGUAGE = {
    "integer": INT4, "bigint": INT8, "real": FLOAT8, "text": TEXT, "boolean": BOOLEAN, "date": DATE,
    "timestamp": TIMESTAMP, "decimal": NUMERIC, "json": JSON,
}  # fmt: skip


def numeric(scale: int | None) -> Type:
    """A numeric of so many digits after the point; beyond 15 a float cannot hold them, and they count as unknown."""
    return Type("numeric", scale) if scale is not None and 0 <= scale <= 15 else NUMERIC


def array_of(element: Type) -> Type:
    """The array type of an element."""
    return Type("array", element=element)


def fits(source: Type, target: Type) -> bool:
    """Whether a value of ``source`` may stand where ``target`` is wanted, without a cast being written."""
    if source.name == "unknown":
        return source.element is None or target.name in _OF_TEXT_LITERALS
    if source.name == target.name:
        return source.element is None or target.element is None or fits(source.element, target.element)
    if source.is_number and target.is_number:
        return _NUMBERS.index(source.name) < _NUMBERS.index(target.name)
    if source.is_instant and target.is_instant:
        return _INSTANTS.index(source.name) < _INSTANTS.index(target.name)
    return source.name == "time" and target.name == "interval"


def meeting(types: Iterable[Type]) -> Type | None:
    """The type in which values of several types meet (CASE, UNION, a comparison); ``None`` where they do not."""
    result = UNKNOWN
    given = list(types)
    for item in given:
        if item.name == "unknown":
            continue
        if result.name == "unknown":
            result = item
        elif item.name == result.name == "numeric":
            known = item.scale is not None and result.scale is not None
            result = numeric(max(item.scale or 0, result.scale or 0) if known else None)
        elif item.name == result.name:
            continue
        elif fits(result, item):
            result = item
        elif not fits(item, result):
            return None
    return result if all(fits(item, result) for item in given if item.name == "unknown") else None


def without_scale(item: Type) -> Type:
    """The type with its scale forgotten."""
    return replace(item, scale=None)
