"""What the tables `action` and `change` show of an episode."""

from __future__ import annotations

import json
from collections.abc import Iterable

from simulator.episode.state import SourcedChange
from simulator.rules import ActionEvent
from simulator.tools import WAIT
from simulator.world import Value

LogRow = tuple[Value, ...]

REPLAYED = "replayed"
"""The code, in `action`, of a successful call that an idempotency key of an earlier one answered."""


def judged(events: tuple[ActionEvent, ...]) -> tuple[ActionEvent, ...]:
    """The actions that process rules look at.

    Repeating a request under its idempotency key is not doing it again. A call that a fault kept from taking effect has
    not happened, and the waiting that follows it is part of trying again; one that took effect has happened.
    """
    seen: list[ActionEvent] = []
    retrying = False
    for event in events:
        if event.kind == "fault":
            retrying = True
            if event.took_effect:
                seen.append(event)
            continue
        if retrying and event.tool == WAIT:
            continue
        retrying = False
        if not (event.ok and event.code == REPLAYED):
            seen.append(event)
    return tuple(seen)


def _outcome(event: ActionEvent) -> str:
    """``ok`` for what happened, whatever the agent was told; ``fault`` for what a fault prevented."""
    return "ok" if event.happened else "fault" if event.kind == "fault" else "error"


def action_rows(events: Iterable[ActionEvent]) -> tuple[LogRow, ...]:
    """One row an action: step, turn, tool, arguments, outcome, code, result, at."""
    return tuple(
        (
            event.step,
            event.turn,
            event.tool,
            json.dumps(event.arguments, ensure_ascii=False, separators=(",", ":")),
            _outcome(event),
            event.code,
            event.result,
            event.at,
        )
        for event in events
    )


def change_rows(changes: Iterable[SourcedChange]) -> tuple[LogRow, ...]:
    """One row a changed cell: step, source, table_name, key, op, column_name, old, new."""
    rows: list[LogRow] = []
    for item in changes:
        change = item.change
        old, new = change.old or {}, change.new or {}
        key = json.dumps(list(change.key), ensure_ascii=False, separators=(",", ":"))
        rows += (
            (item.step, item.source, change.table, key, change.op, column, old.get(column), new.get(column))
            for column in (new or old)
        )
    return tuple(rows)
