"""Durations as authors write them: ``90s``, ``15m``, ``2h``, ``1d``, ``3w``, ``6mo``, ``-3y``, ``1d12h``.

A month is 30 days and a year 365: a duration is a number of seconds, not a calendar rule.
"""

from __future__ import annotations

import re

UNITS: dict[str, int] = {"y": 31_536_000, "mo": 2_592_000, "w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1}
"""Seconds in each unit, largest first."""

_LONGEST_TEXT = 40
_MOST_SECONDS = 10_000 * UNITS["y"]
_DURATION = re.compile("(-?)" + "".join(f"(?:([0-9]+){unit})?" for unit in UNITS))


def parse_duration(text: str) -> int:
    """Whole seconds. Raises ValueError, with what is wrong and an example, when the text is not a duration.

    Units come once each and largest first; a leading minus makes the whole negative.
    """
    match = _DURATION.fullmatch(text) if len(text) <= _LONGEST_TEXT else None
    if match is None or not any(match.groups()[1:]):
        raise ValueError(
            f"{text[:_LONGEST_TEXT]!r} is not a duration; write whole numbers with the units y, mo, w, d, h, m, s, "
            "largest first, as in 90s, 2h, 1d12h or -3y"
        )
    seconds = sum(int(number or 0) * size for number, size in zip(match.groups()[1:], UNITS.values(), strict=True))
    if seconds > _MOST_SECONDS:
        raise ValueError(f"{text!r} is longer than 10,000 years")
    return -seconds if match[1] else seconds


def format_duration(seconds: int) -> str:
    """The shortest spelling in days, hours, minutes and seconds: 129600 is ``1d12h``, 0 is ``0s``.

    :func:`parse_duration` reads it back to the same number.
    """
    rest, parts = abs(seconds), ""
    for unit in ("d", "h", "m", "s"):
        count, rest = divmod(rest, UNITS[unit])
        if count:
            parts += f"{count}{unit}"
    return ("-" if seconds < 0 else "") + (parts or "0s")
