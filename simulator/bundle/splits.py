"""Which worlds a split's tasks come from: world seeds are split too, so that no world is trained and tested in."""

from __future__ import annotations

from simulator.scenario.python_values import whole_number
from simulator.tasks import SPLITS

_FIRST = (0, 10_000, 20_000)
"""The first seed of each split; the last range has no end."""


def split_of_seed(seed: int) -> str:
    """The split whose tasks a bundle draws from the world of ``seed``.

    Raises UsageError for what is no seed.
    """
    number = whole_number("seed", seed)
    return next(split for split, first in zip(reversed(SPLITS), reversed(_FIRST), strict=True) if number >= first)
