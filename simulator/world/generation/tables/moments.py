"""Times of a column: within a window, some time after or before another time, or when a state was entered."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulator.errors import WorldError
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import DurationSource, TimeSource
from simulator.scenario.times import normalise_date, normalise_timestamp, parse_timestamp
from simulator.world.changes import Value
from simulator.world.generation.distributions import Numbers
from simulator.world.generation.streams import Integers, Stream
from simulator.world.generation.tables.rows import Mask, Moments, TableRows
from simulator.world.generation.times import DAY, WeekShape, draw_times, format_dates, format_timestamps

_NEVER = -(2**62)
Lookup = Callable[[str], Moments]
"""The times at a column path (``opened_at``, ``customer.since``), one for each row."""


def bound_seconds(text: str, now: int) -> int:
    """A bound as epoch seconds: ``now``, a moment, a date, or a duration from now. Raises ValueError otherwise."""
    if text == "now":
        return now
    moment = normalise_timestamp(text)
    if moment is not None:
        return parse_timestamp(moment)
    try:
        return now + parse_duration(text)
    except ValueError:
        raise ValueError(
            f"{text[:60]!r} is no bound of a time; write now, a duration such as -30d, a moment or a date"
        ) from None


def is_date(text: str) -> bool:
    """Whether a bound names a whole day."""
    return text != "now" and len(text.strip()) == 10 and normalise_date(text) is not None


def duration_numbers(source: DurationSource) -> Numbers:
    """The distribution of a duration, in seconds. Raises WorldError for parameters that make none."""
    if source.constant is not None:
        return Numbers("constant", (float(parse_duration(source.constant)),), minimum=0.0)
    if source.uniform is not None:
        low, high = (float(parse_duration(text)) for text in source.uniform)
        return Numbers("uniform", (low, high), minimum=0.0)
    if source.exponential is not None:
        return Numbers("exponential", (float(parse_duration(source.exponential)),))
    median, deviation = source.lognormal or ("0s", 1.0)
    return Numbers("lognormal_median", (float(parse_duration(median)), deviation))


def draw_moments(
    source: TimeSource, kind: str, *, size: int, now: int, lookup: Lookup, active: Mask | None, stream: Stream
) -> Moments:
    """The column's times.

    A row whose `after` is NULL has no time: what follows something that never happened has not happened either. A
    `before` that is NULL bounds nothing. A window that ends before it starts is a WorldError where the row is
    ``active`` (None: everywhere).
    """
    unit = DAY if kind == "date" else 1
    absent: Mask = np.zeros(size, dtype=np.bool_)
    low = np.full(size, bound_seconds(source.from_, now) if source.from_ is not None else _NEVER, dtype=np.int64)
    high = np.full(size, bound_seconds(source.to, now) if source.to is not None else now, dtype=np.int64)
    if source.to is not None and is_date(source.to):
        high += DAY - 1  # to the end of that day
    before = high
    if source.after is not None:
        after = lookup(source.after)
        absent = after.absent.copy()
        low = np.maximum(low, np.where(after.absent, _NEVER, after.at))
    if source.before is not None:
        bound = lookup(source.before)
        before = np.where(bound.absent, high, bound.at)
        high = np.minimum(high, before)
    unused = absent if active is None else absent | ~active
    low, high = np.where(unused, 0, low), np.where(unused, 0, high)
    if source.within is not None:
        anchor = low if source.after is not None else np.where(unused, 0, before)
        dwell = duration_numbers(source.within).sample_integers(stream.split("within"), size)
        at = anchor + dwell if source.after is not None else anchor - dwell
        _check_windows(low, high)
        at = np.minimum(np.maximum(at, low), high)
        at = _into_business_hours(at, high) if source.business_hours else at
    else:
        shape = WeekShape.business_hours() if source.business_hours else None
        start = low // unit * unit
        _check_windows(start, high)
        at = draw_times(stream, start, high // unit * unit + unit - 1, shape)
    return Moments(at // unit * unit, absent)


def draw_distinct_moments(source: TimeSource, kind: str, *, size: int, now: int, stream: Stream) -> Moments | None:
    """Times no two of which are equal, for a window that is the same for all rows; None for any other.

    Raises WorldError when the window has too few.
    """
    if source.from_ is None or source.after or source.before or source.business_hours or source.entered:
        return None
    unit = DAY if kind == "date" else 1
    first = bound_seconds(source.from_, now) // unit
    last = (bound_seconds(source.to, now) if source.to is not None else now) // unit
    if last - first + 1 < size:
        raise WorldError(f"there are only {max(last - first + 1, 0):,} different times for {size:,} rows")
    at = (stream.distinct(size, last - first + 1) + first) * unit
    return Moments(at, np.zeros(size, dtype=np.bool_))


def entered_moments(rows: TableRows, states: tuple[str, ...]) -> Moments:
    """When each row last entered one of ``states``; absent where it never did, or where its walk is unknown."""
    walks, starts = rows.walks, rows.starts
    if walks is None or starts is None:
        return Moments(np.zeros(rows.size, dtype=np.int64), np.ones(rows.size, dtype=np.bool_))
    wanted = [number for number, state in enumerate(walks.states) if state in states]
    last = np.full(rows.size, _NEVER, dtype=np.int64)
    if 0 in wanted:  # every walk begins in state 0
        last = np.where(starts.absent, _NEVER, starts.at)
    there = np.isin(walks.target, wanted)
    np.maximum.at(last, walks.entity[there], walks.at[there])
    absent = last == _NEVER
    return Moments(np.where(absent, 0, last), absent)


def moment_values(moments: Moments, kind: str) -> list[Value]:
    """Times as the database stores them."""
    texts = format_dates(moments.at // DAY) if kind == "date" else format_timestamps(moments.at)
    values: list[Value] = list(texts)
    for row in np.flatnonzero(moments.absent).tolist():
        values[row] = None
    return values


def _check_windows(low: Integers, high: Integers) -> None:
    empty = np.flatnonzero(low > high)
    if empty.size:
        row = int(empty[0])
        start, end = format_timestamps(np.asarray([low[row], high[row]]))
        raise WorldError(
            f"{empty.size:,} rows have no possible time; row {row + 1} needs one from {start} to {end}. Let its `to` "
            "or `before` come later, or what it comes after sooner"
        )


def _into_business_hours(at: Integers, latest: Integers) -> Integers:
    """The next business second, or the time itself where that would be too late."""
    shape = WeekShape.business_hours()
    moved = shape.at(shape.elapsed(at))
    return np.where(moved <= latest, moved, at)
