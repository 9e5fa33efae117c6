"""The grants of a tool that runs the agent's own SQL: tables, columns and roles that exist, conditions that work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from simulator.lint.findings import Findings
from simulator.lint.roles import check_roles
from simulator.lint.scopes import Scope
from simulator.lint.statements import Statements
from simulator.scenario import did_you_mean
from simulator.scenario.models import Grant, ScenarioDocument, SqlTool
from simulator.scenario.paths import Path
from simulator.sql import RowNames
from simulator.sql.schema import TableSchema

_WRITES = ("insert", "update", "delete")


def check_grants(
    tool: SqlTool, path: Path, document: ScenarioDocument, statements: Statements, findings: Findings
) -> None:
    """Check all grants; ``path`` is where they stand."""
    for name, given in tool.sql.grants.items():
        relation = _relation(name, statements)
        if relation is None and name not in statements.unusable and name not in statements.schema.views:
            hint = did_you_mean(name, [*statements.schema.tables, *statements.schema.views])
            findings.error("unknown_table", f"There is no table {name!r}.", (*path, name), hint, at_key=True)
        for place, grant in _placed(given, (*path, name)):
            check_roles(grant.roles, (*place, "roles"), document, findings)
            if relation is not None:
                _Grant(relation, grant, place, statements, findings).check()
                if relation.table is None and tool.sql.dialect != "sqlite":
                    _check_computed(relation.name, grant, place, statements, findings)


@dataclass(frozen=True, slots=True)
class _Relation:
    """A table, or a view, whose ``table`` is None."""

    name: str
    columns: tuple[str, ...]
    table: TableSchema | None


def _relation(name: str, statements: Statements) -> _Relation | None:
    table = statements.schema.tables.get(name)
    if table is not None:
        return _Relation(name, table.column_names, table)
    columns = statements.view_columns(name)
    return _Relation(name, columns, None) if columns is not None else None


@dataclass(frozen=True, slots=True)
class _Grant:
    """One grant on something that exists."""

    relation: _Relation
    grant: Grant
    path: Path
    statements: Statements
    findings: Findings

    def check(self) -> None:
        self._check_columns()
        self._check_writes()
        if self.grant.where is not None:
            row = RowNames(self.relation.name, self.relation.columns)
            scope = Scope(parameters=frozenset({"actor"}), rows=(row,))
            self.statements.check(self.grant.where, (*self.path, "where"), "condition", scope)

    def _check_columns(self) -> None:
        for part in ("select", "insert", "update", "masked"):
            columns = getattr(self.grant, part)
            for index, column in enumerate(columns if isinstance(columns, list) else ()):
                if column not in self.relation.columns:
                    hint = did_you_mean(column, self.relation.columns)
                    message = f"{self.relation.name} has no column {column!r}."
                    self.findings.error("unknown_column", message, (*self.path, part, index), hint)

    def _check_writes(self) -> None:
        """What nobody but the engine writes cannot be granted, nor can a change of keys."""
        table = self.relation.table
        given = [part for part in _WRITES if getattr(self.grant, part)]
        if given and table is None:
            message = f"`{self.relation.name}` is a view, and a view can only be read."
            self.findings.error("not_writable", message, (*self.path, given[0]), "Grant its tables.")
        elif given and table is not None and table.history_of is not None:
            message = f"Only the engine writes `{table.name}`."
            hint = f"Grant the change of the state in `{table.history_of}`."
            self.findings.error("not_writable", message, (*self.path, given[0]), hint)
        elif table is not None:
            self._check_keys(table)
            self._check_inserts(table)

    def _check_keys(self, table: TableSchema) -> None:
        columns = self.grant.update
        for index, column in enumerate(columns if isinstance(columns, list) else ()):
            if column in table.key:
                message = f"`{column}` is part of the key, and keys do not change."
                hint = "Grant insert and delete instead."
                self.findings.error("key_update", message, (*self.path, "update", index), hint)

    def _check_inserts(self, table: TableSchema) -> None:
        columns = self.grant.insert
        if not isinstance(columns, list):
            return
        chosen = table.key[0] if len(table.key) == 1 else ""
        for column in table.columns:
            numbered = column.name == chosen and column.storage == "INTEGER"
            if column.name not in columns and not column.nullable and not numbered:
                message = f"A new row needs `{column.name}`, and the grant does not let it be set."
                self.findings.error("insert_impossible", message, (*self.path, "insert"), "Add it to the columns.")
                return


def _check_computed(view: str, grant: Grant, path: Path, statements: Statements, findings: Findings) -> None:
    """A translation goes by the types of columns, and what a view computes has none."""
    shown = None if grant.select == "*" else {*(grant.select or ()), *grant.masked}
    lost = [name for name in statements.computed_columns(view) if shown is None or name in shown]
    if lost:
        names = ", ".join(f"`{name}`" for name in lost)
        message = f"Agents cannot read {names} of `{view}`: a computed column has no type for another dialect to go by."
        hint = "Grant the tables behind the view, or let agents write SQLite's dialect."
        findings.warning("untyped_column", message, (*path, "select"), hint)


def _placed(given: Grant | list[Grant], path: Path) -> Iterator[tuple[Path, Grant]]:
    if isinstance(given, Grant):
        yield path, given
    else:
        yield from (((*path, index), grant) for index, grant in enumerate(given))
