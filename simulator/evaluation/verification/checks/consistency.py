"""Consistency: policy, rules, tools and data tell of one company, and nothing stands there for show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from simulator.episode import workplace_of
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.checks.policy_text import policy_findings
from simulator.evaluation.verification.coverage import coverage
from simulator.evaluation.verification.findings import CheckResult, Finding, Part, Severity
from simulator.evaluation.verification.subject import Subject
from simulator.lint.results import has_order
from simulator.scenario import Scenario
from simulator.scenario.models import ChangeRule, ExpectedValue, Operation, StateRule
from simulator.sql.schema import quoted
from simulator.tasks import World

_SEEN = "seen"
_READS_DATA = re.compile(r"\bfrom\b|:answer|:refusal", re.IGNORECASE)


def _of_template(subject: Subject) -> CheckResult:
    if not subject.tasks:
        return CheckResult()
    findings = (*_cannot_fail(subject), *_lists_without_order(subject))
    return CheckResult(findings, (), {_SEEN: list(coverage(subject))})


def _cannot_fail(subject: Subject) -> Iterator[Finding]:
    """Checks that hold whatever is done: of those that look at nothing this is sure."""
    episodes = [episode for played in subject.by_agent.values() for episode in played]
    for name, check in subject.template.checks.items():
        blind = check.passes is not None and not _READS_DATA.search(check.passes)
        earned = [
            any(line.points > 0 for line in episode.score.lines if (line.part, line.name) == ("completion", name))
            for episode in episodes
        ]
        if blind or all(earned):
            message = "The check looks at nothing." if blind else "The check holds in every episode of every agent."
            about = f"{subject.about}.checks.{name}"
            advice = "Let it look at what the work changes, or take it out."
            yield Finding("consistency.check_never_fails", "warning", about, message, advice, episodes[-1].evidence())


def _lists_without_order(subject: Subject) -> Iterator[Finding]:
    """Expected lists whose order nothing says: who gives the right elements in another order is wrong by chance."""
    for name, check in subject.template.checks.items():
        expected = check.answer.list_ if check.answer is not None else None
        if isinstance(expected, ExpectedValue) and not has_order(expected.sql):
            message = "The answer must be in the order of a query that says none."
            advice = "Say `set` if any order will do; else add `order by`, and tell the order in the instruction."
            yield Finding(
                "consistency.list_without_order", "warning", f"{subject.about}.checks.{name}", message, advice
            )


def _of_scenario(scenario: Scenario, worlds: Sequence[World], parts: Sequence[Part]) -> CheckResult:
    seen: set[str] = set()
    for part in parts:
        found = part.result.figures.get(_SEEN) if part.check == "consistency" else None
        if isinstance(found, list):
            seen.update(map(str, found))
    findings = [
        *_operations(scenario, seen),
        *_rules(scenario, seen),
        *_states(scenario, worlds, seen),
        *policy_findings(scenario.document),
    ]
    return CheckResult(tuple(findings))


def _operations(scenario: Scenario, seen: set[str]) -> Iterator[Finding]:
    for name, tool in scenario.document.tools.items():
        if not isinstance(tool, Operation):
            continue
        if f"tool:{name}" not in seen:
            writes = bool(tool.effects)
            message = "No solution of a task calls the operation."
            advice = "Write a task that needs it, or take it out if it is not there to distract."
            severity: Severity = "warning" if writes else "review"
            yield Finding("consistency.unused_operation", severity, f"tools.{name}", message, advice)
        for place, guard in enumerate(tool.guards):
            if f"guard:{name}:{guard.else_.code}" not in seen:
                message = f"No agent is ever refused with `{guard.else_.code}`."
                advice = (
                    "See whether an earlier guard or the data keep it from being reached; draw a task that meets it."
                )
                about = f"tools.{name}.guards[{place}]"
                yield Finding("consistency.guard_never_refuses", "warning", about, message, advice)


def _rules(scenario: Scenario, seen: set[str]) -> Iterator[Finding]:
    rules = scenario.document.rules
    changed = {item.partition(":")[2].partition(".")[0] for item in seen if item.split(":")[0] in _VERBS}
    spoken = {re.split(r"[:.]", item)[-1] for item in seen if item.startswith("rule:")}
    for kind, name, rule in (
        *(("state", name, rule) for name, rule in rules.state.items()),
        *(("change", name, rule) for name, rule in rules.change.items()),
        *(("process", name, rule) for name, rule in rules.process.items()),
    ):
        active = name in spoken
        if isinstance(rule, StateRule):
            active = active or any(re.search(rf"\b{table}\b", rule.never) for table in changed)
        elif isinstance(rule, ChangeRule):
            when = rule.when
            place = f"{when.table}.{when.column}" if when.column else when.table
            active = active or f"{when.verb}:{place}" in seen
        if not active:
            message = "No agent ever does what the rule is about."
            advice = "Draw a task in which it matters, or take it out."
            yield Finding("consistency.rule_never_active", "warning", f"rules.{kind}.{name}", message, advice)


_VERBS = ("insert", "update", "delete")


def _states(scenario: Scenario, worlds: Sequence[World], seen: set[str]) -> Iterator[Finding]:
    """States that no generated row is or was in, and that no agent leads a row into."""
    entered = {tuple(item.split(":")[1:]) for item in seen if item.startswith("state:")}
    for world in worlds:
        engine = workplace_of(world).engine
        with engine.laid_bare() as database:
            for table in engine.schema.tables.values():
                column = table.lifecycle_column
                if column is None or column.lifecycle is None:
                    continue
                places = [(table.name, column.name)]
                history = engine.schema.history_table(table.name)
                places += [(history.name, "from_state"), (history.name, "to_state")] if history is not None else []
                for relation, name in places:
                    rows = database.query(f"select distinct {quoted(name)} from {quoted(relation)} order by 1", {}).rows
                    entered.update((column.lifecycle, str(row[0])) for row in rows)
    for name, lifecycle in scenario.document.world.lifecycles.items():
        for state in lifecycle.states():
            if (name, state) not in entered:
                message = f"Nothing is ever in the state `{state}`: no generated row, and none after what agents do."
                advice = "Let the history lead there (`after`), write the operation and task that do, or take it out."
                about = f"world.lifecycles.{name}"
                yield Finding("consistency.state_never_entered", "warning", about, message, advice)


_TITLE = "Policy, rules, tools and data agree, and nothing is there for show"
CHECK = Check("consistency", _TITLE, "template", _of_template)
OF_SCENARIO = Check("consistency", _TITLE, "scenario", _of_scenario)
