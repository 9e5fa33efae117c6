"""What the world does by itself: events at clock times, and events that follow something else.

Due events take effect in the order of time, then of declaration, before the agent's next observation; what they
change is the timeline's, never the agent's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.episode.state import DueEvent
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import ScenarioDocument, TimelineEvent
from simulator.scenario.times import parse_timestamp
from simulator.world import Database, RowChange, StatementFailed, Value

MOST_EVENTS = 1_000
"""The most events of one step (flag ``timeline_limit``); events that set each other off forever stop there."""


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
        return tuple(sorted(due, key=_place))

    def set_off(
        self, database: Database, changes: Sequence[RowChange], now: int, *, failed: list[str]
    ) -> tuple[DueEvent, ...]:
        """The events that these changes set off, whoever made them. ``database`` shows the state after them.

        A condition that cannot be computed on the data does not hold; ``failed`` gets a remark.
        """
        due = []
        for event in self._triggered:
            trigger = event.model.when
            for change in changes:
                if trigger is None or change.table != trigger.table or change.op != trigger.verb:
                    continue
                if trigger.column is not None and trigger.column not in (change.new or {}):
                    continue
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


def next_due(due: Sequence[DueEvent], now: int) -> DueEvent | None:
    """The first of the events whose time has come, None when none has."""
    ready = [event for event in due if event.at <= now]
    return min(ready, key=_place) if ready else None


def _place(event: DueEvent) -> tuple[int, int]:
    return event.at, event.order


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


__all__ = ["MOST_EVENTS", "StatementFailed", "Timeline", "next_due"]
