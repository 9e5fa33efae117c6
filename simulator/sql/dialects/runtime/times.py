"""Dates and timestamps as the world keeps them: ISO texts, UTC, a blank between date and time of day."""

from __future__ import annotations

import calendar
import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache

from simulator.sql.dialects.runtime.intervals import DAY, SECOND, Interval, clock, interval
from simulator.sql.functions import FunctionProblem

_TIMESTAMP = re.compile(
    r"\s*([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:[ T]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6})[0-9]*)?)?"
    r"(?:\s*(Z|UTC|[+-]00(?::?00)?))?)?\s*",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def moment(text: str) -> datetime:
    """The point in time of a text the engine has written. Raises :class:`FunctionProblem` for any other text."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise FunctionProblem(f'invalid input syntax for type timestamp: "{text[:80]}"') from None


def written(value: datetime) -> str:
    """A point in time as the world writes it; fractions of a second only where there are some."""
    text = value.isoformat(" ", "microseconds")
    return text[:19] if text.endswith(".000000") else text.rstrip("0")


def _read(text: str, kind: str) -> datetime:
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise FunctionProblem(f'invalid input syntax for type {kind}: "{text[:80]}"')
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    micros = int((match[7] or "").ljust(6, "0"))
    try:
        if (hour, minute, second, micros) == (24, 0, 0, 0):
            return datetime(year, month, day) + timedelta(days=1)
        return datetime(year, month, day, hour, minute, second, micros)
    except (ValueError, OverflowError):
        raise FunctionProblem(f'date/time field value out of range: "{text[:80]}"') from None


def read_timestamp(text: str) -> str:
    """A text read as a timestamp: ISO form, time of day optional, no time zone but UTC."""
    return written(_read(text, "timestamp"))


def read_date(text: str) -> str:
    """A text read as a date."""
    return written(_read(text, "date"))[:10]


_TIME = re.compile(r"\s*([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]{1,6})?))?\s*")


def read_time(text: str) -> str:
    """A text read as a time of day."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise FunctionProblem(f'invalid input syntax for type time: "{text[:80]}"')
    hour, minute, second = int(match[1]), int(match[2]), Decimal(match[3] or 0)
    if hour > 23 or minute > 59 or second >= 60:
        raise FunctionProblem(f'date/time field value out of range: "{text[:80]}"')
    return clock((hour * 3600 + minute * 60) * SECOND + int(second * SECOND))


def shifted(start: datetime, span: Interval) -> datetime:
    """A point in time later by an interval: months first, then days, then time."""
    try:
        if span.months:
            month = start.year * 12 + start.month - 1 + span.months
            year, month = divmod(month, 12)
            day = min(start.day, calendar.monthrange(year, month + 1)[1])
            start = start.replace(year=year, month=month + 1, day=day)
        return start + timedelta(days=span.days, microseconds=span.micros)
    except (ValueError, OverflowError, calendar.IllegalMonthError):
        raise FunctionProblem("timestamp out of range") from None


def timestamp_add(text: str, span: str) -> str:
    """Timestamp plus interval."""
    return written(shifted(moment(text), interval(span)))


def timestamp_subtract(text: str, span: str) -> str:
    """Timestamp minus interval."""
    return written(shifted(moment(text), -interval(span)))


def timestamp_difference(later: str, earlier: str) -> str:
    """Timestamp minus timestamp: days and time, never months."""
    total = (moment(later) - moment(earlier)) // timedelta(microseconds=1)
    days = abs(total) // DAY
    sign = -1 if total < 0 else 1
    return str(Interval(0, sign * days, total - sign * days * DAY))


def date_add(text: str, days: int) -> str:
    """Date plus days."""
    try:
        return (date.fromisoformat(text) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        raise FunctionProblem("date out of range") from None


def date_difference(later: str, earlier: str) -> int:
    """Days from one date to another."""
    return moment(later).toordinal() - moment(earlier).toordinal()


def make_date(year: int, month: int, day: int) -> str:
    """The date of three numbers."""
    try:
        return date(year, month, day).isoformat()
    except (ValueError, OverflowError):
        raise FunctionProblem(f"date field value out of range: {year}-{month:02d}-{day:02d}") from None


def make_timestamp(year: int, month: int, day: int, hour: int, minute: int, second: float) -> str:
    """The timestamp of six numbers."""
    text = f"{make_date(year, month, day)} {hour}:{minute:02d}:{Decimal(repr(second)):09.6f}"
    return read_timestamp(text)


def age(later: str, earlier: str) -> str:
    """``age(later, earlier)``: years, months and days counted on the calendar, not a number of days."""
    first, second = moment(later), moment(earlier)
    sign = 1
    if first < second:
        sign, first, second = -1, second, first
    months = (first.year - second.year) * 12 + first.month - second.month
    days = first.day - second.day
    midnight = datetime.min.time()
    micros = ((first - datetime.combine(first, midnight)) - (second - datetime.combine(second, midnight))) // timedelta(
        microseconds=1
    )
    if micros < 0:
        micros += DAY
        days -= 1
    if days < 0:
        # The days of the earlier date's month, whichever of the two came first in the call.
        days += calendar.monthrange(second.year, second.month)[1]
        months -= 1
    return str(Interval(sign * months, sign * days, sign * micros))


def timestamp_truncate(unit: str, text: str) -> str:
    """``date_trunc``: the beginning of the year, quarter, month, week (Monday), day, hour, minute or second."""
    value = moment(text)
    day = value.replace(hour=0, minute=0, second=0, microsecond=0)
    truncated = {
        "second": lambda: value.replace(microsecond=0),
        "minute": lambda: value.replace(second=0, microsecond=0),
        "hour": lambda: value.replace(minute=0, second=0, microsecond=0),
        "day": lambda: day,
        "week": lambda: day - timedelta(days=day.weekday()),
        "month": lambda: day.replace(day=1),
        "quarter": lambda: day.replace(day=1, month=(day.month - 1) // 3 * 3 + 1),
        "year": lambda: day.replace(day=1, month=1),
        "decade": lambda: day.replace(day=1, month=1, year=max(day.year // 10 * 10, 1)),
        "century": lambda: day.replace(day=1, month=1, year=(day.year - 1) // 100 * 100 + 1),
    }[unit]()
    return written(truncated)


def timestamp_extract(field: str, text: str) -> float | int:
    """``extract(field from timestamp)``; a date counts as its midnight."""
    value = moment(text)
    iso = value.isocalendar()
    micros = value.second * SECOND + value.microsecond
    parts: dict[str, float | int] = {
        "year": value.year,
        "month": value.month,
        "day": value.day,
        "hour": value.hour,
        "minute": value.minute,
        "second": micros / SECOND,
        "milliseconds": micros / 1000,
        "microseconds": micros,
        "quarter": (value.month - 1) // 3 + 1,
        "dow": value.isoweekday() % 7,
        "isodow": value.isoweekday(),
        "doy": value.timetuple().tm_yday,
        "week": iso.week,
        "isoyear": iso.year,
        "decade": value.year // 10,
        "century": (value.year - 1) // 100 + 1,
        "millennium": (value.year - 1) // 1000 + 1,
        "epoch": _epoch(value),
    }
    return parts[field]


def _epoch(value: datetime) -> float | int:
    micros = (value - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    return micros / SECOND if micros % SECOND else micros // SECOND


def time_extract(field: str, text: str) -> float | int:
    """``extract(field from time)``."""
    value = moment(f"2000-01-01 {text}")
    if field == "epoch":
        return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / SECOND
    return timestamp_extract(field, f"2000-01-01 {text}")


def from_epoch(seconds: float) -> str:
    """``to_timestamp(seconds)``."""
    try:
        return written(datetime(1970, 1, 1) + timedelta(microseconds=round(Decimal(repr(seconds)) * SECOND)))
    except (OverflowError, ValueError):
        raise FunctionProblem("timestamp out of range") from None


def rounded_to_second(text: str) -> str:
    """A timestamp without fractions of a second, as a ``timestamp(0)`` column keeps it: half a second rounds up."""
    value = moment(text)
    try:
        return written(value.replace(microsecond=0) + timedelta(seconds=value.microsecond >= 500_000))
    except OverflowError:
        raise FunctionProblem("timestamp out of range") from None
