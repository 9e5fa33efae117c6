"""A small shop with written rows: the world the operations of these tests run in."""

import json
from contextlib import contextmanager

from simulator.scenario.models import ScenarioDocument
from simulator.scenario.scenario import Scenario
from simulator.scenario.times import parse_timestamp
from simulator.sql.engine_tables import twin_of
from simulator.sql.schema import build_schema
from simulator.tools import Toolbox, ToolCall, Verdict
from simulator.world.build import build_world
from simulator.world.database import Database

NOW = "2026-03-02 09:00:00"

TABLES = {
    "customer": {
        "rows": [
            {"id": "C-1", "name": "Ann", "vip": True, "tags": ["new", "éü"], "balance": 25.5, "phone": None},
            {"id": "C-2", "name": "Bo", "vip": False, "tags": [], "balance": 0.0, "phone": "12"},
        ],
        "columns": {
            "id": {"type": "text", "key": True},
            "name": {"type": "text", "unique": True},
            "vip": {"type": "boolean"},
            "tags": {"type": "json"},
            "balance": {"type": "decimal(10,2)"},
            "phone": {"type": "text", "nullable": True},
        },
    },
    "item": {
        "rows": [{"id": number, "name": f"item {number}", "stock": number} for number in range(1, 8)],
        "columns": {"id": {"type": "integer", "key": True}, "name": {"type": "text"}, "stock": {"type": "integer"}},
    },
    "purchase": {
        "rows": [
            {"id": 1, "customer_id": "C-1", "status": "open", "at": "2026-03-01 10:00:00"},
            {"id": 2, "customer_id": "C-2", "status": "paid", "at": "2026-03-01 11:00:00"},
            {"id": 3, "customer_id": "C-1", "status": "paid", "at": "2026-03-01 12:00:00"},
        ],
        "columns": {
            "id": {"type": "integer", "key": True},
            "customer_id": {"ref": "customer"},
            "status": {"type": "text"},
            "at": {"type": "timestamp"},
        },
    },
    "line": {
        "rows": [
            {"purchase_id": 1, "item_id": 1, "quantity": 2},
            {"purchase_id": 1, "item_id": 2, "quantity": 1},
            {"purchase_id": 2, "item_id": 3, "quantity": 1},
        ],
        "key": ["purchase_id", "item_id"],
        "columns": {"purchase_id": {"ref": "purchase"}, "item_id": {"ref": "item"}, "quantity": {"type": "integer"}},
    },
}


def document(tools, **parts):
    world = {"now": NOW, "tables": TABLES, **parts.pop("world", {})}
    whole = {"worldwright": 1, "id": "shop", "title": "Shop", "world": world, "tools": tools, **parts}
    return ScenarioDocument.model_validate_json(json.dumps(whole))


def toolbox(tools, **parts):
    of = document(tools, **parts)
    schema, _ = build_schema(of)
    twin, _ = twin_of(schema)
    return Toolbox(of, twin.analyse)


class Shop:
    """The live shop with one set of tools: `call` acts as an episode does, without its rules."""

    def __init__(self, toolbox, database):
        self.toolbox = toolbox
        self.database = database

    def call(self, tool, /, **arguments):
        """The result, or the verdict of an action that failed and was undone."""
        call = self.toolbox.read_call({"tool": tool, "arguments": arguments}, None)
        if isinstance(call, Verdict):
            return call
        with self.database.store.record() as recorder:
            outcome = self.attempt(call)
            if isinstance(outcome, Verdict):
                recorder.rollback()
        return outcome

    def attempt(self, call: ToolCall):
        attempt = self.toolbox.run(self.database, call, {"actor": "C-1"})
        return self.toolbox.result(self.database, call, attempt) if attempt.verdict.ok else attempt.verdict

    def rows(self, sql):
        return list(self.database.query(sql, {}).rows)


@contextmanager
def shop(tools, **parts):
    of = document(tools, **parts)
    world = build_world(Scenario(of, "sha256:0"), 7)
    twin, _ = twin_of(world.schema)
    with Database(world) as database:
        database.store.now = parse_timestamp(NOW)
        yield Shop(Toolbox(of, twin.analyse), database)
