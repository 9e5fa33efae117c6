"""Row changes: what an action did to the database, and what many actions did net.

A change is net within its action: a row inserted and deleted again is no change, and neither is a value set back. A
row that changes its key is a delete and an insert. Numbers are compared by value, so 25 and 25.0 are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from simulator.errors import EngineFault

Value: TypeAlias = int | float | str | bytes | None
Key: TypeAlias = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row inserted, updated or deleted.

    ``key`` holds the primary key's values in key order. ``old`` is the whole row for a delete, the changed columns for
    an update, None for an insert; ``new`` is the whole row for an insert, the changed columns for an update, None for a
    delete.
    """

    table: str
    op: Literal["insert", "update", "delete"]
    key: Key
    old: Mapping[str, Value] | None
    new: Mapping[str, Value] | None


@dataclass(frozen=True, slots=True)
class NetChanges:
    """What a sequence of actions did net, from where it began. Immutable: a fork shares it."""

    _net: Mapping[tuple[str, Key], RowChange] = field(default_factory=dict)

    def merge(self, changes: Iterable[RowChange], *, beside_others: bool = False) -> NetChanges:
        """These changes followed by ``changes``, which one action made.

        With ``beside_others``, somebody whose changes are not among these may have deleted or inserted a row in
        between; that undid the earlier change, and the later one stands alone.

        Raises :class:`EngineFault` when ``changes`` cannot follow, as an insert of a row that is there.
        """
        net = dict(self._net)
        for change in changes:
            place = (change.table, change.key)
            earlier = net.pop(place, None)
            if earlier is None or (beside_others and (earlier.new is None) != (change.old is None)):
                merged: RowChange | None = change
            else:
                merged = _followed(earlier, change)
            if merged is not None:
                net[place] = merged
        return NetChanges(net)

    def rows(self) -> tuple[RowChange, ...]:
        """The net changes, by table name and key."""
        return in_order(self._net.values())


def row_change(
    table: str, key: Key, columns: Sequence[str], old: Sequence[Value] | None, new: Sequence[Value] | None
) -> RowChange | None:
    """The change that took the row at ``key`` from ``old`` to ``new`` (None: no row); None when nothing changed."""
    if old is None:
        return None if new is None else RowChange(table, "insert", key, None, dict(zip(columns, new, strict=True)))
    if new is None:
        return RowChange(table, "delete", key, dict(zip(columns, old, strict=True)), None)
    before: dict[str, Value] = {}
    after: dict[str, Value] = {}
    for column, was, now in zip(columns, old, new, strict=True):
        if was != now:
            before[column] = was
            after[column] = now
    return RowChange(table, "update", key, before, after) if before else None


def in_order(changes: Iterable[RowChange]) -> tuple[RowChange, ...]:
    """``changes`` by table name, then by key: NULL before numbers before text before bytes, as SQLite orders."""
    return tuple(sorted(changes, key=_place))


def _followed(first: RowChange, second: RowChange) -> RowChange | None:
    """One change that does what ``first`` and then ``second`` did."""
    table, key = first.table, first.key
    if first.old is not None and first.new is None and second.old is None and second.new is not None:
        columns = tuple(second.new)  # deleted, then inserted
        return row_change(table, key, columns, tuple(first.old[name] for name in columns), tuple(second.new.values()))
    if first.new is None or second.old is None:
        raise EngineFault(f"The row {key} of {table} was changed by {second.op} after {first.op}.")
    if second.new is None:  # deleted at last
        return None if first.old is None else RowChange(table, "delete", key, {**second.old, **first.old}, None)
    if first.old is None:  # inserted, then updated
        return RowChange(table, "insert", key, None, {**first.new, **second.new})
    old, new = {**second.old, **first.old}, {**first.new, **second.new}
    return row_change(table, key, tuple(old), tuple(old.values()), tuple(new[name] for name in old))


def _place(change: RowChange) -> tuple[str, tuple[tuple[int, Value], ...]]:
    return change.table, tuple((_rank(value), value) for value in change.key)


def _rank(value: Value) -> int:
    if value is None:
        return 0
    if isinstance(value, int | float):
        return 1
    return 2 if isinstance(value, str) else 3
