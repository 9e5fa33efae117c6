"""Names that may not be given to tables, views, lets and parameters: SQL or the engine has a meaning for them."""

from __future__ import annotations

import re

from simulator.lint.findings import Findings
from simulator.scenario.models import RESERVED_PARAMETERS, RESERVED_TABLES, Operation, RowSet, ScenarioDocument
from simulator.scenario.paths import Path
from simulator.sql.schema import Schema

_SQLITES = re.compile(r"(sqlite|pragma)_.*|fts[0-9].*|jsonb?_(each|tree)|bytecode|completion|dbstat|tables_used")
_COLUMN = re.compile(r"[a-z][a-z0-9_]*")


def table_name_problem(name: str) -> str:
    """Why no table, view or row set may be called so; empty when it may."""
    if name in RESERVED_TABLES:
        return f"`{name}` has a meaning of its own in SQL."
    if _SQLITES.fullmatch(name):
        return f"`{name}` belongs to SQLite."
    return ""


def world_names(document: ScenarioDocument, schema: Schema, findings: Findings) -> frozenset[str]:
    """Check the names of tables, columns and views; returns the tables that cannot be made because of theirs."""
    unusable: set[str] = set()
    for name, table in document.world.tables.items():
        path: Path = ("world", "tables", name)
        if words := table_name_problem(name):
            findings.error("reserved_name", words, path, "Choose another name.", at_key=True)
            unusable.add(name)
        resolved = schema.tables.get(name)
        for column in resolved.column_names if resolved is not None and not table.columns else ():
            if not _COLUMN.fullmatch(column) or len(column) > 60:
                message = f"{column[:60]!r} is no name for a column."
                hint = "Use small letters, digits and underscores, starting with a letter."
                findings.error("bad_column_name", message, path, hint, at_key=True)
                unusable.add(name)
    for name in document.world.views:
        path = ("world", "views", name)
        if words := table_name_problem(name):
            findings.error("reserved_name", words, path, "Choose another name.", at_key=True)
        elif name in document.world.tables:
            findings.error("name_taken", f"`{name}` is a table already.", path, "Choose another name.", at_key=True)
    return frozenset(unusable)


def operation_names(operation: Operation, schema: Schema, path: Path, findings: Findings) -> None:
    """Check the names of an operation's parameters and lets."""
    for part in ("parameters", "let"):
        for name in getattr(operation, part):
            if name in RESERVED_PARAMETERS:
                message = f"`:{name}` is bound by the engine."
                findings.error("reserved_name", message, (*path, part, name), "Choose another name.", at_key=True)
    for name, let in operation.let.items():
        if not isinstance(let, RowSet):
            continue
        place = (*path, "let", name)
        if words := table_name_problem(name):
            findings.error("reserved_name", words, place, "Choose another name.", at_key=True)
        elif name in schema.tables or name in schema.views:
            message = f"The rows would hide `{name}` of the world."
            findings.error("name_taken", message, place, "Choose another name.", at_key=True)
