"""Picking among a limited number of things, for a whole column: freely, each once, or each once within a parent.

What must be different is different by construction; a draw is never repeated until it happens to fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.errors import WorldError
from simulator.world.generation.arithmetic import exp, log
from simulator.world.generation.distributions import WeightedChoice
from simulator.world.generation.streams import Integers, Stream

_FEW = 64
"""Parents with at most so many children are served all at once; the work grows with the square of it."""
_ROUNDS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """``size`` things to pick from, equally likely unless ``weights`` (for all of them) say otherwise."""

    size: int
    weights: WeightedChoice | None = None

    def pick(self, stream: Stream, n: int) -> Integers:
        """``n`` positions below ``size``, repeats allowed."""
        if self.weights is not None:
            return self.weights.sample(stream, n)
        return stream.integers(n, 0, self.size)

    def pick_distinct(self, stream: Stream, n: int) -> Integers:
        """``n`` different positions. Raises WorldError when there are fewer."""
        if n > self.size:
            raise WorldError(f"there are only {self.size:,} different values for {n:,} rows")
        if self.weights is None:
            return stream.distinct(n, self.size)
        return _distinct(n, self.size, self.pick, stream)


def pick_within_parents(options: Options, counts: Integers, stream: Stream) -> Integers:
    """For the children of each parent, in parent order, positions that differ within the parent.

    No count may exceed ``options.size``. With weights, popular things are met first; a parent with nearly as many
    children as there are things takes what is left.
    """
    starts = np.cumsum(counts) - counts
    picked = np.zeros(int(counts.sum()), dtype=np.int64)
    _pick_for_few(options, counts, starts, picked, stream)
    for parent in np.flatnonzero(counts > _FEW).tolist():
        start, count = int(starts[parent]), int(counts[parent])
        picked[start : start + count] = options.pick_distinct(stream.split(f"parent:{parent}"), count)
    return picked


def pick_combinations(options: Sequence[Options], n: int, stream: Stream) -> list[Integers]:
    """``n`` rows of one position each of ``options``, no two rows alike. Raises WorldError when there are too few."""
    combinations = 1
    for option in options:
        combinations *= option.size
    if n > combinations or combinations > 2**62:
        raise WorldError(f"there are only {combinations:,} different combinations for {n:,} rows")

    def draw(stream: Stream, count: int) -> Integers:
        code = np.zeros(count, dtype=np.int64)
        for number, option in enumerate(options):
            code = code * option.size + option.pick(stream.split(str(number)), count)
        return code

    code = _distinct(n, combinations, draw, stream)
    columns: list[Integers] = []
    for option in reversed(options):
        code, position = np.divmod(code, option.size)
        columns.append(position)
    return columns[::-1]


def pick_earlier(earlier: Integers, stream: Stream, *, popular: bool) -> Integers:
    """For each row a position below ``earlier[i]``, -1 where that is 0; with ``popular`` the first are picked most."""
    luck = stream.uniform(earlier.size)
    reach = np.maximum(earlier, 1).astype(np.float64)
    # log-uniform: the k-th is picked in proportion to 1/k, nearly
    position = np.floor(exp(luck * log(reach + 1.0))) - 1.0 if popular else np.floor(luck * reach)
    return np.where(earlier > 0, np.minimum(position.astype(np.int64), earlier - 1), -1)


def _pick_for_few(options: Options, counts: Integers, starts: Integers, picked: Integers, stream: Stream) -> None:
    """Fill in the children of parents that have few: the first child of every parent, then the second, and so on."""
    parents = np.flatnonzero((counts > 0) & (counts <= _FEW))
    if not parents.size:
        return
    most = int(counts[parents].max())
    taken = np.full((counts.size, most), options.size, dtype=np.int64)  # sorted within a row
    for k in range(most):
        parents = parents[counts[parents] > k]
        before = taken[parents]
        step = stream.split(f"child:{k}")
        luck = step.uniform(counts.size)[parents]
        value = np.floor(luck * (options.size - k)).astype(np.int64)
        for j in range(k):  # the value-th of those not taken
            value += value >= before[:, j]
        if options.weights is not None:
            value = _weighted(options.weights, before[:, :k], value, parents, counts.size, step)
        picked[starts[parents] + k] = value
        before[:, k] = value
        before[:, : k + 1].sort(axis=1)
        taken[parents] = before


def _weighted(
    weights: WeightedChoice, taken: Integers, fallback: Integers, parents: Integers, size: int, stream: Stream
) -> Integers:
    """A weighted pick that is not taken; the fallback where several picks in a row are."""
    value = fallback.copy()
    open_ = np.ones(parents.size, dtype=np.bool_)
    for attempt in range(_ROUNDS):
        if not open_.any():
            break
        candidate = weights.pick(stream.split(f"attempt:{attempt}").uniform(size)[parents])
        fits = open_ & ~(taken == candidate[:, None]).any(axis=1)
        value[fits] = candidate[fits]
        open_ &= ~fits
    return value


def _distinct(n: int, size: int, draw: Callable[[Stream, int], Integers], stream: Stream) -> Integers:
    """``n`` different numbers below ``size``, first as ``draw`` gives them, then whatever is left.

    Drawing stops being worth it when few new numbers come; the rest comes from a permutation of all of them, so
    the work is bounded whatever the weights.
    """
    found = np.zeros(0, dtype=np.int64)
    for number in range(_ROUNDS):
        if found.size >= n:
            break
        found = _first_of_each(np.concatenate((found, draw(stream.split(f"round:{number}"), n - found.size))))
    rest, walked = stream.split("rest"), 0
    while found.size < n:
        block = min(max(2 * (n - found.size), 1024), size - walked)
        found = _first_of_each(np.concatenate((found, rest.distinct(block, size, start=walked))))
        walked += block
    return found[:n]


def _first_of_each(values: Integers) -> Integers:
    """The different values, in the order of their first appearance."""
    _, first = np.unique(values, return_index=True)
    return values[np.sort(first)]
