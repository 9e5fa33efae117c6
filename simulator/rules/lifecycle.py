"""Lifecycles as rules: which state changes are legal, and the history they leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.rules.rows import row_name
from simulator.rules.sentences import describe_lifecycle, either, next_states
from simulator.rules.violations import Violation
from simulator.scenario.models import Lifecycle
from simulator.sql.schema import Schema
from simulator.tools.messages import shown
from simulator.tools.verdicts import echo
from simulator.world.changes import RowChange, Value


@dataclass(frozen=True, slots=True)
class LifecycleRule:
    """The state machine of one table's column, judged as the rule ``lifecycle.<table>``."""

    table: str
    column: str
    lifecycle: Lifecycle
    transitions: frozenset[tuple[str, str]]
    title: str

    def judge(self, change: RowChange, *, step: int) -> Violation | None:
        """The violation in a change of this table: a row that begins in another state than the start, or no step.

        NULL is no state. A row that goes, or keeps its state, does nothing illegal.
        """
        move = _move(change, self.column)
        if move is None:
            return None
        old, new = move
        if change.op == "insert":
            if new == self.lifecycle.start:
                return None
            what = f"A new {self.table} must begin as `{self.lifecycle.start}`, not as {_state(new)}."
        elif (old, new) in self.transitions:
            return None
        else:
            following = next_states(self.lifecycle, old if isinstance(old, str) else None)
            hint = f"from there it can only become {either(following)}" if following else "nothing follows that state"
            what = f"A {self.table} cannot go from {_state(old)} to {_state(new)}: {hint}."
        key = ", ".join(shown(value) for value in change.key)
        return Violation(
            f"lifecycle.{self.table}", self.lifecycle.severity, step, row_name(change.table, change.key), what,
            self.lifecycle.illegal == "deny", False, f"{self.title} Not kept: {self.table} {echo(key)}. {what}",
        )  # fmt: skip


def lifecycle_rules(schema: Schema, lifecycles: Mapping[str, Lifecycle]) -> dict[str, LifecycleRule]:
    """The rule of each table that has a lifecycle column, by table."""
    rules = {}
    for table in schema.tables.values():
        column = table.lifecycle_column
        lifecycle = lifecycles.get(column.lifecycle or "") if column is not None else None
        if column is not None and lifecycle is not None:
            rules[table.name] = LifecycleRule(
                table.name, column.name, lifecycle, lifecycle.transitions(), describe_lifecycle(table.name, lifecycle)
            )
    return rules


def history_rows(schema: Schema, changes: Sequence[RowChange]) -> tuple[tuple[str, Value, str, str], ...]:
    """The transitions to append for these changes: (history table, key of the row, from state, to state).

    In the order of the changes. A new row makes no transition, it begins; nor does one whose state is or becomes NULL.
    """
    rows = []
    for change in changes:
        history, table = schema.history_table(change.table), schema.tables.get(change.table)
        column = table.lifecycle_column if table is not None else None
        if history is None or column is None or change.op != "update":
            continue
        move = _move(change, column.name)
        if move is not None and isinstance(move[0], str) and isinstance(move[1], str):
            rows.append((history.name, change.key[0], move[0], move[1]))
    return tuple(rows)


def _move(change: RowChange, column: str) -> tuple[Value, Value] | None:
    """The states before and after, None if the change has nothing to do with the column."""
    if change.new is None or column not in change.new:
        return None
    old = change.old.get(column) if change.old is not None else None
    new = change.new[column]
    return None if change.op == "update" and old == new else (old, new)


def _state(value: Value) -> str:
    return "no state" if value is None else f"`{echo(shown(value))}`"
