"""How many rows each table gets, and the bounds of a world."""

from __future__ import annotations

import math

import numpy as np

from simulator.errors import WorldError
from simulator.scenario.models import CountSource, DataRows, PerParent, ScenarioDocument, Table
from simulator.world.generation.cardinality import Cardinality, CountChoice, child_counts
from simulator.world.generation.distributions import Numbers
from simulator.world.generation.streams import Integers, Stream

MOST_ROWS = 50_000_000
"""The most rows of a world, histories aside."""
MOST_CELLS = 60_000_000
"""The most cells of one table, which is made in memory: some 4 GB."""
MOST_SCALE = 100_000.0


def estimate_rows(document: ScenarioDocument, scale: float = 1.0) -> dict[str, int]:
    """How many rows each table will have, about: exact for counts and written rows, the mean for children.

    Histories count as empty. Raises WorldError for a scale that is not a positive number up to 100,000.
    """
    check_scale(scale)
    estimates: dict[str, int] = {}

    def estimate(name: str, below: frozenset[str]) -> int:
        table = document.world.tables.get(name)
        if table is None or name in below:
            return 0
        if name not in estimates:
            if isinstance(table.rows, PerParent):
                parents = estimate(table.rows.per, below | {name})
                estimates[name] = math.ceil(parents * _mean(table.rows.count))
            else:
                estimates[name] = written_or_scaled(table, scale)
        return estimates[name]

    return {name: estimate(name, frozenset()) for name in document.world.tables}


def check_size(document: ScenarioDocument, scale: float) -> dict[str, int]:
    """The estimate. Raises WorldError when a world of this size would not be made."""
    estimates = estimate_rows(document, scale)
    total = sum(estimates.values())
    if total > MOST_ROWS:
        largest = max(estimates, key=lambda name: estimates[name])
        raise WorldError(
            f"The world would have about {total:,} rows ({estimates[largest]:,} of them in {largest}); at most "
            f"{MOST_ROWS:,} are made. Lower `rows`, `count` or the scale ({scale:g})."
        )
    for name, rows in estimates.items():
        check_cells(name, rows, len(document.world.tables[name].columns))
    return estimates


def check_cells(table: str, rows: int, columns: int) -> None:
    """Raises WorldError for a table too large to be made in memory."""
    if rows * columns > MOST_CELLS:
        raise WorldError(
            f"{table} would have {rows * columns:,} cells ({rows:,} rows of {columns} columns); "
            f"a table has at most {MOST_CELLS:,}."
        )


def check_scale(scale: float) -> None:
    """Raises WorldError unless the scale is a positive number up to 100,000."""
    if not (math.isfinite(scale) and 0 < scale <= MOST_SCALE):
        raise WorldError(f"The scale must be a number above 0 and at most {MOST_SCALE:,.0f}, not {scale!r}.")


def written_or_scaled(table: Table, scale: float) -> int:
    """The rows of a table that has no parent to follow. Scaled counts round half up, and some rows stay some."""
    if isinstance(table.rows, list):
        return len(table.rows)
    if isinstance(table.data, DataRows):
        return len(table.data.rows)
    if not isinstance(table.rows, int):
        return 0
    if not table.scales or not table.rows:
        return table.rows
    return max(1, math.floor(table.rows * scale + 0.5))


def draw_child_counts(count: int | CountSource, stream: Stream, parents: int) -> Integers:
    """How many rows each parent has. Raises WorldError when there would be more than a world may have."""
    if isinstance(count, int):
        return child_counts(count, stream, parents, most=MOST_ROWS)
    if count.pareto is not None:
        # Rounded down, where a quantile as an integer would round to the nearest.
        values = np.floor(Numbers("pareto", count.pareto).quantile(stream.uniform(parents)))
        counts = np.minimum(values, float(MOST_ROWS + 1)).astype(np.int64)
    else:
        counts = child_counts(_cardinality(count), stream, parents, most=MOST_ROWS)
    if count.min is not None:
        counts = np.maximum(counts, count.min)
    if count.max is not None:
        counts = np.minimum(counts, count.max)
    if counts.size and (int(counts.max()) > MOST_ROWS or int(counts.sum()) > MOST_ROWS):
        raise WorldError(f"{parents} parents would have more than {MOST_ROWS:,} children; lower the count per parent")
    return counts


def _cardinality(count: CountSource) -> Cardinality:
    if count.poisson is not None:
        return Numbers("poisson", (count.poisson,))
    if count.uniform is not None:
        return Numbers("uniform", (float(count.uniform[0]), float(count.uniform[1])))
    choice = count.choice or {}
    return CountChoice(tuple(map(int, choice)), tuple(choice.values()))


def _mean(count: int | CountSource) -> float:
    if isinstance(count, int):
        return count
    if count.poisson is not None:
        mean = count.poisson
    elif count.uniform is not None:
        mean = (count.uniform[0] + count.uniform[1]) / 2
    elif count.choice is not None:
        weight = sum(count.choice.values())
        mean = sum(int(key) * value for key, value in count.choice.items()) / weight if weight else 0.0
    else:
        shape, smallest = count.pareto or (2.0, 0.0)
        mean = smallest * shape / (shape - 1) if shape > 1 else float(count.max or MOST_ROWS)
    low, high = count.min or 0, count.max if count.max is not None else MOST_ROWS
    return min(max(mean, low), high)
