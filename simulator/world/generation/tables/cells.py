"""What may stand in a cell: values as authors write them become the values the database stores.

Booleans are stored as 0 and 1, times in their canonical text, decimals rounded half up to their scale, JSON as
canonical text. Text in a `json` column is JSON text. Nothing else is converted: a text is no number, a number no text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from simulator.scenario.canonical import canonical_json
from simulator.scenario.times import normalise_date, normalise_timestamp
from simulator.sql.functions import decimal_round
from simulator.sql.schema import ColumnSchema
from simulator.world.changes import Value
from simulator.world.generation.templates import Value as Shown

_INTEGER = re.compile(r"[+-]?[0-9]{1,20}")
_NUMBER = re.compile(r"[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?")
_WORDS = {"true": 1, "false": 0, "1": 1, "0": 0}
_SHOWN = 60


def stored_value(value: Any, column: ColumnSchema) -> Value:
    """The stored form of a value that is not NULL. Raises ValueError, saying what the column takes, if it has none."""
    return _READERS[column.type](value, column)


def stored_text(text: str, column: ColumnSchema) -> Value:
    """The stored form of a value given as text: a cell of a CSV file, a key of weights. Raises ValueError."""
    if column.type == "integer":
        if _INTEGER.fullmatch(text.strip()):
            return _integer(int(text), column)
    elif column.type in ("real", "decimal"):
        if _NUMBER.fullmatch(text.strip()):
            return stored_value(float(text), column)
    elif column.type == "boolean":
        if text.strip().lower() in _WORDS:
            return _WORDS[text.strip().lower()]
    else:
        return stored_value(text, column)
    raise _wrong(text, column)


def stored_results(values: Iterable[Any], column: ColumnSchema) -> list[Value]:
    """The stored forms of what SQL gave, NULL included. Raises ValueError at the first value that has none.

    SQL has no booleans and divides into reals, so whole reals are taken for integers.
    """
    known: dict[tuple[type, Any], Value] = {}
    results: list[Value] = []
    for value in values:
        if value is None:
            results.append(None)
            continue
        place = (type(value), value)
        if place not in known:
            known[place] = stored_value(value, column)
        results.append(known[place])
    return results


def shown_values(values: list[Value], column: ColumnSchema) -> list[Shown]:
    """Values as text shows them: booleans as true and false."""
    if column.type == "boolean":
        return [None if value is None else bool(value) for value in values]
    return [value for value in values if not isinstance(value, bytes)]


def _integer(value: Any, column: ColumnSchema) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(value, column)
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"{value} does not fit into 64 bits")
    return value


def _real(value: Any, column: ColumnSchema) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(value, column)
    number = float(value) if abs(value) < 1e300 else math.inf
    if not math.isfinite(number):
        raise ValueError("the number is too large")
    return number + 0.0  # SQLite stores no -0.0


def _decimal(value: Any, column: ColumnSchema) -> float:
    number = decimal_round(_real(value, column), column.scale)
    if number is None or abs(number) >= float(10 ** max(column.precision - column.scale, 0)):
        raise ValueError(f"{value} has more digits than {column.type_text} holds")
    return number


def _boolean(value: Any, column: ColumnSchema) -> int:
    if isinstance(value, int) and value in (0, 1):
        return int(value)
    raise _wrong(value, column)


def _text(value: Any, column: ColumnSchema) -> str:
    if not isinstance(value, str):
        raise _wrong(value, column)
    if not value.isascii():
        _check_characters(value)
    return value


def _check_characters(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("the text holds half of a surrogate pair, which is no character") from None


def _timestamp(value: Any, column: ColumnSchema) -> str:
    moment = normalise_timestamp(value) if isinstance(value, str) else None
    if moment is None:
        raise _wrong(value, column)
    return moment


def _date(value: Any, column: ColumnSchema) -> str:
    day = normalise_date(value) if isinstance(value, str) else None
    if day is None:
        raise _wrong(value, column)
    return day


def _json(value: Any, column: ColumnSchema) -> str:
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise _wrong(value, column) from None
    try:
        text = canonical_json(value)
    except (TypeError, ValueError, RecursionError):
        raise _wrong(value, column) from None
    _check_characters(text)
    return text


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_READERS: dict[str, Callable[[Any, ColumnSchema], Value]] = {
    "integer": _integer, "real": _real, "decimal": _decimal, "boolean": _boolean, "text": _text,
    "timestamp": _timestamp, "date": _date, "json": _json,
}  # fmt: skip

_EXPECTED = {
    "integer": "an integer", "real": "a number", "decimal": "a number", "boolean": "true or false", "text": "a text",
    "timestamp": "a moment such as 2026-03-02 09:00:00", "date": "a date such as 2026-03-02",
    "json": "JSON (as text it must parse)",
}  # fmt: skip


def _wrong(value: Any, column: ColumnSchema) -> ValueError:
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=str)
    text = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    hint = "; quote it to make it one" if column.type == "text" and isinstance(value, int | float) else ""
    return ValueError(f"{text} is not {_EXPECTED[column.type]}{hint}")
