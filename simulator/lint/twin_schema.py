"""The twin on which a scenario's SQL is checked, made even of a schema that has problems.

A table that is wrong in one respect still has its columns: it is mended, so that one mistake is told once, and not
again by every statement that reads the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import apsw

from simulator.errors import EngineFault
from simulator.lint.findings import Findings
from simulator.scenario.models import ScenarioDocument, Table, View
from simulator.sql.engine_tables import twin_of
from simulator.sql.schema import ColumnSchema, Schema, TableSchema
from simulator.sql.twin import Twin

_HISTORY_COLUMNS = (
    ColumnSchema("from_state", "text"), ColumnSchema("to_state", "text"), ColumnSchema("at", "timestamp"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TwinSchema:
    """The twin, the schema it has, and the tables and views of the document that it lacks."""

    twin: Twin
    schema: Schema
    missing: frozenset[str]


def build_twin(document: ScenarioDocument, schema: Schema, unusable: frozenset[str], findings: Findings) -> TwinSchema:
    """The twin of as much of a document as can be made; reports views that are wrong and tables SQLite refuses."""
    views = {
        name: sql for name, sql in schema.views.items() if name not in document.world.tables and name not in unusable
    }
    tables = _mended(document, schema, unusable)
    try:
        twin, problems = twin_of(Schema(tables, views))
    except EngineFault:
        tables = _makeable(tables, findings)
        twin, problems = twin_of(Schema(tables, views))
    missing = (set(document.world.tables) - set(tables)) | set(problems) | (set(document.world.views) - set(views))
    for name, found in problems.items():
        view = document.world.views[name]
        path = ("world", "views", name, "sql") if isinstance(view, View) else ("world", "views", name)
        for problem in found:
            if problem.code != "sql_unknown_name" or not missing & set(problem.names):
                findings.statement(problem, path, schema.views[name])
    sound = {name: sql for name, sql in views.items() if name not in problems}
    return TwinSchema(twin, Schema(tables, sound), frozenset(missing))


def _mended(document: ScenarioDocument, schema: Schema, unusable: frozenset[str]) -> dict[str, TableSchema]:
    """The schema's tables, and stand-ins for those it lacks; references to tables that are not there are dropped."""
    tables = dict(schema.tables)
    for name, table in document.world.tables.items():
        if name not in tables and (stand_in := _stand_in(name, table)) is not None:
            tables[name] = stand_in
    tables = {name: table for name, table in tables.items() if name not in unusable}
    return {name: _with_known_references(table, tables) for name, table in tables.items()}


def _stand_in(name: str, table: Table) -> TableSchema | None:
    if table.history_of is not None:
        keys = (ColumnSchema("id", "integer"), ColumnSchema(f"{table.history_of}_id", "text"))
        return TableSchema(name, (*keys, *_HISTORY_COLUMNS), ("id",), history_of=table.history_of)
    columns = tuple(
        ColumnSchema(column, (model.type or "text").partition("(")[0], nullable=True)
        for column, model in table.columns.items()
    )
    return TableSchema(name, columns, (columns[0].name,)) if columns else None


def _with_known_references(table: TableSchema, tables: Mapping[str, TableSchema]) -> TableSchema:
    columns = (column if column.references in tables else replace(column, references=None) for column in table.columns)
    return replace(table, columns=tuple(columns))


def _makeable(tables: Mapping[str, TableSchema], findings: Findings) -> dict[str, TableSchema]:
    """The tables that SQLite can make, each refused one reported with SQLite's words."""
    made = dict(tables)
    connection = apsw.Connection(":memory:")
    for part in (_table_statements, Schema.index_statements, Schema.trigger_statements):
        for name, table in list(made.items()):
            try:
                for statement in part(Schema({name: table}, {})):
                    connection.execute(statement)
            except apsw.Error as error:
                message = f"SQLite cannot make this table: {error}."
                findings.error("bad_table", message, ("world", "tables", name), at_key=True)
                del made[name]
    return {name: _with_known_references(table, made) for name, table in made.items()}


def _table_statements(schema: Schema) -> Iterator[str]:
    """CREATE TABLE without references, which need the other tables."""
    alone = {name: _with_known_references(table, {}) for name, table in schema.tables.items()}
    return Schema(alone, {}).table_statements()
