"""The SQL and the messages of rules; what the rules mean is checked where they are judged."""

from __future__ import annotations

from simulator.lint.findings import Findings
from simulator.lint.operations import check_placeholders
from simulator.lint.scopes import Scope
from simulator.lint.statements import Statements
from simulator.scenario.models import ChangeRule, ProcessRule, Rule, Rules
from simulator.scenario.paths import Path
from simulator.tools import MessageTemplate

_SCOPE = Scope(engine=True).binding(["actor"])


def check_rules(rules: Rules, statements: Statements, findings: Findings) -> None:
    """Check every SQL text of the rules."""
    for name, state in rules.state.items():
        path: Path = ("rules", "state", name)
        facts = statements.check(state.never, (*path, "never"), "query", _SCOPE)
        _check_message(state, path, Scope().binding_columns(facts), findings)
    for name, change in rules.change.items():
        _check_change(change, ("rules", "change", name), statements, findings)
    for name, process in rules.process.items():
        _check_process(process, ("rules", "process", name), statements, findings)


def _check_change(rule: ChangeRule, path: Path, statements: Statements, findings: Findings) -> None:
    table = statements.schema.tables.get(rule.when.table)
    if table is None:
        return  # unknown, which is told already
    absent = {"insert": "old", "delete": "new"}.get(rule.when.verb)
    nullable = [
        (row, column.name) for row in ("old", "new") for column in table.columns if column.nullable or row == absent
    ]
    statements.require(rule.require, (*path, "require"), _SCOPE.about_change(table), nullable)
    names = [f"{prefix}{column}" for prefix in ("", "old_", "new_") for column in table.column_names]
    _check_message(rule, path, Scope().binding(names), findings)


def _check_process(rule: ProcessRule, path: Path, statements: Statements, findings: Findings) -> None:
    known = Scope(open=True)
    if rule.never is not None:
        facts = statements.check(rule.never, (*path, "never"), "query", _SCOPE)
        known = Scope().binding_columns(facts)
    # Which arguments a condition may name depends on the rule's events, and is checked with them.
    conditions = {"": rule.where} if isinstance(rule.where, str) else rule.where or {}
    for tool, condition in conditions.items():
        place = (*path, "where", tool) if tool else (*path, "where")
        statements.check(condition, place, "condition", Scope(open=True, engine=True))
    _check_message(rule, path, known, findings)


def _check_message(rule: Rule, path: Path, scope: Scope, findings: Findings) -> None:
    if rule.message is None:
        return
    template = MessageTemplate.parse(rule.message)
    for words in template.problems:
        findings.error("bad_template", f"{words}.", (*path, "message"))
    check_placeholders(template.names, scope, (*path, "message"), findings)
