"""One statement of an agent's SQL: judged, run within its limits, its result read.

The peers are what would remain without a guard: bare apsw running the same text on the same data, and sqlglot reading
the statement and writing it for SQLite. A text that was seen before is judged from memory and run under the authorizer
again; a new text differs in a literal, so everything is done anew, as for an agent that pages through ids.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import cycle

import apsw
import sqlglot
from harness import Case, Report, interleaved, main, order_desk

from simulator import World
from simulator.scenario.models import ScenarioDocument
from simulator.sql.engine_tables import twin_of
from simulator.tools import CompiledSqlTool, Toolbox, Verdict
from simulator.world import Database

DIALECTS = ("sqlite", "postgres")

POINT = "SELECT id, name, tier, since FROM customer WHERE id = {}"
JOIN = (
    "SELECT c.name, p.status, count(*) AS lines, sum(l.quantity) AS items FROM customer c "
    "JOIN purchase p ON p.customer_id = c.id JOIN line l ON l.purchase_id = p.id "
    "WHERE c.id = {} GROUP BY c.name, p.status ORDER BY p.status"
)
STATEMENTS = {"point query": POINT, "3-way join": JOIN}

GRANTS = {
    "open": {"customer": {"select": "*"}, "purchase": {"select": "*"}, "line": {"select": "*"}},
    "filtered": {
        "customer": {"select": "*", "masked": ["email"], "where": "tier <> 'gold' or id = :actor"},
        "purchase": {"select": "*", "where": "warehouse_id <= 4"},
        "line": {"select": "*"},
    },
}

_NEW = 1_000
"""Texts taken in turn; more than are remembered anywhere."""


def measure(full: bool) -> Report:
    """Time both statements in both dialects, seen before and new, beside their peers."""
    report = Report("sql", "One statement of an agent's SQL")
    world = order_desk(1)
    with Database(world.image) as database:
        tools = _tools(world, database)
        for title, text in STATEMENTS.items():
            _measure(report, title, text, tools, database, _bare(world))
    report.notes.append(
        "A new text is one that differs from all before in a literal; the 512 last are remembered. The goals of the "
        "join are beyond what bare apsw takes for the same text. With row filters, customers are filtered by row, one "
        "of their columns is masked, and orders are filtered by row: work that the bare text does not do."
    )
    return report


def _measure(
    report: Report,
    title: str,
    text: str,
    tools: dict[str, CompiledSqlTool],
    database: Database,
    connection: apsw.Connection,
) -> None:
    def judged(tool: CompiledSqlTool) -> Callable[[str], None]:
        def run(sql: str) -> None:
            statement = tool.judge(sql, None)
            if isinstance(statement, Verdict) or not tool.read(database, statement, {"actor": 1}).verdict.ok:
                raise AssertionError(sql)

        return run

    cases: dict[str, Case] = {}
    for name, tool in tools.items():
        cases[f"{name}, seen before"] = _same(judged(tool), text)
        cases[f"{name}, new text"] = _new(judged(tool), text)
    cases["bare, seen before"] = _same(lambda sql: connection.execute(sql).fetchall(), text)
    cases["bare, new text"] = _new(lambda sql: connection.execute(sql).fetchall(), text)
    for dialect in DIALECTS:
        cases[f"sqlglot {dialect}"] = _new(lambda sql, read=dialect: sqlglot.transpile(sql, read, "sqlite"), text)
    timings = interleaved(cases, seconds=0.05)
    for name in tools:
        for seen in ("seen before", "new text"):
            timing = timings[f"{name}, {seen}"]
            peers = {"bare apsw": timings[f"bare, {seen}"]}
            if seen == "new text":
                peers["sqlglot alone"] = timings[f"sqlglot {name.split(' ', maxsplit=1)[0]}"]
            is_point = text == POINT
            report.add_timing(f"{title}, {name}, {seen}", timing, goal=0.5e-3 if is_point else None, peers=peers)
            if not is_point and "filters" not in name:  # filters are work of the statement, which the bare text lacks
                beyond = timing.median - timings[f"bare, {seen}"].median
                report.add("… beyond its own execution", beyond, "s", goal=0.9e-3)
    for peer in ("seen before", "new text"):
        report.add_timing(f"peer: {title}, bare apsw, {peer}", timings[f"bare, {peer}"])
    for dialect in DIALECTS:
        report.add_timing(f"peer: {title}, sqlglot alone, from {dialect}", timings[f"sqlglot {dialect}"])


def _same(run: Callable[[str], object], text: str) -> Case:
    sql = text.format(17)
    return Case(lambda: run(sql))


def _new(run: Callable[[str], object], text: str) -> Case:
    texts = cycle([text.format(number) for number in range(1, _NEW + 1)])
    return Case(lambda: run(next(texts)))


def _tools(world: World, database: Database) -> dict[str, CompiledSqlTool]:
    """An SQL tool for each dialect, and one whose rows are filtered."""
    value = world.scenario.document.model_dump(mode="json", by_alias=True, exclude_unset=True)
    kinds = {
        **{dialect: (dialect, "open") for dialect in DIALECTS},
        **{f"{dialect} with row filters": (dialect, "filtered") for dialect in DIALECTS},
    }
    value["tools"] = {
        f"ask_{number}": {"sql": {"dialect": dialect, "grants": GRANTS[grants]}}
        for number, (dialect, grants) in enumerate(kinds.values())
    }
    document = ScenarioDocument.model_validate_json(json.dumps({**value, "tasks": {}, "rules": {}}))
    twin, _ = twin_of(database.schema)
    toolbox = Toolbox(document, twin.analyse)
    toolbox.open_world(database)
    return {name: tool for number, name in enumerate(kinds) if (tool := toolbox.sql_tool(f"ask_{number}")) is not None}


def _bare(world: World) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", bytes(world.image.image.buffer))
    return connection


if __name__ == "__main__":
    main(measure, __doc__)
