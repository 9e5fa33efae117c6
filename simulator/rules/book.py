"""The rule book: all rules of one scenario, compiled once, and judged as an episode goes on.

After each action of the agent :meth:`RuleBook.judge_changes` and :meth:`RuleBook.judge_state` look at what it changed,
:meth:`RuleBook.judge_process` at what it was; what only the end can tell follows from
:meth:`RuleBook.judge_final_state` and :meth:`RuleBook.process_results`. Violations come in the order of
the rules, then of the rows. The caller keeps one for each rule and row of an episode.

A method that judges a step may raise :class:`StatementFailed`: a rule's SQL could not be computed on the data the
action left. At the end that is a violation of the rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, Protocol

from simulator.errors import Problem, ScenarioError
from simulator.rules.change import CompiledChangeRule, rows_of
from simulator.rules.events import ActionEvent
from simulator.rules.lifecycle import lifecycle_rules
from simulator.rules.process import CompiledNeverRule, CompiledProcessRule
from simulator.rules.state import CompiledStateRule, StateBaseline
from simulator.rules.tool_arguments import tool_arguments
from simulator.rules.violations import ProcessResult, Violation, unchecked
from simulator.scenario.models import ProcessRule, ScenarioDocument
from simulator.sql.problems import SqlProblem
from simulator.sql.schema import Schema
from simulator.sql.twin import StatementFacts
from simulator.world.changes import RowChange
from simulator.world.database import Bindings, Database, StatementFailed


class Analyse(Protocol):
    """How the tables a query reads are found out: :meth:`simulator.sql.twin.Twin.analyse`."""

    def __call__(self, sql: str, *, role: Literal["query"]) -> StatementFacts | list[SqlProblem]:
        """The facts of a statement, or what is wrong with it."""


ProcessJudge = CompiledProcessRule | CompiledNeverRule

_NEIGHBOURS = frozenset({"init", "chain_response"})


class RuleBook:
    """The rules of one scenario, ready to judge any of its episodes. Holds nothing of an episode.

    Raises :class:`ScenarioError` when the SQL of a state rule is wrong.
    """

    def __init__(self, document: ScenarioDocument, schema: Schema, analyse: Analyse) -> None:
        rules = document.rules
        self._change = [CompiledChangeRule.of(name, rule) for name, rule in rules.change.items()]
        self._lifecycles = lifecycle_rules(schema, document.world.lifecycles)
        self._history = schema.history_tables()
        self._state = [
            CompiledStateRule(name, rule, schema, _tables(analyse, rule.never, f"rules.state.{name}.never"))
            for name, rule in rules.state.items()
        ]
        parameters = tool_arguments(document)
        self._process = [_compiled(name, rule, parameters) for name, rule in rules.process.items()]
        self._watching = _watching(self._process)

    def judge_changes(
        self, database: Database, changes: Sequence[RowChange], *, step: int, bindings: Bindings
    ) -> list[Violation]:
        """Lifecycles and change rules on the changes an action has just made. The engine's own history is left out."""
        violations = []
        for change in changes:
            if change.table in self._history:
                continue
            lifecycle = self._lifecycles.get(change.table)
            if lifecycle is not None and (illegal := lifecycle.judge(change, step=step)) is not None:
                violations.append(illegal)
            triggered = [rule for rule in self._change if rule.triggered_by(change)]
            rows = rows_of(database, change) if triggered else (None, None)
            for rule in triggered:
                broken = rule.judge(database, change, rows, bindings, step=step)
                if broken is not None:
                    violations.append(broken)
        return violations

    def baseline(self, database: Database, bindings: Bindings) -> StateBaseline:
        """What already held at the start, which ``database`` must show; most of it is looked up only when it matters.

        It may be shared by all episodes that begin in the same state with the same bindings.
        """
        baseline = StateBaseline()
        for rule in self._state:
            if rule.must_begin_with_baseline:
                baseline.at_start[rule.name] = frozenset(rule.rows(database, rule.rule.never, bindings))
        return baseline

    def broken_at_start(self, database: Database) -> list[tuple[str, int]]:
        """The state rules that the start state, which ``database`` must show, breaks by itself, with how many rows."""
        found = [(rule.name.partition(".")[2], len(rule.rows(database, rule.rule.never, {}))) for rule in self._state]
        return [(name, rows) for name, rows in found if rows]

    def judge_state(
        self,
        database: Database,
        changes: Sequence[RowChange],
        baseline: StateBaseline,
        *,
        step: int,
        bindings: Bindings,
    ) -> list[Violation]:
        """State rules after an action that made ``changes``, those that only the end can judge left out."""
        tables = frozenset(change.table for change in changes)
        violations = []
        for rule in self._state:
            if not rule.concerned_by(tables):
                continue
            if rule.by_row is not None:
                violations += rule.judge_rows(database, changes, bindings, step=step)
            elif rule.at_each_step:
                violations += rule.judge_whole(database, baseline, bindings, step=step, deny=rule.rule.deny)
        return violations

    def judge_final_state(
        self, database: Database, tables: frozenset[str], baseline: StateBaseline, *, step: int, bindings: Bindings
    ) -> list[Violation]:
        """State rules that only the end can judge; ``tables`` are those the agent changed in the episode."""
        violations = []
        for rule in self._state:
            if rule.by_row is None and not rule.at_each_step and rule.concerned_by(tables):
                try:
                    violations += rule.judge_whole(database, baseline, bindings, step=step, deny=False)
                except StatementFailed as failure:
                    violations.append(unchecked(rule.name, rule.rule.severity or "major", step, failure.message))
        return violations

    def excuse(
        self, database: Database, tables: frozenset[str], baseline: StateBaseline, *, bindings: Bindings
    ) -> StateBaseline:
        """The baseline after the world's own events changed ``tables``: what rules return by now is not the agent's.

        Only rules judged at each step can tell whose rows they are; one judged at the end takes all for the agent's. A
        rule whose query fails now excuses nothing.
        """
        for rule in self._state:
            if rule.by_row is None and rule.at_each_step and rule.tables & tables:
                with suppress(StatementFailed):
                    baseline = baseline.excusing(rule.name, rule.rows(database, rule.rule.never, bindings))
        return baseline

    def judge_process(
        self, events: Sequence[ActionEvent], *, database: Database | None = None, bindings: Bindings
    ) -> list[Violation]:
        """The violations that the last of ``events`` causes for good, whatever follows.

        ``database`` is needed by rules with SQL only. Rules that demand something later are
        silent here: response, existence, last, the lower bound of exactly.
        """
        if not events:
            return []
        last = events[-1]
        concerned = set(self._watching.get(("", ""), ()))
        concerned.update(self._watching.get(("tool", last.tool), ()))
        for table in last.reads:
            concerned.update(self._watching.get(("reads", table), ()))
        for table, _ in last.writes:
            concerned.update(self._watching.get(("writes", table), ()))
        return [
            violation for index in sorted(concerned)
            for violation in self._process[index].judge_last(events, database, bindings)
        ]  # fmt: skip

    def process_results(
        self, events: Sequence[ActionEvent], *, database: Database | None, bindings: Bindings
    ) -> tuple[ProcessResult, ...]:
        """How every process rule fared in a whole episode, in the order of the rules."""
        return tuple(_result(rule, events, database, bindings) for rule in self._process)


def _tables(analyse: Analyse, sql: str, path: str) -> frozenset[str]:
    facts = analyse(sql, role="query")
    if isinstance(facts, StatementFacts):
        return facts.tables_read
    raise ScenarioError([
        Problem(problem.code, problem.message, path, suggestion=problem.suggestion) for problem in facts
    ])  # fmt: skip


def _result(
    rule: ProcessJudge, events: Sequence[ActionEvent], database: Database | None, bindings: Bindings
) -> ProcessResult:
    try:
        return rule.result(events, database, bindings)
    except StatementFailed as failure:
        step = events[-1].step if events else 0
        return ProcessResult(rule.name, True, (unchecked(rule.name, rule.rule.severity, step, failure.message),))


def _compiled(name: str, rule: ProcessRule, parameters: Mapping[str, frozenset[str]]) -> ProcessJudge:
    return CompiledNeverRule(name, rule) if rule.never is not None else CompiledProcessRule(name, rule, parameters)


def _watching(rules: Sequence[ProcessJudge]) -> Mapping[tuple[str, str], Sequence[int]]:
    """Which rules (by place) an action can break, by what it is; ("", "") holds those that any action can break."""
    watching: dict[tuple[str, str], list[int]] = {}
    for index, rule in enumerate(rules):
        if isinstance(rule, CompiledNeverRule) or rule.template in _NEIGHBOURS:
            watching.setdefault(("", ""), []).append(index)
        elif rule.can_break_at_once:
            for what in rule.watches():
                watching.setdefault(what, []).append(index)
    return watching
