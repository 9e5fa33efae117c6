"""Plain JSON values: what any document is made of once it has been read, and which numbers and strings it may hold."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pydantic import JsonValue

from simulator.errors import Problem, ScenarioError
from simulator.scenario.paths import Path, render_path
from simulator.scenario.source_text import MOST_PROBLEMS, REFUSED_CHARACTERS, TextLimits

__all__ = ["VALUE_LIMITS", "JsonValue", "copy_json", "count_nodes", "number_problem", "plain_json", "text_problem"]

SMALLEST_INTEGER, LARGEST_INTEGER = -(2**63), 2**63 - 1
_LONGEST_NUMBER = 400

VALUE_LIMITS = TextLimits(size=80_000_000, nodes=4_000_000)
"""What a whole document may hold, its data rows included."""


def copy_json(value: JsonValue) -> JsonValue:
    """A copy that shares no list or mapping with ``value``."""
    if isinstance(value, dict):
        return {key: copy_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy_json(item) for item in value]
    return value


def count_nodes(value: JsonValue) -> int:
    """How many values there are in a value, itself included."""
    if isinstance(value, dict):
        return 1 + sum(count_nodes(item) for item in value.values())
    if isinstance(value, list):
        return 1 + sum(count_nodes(item) for item in value)
    return 1


def number_problem(text: str) -> str:
    """Why the JSON number written ``text`` cannot be kept, or the empty string."""
    if len(text) > _LONGEST_NUMBER:
        return f"A number has more than {_LONGEST_NUMBER} characters."
    if text.lstrip("-").isdigit():
        if not SMALLEST_INTEGER <= int(text) <= LARGEST_INTEGER:
            return f"The number {_short(text)} does not fit in 64 bits."
    elif math.isinf(float(text)):
        return f"The number {_short(text)} is too large."
    return ""


def text_problem(text: str) -> str:
    """Why the string ``text`` cannot be kept (a control character, a lone surrogate), or the empty string."""
    refused = None if text.isascii() and text.isprintable() else REFUSED_CHARACTERS.search(text)
    return f"A text cannot hold the character U+{ord(refused.group()):04X}." if refused else ""


def plain_json(value: object, limits: TextLimits = VALUE_LIMITS) -> JsonValue:
    """A copy of ``value`` made of plain dicts, lists, strings, numbers, booleans and None.

    Raises ScenarioError with every part that is none of these: ``not_json``, ``number_range``, ``bad_character``; and
    at once with ``too_deep`` or ``too_large``, so that a value that contains itself is an error too.
    """
    reader = _Copier(limits)
    plain = reader.copy(value, (), 1)
    if reader.problems:
        raise ScenarioError(reader.problems)
    return plain


class _Copier:
    def __init__(self, limits: TextLimits) -> None:
        self.limits = limits
        self.problems: list[Problem] = []
        self.nodes = 0
        self.characters = 0

    def copy(self, value: object, path: Path, depth: int) -> JsonValue:
        self.nodes += 1
        if self.nodes > self.limits.nodes or self.characters > self.limits.size:
            self._stop("too_large", f"The document holds more than {self.limits.nodes:,} values.", path)
        if depth > self.limits.depth:
            self._stop("too_deep", f"The document is nested more than {self.limits.depth} levels deep.", path)
        if isinstance(value, Mapping):
            return self._mapping(value, path, depth)
        if isinstance(value, (list, tuple)):
            return [self.copy(item, (*path, index), depth + 1) for index, item in enumerate(value)]
        return self._single(value, path)

    def _mapping(self, value: Mapping[object, object], path: Path, depth: int) -> dict[str, JsonValue]:
        copy: dict[str, JsonValue] = {}
        for key, item in value.items():
            if isinstance(key, str):
                copy[self._text(key, path)] = self.copy(item, (*path, key), depth + 1)
            else:
                self._report("not_json", f"A key must be a text, not {type(key).__name__}.", path)
        return copy

    def _single(self, value: object, path: Path) -> JsonValue:
        if isinstance(value, str):
            return self._text(value, path)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            if not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
                self._report("number_range", "A number does not fit in 64 bits.", path)
            return int(value)
        if isinstance(value, float):
            if not math.isfinite(value):
                self._report("number_range", "A number must be finite.", path)
            return float(value)
        self._report("not_json", f"A value must be JSON, not {type(value).__name__}.", path)
        return None

    def _text(self, text: str, path: Path) -> str:
        self.characters += len(text)
        if len(text) > self.limits.size:
            self._stop("too_large", f"A text is longer than {self.limits.size:,} characters.", path)
        problem = text_problem(text)
        if problem:
            self._report("bad_character", problem, path)
        return str(text)

    def _report(self, code: str, message: str, path: Path) -> None:
        self.problems.append(Problem(code, message, path=render_path(path)))
        if len(self.problems) >= MOST_PROBLEMS:
            raise ScenarioError(self.problems)

    def _stop(self, code: str, message: str, path: Path) -> None:
        raise ScenarioError([*self.problems, Problem(code, message, path=render_path(path))])


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
