"""All tools of a scenario, and who may use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from simulator.lint.findings import Findings
from simulator.lint.operations import CheckedOperation, check_operation
from simulator.lint.scopes import Scope
from simulator.lint.statements import Statements
from simulator.scenario import did_you_mean
from simulator.scenario.models import Grant, Operation, ProcessRule, ScenarioDocument, SqlTool
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
            _check_sql_tool(tool, (*path, "sql", "grants"), document, statements, findings)
            continue
        checked[name] = check_operation(tool, path, statements, findings)
        _check_unused(tool, path, checked[name].uses | named_by_rules, findings)
    return checked


def check_roles(names: Sequence[str] | None, path: Path, document: ScenarioDocument, findings: Findings) -> None:
    """Report roles that the scenario does not have."""
    for index, name in enumerate(names or ()):
        check_role(name, (*path, index), document, findings)


def check_role(name: str, path: Path, document: ScenarioDocument, findings: Findings) -> None:
    """Report a role that the scenario does not have."""
    if name not in document.roles:
        hint = did_you_mean(name, document.roles) or "Describe it under `roles`."
        findings.error("unknown_role", f"There is no role {name!r}.", path, hint)


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


def _check_sql_tool(
    tool: SqlTool, path: Path, document: ScenarioDocument, statements: Statements, findings: Findings
) -> None:
    for name, given in tool.sql.grants.items():
        table = statements.schema.tables.get(name)
        if table is None and name not in {*statements.schema.views, *statements.unusable}:
            hint = did_you_mean(name, statements.schema.tables)
            findings.error("unknown_table", f"There is no table {name!r}.", (*path, name), hint, at_key=True)
        for place, grant in _grants(given, (*path, name)):
            check_roles(grant.roles, (*place, "roles"), document, findings)
            if table is None:
                continue
            for part in ("select", "insert", "update", "masked"):
                columns = getattr(grant, part)
                for index, column in enumerate(columns if isinstance(columns, list) else ()):
                    if table.column(column) is None:
                        hint = did_you_mean(column, table.column_names)
                        message = f"{name} has no column {column!r}."
                        findings.error("unknown_column", message, (*place, part, index), hint)
            if grant.where is not None:
                scope = Scope().binding(["actor"]).about_row(table)
                statements.check(grant.where, (*place, "where"), "condition", scope)


def _grants(given: Grant | list[Grant], path: Path) -> list[tuple[Path, Grant]]:
    if isinstance(given, Grant):
        return [(path, given)]
    return [((*path, index), grant) for index, grant in enumerate(given)]
