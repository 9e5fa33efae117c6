"""Intervals for what was measured on a sample of episodes, taken as independent.

A share (of successes) gets Wilson's score interval: E. B. Wilson, "Probable inference, the law of succession, and
statistical inference", JASA 22 (1927), 209-212. It stays within [0, 1] and is honest for 0 of n and n of n. A mean gets
the percentile bootstrap: B. Efron, "Bootstrap methods", Annals of Statistics 7 (1979), 1-26; scores are bounded and
lopsided, which a symmetric interval would ignore. Its resamples are drawn from a seeded stream, so equal values give
equal intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

CONFIDENCE_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""

RESAMPLES = 2_000
_TAIL = RESAMPLES // 40
_UNIT = 1_000_000_000
_LARGEST = 10_000
_MOST_VALUES = 500_000


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


def share_interval(hits: int, of: int) -> Interval:
    """The share of ``hits`` and its Wilson interval. Raises ValueError without trials, or for more hits than trials."""
    if not 0 <= hits <= of or of == 0:
        raise ValueError(f"{hits} of {of} is no share")
    share = hits / of
    square = CONFIDENCE_95**2 / of
    centre = (share + square / 2) / (1 + square)
    reach = CONFIDENCE_95 * sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    low = 0.0 if hits == 0 else centre - reach
    high = 1.0 if hits == of else centre + reach
    return Interval(share, low, high)


def mean_interval(values: Sequence[float], *, seed: int = 0) -> Interval:
    """The mean and its bootstrap interval, rounded to a billionth.

    Raises ValueError without values, for more than 500,000, or for one whose size is ten thousand or more.
    """
    if not 0 < len(values) <= _MOST_VALUES:
        raise ValueError(f"a mean is taken of 1 to {_MOST_VALUES:,} values, not of {len(values):,}")
    if not all(-_LARGEST < value < _LARGEST for value in values):
        raise ValueError(f"a mean is taken of values below {_LARGEST:,}")
    # Sums of whole numbers are exact: no processor's order of addition shows in the result.
    scaled = np.array([round(value * _UNIT) for value in values], dtype=np.int64)
    count = len(scaled)
    stream = np.random.Philox(key=seed % 2**64)
    means = sorted(
        int(scaled[(stream.random_raw(count) % count).astype(np.int64)].sum()) / count / _UNIT for _ in range(RESAMPLES)
    )
    mean = int(scaled.sum()) / count / _UNIT
    return Interval(round(mean, 9), round(means[_TAIL], 9), round(means[RESAMPLES - 1 - _TAIL], 9))
