"""What an agent is told about an SQL tool: dialect, tables with their types and references, rights, limits."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.sql.agent import VERBS, GrantedTable, Limits, Role
from simulator.sql.schema import ColumnSchema, Schema
from simulator.tools.sql_access import DIALECTS


def described(summary: str, dialect: str, role: Role, schema: Schema, limits: Limits, affected: int | None) -> str:
    """The description, one line a table."""
    writes = any(table.may(verb) for table in role.tables.values() for verb in VERBS)
    words = "SELECT, INSERT, UPDATE or DELETE" if writes else "SELECT"
    lines = [summary, f"One {words} statement in the dialect of {DIALECTS[dialect]}.", "Tables:"]
    lines += (f"- {_table(table, role, schema, dialect)}" for table in role.tables.values())
    if any(kind in ("timestamp", "date") for table in role.tables.values() for kind in table.relation.types):
        lines.append("Timestamps are texts, YYYY-MM-DD HH:MM:SS in UTC; dates are YYYY-MM-DD.")
    lines.append(_limits(limits, affected if writes else None))
    return "\n".join(lines)


def _table(table: GrantedTable, role: Role, schema: Schema, dialect: str) -> str:
    # A translation goes by types, so a column that a view computes can be read in SQLite's dialect only.
    names = [name for name in table.known if dialect == "sqlite" or _type_of(name, table)]
    columns = ", ".join(_column(name, table, role, schema) for name in names)
    return f"{table.name}({columns}){''.join(f'; {part}' for part in _rights(table))}"


def _column(name: str, table: GrantedTable, role: Role, schema: Schema) -> str:
    known = schema.tables.get(table.name)
    column = known.column(name) if known is not None else None
    words = [name, column.type_text if column is not None else _type_of(name, table)]
    if name in table.relation.key:
        words.append("key")
    words += _reference(column, role)
    if name not in table.visible:
        words.append("not readable")
    elif name in table.masked:
        words.append("hidden, reads as NULL")
    return " ".join(filter(None, words))


def _type_of(name: str, table: GrantedTable) -> str:
    return table.relation.types[table.relation.columns.index(name)]


def _reference(column: ColumnSchema | None, role: Role) -> Iterator[str]:
    if column is not None and column.references in role.tables:
        yield f"references {column.references}"


def _rights(table: GrantedTable) -> Iterator[str]:
    if table.visible_rows() is not None:
        yield "only the rows you may see"
    if table.insertable:
        yield "insert" + _of(table.insertable, table)
    if table.updatable:
        yield "update" + _of(table.updatable, table)
    if table.may("delete"):
        yield "delete"


def _of(columns: tuple[str, ...], table: GrantedTable) -> str:
    return "" if columns == table.relation.columns else f" {', '.join(columns)}"


def _limits(limits: Limits, affected: int | None) -> str:
    parts = [f"{limits.rows:,} rows and {limits.bytes:,} bytes returned"]
    if affected is not None:
        parts.append(f"{affected:,} rows changed")
    parts.append(f"{limits.work:,} steps of work")
    return f"Limits of one statement: {', '.join(parts)}."
