"""From the grants of an SQL tool to the roles that use it: what each sees, and the guard that judges its statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from simulator.errors import EngineFault
from simulator.scenario.models import ScenarioDocument, SqlTool
from simulator.sql import SqlProblem, StatementFacts
from simulator.sql.agent import GrantedTable, Guard, Meaning, Relation, Role, role_of
from simulator.sql.allowed import AGENT_FUNCTIONS
from simulator.sql.schema import Schema, TableSchema
from simulator.tools.compilation import Analyse

if TYPE_CHECKING:
    from simulator.sql.dialects import TableShape

DIALECTS: Mapping[str, str] = {
    "sqlite": "SQLite",
    "postgres": "PostgreSQL",
    "snowflake": "Snowflake",
    "bigquery": "BigQuery (GoogleSQL)",
    "mysql": "MySQL 8",
    "tsql": "SQL Server 2022 (Transact-SQL)",
    "oracle": "Oracle 23ai",
}
"""The dialects an agent may write, and how they are called."""

_JSON_TYPES = {"boolean": "boolean", "json": "json", "array": "json"}


@dataclass(frozen=True, slots=True)
class GuardedRole:
    """A role that has grants, and the guard of its statements."""

    role: Role
    guard: Guard


def relations_of(schema: Schema, analyse: Analyse, names: Iterable[str]) -> dict[str, Relation]:
    """The tables and views of these names, as they can be granted."""
    triggers = list(_triggers(schema))
    found: dict[str, Relation] = {}
    for name in names:
        table = schema.tables.get(name)
        if table is not None:
            own = frozenset(trigger for owner, trigger in triggers if owner == name)
            found[name] = _table(table, own, frozenset(_foreign(table, schema)))
        elif name in schema.views:
            found[name] = _view(name, schema, analyse)
    return found


def guarded_roles(
    name: str, tool: SqlTool, document: ScenarioDocument, relations: Mapping[str, Relation], schema: Schema
) -> dict[str | None, GuardedRole]:
    """The guards of an SQL tool by role; roles that may not use it, or have no grant, are left out."""
    found: dict[str | None, GuardedRole] = {}
    views = frozenset(schema.views)
    for index, named in enumerate((None, *document.roles)):
        if tool.roles is not None and named not in tool.roles:
            continue
        role = role_of(tool.sql, relations, named, f"{name}_{index}")
        if role.tables:
            found[named] = GuardedRole(role, guard_of(role, views, tool.sql.dialect, schema))
    return found


def guard_of(role: Role, views: frozenset[str], dialect: str, schema: Schema) -> Guard:
    """The guard of what a role writes in a dialect. ``views`` are the world's."""
    if dialect == "sqlite":
        return Guard(role, views)
    from simulator.sql.dialects import DIALECT_FUNCTIONS, TableCatalogue, translate  # loads a parser

    catalogue = TableCatalogue(_shape(table, schema) for table in role.tables.values())

    def translated(sql: str) -> tuple[str, Meaning] | SqlProblem:
        found = translate(sql, dialect, catalogue)
        if isinstance(found, SqlProblem):
            is_time = found.code == "sql_value" and _OF_TIME.search(found.message) is not None
            return replace(found, code="bad_time") if is_time else found
        return found.sql, tuple((column.name, _JSON_TYPES.get(column.type.name, "")) for column in found.columns)

    return Guard(role, views, translated, AGENT_FUNCTIONS | DIALECT_FUNCTIONS)


_OF_TIME = re.compile(r"type (timestamp|date)")


def _shape(granted: GrantedTable, schema: Schema) -> TableShape:
    """A table as its role knows it; columns that a view computes have no type a translation could go by."""
    from simulator.sql.dialects import TableColumn, TableShape  # loads a parser

    table = schema.tables.get(granted.name)
    columns = []
    for name in granted.known:
        column = table.column(name) if table is not None else None
        kind = granted.relation.types[granted.relation.columns.index(name)]
        if column is not None:
            returned = _returned(granted, name)
            columns.append(TableColumn(name, column.type, column.nullable, column.precision, column.scale, returned))
        elif kind:
            columns.append(TableColumn(name, kind))
    unique = tuple(group for group in granted.relation.unique if set(group) <= set(granted.known))
    return TableShape(granted.name, tuple(columns), granted.relation.key, unique)


def _returned(granted: GrantedTable, column: str) -> Literal["value", "null", "nothing"]:
    """What RETURNING * gives of a column."""
    if column not in granted.visible:
        return "nothing"
    return "value" if column in granted.clear_everywhere else "null"


def _table(table: TableSchema, triggers: frozenset[str], foreign: frozenset[tuple[str, str]]) -> Relation:
    unique = [(column.name,) for column in table.columns if column.unique]
    return Relation(
        name=table.name,
        columns=table.column_names,
        types=tuple(column.type for column in table.columns),
        key=table.key,
        unique=(*unique, *table.unique),
        writable=table.history_of is None,
        triggers=triggers,
        foreign=foreign,
        scales={column.name: column.scale for column in table.columns if column.type == "decimal"},
    )


def _view(name: str, schema: Schema, analyse: Analyse) -> Relation:
    facts = analyse(f'select * from "{name}"', role="query")
    if not isinstance(facts, StatementFacts):
        raise EngineFault(f"The view {name} cannot be read: {facts[0]}")
    types = []
    for column in facts.columns:
        table = schema.tables.get(column.table)
        origin = table.column(column.column) if table is not None else None
        types.append(origin.type if origin is not None else "")
    columns = tuple(column.name for column in facts.columns)
    return Relation(name, columns, tuple(types), base_tables=facts.tables_read - {name})


def _foreign(table: TableSchema, schema: Schema) -> Iterator[tuple[str, str]]:
    """What SQLite reads to keep the references from and to a table: keys referred to, and columns that refer to it."""
    for other in schema.tables.values():
        for column in other.columns:
            if column.references == table.name:
                yield other.name, column.name
            if column.references is not None and table.name in (other.name, column.references):
                yield column.references, schema.tables[column.references].key[0]


def _triggers(schema: Schema) -> Iterator[tuple[str, str]]:
    for table in schema.tables.values():
        for column in table.columns:
            if column.type == "decimal":
                for verb in ("insert", "update"):
                    yield table.name, f"{table.name}__{column.name}__{verb}"
