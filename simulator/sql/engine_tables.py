"""The tables the engine shows to rules and checks: the agent's actions, and the rows they changed."""

from __future__ import annotations

from simulator.sql.problems import SqlProblem
from simulator.sql.schema import Schema
from simulator.sql.twin import Twin

ACTION_COLUMNS = ("step", "turn", "tool", "arguments", "outcome", "code", "result", "at")
CHANGE_COLUMNS = ("step", "source", "table_name", "key", "op", "column_name", "old", "new")

ENGINE_TABLES = (("action", ACTION_COLUMNS), ("change", CHANGE_COLUMNS))


def twin_of(schema: Schema) -> tuple[Twin, dict[str, list[SqlProblem]]]:
    """The twin of a scenario's schema with its views, and what is wrong with each view that could not be added."""
    twin = Twin(";\n".join(schema.statements()), engine_tables=ENGINE_TABLES, protected=schema.history_tables())
    problems = {name: found for name, sql in schema.views.items() if (found := twin.define_view(name, sql))}
    return twin, problems
