"""An office with things an agent may see, may change, and must never see: secrets are marked, to be found wherever they
come out. `Office` runs statements as an episode does, without its rules."""

from __future__ import annotations

import json
from contextlib import contextmanager

from simulator.scenario.models import ScenarioDocument
from simulator.scenario.scenario import Scenario
from simulator.scenario.times import parse_timestamp
from simulator.sql.engine_tables import twin_of
from simulator.tools import Toolbox, explain_sql, result_text
from simulator.world.build import build_world
from simulator.world.database import Database

NOW = "2026-03-02 09:00:00"
SECRET = "XSECRETX"
ACTOR = "U-1"


def secret(number):
    return f"{SECRET}{number}"


TABLES = {
    "person": {
        "rows": [
            {"id": "U-1", "name": "Ann", "email": secret(1), "salary": 4200.5, "team": "blue", "born": "1980-01-02"},
            {"id": "U-2", "name": "Bo", "email": secret(2), "salary": 3100.0, "team": "red", "born": "1990-05-06"},
            {"id": "U-3", "name": "Cy", "email": secret(3), "salary": 2900.0, "team": "blue", "born": "1999-12-31"},
        ],
        "columns": {
            "id": {"type": "text", "key": True},
            "name": {"type": "text", "unique": True},
            "email": {"type": "text"},
            "salary": {"type": "decimal(10,2)"},
            "team": {"type": "text"},
            "born": {"type": "date"},
        },
    },
    "ticket": {
        "rows": [
            {
                "id": number,
                "owner_id": f"U-{1 + number % 3}",
                "title": f"Ticket {number}" if number % 3 == 0 else f"{secret(number)} title",
                "status": ("open", "closed", "pending")[number % 3] if number % 2 else "open",
                "priority": 1 + number % 4,
                "opened_at": f"2026-02-{number:02d} 10:00:00",
                "urgent": number % 5 == 0,
                "tags": ["a", number],
                "note": secret(f"note{number}"),
                "cost": number * 1.25,
            }
            for number in range(1, 21)
        ],
        "columns": {
            "id": {"type": "integer", "key": True},
            "owner_id": {"ref": "person"},
            "title": {"type": "text"},
            "status": {"type": "text"},
            "priority": {"type": "integer"},
            "opened_at": {"type": "timestamp"},
            "urgent": {"type": "boolean"},
            "tags": {"type": "json"},
            "note": {"type": "text", "nullable": True},
            "cost": {"type": "decimal(10,2)"},
        },
    },
    "product": {
        "rows": [{"id": n, "name": f"product {n}", "price": n * 2.5, "stock": n * 3} for n in range(1, 31)],
        "columns": {
            "id": {"type": "integer", "key": True},
            "name": {"type": "text", "unique": True},
            "price": {"type": "decimal(10,2)"},
            "stock": {"type": "integer"},
        },
    },
    "line": {
        "rows": [{"ticket_id": 1 + n % 20, "product_id": 1 + n % 30, "quantity": 1 + n % 4} for n in range(60)],
        "key": ["ticket_id", "product_id"],
        "columns": {
            "ticket_id": {"ref": "ticket"},
            "product_id": {"ref": "product"},
            "quantity": {"type": "integer"},
        },
    },
    "vault": {
        "rows": [{"id": n, "password": secret(f"vault{n}")} for n in range(1, 4)],
        "columns": {"id": {"type": "integer", "key": True}, "password": {"type": "text"}},
    },
}

VIEWS = {
    "open_ticket": "select id, title, priority from ticket where status = 'open' and owner_id = 'U-1'",
    "vault_view": "select password from vault",
}

TICKET_COLUMNS = ["id", "owner_id", "title", "status", "priority", "opened_at", "urgent", "tags", "cost"]

GRANTS = {
    "person": {"select": ["id", "name", "team", "born"], "masked": ["email"]},
    "ticket": {
        "select": TICKET_COLUMNS,
        "insert": TICKET_COLUMNS,
        "update": ["title", "status", "priority", "opened_at", "cost"],
        "delete": True,
        "where": "owner_id = :actor",
    },
    "product": {"select": "*", "insert": "*", "update": ["price", "stock", "name"], "delete": True},
    "line": {"select": "*", "insert": "*", "update": "*", "delete": True},
    "open_ticket": {"select": "*"},
}

LIMITS = {"rows": 50, "affected": 30, "work": 300_000}


def document(grants=GRANTS, limits=LIMITS, dialect="sqlite", **parts):
    whole = {
        "worldwright": 1,
        "id": "office",
        "title": "Office",
        "world": {"now": NOW, "tables": TABLES, "views": VIEWS},
        "tools": {"run_sql": {"sql": {"dialect": dialect, "grants": grants, "limits": limits}}},
        **parts,
    }
    return ScenarioDocument.model_validate_json(json.dumps(whole))


class Office:
    def __init__(self, toolbox, database):
        self.toolbox = toolbox
        self.database = database
        self.tool = toolbox.sql_tool("run_sql")

    def explain(self, sql, role=None, actor=ACTOR):
        """Judged, run and undone."""
        return explain_sql(self.database, self.tool, sql, role, {"actor": actor})

    def rows(self, sql, role=None):
        """The rows of a query that must be accepted."""
        explained = self.explain(sql, role)
        assert explained.verdict.ok, explained.verdict
        return [tuple(row) for row in explained.result["rows"]]

    def told(self, sql, role=None):
        """Everything an agent is told about a statement, as text."""
        explained = self.explain(sql, role)
        return f"{explained.verdict.message}\n{result_text(explained.result)}"


@contextmanager
def office(of=None):
    of = document() if of is None else of
    world = build_world(Scenario(of, "sha256:0"), 7)
    twin, _ = twin_of(world.schema)
    with Database(world) as database:
        database.store.now = parse_timestamp(NOW)
        toolbox = Toolbox(of, twin.analyse)
        toolbox.open_world(database)
        yield Office(toolbox, database)
