"""References: which row of another table, or which earlier row of the same one, a row points to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.errors import WorldError
from simulator.scenario.models import Column
from simulator.sql.schema import ColumnSchema
from simulator.world.changes import Value
from simulator.world.generation.distributions import WeightedChoice, zipf_weights
from simulator.world.generation.streams import Integers, Stream
from simulator.world.generation.tables.cells import stored_text
from simulator.world.generation.tables.picking import Options, pick_earlier
from simulator.world.generation.tables.rows import TableRows


def eligible_parents(parent: TableRows, keys: Sequence[Value] | None) -> Integers:
    """Positions of the parents that may be referred to: all, or those with the given keys."""
    if keys is None:
        return np.arange(parent.size, dtype=np.int64)
    by_key = parent.by_key()
    return np.sort(np.fromiter((by_key[key] for key in keys), dtype=np.int64, count=len(keys)))


def parent_options(
    model: Column, column: ColumnSchema, parent: TableRows, eligible: Integers, stream: Stream
) -> tuple[Options, Integers]:
    """What a reference picks from, and the parent's position behind each option.

    `zipf` gives the k-th most popular parent a weight of 1/k; which parents are popular is drawn. Weights by key leave
    parents they do not name out.
    """
    if model.choice == "zipf" and eligible.size:
        ranked = eligible[stream.split("popularity").permutation(eligible.size)]
        return Options(ranked.size, WeightedChoice(zipf_weights(ranked.size))), ranked
    if isinstance(model.choice, dict):
        return _weighted(model.choice, column, parent, eligible)
    return Options(eligible.size), eligible


def earlier_rows(model: Column, rows: TableRows, stream: Stream) -> Integers:
    """For each row an earlier row of the table, -1 for the first; with a parent, an earlier row of the same parent.

    So references within a table never run in a circle, and a thread stays within its ticket.
    """
    place = np.arange(rows.size, dtype=np.int64)
    first = np.zeros(rows.size, dtype=np.int64)
    if rows.owner is not None and rows.counts is not None:
        first = (np.cumsum(rows.counts) - rows.counts)[rows.owner]
    picked = pick_earlier(place - first, stream, popular=model.choice == "zipf")
    return np.where(picked < 0, -1, picked + first)


def _weighted(
    weights: dict[str, float], column: ColumnSchema, parent: TableRows, eligible: Integers
) -> tuple[Options, Integers]:
    by_key = parent.by_key()
    allowed = set(eligible.tolist())
    positions: list[int] = []
    kept: list[float] = []
    for text, weight in weights.items():
        try:
            position = by_key.get(stored_text(text, column))
        except ValueError as error:
            raise WorldError(f"the weight of {text!r}: {error}") from error
        if position is None:
            raise WorldError(f"the weights name {text!r}, which is no key of {parent.table.name}")
        if position in allowed and weight > 0:
            positions.append(position)
            kept.append(weight)
    choice = WeightedChoice(kept) if kept else None
    return Options(len(positions), choice), np.asarray(positions, dtype=np.int64)
