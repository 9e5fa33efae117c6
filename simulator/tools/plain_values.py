"""Plain copies of what an agent sent: whatever object comes in, JSON within bounds comes out, or a verdict.

Nothing of the object's own code runs: subclasses are read through the methods of the built-in types, so an object that
lies, raises or contains itself is only data.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from pydantic import JsonValue

from simulator.errors import WorldwrightError
from simulator.scenario.paths import Path, render_path
from simulator.tools.verdicts import Kind, Verdict, echo, failed

MOST_CHARACTERS = 100_000
MOST_DEPTH = 16
SMALLEST_INTEGER, LARGEST_INTEGER = -(2**63), 2**63 - 1
_SURROGATE = re.compile("[\\ud800-\\udfff]")


class Refused(WorldwrightError):
    """What was sent cannot be read. Never leaves this room: the verdict is what the agent gets."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__(verdict.message)


def plain_value(value: object) -> JsonValue:
    """A copy made of dicts, lists, strings, numbers, booleans and None only.

    Raises :class:`Refused`: ``malformed`` for what is not JSON; ``bad_arguments`` for more than 100,000 characters
    (each value counts at least one), more than 16 levels, NaN, infinities, integers beyond 64 bits, NUL, half
    characters.
    """
    return _Copier().copy(value, (), 0)


def parsed_json(text: str) -> JsonValue:
    """The value of a JSON text of at most 100,000 characters. Raises :class:`Refused`."""
    if len(text) > MOST_CHARACTERS:
        refuse("bad_arguments", "too_large", f"The arguments are longer than {MOST_CHARACTERS:,} characters.")
    try:
        value: JsonValue = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except RecursionError:
        refuse("bad_arguments", "too_deep", f"The arguments are nested more than {MOST_DEPTH} levels deep.")
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        refuse("malformed", "bad_json", f"The arguments are not valid JSON: {reason} (character {error.pos + 1}).")
    except ValueError:  # Python's own limit on the digits of a number
        refuse("bad_arguments", "bad_number", "The arguments hold a number that does not fit in 64 bits.")
    return value


def refuse(kind: Kind, code: str, message: str) -> NoReturn:
    """Stop reading with a verdict."""
    raise Refused(failed(kind, code, message))


def _object(pairs: Iterable[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    items: dict[str, JsonValue] = {}
    for key, value in pairs:
        if key in items:
            refuse("malformed", "duplicate_key", f"The key `{echo(key)}` stands twice in the arguments' JSON.")
        items[key] = value
    return items


def _constant(name: str) -> NoReturn:
    refuse("bad_arguments", "bad_number", f"{name} is no JSON number.")


class _Copier:
    """One reading. ``issubclass(type(x), ...)`` and not ``isinstance``, which would ask the object for its class."""

    def __init__(self) -> None:
        self.characters = 0

    def copy(self, value: Any, path: Path, depth: int) -> JsonValue:
        kind = type(value)
        self._count(1)
        if value is None:
            return None
        if kind is bool:
            return value is True
        if issubclass(kind, str):
            return self._text(str.__str__(value), path)
        if issubclass(kind, int):
            return self._integer(int.__int__(value), path)
        if issubclass(kind, float):
            return self._float(float.__float__(value), path)
        if not issubclass(kind, (dict, list, tuple)):
            refuse("malformed", "not_json", f"{_place(path)} is not a JSON value.")
        if depth >= MOST_DEPTH:
            refuse("bad_arguments", "too_deep", f"The arguments are nested more than {MOST_DEPTH} levels deep.")
        if issubclass(kind, dict):
            return self._object(value, path, depth)
        items = list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value)
        return [self.copy(item, (*path, index), depth + 1) for index, item in enumerate(items)]

    def _object(self, value: dict[Any, Any], path: Path, depth: int) -> JsonValue:
        copy: dict[str, JsonValue] = {}
        for key, item in dict.items(value):
            if not issubclass(type(key), str):
                refuse("malformed", "not_json", f"{_place(path)} has a key that is not a text.")
            name = self._text(str.__str__(key), path)
            if name in copy:  # keys of a class of their own may differ and yet read the same
                refuse("malformed", "duplicate_key", f"{_place(path)} has the key `{echo(name)}` twice.")
            copy[name] = self.copy(item, (*path, name[:100]), depth + 1)
        return copy

    def _text(self, text: str, path: Path) -> str:
        self._count(len(text))
        if "\x00" in text or (not text.isascii() and _SURROGATE.search(text)):
            refuse("bad_arguments", "bad_text", f"{_place(path)}: a text cannot hold NUL or half a surrogate pair.")
        return text

    def _integer(self, number: int, path: Path) -> int:
        if not SMALLEST_INTEGER <= number <= LARGEST_INTEGER:
            refuse("bad_arguments", "bad_number", f"{_place(path)}: the number does not fit in 64 bits.")
        return number

    def _float(self, number: float, path: Path) -> float:
        if not math.isfinite(number):
            refuse("bad_arguments", "bad_number", f"{_place(path)}: a number must be finite.")
        return number

    def _count(self, characters: int) -> None:
        self.characters += characters
        if self.characters > MOST_CHARACTERS:
            refuse("bad_arguments", "too_large", f"The arguments are longer than {MOST_CHARACTERS:,} characters.")


def _place(path: Path) -> str:
    return f"`{echo(render_path(path))}`" if path else "This"
