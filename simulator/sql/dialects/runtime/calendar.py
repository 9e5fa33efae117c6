"""Times by units, as warehouses count them: boundaries crossed, whole units passed, beginnings and ends.

A unit is ``microsecond``, ``millisecond``, ``second``, ``minute``, ``hour``, ``day``, ``week``, ``month``, ``quarter``,
``year`` or ``isoyear``; a week begins on Monday, ``week:6`` on Sunday (the number is Python's of the weekday).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from simulator.sql.dialects.runtime.documents import MAX_ELEMENTS, as_array
from simulator.sql.dialects.runtime.intervals import DAY, SECOND, Interval
from simulator.sql.dialects.runtime.times import moment, shifted, written
from simulator.sql.functions import FunctionProblem

_MICROS = {
    "microsecond": 1, "millisecond": 1000, "second": SECOND, "minute": 60 * SECOND, "hour": 3600 * SECOND, "day": DAY,
}  # fmt: skip
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_MICROSECOND = timedelta(microseconds=1)


def span(unit: str, count: int) -> Interval:
    """So many units as an interval."""
    if unit in _MONTHS:
        return Interval(months=_MONTHS[unit] * count)
    if unit.startswith("week"):
        return Interval(days=7 * count)
    return Interval(days=count) if unit == "day" else Interval(micros=_MICROS[unit] * count)


def moved(unit: str, count: int, text: str) -> str:
    """A point in time later by so many units; the last of a month stays within the month."""
    return written(shifted(moment(text), span(unit, count)))


def moved_date(unit: str, count: int, text: str) -> str:
    """A date later by so many units."""
    return moved(unit, count, text)[:10]


def _start(unit: str, value: datetime) -> datetime:
    midnight = value.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit.startswith("week"):
        first = int(unit.partition(":")[2] or 0)
        try:
            return midnight - timedelta(days=(value.weekday() - first) % 7)
        except OverflowError:
            raise FunctionProblem("timestamp out of range") from None
    if unit == "isoyear":
        iso = value.isocalendar()
        return datetime.fromisocalendar(iso.year, 1, 1)
    if unit in _MONTHS:
        months = _MONTHS[unit]
        return midnight.replace(day=1, month=(value.month - 1) // months * months + 1)
    micros = (value - midnight) // _MICROSECOND
    return midnight + timedelta(microseconds=micros - micros % _MICROS[unit])


def start_of(unit: str, text: str) -> str:
    """The beginning of the unit a point in time is in."""
    return written(_start(unit, moment(text)))


def last_of(unit: str, text: str) -> str:
    """The last day of the unit a point in time is in."""
    first = _start(unit, moment(text))
    return written(shifted(shifted(first, span(unit, 1)), Interval(days=-1)))[:10]


def boundaries(unit: str, earlier: str, later: str) -> int:
    """How many beginnings of units lie between two points in time, negative if they come the other way round."""
    first, second = _start(unit, moment(earlier)), _start(unit, moment(later))
    if unit in _MONTHS:
        return ((second.year - first.year) * 12 + second.month - first.month) // _MONTHS[unit]
    if unit == "isoyear":
        return moment(later).isocalendar().year - moment(earlier).isocalendar().year
    size = 7 * DAY if unit.startswith("week") else _MICROS[unit]
    return (second - first) // _MICROSECOND // size


def whole_units(unit: str, later: str, earlier: str) -> int:
    """How many whole units of a fixed length lie between two points in time, cut towards zero."""
    micros = (moment(later) - moment(earlier)) // _MICROSECOND
    whole = abs(micros) // _MICROS[unit]
    return whole if micros >= 0 else -whole


def _steps(start: str, stop: str, count: int, unit: str) -> list[str]:
    if count == 0:
        raise FunctionProblem("the step cannot be 0")
    first, last = moment(start), moment(stop)
    found: list[str] = []
    while True:
        value = shifted(first, span(unit, count * len(found)))
        if value > last if count > 0 else value < last:
            return found
        if len(found) >= MAX_ELEMENTS:
            raise FunctionProblem(f"an array of more than {MAX_ELEMENTS:,} elements is too long here")
        found.append(written(value))


def dates(start: str, stop: str, count: int, unit: str) -> str:
    """The dates from ``start`` to ``stop``, so many units apart, as an array."""
    return as_array([text[:10] for text in _steps(start, stop, count, unit)])


def times(start: str, stop: str, count: int, unit: str) -> str:
    """The points in time from ``start`` to ``stop``, so many units apart, as an array."""
    return as_array(_steps(start, stop, count, unit))
