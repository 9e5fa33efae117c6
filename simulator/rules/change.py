"""Change rules: a condition that every change of a row must meet, whichever way the change was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.errors import EngineFault
from simulator.rules.rows import row_name
from simulator.rules.sentences import RuleWords
from simulator.rules.violations import Violation
from simulator.scenario.models import ChangeRule
from simulator.sql.statement import parameters_of
from simulator.tools.messages import shown
from simulator.tools.verdicts import echo
from simulator.world.changes import RowChange, Value
from simulator.world.database import Bindings, Database

Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class CompiledChangeRule:
    """One change rule, ready to judge."""

    name: str
    rule: ChangeRule
    words: RuleWords
    parameters: tuple[str, ...]

    @classmethod
    def of(cls, name: str, rule: ChangeRule) -> CompiledChangeRule:
        """Compile the rule called ``name``."""
        return cls(f"change.{name}", rule, RuleWords.of(name, rule), parameters_of(rule.require))

    def triggered_by(self, change: RowChange) -> bool:
        """Whether the rule is about this change; an update counts only if the watched column got another value."""
        trigger = self.rule.when
        if change.table != trigger.table or change.op != trigger.verb:
            return False
        return trigger.column is None or (change.new is not None and trigger.column in change.new)

    def judge(
        self,
        database: Database,
        change: RowChange,
        rows: tuple[Row | None, Row | None],
        bindings: Bindings,
        *,
        step: int,
    ) -> Violation | None:
        """The violation in a change; ``rows`` are the whole row before and after it. A NULL condition does not hold.

        Raises :class:`StatementFailed` when the condition cannot be computed for these rows.
        """
        old, new = rows
        bound = {name: bindings.get(name) for name in self.parameters}
        if database.change_holds(self.rule.require, change.table, old, new, bound):
            return None
        key = echo(", ".join(shown(value) for value in change.key))
        return Violation(
            self.name, self.rule.severity or "major", step, row_name(change.table, change.key),
            self.words.message(_named(old, new)), self.rule.deny, self.rule.tell,
            self.words.sentence(f"{change.table} {key}, {_what_changed(change)}"),
        )  # fmt: skip


def rows_of(database: Database, change: RowChange) -> tuple[Row | None, Row | None]:
    """The whole row before and after a change that has just been made; None where there was or is none.

    Raises :class:`EngineFault` when the changed row is not there any more: the change is not the latest.
    """
    if change.op == "insert":
        return None, change.new
    if change.op == "delete":
        return change.old, None
    new = database.row(change.table, change.key)
    if new is None:
        raise EngineFault(f"The row {change.key} of {change.table} was updated, but it is not there.")
    return {**new, **(change.old or {})}, new


def _named(old: Row | None, new: Row | None) -> dict[str, object]:
    """What a message may name: ``{column}`` of the row as it is now (or was), ``{old_column}`` and ``{new_column}``."""
    values: dict[str, object] = dict(new if new is not None else old or {})
    values.update({f"old_{name}": value for name, value in (old or {}).items()})
    values.update({f"new_{name}": value for name, value in (new or {}).items()})
    return values


def _what_changed(change: RowChange) -> str:
    if change.op != "update" or change.new is None or change.old is None:
        return {"insert": "which is new", "delete": "which was deleted"}.get(change.op, "")
    changed = [(name, change.old.get(name), value) for name, value in change.new.items()]
    return echo("; ".join(f"{name} from {shown(old)} to {shown(new)}" for name, old, new in changed))
