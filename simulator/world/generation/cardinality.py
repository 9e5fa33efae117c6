"""How many children each parent has: a number, a distribution or weighted counts, 0 included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.errors import WorldError
from simulator.world.generation.distributions import Numbers, WeightedChoice
from simulator.world.generation.streams import Integers, Stream


@dataclass(frozen=True, slots=True)
class CountChoice:
    """One of ``counts`` with the probability its weight gives: ``{0: 30, 1: 60, 2: 10}``."""

    counts: tuple[int, ...]
    weights: tuple[float, ...]


Cardinality = int | Numbers | CountChoice


def child_counts(cardinality: Cardinality, stream: Stream, parents: int, *, most: int) -> Integers:
    """The number of children of each of ``parents`` parents, none below 0.

    ``most`` bounds the sum: WorldError when there would be more children than that, or a count is negative.
    """
    if isinstance(cardinality, int):
        counts = np.full(parents, cardinality, dtype=np.int64)
    elif isinstance(cardinality, CountChoice):
        if len(cardinality.counts) != len(cardinality.weights):
            raise WorldError("every count needs one weight")
        positions = WeightedChoice(cardinality.weights).sample(stream, parents)
        counts = np.asarray(cardinality.counts, dtype=np.int64)[positions]
    else:
        counts = np.maximum(cardinality.sample_integers(stream, parents), 0)
    if np.any(counts < 0):
        raise WorldError("a parent cannot have a negative number of children")
    if np.any(counts > most) or int(counts.sum()) > most:
        raise WorldError(f"{parents} parents would have more than {most} children; lower the count per parent")
    return counts


def parent_positions(counts: Integers) -> Integers:
    """For each child, in parent order, the position of its parent: [2, 0, 1] gives [0, 0, 2]."""
    return np.repeat(np.arange(counts.size, dtype=np.int64), counts)
