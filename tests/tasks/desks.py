"""A small support desk with written rows, so that every test can see what is in it."""

import json
from contextlib import contextmanager

from simulator.scenario.models import ScenarioDocument
from simulator.scenario.scenario import Scenario
from simulator.scenario.times import parse_timestamp
from simulator.tasks import World
from simulator.world.build import build_world
from simulator.world.changes import NetChanges
from simulator.world.database import Database

NOW = "2026-03-02 09:00:00"

TICKETS = [
    {"id": number, "customer_id": f"C-{number % 3 + 1:05d}", "team_id": number % 2 + 1, "topic": topic,
     "status": status, "priority": number % 3 + 1, "urgent": number % 2, "resolution": None,
     "changed_at": "2026-03-01 08:00:00"}
    for number, (topic, status) in enumerate(
        [("invoice", "open"), ("outage", "open"), ("login", "closed"), ("invoice", "open"), ("login", "open"),
         ("outage", "new"), ("invoice", "open"), ("invoice", "open")], start=1)
]  # fmt: skip

DOCUMENT = {
    "worldwright": 1,
    "id": "support-desk",
    "title": "Support desk",
    "refusals": ["not_entitled", "duplicate"],
    "roles": {"tier1": {"actor": "select 'A-1'"}, "lead": {}},
    "world": {
        "now": NOW,
        "tables": {
            "team": {"rows": [{"id": 1, "name": "Billing"}, {"id": 2, "name": "Network"}]},
            "customer": {
                "rows": [{"id": f"C-{number:05d}", "name": f"Customer {number}"} for number in (1, 2, 3)],
                "columns": {"id": {"type": "text", "key": True}, "name": {"type": "text"}},
            },
            "ticket": {
                "rows": TICKETS,
                "columns": {
                    "id": {"type": "integer", "key": True},
                    "customer_id": {"ref": "customer"},
                    "team_id": {"ref": "team"},
                    "topic": {"type": "text"},
                    "status": {"type": "text"},
                    "priority": {"type": "integer"},
                    "urgent": {"type": "boolean"},
                    "resolution": {"type": "text", "nullable": True},
                    "changed_at": {"type": "timestamp"},
                },
            },
            "message": {
                "rows": [{"id": 1, "ticket_id": 1, "reply_to": None, "body": "Hello", "at": "2026-03-01 09:00:00"}],
                "columns": {
                    "id": {"type": "integer", "key": True},
                    "ticket_id": {"ref": "ticket"},
                    "reply_to": {"type": "integer", "ref": "message", "nullable": True},
                    "body": {"type": "text"},
                    "at": {"type": "timestamp"},
                },
            },
            "tag": {
                "rows": [{"ticket_id": 1, "word": "vip"}],
                "key": ["ticket_id", "word"],
                "columns": {"ticket_id": {"ref": "ticket"}, "word": {"type": "text"}},
            },
        },
    },
    "tools": {
        "get_ticket": {
            "summary": "One ticket.",
            "parameters": {"ticket_id": {"type": "integer"}},
            "guards": [{"require": ":ticket_id > 0", "else": {"code": "not_found", "message": "No."}}],
            "returns": {"one": "select * from ticket where id = :ticket_id"},
        },
        "assign_ticket": {
            "summary": "Hand over.",
            "parameters": {
                "ticket_id": {"type": "integer"},
                "team": {"type": "string"},
                "urgent": {"type": "boolean", "optional": True},
                "tags": {"type": "array", "items": {"type": "string"}, "optional": True},
            },
            "effects": ["update ticket set team_id = (select id from team where name = :team) where id = :ticket_id"],
        },
        "hand_over": {"summary": "To a person.", "ends": True},
    },
}

REROUTE = {
    "instruction": "Ticket {ticket_id} is about {topic}. Move it to {right_team}.",
    "draw": "select t.id as ticket_id, t.topic, 'Billing' as right_team from ticket t "
    "where t.topic = 'invoice' and t.status = 'open'",
    "solution": [
        {"get_ticket": {"ticket_id": "{ticket_id}"}},
        {"assign_ticket": {"ticket_id": "{ticket_id}", "team": "{right_team}"}},
    ],
}


def scenario(tasks, **parts):
    document = {**DOCUMENT, "tasks": tasks, **parts}
    return Scenario(ScenarioDocument.model_validate_json(json.dumps(document)), "sha256:0")


def world(tasks=None, *, seed=7, scale=1.0, **parts):
    return World(build_world(scenario(tasks or {"reroute": REROUTE}, **parts), seed, scale=scale))


@contextmanager
def database(of):
    with Database(of.image) as opened:
        opened.store.now = parse_timestamp(NOW)
        yield opened


def act(opened, *statements, at=None):
    """The net changes of these writes, made at world time ``at``."""
    if at is not None:
        opened.store.now = parse_timestamp(at)
    with opened.store.record() as recorder:
        for statement in statements:
            opened.write(statement, {})
        changes = recorder.changes
    return NetChanges().merge(changes)


def acted(of, *statements, at=None):
    """The net changes of these writes on the start state."""
    with database(of) as opened:
        return act(opened, *statements, at=at)
