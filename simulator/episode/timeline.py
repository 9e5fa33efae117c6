"""What the world does by itself: events at clock times, and events that follow something else.

Due events take effect in the order of time, then of declaration, before the agent's next observation; what they
change is the timeline's, never the agent's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Any

from simulator.episode.state import DueEvent
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import ScenarioDocument, TimelineEvent
from simulator.scenario.times import parse_timestamp
from simulator.world import Database, RowChange, StatementFailed, Value

MOST_EVENTS = 1_000
"""The most events of one step (flag ``timeline_limit``); events that set each other off forever stop there."""

MOST_CHANGES = 10_000
"""Once events have changed so many rows in a step, the rest waits for the next (flag ``timeline_limit``)."""

MOST_DUE = 10_000
"""The most events that wait at once; those set off beyond are lost (flag ``timeline_limit``)."""

LIMIT_FLAG = "timeline_limit"
"""The flag of a step in which more was to happen than may."""


@dataclass(frozen=True, slots=True)
class _Event:
    order: int
    name: str
    model: TimelineEvent
    after: int


class Timeline:
    """The timeline of one scenario, ready to run."""

    def __init__(self, document: ScenarioDocument) -> None:
        events = [
            _Event(order, name, model, parse_duration(model.after))
            for order, (name, model) in enumerate(document.world.timeline.items())
        ]
        self._events = {event.name: event for event in events}
        self._triggered = [event for event in events if event.model.when is not None]

    def at_reset(self, start: int) -> tuple[DueEvent, ...]:
        """The events with a time of their own, in order."""
        due = []
        for event in self._events.values():
            if event.model.at is not None:
                moment = (
                    parse_timestamp(event.model.at) if ":" in event.model.at else start + parse_duration(event.model.at)
                )
                due.append(DueEvent(moment, event.order, event.name, {}))
        queue = Queue(())
        queue.add(due)
        return queue.rest()

    def set_off(
        self, database: Database, changes: Sequence[RowChange], now: int, *, most: int, failed: list[str]
    ) -> tuple[DueEvent, ...]:
        """The events that these changes set off, whoever made them, ``most`` at the most. ``database`` shows the state
        after them.

        A condition that cannot be computed on the data does not hold; ``failed`` gets a remark.
        """
        due: list[DueEvent] = []
        for event in self._triggered:
            trigger = event.model.when
            for change in changes:
                if trigger is None or change.table != trigger.table or change.op != trigger.verb:
                    continue
                if trigger.column is not None and trigger.column not in (change.new or {}):
                    continue
                if len(due) >= most or database.exhausted:
                    failed.append(LIMIT_FLAG)
                    return tuple(due)
                old, new = _whole_rows(database, change)
                try:
                    holds = event.model.where is None or database.change_holds(
                        event.model.where, change.table, old, new, {}
                    )
                except StatementFailed:
                    holds = False
                    failed.append(f"timeline_failed:{event.name}")
                if holds:
                    bound = _bindings(database, change, old, new)
                    due.append(DueEvent(now + event.after, event.order, event.name, bound))
        return tuple(due)

    def run(self, database: Database, event: DueEvent) -> None:
        """Carry out an event's effects, inside the recording the caller opened. Raises StatementFailed."""
        for sql in self._events[event.name].model.effects:
            database.write(sql, event.bindings)


class Queue:
    """Events that wait, the next one first: by time, then declaration, then as they were set off.

    Between steps they are kept as a tuple in that order.
    """

    def __init__(self, events: tuple[DueEvent, ...]) -> None:
        self._numbers = count()
        self._heap = [(event.at, event.order, next(self._numbers), event) for event in events]
        self.altered = False

    def __len__(self) -> int:
        return len(self._heap)

    def next(self, now: int) -> DueEvent | None:
        """The event whose turn it is, None when the time of none has come."""
        return self._heap[0][3] if self._heap and self._heap[0][0] <= now else None

    def pop(self) -> DueEvent:
        """Take the next event out."""
        self.altered = True
        return heappop(self._heap)[3]

    def add(self, events: Iterable[DueEvent]) -> None:
        """Let more events wait."""
        for event in events:
            self.altered = True
            heappush(self._heap, (event.at, event.order, next(self._numbers), event))

    def rest(self) -> tuple[DueEvent, ...]:
        """Those that wait still, in order."""
        return tuple(entry[3] for entry in sorted(self._heap))


def _whole_rows(database: Database, change: RowChange) -> tuple[Mapping[str, Value] | None, Mapping[str, Value] | None]:
    if change.op == "delete":
        return change.old, None
    if change.op == "insert":
        return None, change.new
    new = {**(database.row(change.table, change.key) or {}), **(change.new or {})}
    return {**new, **(change.old or {})}, new


def _bindings(
    database: Database, change: RowChange, old: Mapping[str, Value] | None, new: Mapping[str, Value] | None
) -> dict[str, Any]:
    """``:old_<column>`` and ``:new_<column>`` of the row."""
    columns = database.schema.tables[change.table].column_names
    bound: dict[str, Any] = {}
    for prefix, row in (("old", old), ("new", new)):
        bound.update({f"{prefix}_{column}": None if row is None else row.get(column) for column in columns})
    return bound


__all__ = ["LIMIT_FLAG", "MOST_CHANGES", "MOST_DUE", "MOST_EVENTS", "Queue", "StatementFailed", "Timeline"]
