"""State machines as generated rows have lived them: the steps that are walked, and the history's rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulator.scenario.models import Lifecycle
from simulator.world.changes import Value
from simulator.world.generation.lifecycle import Step, Walks
from simulator.world.generation.tables.moments import duration_numbers
from simulator.world.generation.tables.rows import Mask, TableRows
from simulator.world.generation.tables.sources import take
from simulator.world.generation.times import format_timestamps


def generated_steps(lifecycle: Lifecycle) -> list[Step]:
    """The steps that happen in generated history: those with a dwell time, one for each state they leave."""
    return [
        Step(origin, step.to, duration_numbers(step.after), step.weight)
        for step in lifecycle.steps
        if step.after is not None
        for origin in ([step.from_] if isinstance(step.from_, str) else step.from_)
    ]


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
