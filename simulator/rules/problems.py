"""What is wrong with the rules of a scenario, their SQL aside: unknown names, and rules that cannot mean anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from simulator.errors import Problem
from simulator.rules.events import FINISH
from simulator.rules.matching import ROW_KEY
from simulator.rules.process import UNCORRELATED
from simulator.rules.templates import LOOK_PAST_FINISH, ONLY_AT_THE_END, PAIRS
from simulator.rules.tool_arguments import tool_arguments
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import ChangeRule, ProcessRule, ScenarioDocument
from simulator.scenario.models.rules import OneEvent, ReadsEvent, WritesEvent
from simulator.scenario.paths import Path, did_you_mean, render_path
from simulator.sql.schema import Schema
from simulator.sql.statement import parameters_of
from simulator.sql.tokens import significant

_CHANGING = frozenset({"now", "new_id", "current_timestamp", "current_date", "current_time"})
"""What gives something else later on."""


def rule_problems(document: ScenarioDocument, schema: Schema) -> list[Problem]:
    """All of them, in document order. The SQL in rules is checked where all SQL is."""
    limit = max([document.limits.steps, *(task.limits.steps for task in document.tasks.values() if task.limits)])
    problems: list[Problem] = []
    for name, change in document.rules.change.items():
        problems += _change_problems(change, schema, ("rules", "change", name))
    arguments = tool_arguments(document)
    for name, process in document.rules.process.items():
        problems += _ProcessLint(process, schema, arguments, limit, ("rules", "process", name)).run()
    return problems


def _change_problems(rule: ChangeRule, schema: Schema, path: Path) -> Iterator[Problem]:
    trigger = rule.when
    place = (*path, "when", trigger.verb)
    yield from filter(None, [_unknown_table(trigger.table, schema, place)])
    yield from filter(None, [_unknown_column(trigger.table, trigger.column, schema, place)])
    table = schema.tables.get(trigger.table)
    if table is not None and table.history_of is not None:
        yield _problem("never_triggered", f"only the engine writes {table.name}, and rules judge the agent.", place,
                       f"Watch `{table.history_of}`.")  # fmt: skip
    elif table is not None and trigger.column in table.key:
        yield _problem("never_triggered", "a key column never changes: such updates are refused.", place)


class _ProcessLint:
    """The problems of one process rule."""

    def __init__(
        self, rule: ProcessRule, schema: Schema, arguments: Mapping[str, frozenset[str]], limit: int, path: Path
    ) -> None:
        self.rule = rule
        self.schema = schema
        self.arguments = arguments
        self.limit = limit
        self.path = path
        self.template = rule.template
        self.members = list(self._members())

    def run(self) -> Iterator[Problem]:
        if self.template == "never":
            yield from self._never()
            return
        for member, place in self.members:
            yield from self._event(member, place)
        yield from self._count()
        yield from self._pair()
        yield from self._same()
        yield from self._where()
        yield from self._deny()

    def _members(self) -> Iterator[tuple[OneEvent, Path]]:
        """Every single event of the rule and its place."""
        if self.template == "never":
            return
        given = getattr(self.rule, self.template)
        place = (*self.path, self.template)
        if self.template in PAIRS:
            events = [(given[0], (*place, 0)), (given[1], (*place, 1))]
        else:
            events = [(given[0], (*place, 0))] if isinstance(given, tuple) else [(given, place)]
        for event, where in events:
            if isinstance(event, list):
                yield from ((member, (*where, index)) for index, member in enumerate(event))
            else:
                yield event, where

    def _event(self, member: OneEvent, place: Path) -> Iterator[Problem]:
        if isinstance(member, str):
            if member not in self.arguments:
                yield _problem("unknown_tool", f"there is no tool {member!r}.", place,
                               did_you_mean(member, self.arguments))  # fmt: skip
            elif member == FINISH and self.template in LOOK_PAST_FINISH:
                yield _problem("never_matches", f"{self.template} looks past finish: it is no event here.", place)
            return
        if isinstance(member, ReadsEvent):
            found = [_unknown_table(member.reads, self.schema, (*place, "reads"))]
        else:
            table, _, column = member.writes.partition(".")
            where = (*place, "writes")
            unknown = _unknown_table(table, self.schema, where)
            found = [unknown, _unknown_column(table, column or None, self.schema, where)]
        yield from filter(None, found)
        if self.rule.outcome == "error":
            yield _problem("never_matches", "a failed call reads and writes nothing.", place, "Name the tools.")

    def _count(self) -> Iterator[Problem]:
        given = getattr(self.rule, self.template)
        if self.template in PAIRS or not isinstance(given, tuple):
            return
        count = given[1]
        place = (*self.path, self.template, 1)
        only_finish = [member for member, _ in self.members] == [FINISH]
        if count == 0:
            always = self.template == "existence"
            message = "at least 0 times is always so." if always else "0 times is never."
            hint = "Drop the rule, or write 1." if always else "Write `absence`."
            yield _problem("impossible_count", message, place, hint)
        elif self.template == "at_most":
            if count >= self.limit:
                yield _problem("impossible_count", f"no episode has more than {self.limit} actions.", place,
                               severity="warning")  # fmt: skip
        elif count > self.limit:
            yield _problem("impossible_count", f"no episode has more than {self.limit} actions.", place)
        elif count > 1 and only_finish:
            yield _problem("impossible_count", "an episode is finished once.", place)

    def _pair(self) -> Iterator[Problem]:
        within = self.rule.within
        place = (*self.path, "within")
        if self.template in PAIRS:
            first, second = getattr(self.rule, self.template)
            if first == second:
                yield _problem("same_event_twice", "the two events of a pair must differ.", (*self.path, self.template))
        elif within is not None:
            message = f"`within` is for templates of two events, not {self.template}."
            yield _problem("within_without_pair", message, place)
        if isinstance(within, str) and parse_duration(within) <= 0:
            yield _problem("bad_duration", "`within` must be longer than nothing.", place)

    def _same(self) -> Iterator[Problem]:
        same = self.rule.same
        if same is None:
            return
        place = (*self.path, "same")
        if self.template in UNCORRELATED:
            message = f"{self.template} is about single actions; `same` changes nothing."
            yield _problem("same_without_effect", message, place)
        for member, _ in self.members:
            yield from self._same_of(member, same, place)
        if isinstance(same, dict):
            for name, argument in same.items():
                yield from self._same_entry(name, argument, (*place, name))

    def _same_of(self, member: OneEvent, same: str | dict[str, str], place: Path) -> Iterator[Problem]:
        """What one event lacks of what `same` needs."""
        name = member if isinstance(member, str) else _table_of(member)
        if isinstance(same, dict):
            covered = name in same or (not isinstance(member, str) and any(tool in self.arguments for tool in same))
            if not covered:
                yield _problem("same_missing", f"`same` does not say which argument of {name} to compare.", place,
                               f"Add `{name}: …`.")  # fmt: skip
                return
        selector = same if isinstance(same, str) else same.get(name)
        if selector == ROW_KEY and isinstance(member, ReadsEvent):
            yield _problem("same_key_of_read", "which rows an action read is not known by key.", place,
                           "Name the tools and compare their arguments.")  # fmt: skip
        elif isinstance(same, str) and same != ROW_KEY and isinstance(member, str) and member in self.arguments:
            yield from self._argument(same, member, place)

    def _same_entry(self, name: str, argument: str, place: Path) -> Iterator[Problem]:
        if name in self.arguments:
            if argument != ROW_KEY:
                yield from self._argument(argument, name, place)
        elif name not in self.schema.tables:
            yield _problem("unknown_tool", f"there is no tool or table {name!r}.", place,
                           did_you_mean(name, [*self.arguments, *self.schema.tables]))  # fmt: skip

    def _argument(self, argument: str, tool: str, place: Path) -> Iterator[Problem]:
        if argument not in self.arguments[tool]:
            known = sorted(self.arguments[tool])
            hint = did_you_mean(argument, known) or (f"It takes {', '.join(known)}." if known else "It takes none.")
            yield _problem("unknown_argument", f"{tool} takes no argument {argument!r}.", place, hint)

    def _where(self) -> Iterator[Problem]:
        where = self.rule.where
        place = (*self.path, "where")
        if isinstance(where, str):
            tools = [member for member, _ in self.members if isinstance(member, str)]
            by_table = len(tools) < len(self.members)
            known = {name for tool in (self.arguments if by_table else tools) for name in self.arguments.get(tool, ())}
            yield from self._condition(where, known, place)
        for tool, condition in where.items() if isinstance(where, dict) else ():
            if tool in self.arguments:
                yield from self._condition(condition, set(self.arguments[tool]), (*place, tool))
            else:
                yield _problem("unknown_tool", f"there is no tool {tool!r}.", (*place, tool),
                               did_you_mean(tool, self.arguments))  # fmt: skip

    def _condition(self, sql: str, known: set[str], place: Path) -> Iterator[Problem]:
        for name in parameters_of(sql):
            if name not in known and name != "actor":
                yield _problem("unknown_argument", f"no tool of this rule takes an argument {name!r}.", place,
                               did_you_mean(name, sorted(known)))  # fmt: skip
        sources = {after.name or "" for word, after in pairwise(significant(sql)) if word.folded in ("from", "join")}
        data = sorted(sources & {*self.schema.tables, *self.schema.views, "before", "action", "change"})
        if data:
            message = f"`where` is a condition on arguments, judged again at the end; it cannot read {data[0]}."
            yield _problem("where_reads_data", message, place, "Use a change rule, or `never` over `action`.")
        changing = sorted(_CHANGING & {token.folded for token in significant(sql)})
        if changing:
            message = f"`where` is a condition on arguments, judged again at the end; {changing[0]} would differ then."
            yield _problem("where_reads_data", message, place, "Use `never` over `action`: each action has its `at`.")

    def _deny(self) -> Iterator[Problem]:
        place = (*self.path, "deny")
        if self.rule.deny and self.template in ONLY_AT_THE_END:
            message = f"{self.template} is broken only at the end, when nothing can be refused."
            yield _problem("deny_too_late", message, place)
        elif self.rule.deny and self.rule.outcome == "error":
            yield _problem("deny_too_late", "a failed call cannot be refused any more.", place)

    def _never(self) -> Iterator[Problem]:
        for name in ("same", "where", "within"):
            if getattr(self.rule, name) is not None:
                yield _problem("not_for_never", f"`{name}` has no effect on `never`.", (*self.path, name),
                               "Say it in the query.")  # fmt: skip
        words = [token.folded for token in significant(self.rule.never or "")]
        if self.rule.deny and "step" not in words and "*" not in words:
            message = "a query that denies must say which action it means."
            yield _problem("never_without_step", message, (*self.path, "never"), "Select `step`.")


def _table_of(event: ReadsEvent | WritesEvent) -> str:
    return event.reads if isinstance(event, ReadsEvent) else event.writes.partition(".")[0]


def _unknown_table(name: str, schema: Schema, place: Path) -> Problem | None:
    if name in schema.tables:
        return None
    return _problem("unknown_table", f"there is no table {name!r}.", place, did_you_mean(name, schema.tables))


def _unknown_column(table: str, column: str | None, schema: Schema, place: Path) -> Problem | None:
    known = schema.tables.get(table)
    if known is None or column is None or known.column(column) is not None:
        return None
    hint = did_you_mean(column, known.column_names)
    return _problem("unknown_column", f"{table} has no column {column!r}.", place, hint)


def _problem(code: str, message: str, place: Path, suggestion: str = "", *, severity: str = "error") -> Problem:
    return Problem(code, message, render_path(place), suggestion=suggestion, severity=severity)
