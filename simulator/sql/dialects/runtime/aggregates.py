"""Aggregates SQLite has not, or has for numbers only. Each is a class with ``step`` and ``final``."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

from simulator.sql.dialects.runtime.intervals import Interval, interval
from simulator.sql.dialects.runtime.numbers import exact
from simulator.sql.functions import FunctionProblem

MAX_VALUES = 1_000_000


class Single:
    """The one value of a scalar subquery."""

    def __init__(self) -> None:
        self.value: Any = None
        self.rows = 0

    def step(self, value: Any) -> None:
        """A row."""
        self.rows += 1
        if self.rows > 1:
            raise FunctionProblem("more than one row returned by a subquery used as an expression")
        self.value = value

    def final(self) -> Any:
        """NULL where no row came."""
        return self.value


class _Collected:
    """Keeps all values that are not NULL."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def step(self, value: Any) -> None:
        """A row."""
        if value is not None:
            if len(self.values) >= MAX_VALUES:
                raise FunctionProblem(f"an aggregate over more than {MAX_VALUES:,} values is too much here")
            self.values.append(value)


class Mode(_Collected):
    """The most frequent value, the smallest of several."""

    def final(self) -> Any:
        """NULL for no value."""
        if not self.values:
            return None
        counts = Counter(self.values)
        most = max(counts.values())
        return min(value for value, count in counts.items() if count == most)


class PercentileDisc:
    """The first value at or beyond a fraction of the sorted values."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.fraction: float | None = None
        self.descending = 0

    def step(self, value: Any, fraction: float | None, descending: int) -> None:
        """A row; the fraction and the direction are the same in each."""
        self.fraction, self.descending = fraction, descending
        if value is not None:
            if len(self.values) >= MAX_VALUES:
                raise FunctionProblem(f"an aggregate over more than {MAX_VALUES:,} values is too much here")
            self.values.append(value)

    def _sorted(self) -> list[Any]:
        if self.fraction is not None and not 0 <= self.fraction <= 1:
            raise FunctionProblem(f"percentile value {self.fraction} is not between 0 and 1")
        return sorted(self.values, reverse=bool(self.descending))

    def final(self) -> Any:
        """NULL for no value."""
        values = self._sorted()
        if not values or self.fraction is None:
            return None
        return values[max(math.ceil(exact(self.fraction) * len(values)) - 1, 0)]


class PercentileCont(PercentileDisc):
    """The value at a fraction of the sorted numbers, between two of them if need be."""

    def final(self) -> float | None:
        """NULL for no value."""
        values = self._sorted()
        if not values or self.fraction is None:
            return None
        place = exact(self.fraction) * (len(values) - 1)
        below = math.floor(place)
        above = min(below + 1, len(values) - 1)
        low, high = Fraction(exact(values[below])), Fraction(exact(values[above]))
        return float(low + (high - low) * Fraction(place - below))


class _Spread(_Collected):
    """Sum of squared distances from the mean, exactly."""

    def _variance(self, less: int) -> Fraction | None:
        count = len(self.values)
        if count <= less:
            return None
        numbers = [Fraction(exact(value)) for value in self.values]
        mean = sum(numbers, Fraction()) / count
        return sum(((number - mean) ** 2 for number in numbers), Fraction()) / (count - less)


class SampleVariance(_Spread):
    """``var_samp``."""

    def final(self) -> float | None:
        """NULL for fewer than two values."""
        value = self._variance(1)
        return None if value is None else float(value)


class PopulationVariance(_Spread):
    """``var_pop``."""

    def final(self) -> float | None:
        """NULL for no value."""
        value = self._variance(0)
        return None if value is None else float(value)


class SampleDeviation(_Spread):
    """``stddev_samp``."""

    def final(self) -> float | None:
        """NULL for fewer than two values."""
        value = self._variance(1)
        return None if value is None else math.sqrt(value)


class PopulationDeviation(_Spread):
    """``stddev_pop``."""

    def final(self) -> float | None:
        """NULL for no value."""
        value = self._variance(0)
        return None if value is None else math.sqrt(value)


class Correlation:
    """``corr``."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Fraction, Fraction]] = []

    def step(self, first: float | None, second: float | None) -> None:
        """A row; pairs with a NULL do not count."""
        if first is not None and second is not None:
            if len(self.pairs) >= MAX_VALUES:
                raise FunctionProblem(f"an aggregate over more than {MAX_VALUES:,} values is too much here")
            self.pairs.append((Fraction(exact(first)), Fraction(exact(second))))

    def final(self) -> float | None:
        """NULL where one side does not vary."""
        count = len(self.pairs)
        if not count:
            return None
        mean_first = sum((pair[0] for pair in self.pairs), Fraction()) / count
        mean_second = sum((pair[1] for pair in self.pairs), Fraction()) / count
        spread_first = sum(((pair[0] - mean_first) ** 2 for pair in self.pairs), Fraction())
        spread_second = sum(((pair[1] - mean_second) ** 2 for pair in self.pairs), Fraction())
        together = sum(((a - mean_first) * (b - mean_second) for a, b in self.pairs), Fraction())
        if not spread_first or not spread_second:
            return None
        return float(together) / math.sqrt(spread_first * spread_second)


class IntervalSum(_Collected):
    """The sum of intervals."""

    def final(self) -> str | None:
        """NULL for no value."""
        return str(_total(self.values)) if self.values else None


class IntervalAverage(_Collected):
    """The mean of intervals."""

    def final(self) -> str | None:
        """NULL for no value."""
        return str(_total(self.values).times(Fraction(1, len(self.values)))) if self.values else None


class IntervalLargest(_Collected):
    """The longest interval."""

    def final(self) -> str | None:
        """NULL for no value."""
        return max(self.values, key=lambda value: interval(value).length) if self.values else None


class IntervalSmallest(_Collected):
    """The shortest interval."""

    def final(self) -> str | None:
        """NULL for no value."""
        return min(self.values, key=lambda value: interval(value).length) if self.values else None


def _total(values: list[str]) -> Interval:
    total = Interval()
    for value in values:
        total += interval(value)
    return total


class LargestBy:
    """``MAX_BY(value, by)``: the value of the row with the largest ``by``; the smallest such value of several."""

    sign = 1

    def __init__(self) -> None:
        self.best: tuple[Any, Any] | None = None

    def step(self, value: Any, by: Any) -> None:
        """A row."""
        if by is None:
            return
        if self.best is None or self._beats(by, self.best[1]) or (by == self.best[1] and self._first(value)):
            self.best = (value, by)

    def _beats(self, by: Any, other: Any) -> bool:
        return bool(by > other) if self.sign > 0 else bool(by < other)

    def _first(self, value: Any) -> bool:
        assert self.best is not None  # asked only when there is one  # noqa: S101
        known = self.best[0]
        return value is not None and (known is None or bool(value < known))

    def final(self) -> Any:
        """NULL where no row came."""
        return None if self.best is None else self.best[0]


class SmallestBy(LargestBy):
    """``MIN_BY(value, by)``."""

    sign = -1
