"""Regular expressions where the dialect's are RE2's own, or nearly: BigQuery's and Snowflake's.

``flags`` are ``i`` (case does not count), ``s`` (a dot takes line ends) and ``m`` (``^`` and ``$`` at line ends); ``c``
and ``e``, which Snowflake has, change nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2

from simulator.sql.dialects.runtime.documents import as_array
from simulator.sql.dialects.runtime.texts import MAX_PATTERN, joined
from simulator.sql.functions import FunctionProblem

_OPTIONS = "imsce"


@lru_cache(maxsize=256)
def expression(pattern: str, flags: str) -> Any:
    """The compiled pattern. Raises :class:`FunctionProblem` for one that RE2 does not know."""
    if len(pattern) > MAX_PATTERN:
        raise FunctionProblem(f"a pattern of more than {MAX_PATTERN} characters is too long here")
    if set(flags) - set(_OPTIONS):
        raise FunctionProblem(f"of the flags of regular expressions, only {', '.join(_OPTIONS)} are known here")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 22
    options.case_sensitive = "i" not in flags
    options.dot_nl = "s" in flags
    try:
        return re2.compile(f"(?m){pattern}" if "m" in flags else pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        raise FunctionProblem(f"invalid regular expression: {reason}") from None


def contains(text: str, pattern: str, flags: str) -> int:
    """Whether the pattern is found."""
    return int(expression(pattern, flags).search(text) is not None)


def is_whole(text: str, pattern: str, flags: str) -> int:
    """Whether the pattern takes the whole text."""
    return int(expression(pattern, flags).fullmatch(text) is not None)


def _matches(text: str, pattern: str, flags: str, start: int) -> Iterator[Any]:
    if start < 1:
        raise FunctionProblem("the position must be 1 or more")
    return iter(expression(pattern, flags).finditer(text, start - 1))


def found(text: str, pattern: str, flags: str, start: int, occurrence: int, group: int) -> str | None:
    """The n-th match from a position on, or one of its groups; ``group`` -1 is the only group if there is one."""
    if occurrence < 1:
        raise FunctionProblem("the occurrence must be 1 or more")
    groups = expression(pattern, flags).groups
    if group == -1:
        if groups > 1:
            raise FunctionProblem("the regular expression has more than 1 capturing group")
        group = groups
    if group > groups:
        return None
    for number, match in enumerate(_matches(text, pattern, flags, start), 1):
        if number == occurrence:
            return match.group(group)  # type: ignore[no-any-return]
    return None


def all_found(text: str, pattern: str) -> str:
    """All matches, or their only group, as an array."""
    groups = expression(pattern, "").groups
    if groups > 1:
        raise FunctionProblem("the regular expression has more than 1 capturing group")
    return as_array([match.group(groups) for match in _matches(text, pattern, "", 1)])


def count(text: str, pattern: str, flags: str, start: int) -> int:
    """How often the pattern is found from a position on."""
    return sum(1 for _ in _matches(text, pattern, flags, start))


def place(text: str, pattern: str, flags: str, start: int, occurrence: int) -> int:
    """Where the n-th match begins, counted from 1; 0 if nowhere."""
    for number, match in enumerate(_matches(text, pattern, flags, start), 1):
        if number == occurrence:
            return int(match.start()) + 1
    return 0


_REFERENCE = re.compile(r"\\([0-9\\])")


def replaced(text: str, pattern: str, replacement: str, flags: str, start: int, occurrence: int) -> str:
    r"""The text with the n-th match replaced, or all with 0; ``\1`` in the replacement is a group."""
    groups = expression(pattern, flags).groups
    pieces = _REFERENCE.split(replacement)
    if any(number.isdigit() and int(number) > groups for number in pieces[1::2]):
        raise FunctionProblem("the replacement speaks of a group that the regular expression does not have")

    def parts() -> Iterator[str]:
        position = 0
        for number, match in enumerate(_matches(text, pattern, flags, start), 1):
            if occurrence not in (0, number):
                continue
            yield text[position : match.start()]
            for index, piece in enumerate(pieces):
                yield piece if index % 2 == 0 or piece == "\\" else match.group(int(piece)) or ""
            position = match.end()
        yield text[position:]

    return joined(parts())
