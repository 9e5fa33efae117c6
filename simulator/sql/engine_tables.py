"""The tables the engine shows to rules and checks: the agent's actions, and the rows they changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simulator.sql.problems import SqlProblem
from simulator.sql.schema import Schema
from simulator.sql.twin import Twin

ACTION_COLUMNS = ("step", "turn", "tool", "arguments", "outcome", "code", "result", "at")
CHANGE_COLUMNS = ("step", "source", "table_name", "key", "op", "column_name", "old", "new")

ENGINE_TABLES = (("action", ACTION_COLUMNS), ("change", CHANGE_COLUMNS))


def twin_of(schema: Schema) -> tuple[Twin, dict[str, list[SqlProblem]]]:
    """The twin of a scenario's schema with its views, and what is wrong with each view that could not be added.

    Views may read views that stand after them, but not, by any way, themselves.
    """
    twin = Twin(";\n".join(schema.statements()), engine_tables=ENGINE_TABLES, protected=schema.history_tables())
    waiting = dict(schema.views)
    while True:
        problems = {name: found for name, sql in waiting.items() if (found := twin.define_view(name, sql))}
        if len(problems) == len(waiting):
            break
        waiting = {name: sql for name, sql in waiting.items() if name in problems}
    for cycle in _cycles(problems):
        path = " → ".join(f"`{name}`" for name in (*cycle, cycle[0]))
        message = f"The view reads itself: {path}."
        for name, following in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            hint = "Let one of them read tables instead."
            problems[name] = [SqlProblem("view_cycle", message, suggestion=hint, names=(following,))]
    return twin, problems


def _cycles(problems: Mapping[str, Sequence[SqlProblem]]) -> list[tuple[str, ...]]:
    """The rings of views each of which lacks the next."""
    lacks: dict[str, list[str]] = {}
    spelled = {name.lower(): name for name in problems}
    for name, found in problems.items():
        unknown = (known.lower() for problem in found if problem.code == "sql_unknown_name" for known in problem.names)
        lacks[name] = [spelled[known] for known in unknown if known in spelled]
    cycles: dict[frozenset[str], tuple[str, ...]] = {}
    for start in lacks:
        path: list[str] = []
        at = start
        while at not in path and lacks[at]:
            path.append(at)
            at = lacks[at][0]
        if at in path:
            ring = path[path.index(at) :]
            cycles.setdefault(frozenset(ring), tuple(ring))
    return list(cycles.values())
