"""State machines as generated rows have lived them: the steps that are walked, and the history's rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from simulator.scenario.models import Lifecycle
from simulator.world.changes import Value
from simulator.world.generation.lifecycle import NEVER, Step, Walks
from simulator.world.generation.tables.moments import duration_numbers
from simulator.world.generation.tables.rows import Mask, Moments, TableRows
from simulator.world.generation.tables.sources import take
from simulator.world.generation.times import format_timestamps


def generated_steps(lifecycle: Lifecycle, moments: Callable[[str], Moments]) -> list[Step]:
    """The steps that happen in generated history, one for each state they leave: those with a dwell time or a moment.

    ``moments`` gives the times in a column of the rows.
    """
    steps: list[Step] = []
    for step in lifecycle.steps:
        origins = [step.from_] if isinstance(step.from_, str) else step.from_
        if step.after is not None:
            after = duration_numbers(step.after)
            steps += [Step(origin, step.to, after, step.weight) for origin in origins]
        elif step.at is not None:
            found = moments(step.at)
            at = np.where(found.absent, NEVER, found.at)
            steps += [Step(origin, step.to, at=at) for origin in origins]
    return steps


def without_walks_of(walks: Walks, written: Mask) -> Walks:
    """The walks without those of rows whose state was written: nobody knows how they came there."""
    kept = ~written[walks.entity]
    return replace(
        walks, entity=walks.entity[kept], source=walks.source[kept], target=walks.target[kept], at=walks.at[kept]
    )


def history_columns(rows: TableRows) -> list[list[Value]]:
    """The columns of a history table: id, the row's key, states left and entered, when; in order of time, then row."""
    walks = rows.walks
    if walks is None:
        return [[], [], [], [], []]
    order = np.argsort(walks.at, kind="stable")  # walks stand by row already
    states = list(walks.states)
    return [
        list(range(1, order.size + 1)),
        take(rows.keys(), walks.entity[order]),
        take(states, walks.source[order]),
        take(states, walks.target[order]),
        list(format_timestamps(walks.at[order])),
    ]
