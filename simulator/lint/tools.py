"""All tools of a scenario, and who may use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from simulator.lint.findings import Findings
from simulator.lint.grants import check_grants
from simulator.lint.operations import CheckedOperation, check_operation
from simulator.lint.roles import check_roles
from simulator.lint.scopes import Scope
from simulator.lint.statements import Statements
from simulator.scenario.models import Operation, ProcessRule, ScenarioDocument, SqlTool
from simulator.scenario.paths import Path


def check_tools(
    document: ScenarioDocument, statements: Statements, findings: Findings
) -> Mapping[str, CheckedOperation]:
    """Check every tool; what is known of each operation."""
    checked: dict[str, CheckedOperation] = {}
    named_by_rules = _arguments_named_by_rules(document.rules.process.values(), statements)
    for name, role in document.roles.items():
        if role.actor is not None:
            statements.check(role.actor, ("roles", name, "actor"), "query", Scope())
    for name, tool in document.tools.items():
        path: Path = ("tools", name)
        check_roles(tool.roles, (*path, "roles"), document, findings)
        if isinstance(tool, SqlTool):
            check_grants(tool, (*path, "sql", "grants"), document, statements, findings)
            continue
        checked[name] = check_operation(tool, path, statements, findings)
        _check_unused(tool, path, checked[name].uses | named_by_rules, findings)
    return checked


def _check_unused(operation: Operation, path: Path, uses: frozenset[str], findings: Findings) -> None:
    for name in operation.parameters:
        if name not in uses:
            message = f"Nothing uses the parameter `{name}`."
            findings.warning("unused_parameter", message, (*path, "parameters", name), "Take it out.", at_key=True)


def _arguments_named_by_rules(rules: Iterable[ProcessRule], statements: Statements) -> frozenset[str]:
    """Arguments that process rules look at, whether or not the operation itself does."""
    names: set[str] = set()
    for rule in rules:
        names |= {rule.same} if isinstance(rule.same, str) else set((rule.same or {}).values())
        conditions = [rule.where] if isinstance(rule.where, str) else list((rule.where or {}).values())
        for condition in conditions:
            names |= statements.uses(condition)
    return frozenset(names)
