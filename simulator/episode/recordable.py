"""Actions as a trajectory keeps them. Whatever object an agent's side hands in, JSON within bounds comes out.

Nothing of the object's own code runs: its class may lie, raise, or contain itself. What JSON cannot hold (bytes, NaN, a
cycle, half a surrogate pair, a key that is no text), what is nested deeper than 64 levels or takes more than 200,000
characters, is described by an object with the key ``unreadable``, and ``tool`` where it named one there is; a replay
takes the recorded verdict for it. An action that was carried out is never among these: what tools accept is smaller.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from simulator.tools import Verdict

MOST_CHARACTERS = 200_000
MOST_DEPTH = 64
_LARGEST_BITS = 1_024
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class UnreadableAction:
    """Stands in a replay for an action that its trajectory could not hold; it gets the verdict it got then."""

    recorded: Any
    verdict: Verdict


def recordable(action: object, tool: str) -> Any:
    """The action as JSON. ``tool`` is the tool it names, empty if it names none that there is."""
    if type(action) is UnreadableAction:
        return action.recorded
    try:
        return _Copier().copy(action, 0)
    except _Unreadable as reason:
        return {"unreadable": str(reason), **({"tool": tool} if tool else {})}


def is_unreadable(recorded: object) -> bool:
    """Whether a recorded action is the description of one that could not be held."""
    return isinstance(recorded, dict) and "unreadable" in recorded and recorded.keys() <= {"unreadable", "tool"}


def tool_named(action: Any) -> str:
    """The name an action gives as its tool, as far as that can be read; else an empty text."""
    if type(action) is UnreadableAction:
        action = action.recorded
    if issubclass(type(action), dict):
        for key, value in dict.items(action):
            if _text(key) == "tool":
                return _text(value) or ""
    return ""


class _Unreadable(Exception):
    """Why an action cannot be held. Never leaves this module."""


class _Copier:
    """One copying. ``issubclass(type(x), ...)`` and not ``isinstance``, which would ask the object for its class."""

    def __init__(self) -> None:
        self._left = MOST_CHARACTERS

    def copy(self, value: Any, depth: int) -> Any:
        kind = type(value)
        self._count(1)
        if value is None or kind is bool:
            return value
        if issubclass(kind, str):
            return self._checked(str.__str__(value))
        if issubclass(kind, int):
            return self._integer(int.__int__(value))
        if issubclass(kind, float):
            number = float.__float__(value)
            if not math.isfinite(number):
                _refuse("a number that is not finite")
            return number
        if not issubclass(kind, (dict, list, tuple)):
            _refuse("not JSON")
        if depth >= MOST_DEPTH:
            _refuse(f"more than {MOST_DEPTH} levels deep")
        if issubclass(kind, dict):
            return self._object(value, depth)
        items = list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value)
        return [self.copy(item, depth + 1) for item in items]

    def _object(self, value: dict[Any, Any], depth: int) -> dict[str, Any]:
        copy: dict[str, Any] = {}
        for key, item in dict.items(value):
            name = _text(key)
            if name is None or name in copy:
                _refuse("a key that is not a text of its own")
            self._count(1)
            copy[self._checked(name)] = self.copy(item, depth + 1)
        return copy

    def _checked(self, text: str) -> str:
        self._count(len(text))
        if not text.isascii() and _SURROGATE.search(text):
            _refuse("half a surrogate pair")
        return text

    def _integer(self, number: int) -> int:
        self._count(number.bit_length() // 3)
        if number.bit_length() > _LARGEST_BITS:
            _refuse("a number with too many digits")
        return number

    def _count(self, characters: int) -> None:
        self._left -= characters
        if self._left < 0:
            _refuse(f"more than {MOST_CHARACTERS:,} characters")


def _text(value: Any) -> str | None:
    return str.__str__(value) if issubclass(type(value), str) else None


def _refuse(reason: str) -> NoReturn:
    raise _Unreadable(reason)
