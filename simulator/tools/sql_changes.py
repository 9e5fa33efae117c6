"""What an agent's write really changed, held against the grants: the last word, whatever the statement looked like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from simulator.sql.agent import GrantedTable, Judged, Right
from simulator.tools.verdicts import Verdict, failed
from simulator.world.changes import RowChange, Value
from simulator.world.database import Bindings, Database
from simulator.world.store import Recorder

Row = Mapping[str, Value]


def check_changes(
    database: Database, statement: Judged, recorder: Recorder, changes: Sequence[RowChange], bindings: Bindings
) -> Verdict | None:
    """The verdict on row changes that the grants do not cover, each row on its own."""
    target = statement.target
    for change in changes:
        if target is None or change.table != target.name:
            return failed("sql_forbidden", "sql_forbidden", "This statement changes more than is allowed here.")
        if not _Change(database, statement, target, recorder, change, bindings).is_granted():
            return failed("sql_forbidden", "row_not_granted", _words(target, change))
    return None


class _Change:
    """One row change, and the rights that could cover it."""

    def __init__(
        self,
        database: Database,
        statement: Judged,
        target: GrantedTable,
        recorder: Recorder,
        change: RowChange,
        bindings: Bindings,
    ) -> None:
        self._statement = statement
        self._target = target
        self._change = change
        old = recorder.row_before(change.table, change.key)
        new = database.row(change.table, change.key) if change.op != "delete" else None
        self._holds: Callable[[Right, Row | None], bool] = lambda right, row: (
            row is not None and (right.where is None or database.row_holds(right.where, change.table, row, bindings))
        )
        self._old, self._new = old, new

    def is_granted(self) -> bool:
        """Whether the rights together cover it."""
        statement, op = self._statement, self._change.op
        if op == "insert":
            return statement.kind == "insert" and self._inserts(self._set_columns())
        if op == "delete":
            return (statement.kind == "delete" or statement.shape.replaces) and self._deletes()
        changed = frozenset(self._change.new or ())
        updates = statement.kind == "update" or statement.shape.updates_on_conflict
        replaces = statement.kind == "insert" and statement.shape.replaces
        return (updates and self._updates(changed)) or (replaces and self._deletes() and self._inserts(changed))

    def _set_columns(self) -> frozenset[str]:
        """Columns of a new row that have a value, a key that SQLite chose excepted."""
        listed = {column.name.lower() for column in self._statement.shape.columns or ()}
        row = self._new or {}
        chosen = {name for name in self._target.relation.key if name not in listed}
        return frozenset(name for name, value in row.items() if value is not None and name not in chosen)

    def _inserts(self, columns: frozenset[str]) -> bool:
        return columns <= _union(right.insert for right in self._rights() if self._holds(right, self._new))

    def _updates(self, columns: frozenset[str]) -> bool:
        holding = (right for right in self._rights() if self._holds(right, self._old) and self._holds(right, self._new))
        return columns <= _union(right.update for right in holding)

    def _deletes(self) -> bool:
        return any(right.delete and self._holds(right, self._old) for right in self._rights())

    def _rights(self) -> tuple[Right, ...]:
        return self._target.rights


def _union(sets: Iterator[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


def _words(target: GrantedTable, change: RowChange) -> str:
    if change.op == "delete":
        return f"This would delete rows of `{target.name}` that you may not delete."
    if change.op == "insert":
        return f"This would add a row to `{target.name}` that you may not add: it is outside what you are granted."
    return f"This would change rows of `{target.name}` that you may not change, or into what you may not write."
