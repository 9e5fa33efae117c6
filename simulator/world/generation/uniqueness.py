"""Unique values by construction: walk a random permutation of everything there is, and say so when it is not enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from simulator.errors import WorldError
from simulator.world.generation.streams import Integers, Stream

Render = Callable[[Integers], list[str]]
"""Texts of positions; two positions may share a text."""


def unique_positions(stream: Stream, n: int, size: int, render: Render, *, what: str, seen: set[str]) -> Integers:
    """``n`` positions in [0, size) whose texts differ from each other and from ``seen``, to which they are added.

    Positions whose text occurred before are skipped, so the walk ends after ``size`` positions at most. Raises
    WorldError naming ``what`` when there are fewer than ``n`` texts.
    """
    chosen: list[int] = []
    walked = 0
    while len(chosen) < n:
        block = min(n - len(chosen) + 16, size - walked)
        if not block:
            raise WorldError(
                f"{what} has only {len(chosen)} different values where {n} rows must be unique: "
                "ask for fewer rows, drop `unique`, or add a locale or another column to a template"
            )
        positions = stream.distinct(block, size, start=walked)
        walked += block
        for position, text in zip(positions.tolist(), render(positions), strict=True):
            if text not in seen:
                seen.add(text)
                chosen.append(position)
                if len(chosen) == n:
                    break
    return np.asarray(chosen, dtype=np.int64)


def unique_choices(stream: Stream, n: int, values: Sequence[str], *, what: str) -> list[str]:
    """``n`` different values of a list, in random order. Raises WorldError when the list is too short."""

    def render(positions: Integers) -> list[str]:
        return [values[position] for position in positions.tolist()]

    return render(unique_positions(stream, n, len(values), render, what=what, seen=set()))


def number_repeats(stems: Sequence[str], endings: Sequence[str]) -> list[str]:
    """``stem + ending``, where the second row with the same text gets ``stem2``, the third ``stem3`` and so on.

    No two results are equal, because no stem ends in a digit and no ending starts with one (ValueError otherwise).
    """
    counts: dict[str, int] = {}
    results: list[str] = []
    for stem, ending in zip(stems, endings, strict=True):
        text = stem + ending
        count = counts.get(text, 0) + 1
        counts[text] = count
        results.append(text if count == 1 else f"{stem}{count}{ending}")
    if any(stem[-1:].isdigit() for stem in set(stems)) or any(ending[:1].isdigit() for ending in set(endings)):
        raise ValueError("a stem ends or an ending starts with a digit")
    return results
