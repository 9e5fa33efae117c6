"""State rules: queries that must return no row, run no more often than the rows they read change.

A rule over the rows of one table, each by itself, is asked about the rows an action changed, before and after: what
was already wrong with a row is not this action's doing. Any other rule must be run whole: at each step only if it can
still refuse or tell, otherwise at the end. Of the rows it returns, those it returned at the start are not the agent's,
nor are those that the world's own events brought (:meth:`StateBaseline.excusing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from simulator.rules.change import Row, rows_of
from simulator.rules.queries import KEY_PREFIX, LOGS, OLD_PREFIX, RowQuery, query_at_start, row_query
from simulator.rules.rows import result_name, row_name
from simulator.rules.sentences import RuleWords, row_words
from simulator.rules.violations import Violation
from simulator.scenario.models import StateRule
from simulator.sql.schema import Schema
from simulator.sql.statement import parameters_of
from simulator.world.changes import RowChange
from simulator.world.database import Bindings, Database


@dataclass(frozen=True, slots=True)
class StateBaseline:
    """The rows that state rules return without the agent's doing, by rule.

    ``at_start`` is filled when first asked for, always with the same rows, so copies share it: it belongs to one start
    state and one set of bindings. ``excused`` are the rows that the world's own events brought.
    """

    at_start: dict[str, frozenset[str]] = field(default_factory=dict)
    excused: frozenset[tuple[str, str]] = frozenset()

    def excusing(self, rule: str, rows: Iterable[str]) -> StateBaseline:
        """The baseline with more rows excused."""
        return replace(self, excused=self.excused | {(rule, row) for row in rows})


class CompiledStateRule:
    """One state rule, ready to judge. ``tables`` are those it reads, through views, too."""

    def __init__(self, name: str, rule: StateRule, schema: Schema, tables: frozenset[str]) -> None:
        self.name = f"state.{name}"
        self.rule = rule
        self.tables = tables
        self.words = RuleWords.of(name, rule)
        self.by_row: RowQuery | None = row_query(rule.never, schema)
        self.reads_logs = bool(LOGS & tables)
        self.at_start = None if self.reads_logs else query_at_start(rule.never, schema)
        self._columns = schema.tables[self.by_row.table].column_names if self.by_row is not None else ()
        self._names = parameters_of(rule.never)

    @property
    def at_each_step(self) -> bool:
        """Whether a query that must be run whole is worth it at each step."""
        return self.rule.deny or self.rule.tell

    @property
    def must_begin_with_baseline(self) -> bool:
        """Whether what held at the start can only be seen while the start is still there."""
        return self.by_row is None and self.at_start is None and not self.reads_logs

    def concerned_by(self, tables: frozenset[str]) -> bool:
        """Whether changes in these tables can make it return other rows; each action changes what the logs show."""
        return self.reads_logs or bool(self.tables & tables)

    def judge_rows(
        self, database: Database, changes: Sequence[RowChange], bindings: Bindings, *, step: int
    ) -> list[Violation]:
        """Violations by rows just changed, for a rule that has ``by_row``."""
        query = self.by_row
        own = self._bound(bindings)
        violations = []
        for change in changes:
            if query is None or change.table != query.table or change.op == "delete":
                continue
            found = database.query(query.on_row, {**own, **_numbered(KEY_PREFIX, change.key)}).dictionaries()
            if not found:
                continue
            old, _ = rows_of(database, change)
            if old is not None and database.query(query.on_old, {**own, **self._old(old)}).rows:
                continue
            violations.append(self._violation(row_name(change.table, change.key), found[0], self.rule.deny, step))
        return violations

    def judge_whole(
        self, database: Database, baseline: StateBaseline, bindings: Bindings, *, step: int, deny: bool
    ) -> list[Violation]:
        """Violations among all rows it returns now that are not in the baseline, by name."""
        found = self.rows(database, self.rule.never, bindings)
        if not found:
            return []
        known = self.rows_at_start(database, baseline, bindings)
        return [
            self._violation(name, row, deny, step)
            for name, row in sorted(found.items())
            if name not in known and (self.name, name) not in baseline.excused
        ]

    def rows_at_start(self, database: Database, baseline: StateBaseline, bindings: Bindings) -> frozenset[str]:
        """The rows it returned at the start, by name. Rules over the episode's logs returned none."""
        if self.reads_logs:
            return frozenset()
        if self.name not in baseline.at_start and self.at_start is not None:
            baseline.at_start[self.name] = frozenset(self.rows(database, self.at_start, bindings))
        return baseline.at_start[self.name]

    def rows(self, database: Database, sql: str, bindings: Bindings) -> Mapping[str, Row]:
        """What a query returns, by row name."""
        return {result_name(row): row for row in database.query(sql, self._bound(bindings)).dictionaries()}

    def _bound(self, bindings: Bindings) -> dict[str, object]:
        return {name: bindings.get(name) for name in self._names}

    def _old(self, row: Row) -> dict[str, object]:
        return _numbered(OLD_PREFIX, [row[name] for name in self._columns])

    def _violation(self, name: str, row: Row, deny: bool, step: int) -> Violation:
        return Violation(
            self.name, self.rule.severity or "major", step, name, self.words.message(row), deny, self.rule.tell,
            self.words.sentence(row_words(row)),
        )  # fmt: skip


def _numbered(prefix: str, values: Iterable[object]) -> dict[str, object]:
    return {f"{prefix}{index}": value for index, value in enumerate(values)}
