"""Key patterns such as ``C-%05d``: text around one integer, rendered for a whole column and read back."""

from __future__ import annotations

import re
from collections.abc import Iterable

from simulator.errors import WorldError

_LONGEST_PATTERN = 100
_CONVERSION = re.compile(r"%(?:%|0([1-9][0-9]?)d|d|.?)", re.DOTALL)
_MOST_DIGITS = 18  # every such number fits SQLite's 64-bit integers


class KeyPattern:
    """A printf pattern with exactly one ``%d`` or ``%0Nd`` (N up to 18); ``%%`` is a percent sign.

    Numbers are not negative. A number with more digits than N is written in full, so keys stay unique.
    Raises WorldError when the pattern is not of this form.
    """

    __slots__ = ("_prefix", "_suffix", "pattern")

    def __init__(self, pattern: str) -> None:
        if len(pattern) > _LONGEST_PATTERN:
            raise WorldError(f"a key pattern has at most {_LONGEST_PATTERN} characters")
        parts: list[str] = []
        literal, position = "", 0
        for match in _CONVERSION.finditer(pattern):
            literal += pattern[position : match.start()]
            position = match.end()
            if match[0] == "%%":
                literal += "%"
                continue
            if match[0] != "%d" and (match[1] is None or int(match[1]) > _MOST_DIGITS):
                raise WorldError(f"`{match[0]}` in the pattern `{pattern}`: only %d and %0Nd (N up to 18) are known")
            parts.append(literal)
            literal = ""
        parts.append(literal + pattern[position:])
        if len(parts) != 2:
            raise WorldError(f"the pattern `{pattern}` needs exactly one %d or %0Nd, as in C-%05d")
        self.pattern = pattern
        self._prefix, self._suffix = parts

    def render(self, numbers: Iterable[int]) -> list[str]:
        """The keys of non-negative ``numbers``."""
        return list(map(self.pattern.__mod__, numbers))

    def parse(self, key: str) -> int | None:
        """The number whose key this is, or None."""
        if not (key.startswith(self._prefix) and key.endswith(self._suffix)):
            return None
        digits = key[len(self._prefix) : len(key) - len(self._suffix)]
        if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
            return None
        number = int(digits)
        return number if self.render([number]) == [key] else None
