"""Whether two episodes changed the world alike.

Net row changes are compared table by table. Keys that the world made up in the episode, and references to them, compare
up to renaming: there must be a one-to-one renaming of the rows inserted on one side to those on the other under which
everything is equal. That is labelled graph isomorphism; colour refinement (Weisfeiler and Leman, 1968) settles what
occurs in practice, and a bounded search with backtracking the rest.

Two moments since the start that lie no further apart than the episodes lasted count as equal: values of `now()` differ
by no more, and neither do moments derived from it. A moment that the solution names in a call is no such moment; it
must be met exactly.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from simulator.scenario.canonical import canonical_json
from simulator.scenario.models import ConditionalEffect, Operation, ScenarioDocument
from simulator.scenario.times import parse_date, parse_timestamp
from simulator.sql.schema import ColumnSchema, Schema
from simulator.world.changes import Key, NetChanges, RowChange, Value

SEARCH_BUDGET = 20_000
"""The most pairs of rows compared beyond the first try; changes that need more count as different."""

_DAY = 86_400
_ROUNDS = 6  # of refinement: as far as references reach from one new row to another

Row = tuple[str, Key]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changes are compared by. ``generated`` names the tables whose keys the world makes up.

    ``started_at`` is the world's time as the task began, ``elapsed`` how long the longer of the two episodes lasted,
    both in seconds. ``told`` are the moments and dates that the solution's calls name, in the world's form. With
    ``exact`` everything is compared to the letter.
    """

    schema: Schema
    generated: frozenset[str]
    started_at: int
    elapsed: int
    exact: bool = False
    told: frozenset[str] = frozenset()


def same_changes(mine: NetChanges, theirs: NetChanges, comparison: Comparison) -> bool:
    """Whether the net changes are equal. History tables are left out: only the engine writes them."""
    histories = comparison.schema.history_tables()
    left = [change for change in mine.rows() if change.table not in histories]
    right = [change for change in theirs.rows() if change.table not in histories]
    if Counter((change.table, change.op) for change in left) != Counter((change.table, change.op) for change in right):
        return False
    if comparison.exact:
        return [_told(change) for change in left] == [_told(change) for change in right]
    return _Matching(comparison, left, right).found()


def generated_tables(document: ScenarioDocument, schema: Schema) -> frozenset[str]:
    """Tables whose keys are made up rather than told: one column that refers to nothing, and is an integer, follows a
    pattern, sequence, list or UUID, or is given by `new_id` in some operation.
    """  # fmt: skip
    statements = " ".join(_effects(document)).replace('"', "'").replace(" ", "").lower()
    found = []
    for table in schema.tables.values():
        column = table.column(table.key[0])
        if len(table.key) != 1 or column is None or column.references is not None:
            continue
        model = document.world.tables[table.name].columns.get(column.name)
        made = model is not None and any((model.pattern, model.sequence, model.uuid, model.from_))
        if column.type == "integer" or made or f"new_id('{table.name}')" in statements:
            found.append(table.name)
    return frozenset(found)


def _effects(document: ScenarioDocument) -> Iterable[str]:
    for tool in document.tools.values():
        if isinstance(tool, Operation):
            yield from (let if isinstance(let, str) else let.rows for let in tool.let.values())
            for effect in tool.effects:
                statements = effect.do if isinstance(effect, ConditionalEffect) else effect
                yield from [statements] if isinstance(statements, str) else statements


class _Side:
    """One side's changes: those of rows that were there, by row, and the rows that are new."""

    def __init__(self, comparison: Comparison, changes: list[RowChange]) -> None:
        self.schema = comparison.schema
        self.generated = comparison.generated
        self.started_at = comparison.started_at
        self.told = comparison.told
        self.inserted = {(change.table, change.key): change.new or {} for change in changes if change.op == "insert"}
        self.others = {(change.table, change.key): change for change in changes if change.op != "insert"}
        self._texts = {
            key[0]: (table, key) for table, key in self.inserted if table in self.generated and isinstance(key[0], str)
        }
        self.referrers: dict[Row, list[tuple[str, Row]]] = defaultdict(list)
        for row in self.inserted:
            for column, value in self.cells(row):
                target = self.target(column, value)
                if target is not None:
                    self.referrers[target].append((f"{row[0]}.{column.name}", row))

    def cells(self, row: Row) -> list[tuple[ColumnSchema, Value]]:
        """The cells of a new row that are compared: all but a key that was made up."""
        table = self.schema.tables[row[0]]
        hidden = table.key if table.name in self.generated else ()
        values = self.inserted[row]
        return [(column, values.get(column.name)) for column in table.columns if column.name not in hidden]

    def target(self, column: ColumnSchema, value: Value) -> Row | None:
        """The new row with a made-up key that a cell refers to: by its column, or by a text key found anywhere."""
        if column.references in self.generated and (column.references, (value,)) in self.inserted:
            return column.references, (value,)
        return self._texts.get(value) if isinstance(value, str) else None

    def colours(self) -> dict[Row, str]:
        """A label of each new row, equal for rows that some renaming may map to each other."""
        colours = dict.fromkeys(self.inserted, "")
        fixed: dict[Row, list[str]] = defaultdict(list)
        for (table, key), change in self.others.items():
            for name, value in (change.new or {}).items():
                column = self.schema.tables[table].column(name)
                target = None if column is None else self.target(column, value)
                if target is not None:
                    fixed[target].append(f"{table}.{name} {key!r}")
        for _ in range(_ROUNDS):
            refined = {
                row: _digest(
                    row[0],
                    [self._label(column, value, colours) for column, value in self.cells(row)],
                    sorted(f"{place} {colours[other]}" for place, other in self.referrers.get(row, ())),
                    sorted(fixed.get(row, ())),
                    colours[row],
                )
                for row in self.inserted
            }
            settled = len(set(refined.values())) == len(set(colours.values()))
            colours = refined
            if settled:
                break
        return colours

    def _label(self, column: ColumnSchema, value: Value, colours: Mapping[Row, str]) -> str:
        target = self.target(column, value)
        if target is not None:
            return f"new {target[0]} {colours[target]}"
        moment = _moment(column, value)
        earliest = self.started_at - (_DAY if column.type == "date" else 0)
        if moment is not None and moment >= earliest and value not in self.told:
            return "since the start"
        return repr(_plain(column, value))


class _Matching:
    """The search for a renaming."""

    def __init__(self, comparison: Comparison, left: list[RowChange], right: list[RowChange]) -> None:
        self.comparison = comparison
        self.left, self.right = _Side(comparison, left), _Side(comparison, right)
        self.forward: dict[Row, Row] = {}
        self.backward: dict[Row, Row] = {}
        self.budget = SEARCH_BUDGET + 2 * len(left)

    def found(self) -> bool:
        if self.left.others.keys() != self.right.others.keys():
            return False
        colours, others = self.left.colours(), self.right.colours()
        if Counter(colours.values()) != Counter(others.values()):
            return False
        candidates: dict[str, list[Row]] = defaultdict(list)
        for row, colour in others.items():
            candidates[colour].append(row)
        order = sorted(colours, key=lambda row: len(candidates[colours[row]]))  # stable: then by table and key
        return self._place(order, [candidates[colours[row]] for row in order])

    def _place(self, order: list[Row], candidates: list[list[Row]]) -> bool:
        """Give each row of the left a partner, going back where none fits; without recursion, for many rows."""
        tried = [0] * len(order)
        at = 0
        while at < len(order):
            row = order[at]
            options = candidates[at]
            while tried[at] < len(options):
                partner = options[tried[at]]
                tried[at] += 1
                if partner in self.backward:
                    continue
                self.budget -= 1
                if self.budget < 0:
                    return False
                self.forward[row], self.backward[partner] = partner, row
                if self._fits(row, partner):
                    break
                del self.forward[row], self.backward[partner]
            else:
                tried[at] = 0
                at -= 1
                if at < 0:
                    return False
                del self.backward[self.forward.pop(order[at])]
                continue
            at += 1
            if at == len(order) and not self._others_fit():
                at -= 1
                del self.backward[self.forward.pop(order[at])]
        return bool(order) or self._others_fit()

    def _fits(self, row: Row, partner: Row) -> bool:
        """Whether two new rows, and the placed rows that refer to them, are equal as far as partners are known."""
        if row[0] != partner[0]:
            return False
        referrers = (other for _, other in self.left.referrers.get(row, ()) if other in self.forward)
        return all(self._cells_equal(one, self.forward[one]) for one in (row, *referrers))

    def _cells_equal(self, row: Row, partner: Row) -> bool:
        pairs = zip(self.left.cells(row), self.right.cells(partner), strict=True)
        return all(self._equal(column, mine, theirs) for (column, mine), (_, theirs) in pairs)

    def _others_fit(self) -> bool:
        """Whether the rows that were there changed alike, all new rows having partners."""
        self.budget -= len(self.left.others)
        for row, mine in self.left.others.items():
            theirs = self.right.others[row]
            if mine.op != theirs.op or (mine.new or {}).keys() != (theirs.new or {}).keys():
                return False
            table = self.comparison.schema.tables[row[0]]
            for name, value in (mine.new or {}).items():
                column = table.column(name)
                if column is None or not self._equal(column, value, (theirs.new or {})[name]):
                    return False
        return True

    def _equal(self, column: ColumnSchema, mine: Value, theirs: Value) -> bool:
        target, other = self.left.target(column, mine), self.right.target(column, theirs)
        if target is not None and other is not None:
            if target in self.forward or other in self.backward:
                return self.forward.get(target) == other
            return target[0] == other[0]
        if (target is None) != (other is None):
            return False
        if _plain(column, mine) == _plain(column, theirs):
            return True
        one, two = _moment(column, mine), _moment(column, theirs)
        if one is None or two is None or theirs in self.comparison.told:
            return False
        started_at, elapsed = self.comparison.started_at, self.comparison.elapsed
        if column.type == "date":  # a moment's date is up to a day before it
            started_at, elapsed = started_at // _DAY * _DAY, -(-elapsed // _DAY) * _DAY
        return min(one, two) >= started_at and abs(one - two) <= elapsed


def _told(change: RowChange) -> tuple[str, str, Key, Mapping[str, Value] | None]:
    """What a change made of its row; what the row was before is not the agent's."""
    return change.table, change.op, change.key, change.new


def _digest(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _moment(column: ColumnSchema, value: Value) -> int | None:
    """A time or date as seconds since 1970, None for anything else."""
    if not isinstance(value, str) or column.type not in ("timestamp", "date"):
        return None
    try:
        return parse_timestamp(value) if column.type == "timestamp" else parse_date(value) * _DAY
    except ValueError:
        return None


def _plain(column: ColumnSchema, value: Value) -> Value:
    """Equal values in one spelling: numbers without a superfluous fraction, JSON with sorted keys."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if column.type == "json" and isinstance(value, str):
        try:
            return canonical_json(json.loads(value))
        except (ValueError, RecursionError):
            return value
    return value
