"""Texts read as values where a text that means none gives NULL, not an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.sql.dialects.runtime import documents, formats, numbers, texts, times
from simulator.sql.functions import FunctionProblem

_READERS: dict[str, Callable[[str], Any]] = {
    "integer": lambda text: numbers.read_integer(text, 64),
    "rounded": lambda text: numbers.to_integer(numbers.read_number(text, "numeric"), 64, 0),
    "number": lambda text: numbers.read_number(text, "numeric"),
    "boolean": texts.read_boolean,
    "date": times.read_date,
    "timestamp": times.read_timestamp,
    "time": times.read_time,
    "json": documents.read_json,
}


def try_read(text: str, kind: str) -> Any:
    """The value of a text, or ``None``."""
    try:
        return _READERS[kind](text)
    except FunctionProblem:
        return None


def try_fit(value: float, precision: int, scale: int) -> float | None:
    """A number put into a decimal, or ``None``."""
    try:
        return numbers.fit_numeric(value, precision, scale)
    except FunctionProblem:
        return None


def try_template(text: str, template: str, kind: str) -> str | None:
    """A date or timestamp read by a template, or ``None``."""
    formats.check_time_template(template)
    try:
        return formats.to_date(text, template) if kind == "date" else formats.to_timestamp(text, template)
    except FunctionProblem:
        return None
