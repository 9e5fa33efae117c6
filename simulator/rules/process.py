"""Process rules compiled: from the actions of an episode to the violations of one rule.

The sequence a rule sees holds the actions its ``outcome`` counts: by default the successful ones, so that a failed call
neither is an event nor stands between two. A rule with ``deny`` never sees an action that some rule refused: it was
undone, and costs what a failed action costs. ``init``, ``last`` and the ``chain_`` templates look past ``finish``.

With ``same`` the rule is judged once for each value (parametric trace slicing), on the actions that carry it; an action
breaks the rule if it does so for any of its values. Where no action carries any, `existence` and `exactly` still miss
theirs. Positions stay those of the whole sequence, so a chain's neighbour is the neighbour, whatever value it carries.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from simulator.errors import EngineFault
from simulator.rules.events import DENIED, FINISH, ActionEvent
from simulator.rules.matching import Correlation, Pattern
from simulator.rules.rows import result_name
from simulator.rules.sentences import RuleWords, call_words, row_words
from simulator.rules.templates import (
    LOOK_PAST_FINISH,
    ONLY_AT_THE_END,
    PAIRS,
    TEMPLATES,
    WHOLE_TRACE,
    Judgement,
    Moment,
    Trace,
)
from simulator.rules.violations import ProcessResult, Violation
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import ProcessRule
from simulator.scenario.times import parse_timestamp
from simulator.sql.statement import parameters_of
from simulator.world.database import Bindings, Database

UNCORRELATED = frozenset({"absence", "init", "last", "never"})
"""Templates to which it makes no difference which actions belong together."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A `where`: SQL over the arguments of an action, and the parameters it names."""

    sql: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, sql: str) -> Condition:
        """Read a condition of the language."""
        return cls(sql, parameters_of(sql))


class CompiledProcessRule:
    """One Declare rule, ready to judge. ``first`` and ``second`` are its events, the second None if it has one."""

    def __init__(self, name: str, rule: ProcessRule, parameters: Mapping[str, frozenset[str]]) -> None:
        self.name = f"process.{name}"
        self.rule = rule
        self.template = rule.template
        self.words = RuleWords.of(name, rule)
        given = getattr(rule, self.template)
        pair = given if self.template in PAIRS else (given[0] if isinstance(given, tuple) else given, None)
        self.first = Pattern.of(pair[0])
        self.second = Pattern.of(pair[1]) if pair[1] is not None else None
        self.count: int = given[1] if isinstance(given, tuple) and self.template not in PAIRS else 1
        self._judge = TEMPLATES[self.template]
        self._parameters = parameters
        same = None if self.template in UNCORRELATED else rule.same
        self._correlation = Correlation.of(same) if same is not None else None
        self._where = Condition.of(rule.where) if isinstance(rule.where, str) else None
        by_tool = rule.where if isinstance(rule.where, dict) else {}
        self._where_by_tool = {tool: Condition.of(sql) for tool, sql in by_tool.items()}
        self._steps = rule.within if isinstance(rule.within, int) else None
        self._seconds = parse_duration(rule.within) if isinstance(rule.within, str) else None

    @property
    def can_break_at_once(self) -> bool:
        """Whether an action can break the rule before the end."""
        return self.template not in ONLY_AT_THE_END

    def watches(self) -> Iterable[tuple[str, str]]:
        """What can make an action one of the rule's events: ("tool", name), ("reads", table), ("writes", table)."""
        for pattern in filter(None, (self.first, self.second)):
            yield from (("tool", tool) for tool in pattern.tools)
            yield from (("reads", table) for table in pattern.reads)
            yield from (("writes", table) for table, _ in pattern.writes)

    def counts(self, event: ActionEvent) -> bool:
        """Whether an action stands in the sequence this rule sees."""
        if self.rule.outcome != "any" and event.happened != (self.rule.outcome == "ok"):
            return False
        if self.rule.deny and event.kind == DENIED:
            return False
        return event.tool != FINISH or self.template not in LOOK_PAST_FINISH

    def judge_last(
        self, events: Sequence[ActionEvent], database: Database | None, bindings: Bindings
    ) -> list[Violation]:
        """The violation that the last of ``events`` causes for good, as a list of none or one."""
        if not self.counts(events[-1]):
            return []
        sequence = [event for event in events if self.counts(event)]
        end = len(sequence) - 1
        if self._is_spared(sequence):
            return []
        if end in self._judgement(sequence, database, bindings).broken:
            return [self._violation(events[-1], deny=self.rule.deny)]
        return []

    def _is_spared(self, sequence: Sequence[ActionEvent]) -> bool:
        """Whether the last action cannot break the rule, told at a glance."""
        if self.template == "init":
            return len(sequence) > 1
        if self.template == "chain_response":
            return len(sequence) < 2 or self.first.match(sequence[-2]) is None
        return False

    def result(self, events: Sequence[ActionEvent], database: Database | None, bindings: Bindings) -> ProcessResult:
        """How the rule fared in a whole episode: what broke it, then what it still misses, one violation an action."""
        sequence = [event for event in events if self.counts(event)]
        judgement = self._judgement(sequence, database, bindings)
        violations = [
            self._violation(sequence[position], waits=position not in judgement.broken)
            for position in sorted({*judgement.broken, *judgement.unmet} - {WHOLE_TRACE})
        ]
        if WHOLE_TRACE in judgement.unmet:
            violations.append(self._omission(events[-1].step if events else 0))
        return ProcessResult(self.name, judgement.activated, tuple(violations))

    def _judgement(self, sequence: Sequence[ActionEvent], database: Database | None, bindings: Bindings) -> Judgement:
        groups = self._groups(sequence, database, bindings)
        found = [
            self._judge(Trace(moments, len(sequence), self.count, self._near)) for moments in groups.values() or ([],)
        ]
        broken = {position for judgement in found for position in judgement.broken}
        unmet = {position for judgement in found for position in judgement.unmet}
        activated = any(judgement.activated for judgement in found)
        return Judgement(activated, tuple(sorted(broken)), tuple(sorted(unmet)))

    def _groups(
        self, sequence: Sequence[ActionEvent], database: Database | None, bindings: Bindings
    ) -> Mapping[Hashable, list[Moment]]:
        """The moments of each correlation value, in order; all under None without `same`."""
        groups: dict[Hashable, list[Moment]] = {}
        for position, event in enumerate(sequence):
            first = self.first.match(event)
            second = self.second.match(event) if self.second is not None else None
            if (first is None and second is None) or not self._applies(event, database, bindings):
                continue
            seconds = parse_timestamp(event.at) if self._seconds is not None else 0
            if self._correlation is None:
                moment = Moment(position, event.step, seconds, first is not None, second is not None)
                groups.setdefault(None, []).append(moment)
                continue
            as_first = self._correlation.values(event, first, position)
            as_second = self._correlation.values(event, second, position)
            for value in as_first | as_second:
                moment = Moment(position, event.step, seconds, value in as_first, value in as_second)
                groups.setdefault(value, []).append(moment)
        return groups

    def _applies(self, event: ActionEvent, database: Database | None, bindings: Bindings) -> bool:
        condition = self._where or self._where_by_tool.get(event.tool)
        if condition is None:
            return True
        known = event.outcomes.get(self.name)
        if known is not None:
            return known
        if database is None:
            raise EngineFault(f"{self.name} has a `where` and was judged without a database.")
        own = self._parameters.get(event.tool, frozenset())
        values = {
            name: event.arguments[name] if name in event.arguments else None if name in own else bindings.get(name)
            for name in condition.names
        }
        held = event.outcomes[self.name] = database.holds(condition.sql, values)
        return held

    def _near(self, one: Moment, other: Moment) -> bool:
        if self._steps is not None:
            return other.step - one.step <= self._steps
        return self._seconds is None or other.seconds - one.seconds <= self._seconds

    def _violation(self, event: ActionEvent, *, waits: bool = False, deny: bool = False) -> Violation:
        where = f"step {event.step} was {call_words(event)}" + (", and what must follow did not" if waits else "")
        return Violation(
            self.name, self.rule.severity, event.step, "", self.words.message(event.arguments), deny, self.rule.tell,
            self.words.sentence(where),
        )  # fmt: skip

    def _omission(self, step: int) -> Violation:
        return Violation(
            self.name, self.rule.severity, step, "", self.words.message({}), False, self.rule.tell,
            self.words.sentence("it had not happened often enough by the end"),
        )  # fmt: skip


class CompiledNeverRule:
    """A process rule written as a query over `action`. Activated only when it is violated: a row came.

    A row's column `step` names the action to blame; without one it is the last.
    """

    def __init__(self, name: str, rule: ProcessRule) -> None:
        self.name = f"process.{name}"
        self.rule = rule
        self.words = RuleWords.of(name, rule)
        self._sql = rule.never or ""
        self._names = parameters_of(self._sql)

    def judge_last(
        self, events: Sequence[ActionEvent], database: Database | None, bindings: Bindings
    ) -> list[Violation]:
        """Violations by the last action; only a rule that denies or tells is worth a query at each step."""
        if not (self.rule.deny or self.rule.tell):
            return []
        return self._violations(events, database, bindings, only_last=True)

    def result(self, events: Sequence[ActionEvent], database: Database | None, bindings: Bindings) -> ProcessResult:
        """How the rule fared in a whole episode. Actions that a rule refused do not count against one that denies."""
        violations = self._violations(events, database, bindings, only_last=False)
        if self.rule.deny:
            refused = {event.step for event in events if event.kind == DENIED}
            violations = [violation for violation in violations if violation.step not in refused]
        return ProcessResult(self.name, bool(violations), tuple(violations))

    def _violations(
        self, events: Sequence[ActionEvent], database: Database | None, bindings: Bindings, *, only_last: bool
    ) -> list[Violation]:
        if database is None:
            raise EngineFault(f"{self.name} is SQL and was judged without a database.")
        end = events[-1].step if events else 0
        found: dict[str, Violation] = {}
        for row in database.query(self._sql, {name: bindings.get(name) for name in self._names}).dictionaries():
            blamed = row.get("step")
            step = blamed if isinstance(blamed, int) else end
            if only_last and step != end:
                continue
            text = result_name(row)
            found[text] = Violation(
                self.name, self.rule.severity, step, text, self.words.message(row), self.rule.deny and only_last,
                self.rule.tell, self.words.sentence(row_words(row)),
            )  # fmt: skip
        return sorted(found.values(), key=lambda violation: (violation.step, violation.row))
