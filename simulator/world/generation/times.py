"""Times of a whole column: drawn within bounds, shaped by the hours of the week, written as text.

Times are whole seconds since 1970-01-01 00:00:00 UTC; no time zone or wall clock is involved.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from simulator.errors import WorldError
from simulator.world.generation.streams import Integers, Stream

Text: TypeAlias = npt.NDArray[np.uint8]  # one row of ASCII characters per value

HOUR = 3600
DAY = 24 * HOUR
_WEEK = 7 * DAY
_MONDAY = -3 * DAY  # 1969-12-29, the Monday before the epoch
_FIRST_SECOND = -62_135_596_800  # 0001-01-01 00:00:00
_LAST_SECOND = 253_402_300_799  # 9999-12-31 23:59:59
_DAYTIME = (1, 1, 1, 1, 1, 2, 4, 8, 12, 14, 14, 13, 12, 13, 14, 14, 13, 12, 10, 9, 8, 6, 4, 2)


class WeekShape:
    """How likely each of the 168 hours of a week is, from Monday 00:00 UTC; an hour of weight 0 never occurs.

    Weights count to a thousandth. Raises WorldError unless there are 168, none negative and one positive.
    """

    __slots__ = ("_cumulative", "_total", "_weights")

    def __init__(self, weights: Sequence[float]) -> None:
        if len(weights) != 168 or not all(0 <= weight <= 1e6 for weight in weights):
            raise WorldError("a week has 168 hourly weights from 0 to 1,000,000")
        self._weights: Integers = np.asarray([int(weight * 1000 + 0.5) for weight in weights], dtype=np.int64)
        self._cumulative: Integers = np.concatenate(([0], np.cumsum(self._weights * HOUR))).astype(np.int64)
        self._total = int(self._cumulative[-1])
        if not self._total:
            raise WorldError("at least one hour of the week needs a positive weight")

    @classmethod
    def business_hours(cls, start: int = 8, end: int = 18, days: Collection[int] = (0, 1, 2, 3, 4)) -> WeekShape:
        """Equal weight from ``start`` to before ``end`` o'clock on ``days`` (Monday is 0), nothing outside."""
        return cls([float(day in days and start <= hour < end) for day in range(7) for hour in range(24)])

    @classmethod
    def daytime(cls) -> WeekShape:
        """Every hour possible, most in the day, a third as much at weekends: how consumers order and write."""
        return cls([weight / (3 if day >= 5 else 1) for day in range(7) for weight in _DAYTIME])

    def elapsed(self, at: Integers) -> Integers:
        """Weighted seconds from the epoch's Monday to ``at``: grows only within hours that have weight."""
        week, second = np.divmod(at - _MONDAY, _WEEK)
        cell, rest = np.divmod(second, HOUR)
        return np.asarray(week * self._total + self._cumulative[cell] + rest * self._weights[cell], dtype=np.int64)

    def at(self, elapsed: Integers) -> Integers:
        """The inverse of :meth:`elapsed`: the second in which that weight is spent."""
        week, rest = np.divmod(elapsed, self._total)
        cell = np.searchsorted(self._cumulative, rest, side="right") - 1
        second = (rest - self._cumulative[cell]) // self._weights[cell]
        return np.asarray(week * _WEEK + cell * HOUR + second + _MONDAY, dtype=np.int64)


def draw_times(stream: Stream, after: Integers, before: Integers, shape: WeekShape | None = None) -> Integers:
    """One time in [after[i], before[i]] for each i, both ends included.

    With a shape, times follow its weights; a window that holds none of its hours (a weekend, for business hours)
    is drawn from evenly. Raises WorldError when a window ends before it starts.
    """
    empty = np.flatnonzero(after > before)
    if empty.size:
        row = int(empty[0])
        start, end = format_timestamps(np.asarray([after[row], before[row]]))
        raise WorldError(f"row {row + 1} needs a time between {start} and {end}, which is no time at all")
    if shape is None:
        return stream.integers(after.size, after, before + 1)
    low, high = shape.elapsed(after), shape.elapsed(before + 1)
    inside = high > low
    shaped = stream.integers(after.size, np.where(inside, low, 0), np.where(inside, high, 1))
    even = stream.split("even").integers(after.size, after, before + 1)
    return np.where(inside, shape.at(shaped), even)


def format_timestamps(at: Integers) -> list[str]:
    """``YYYY-MM-DD HH:MM:SS`` for each epoch second. Raises WorldError outside the years 1 to 9999."""
    _check_range(at, 1)
    days, seconds = np.divmod(at, DAY)
    text = _blank(at.size, b"0000-00-00 00:00:00\n")
    text[:, :10] = _dates(days)
    text[:, 11:19] = _clock_faces()[seconds]
    return _lines(text)


def format_dates(days: Integers) -> list[str]:
    """``YYYY-MM-DD`` for each day counted from 1970-01-01. Raises WorldError outside the years 1 to 9999."""
    _check_range(days, DAY)
    text = _blank(days.size, b"0000-00-00\n")
    text[:, :10] = _dates(days)
    return _lines(text)


_PAIRS: Text = np.frombuffer(b"".join(b"%02d" % n for n in range(100)), dtype=np.uint8).reshape(100, 2)


def _check_range(values: Integers, unit: int) -> None:
    if values.size and (values.min() < _FIRST_SECOND // unit or values.max() > _LAST_SECOND // unit):
        raise WorldError("a time lies outside the years 1 to 9999; check the distribution or window it comes from")


def _blank(n: int, line: bytes) -> Text:
    return np.tile(np.frombuffer(line, dtype=np.uint8), (n, 1))


def _lines(text: Text) -> list[str]:
    return text.tobytes().decode("ascii").split("\n")[:-1]


@lru_cache(maxsize=1)
def _clock_faces() -> Text:
    """HH:MM:SS for every second of a day."""
    seconds = np.arange(DAY, dtype=np.int64)
    text = _blank(DAY, b"00:00:00")
    for column, value in ((0, seconds // HOUR), (3, seconds // 60 % 60), (6, seconds % 60)):
        text[:, column : column + 2] = _PAIRS[value]
    return text


def _dates(days: Integers) -> Text:
    """YYYY-MM-DD for every day; a table of the days between the first and the last serves dense columns."""
    if not days.size:
        return _blank(0, b"0000-00-00")
    first, last = int(days.min()), int(days.max())
    if last - first < days.size:
        return _civil_dates(np.arange(first, last + 1, dtype=np.int64))[days - first]
    return _civil_dates(days)


def _civil_dates(days: Integers) -> Text:
    """Civil date from a day number (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms")."""
    shifted = days + 719_468  # days since 0000-03-01
    era, day_of_era = np.divmod(shifted, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    march_month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * march_month + 2) // 5 + 1
    month = np.where(march_month < 10, march_month + 3, march_month - 9)
    year = year_of_era + era * 400 + (month <= 2)
    century, rest = np.divmod(year, 100)
    text = _blank(days.size, b"0000-00-00")
    for column, value in ((0, century), (2, rest), (5, month), (8, day)):
        text[:, column : column + 2] = _PAIRS[value]
    return text
