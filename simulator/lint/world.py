"""The world's SQL: derived columns, conditions of columns, and the timeline."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.lint.findings import Findings
from simulator.lint.scopes import Scope
from simulator.lint.statements import Statements
from simulator.scenario import did_you_mean
from simulator.scenario.models import Column, Source, TimelineEvent, Trigger, World
from simulator.scenario.paths import Path
from simulator.sql.schema import TableSchema


def check_world(world: World, statements: Statements, findings: Findings) -> None:
    """Check every SQL text of the world but its views, and the names its timeline gives."""
    for name, table in world.tables.items():
        known = statements.schema.tables.get(name)
        if known is None:
            continue
        for column_name, column in table.columns.items():
            _check_column(known, column, ("world", "tables", name, "columns", column_name), statements)
    for name, event in world.timeline.items():
        _check_event(event, ("world", "timeline", name), statements, findings)


def _check_column(table: TableSchema, column: Column, path: Path, statements: Statements) -> None:
    scope = Scope().about_row(table)
    for source, place in _sources(column, path):
        if source.sql is not None:
            statements.check(source.sql, (*place, "sql"), "condition", scope)
    if isinstance(column.missing, str):
        statements.check(column.missing, (*path, "missing"), "condition", scope)
    parent = statements.schema.tables.get(column.ref or "")
    if column.where is not None and parent is not None:
        statements.check(column.where, (*path, "where"), "condition", Scope().about_row(parent))


def _sources(column: Column, path: Path) -> Iterator[tuple[Source, Path]]:
    yield column, path
    if column.depends_on is not None:
        place = (*path, "depends_on")
        yield from ((source, (*place, "when", value)) for value, source in column.depends_on.when.items())
        if column.depends_on.otherwise is not None:
            yield column.depends_on.otherwise, (*place, "otherwise")


def _check_event(event: TimelineEvent, path: Path, statements: Statements, findings: Findings) -> None:
    scope = Scope()
    if event.when is not None:
        table = statements.schema.tables.get(event.when.table)
        _check_trigger(event.when, (*path, "when", event.when.verb), statements, findings)
        if table is None:
            scope = Scope(open=True)
        else:
            scope = scope.binding(f"{row}_{column}" for row in ("old", "new") for column in table.column_names)
            if event.where is not None:
                statements.check(event.where, (*path, "where"), "condition", Scope().about_change(table))
    elif event.where is not None:
        findings.error("where_without_when", "`where` is about the row that `when` watches.", (*path, "where"))
    for index, sql in enumerate(event.effects):
        statements.check(sql, (*path, "effects", index), "write", scope)


def _check_trigger(trigger: Trigger, path: Path, statements: Statements, findings: Findings) -> None:
    tables = statements.schema.tables
    table = tables.get(trigger.table)
    if table is None and trigger.table not in statements.unusable:
        hint = did_you_mean(trigger.table, tables)
        findings.error("unknown_table", f"There is no table {trigger.table!r}.", path, hint)
    elif table is not None and trigger.column is not None and table.column(trigger.column) is None:
        hint = did_you_mean(trigger.column, table.column_names)
        findings.error("unknown_column", f"{table.name} has no column {trigger.column!r}.", path, hint)
