"""Timestamps and dates: one canonical text, ``YYYY-MM-DD HH:MM:SS`` (UTC) or ``YYYY-MM-DD``, and whole numbers.

Canonical texts of the years 1 to 9999 sort as the times they name, so SQL may compare them as text. The ``parse``
functions accept nothing else; the ``normalise`` functions rewrite the other forms people use.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import lru_cache

_EPOCH = datetime(1970, 1, 1)
_EPOCH_DAY = _EPOCH.toordinal()
_SECOND = timedelta(seconds=1)
_LONGEST_TEXT = 64
_MOST_OFFSET_HOURS = 15  # PostgreSQL's bound

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIMESTAMP = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})")
_LOOSE = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[Tt ](?P<time>[0-9]{2}:[0-9]{2})(?:(?P<second>:[0-9]{2})(?:[.,][0-9]{1,9})?)?"
    r" ?(?:(?P<utc>[Zz]|UTC|GMT)|(?P<sign>[+-])(?P<hours>[0-9]{2})(?::?(?P<minutes>[0-9]{2}))?)?)?"
)


def parse_timestamp(text: str) -> int:
    """Seconds since 1970-01-01 00:00:00 UTC. Raises ValueError unless the text is ``YYYY-MM-DD HH:MM:SS``."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:_LONGEST_TEXT]!r} is not a time of the form YYYY-MM-DD HH:MM:SS")
    try:
        year, month, day, hour, minute, second = map(int, match.groups())
        moment = datetime(year, month, day, hour, minute, second)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a time: {error}") from None
    return (moment - _EPOCH) // _SECOND


@lru_cache(maxsize=4096)
def format_timestamp(seconds: int) -> str:
    """The inverse of :func:`parse_timestamp`. Raises ValueError outside the years 1 to 9999."""
    try:
        return (_EPOCH + timedelta(seconds=seconds)).isoformat(" ")
    except OverflowError:
        raise ValueError(f"{seconds} seconds since 1970 is outside the years 1 to 9999") from None


def parse_date(text: str) -> int:
    """Days since 1970-01-01. Raises ValueError unless the text is ``YYYY-MM-DD``."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:_LONGEST_TEXT]!r} is not a date of the form YYYY-MM-DD")
    try:
        year, month, day = map(int, match.groups())
        return date(year, month, day).toordinal() - _EPOCH_DAY
    except ValueError as error:
        raise ValueError(f"{text!r} is not a date: {error}") from None


def format_date(days: int) -> str:
    """The inverse of :func:`parse_date`. Raises ValueError outside the years 1 to 9999."""
    try:
        return date.fromordinal(days + _EPOCH_DAY).isoformat()
    except (OverflowError, ValueError):
        raise ValueError(f"{days} days since 1970 is outside the years 1 to 9999") from None


def normalise_timestamp(text: str) -> str | None:
    """The canonical form of a time written otherwise, or None when it cannot be one.

    Understood: ``T`` or a space between date and time, seconds left out, a fraction of a second (dropped), ``Z``,
    ``UTC`` or an offset (converted to UTC; without one the time is UTC already), a date alone (midnight), blanks
    around it.
    """
    text = text.strip() if len(text) <= _LONGEST_TEXT else ""
    match = _LOOSE.fullmatch(text)
    if match is None:
        return None
    try:
        seconds = parse_timestamp(f"{match['date']} {match['time'] or '00:00'}{match['second'] or ':00'}")
        if match["sign"]:
            hours, minutes = int(match["hours"]), int(match["minutes"] or 0)
            if hours > _MOST_OFFSET_HOURS or minutes > 59:
                return None
            offset = hours * 3600 + minutes * 60
            seconds += offset if match["sign"] == "-" else -offset
        return format_timestamp(seconds)
    except ValueError:
        return None


def normalise_date(text: str) -> str | None:
    """The canonical form of a date, or None. A time of day is accepted only if it is midnight UTC: none is dropped."""
    timestamp = normalise_timestamp(text)
    return timestamp[:10] if timestamp is not None and timestamp.endswith(" 00:00:00") else None
