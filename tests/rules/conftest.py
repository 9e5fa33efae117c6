"""Actions in short form (`assign id=3 writes=ticket.status#3 @10m`), and a small world to act in."""

import json
import re

import pytest
import yaml

from simulator.rules import ActionEvent, RuleBook
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import ScenarioDocument
from simulator.scenario.scenario import Scenario
from simulator.scenario.times import format_timestamp, parse_timestamp
from simulator.sql.engine_tables import twin_of
from simulator.world.build import build_world
from simulator.world.database import Database

START = parse_timestamp("2026-03-02 09:00:00")


def action(text: str, step: int) -> ActionEvent:
    tool, *words = text.split()
    kind, at, reads, arguments = "ok", START, set(), {}
    writes: set[tuple[str, str]] = set()
    keys: dict[str, set[tuple[object, ...]]] = {}
    for word in words:
        if word.startswith("!"):
            kind = "rule_denied" if word == "!denied" else "guard"
        elif word.startswith("@"):
            at = START + parse_duration(word[1:])
        elif word.startswith("reads="):
            reads.add(word[6:])
        elif match := re.fullmatch(r"writes=(\w+)\.(\w+)(?:#(\w+))?", word):
            writes.add((match[1], match[2]))
            if match[3]:
                keys.setdefault(match[1], set()).add((yaml.safe_load(match[3]),))
        else:
            name, _, value = word.partition("=")
            arguments[name] = yaml.safe_load(value)
    return ActionEvent(
        step=step, turn=step, tool=tool, arguments=arguments, ok=kind == "ok", kind=kind, code=kind, result="null",
        at=format_timestamp(at), reads=frozenset(reads), writes=frozenset(writes),
        keys={table: frozenset(rows) for table, rows in keys.items()},
    )  # fmt: skip


@pytest.fixture(name="actions")
def _actions():
    return lambda *texts: [action(text, step) for step, text in enumerate(texts, 1)]


TABLES = {
    "team": {"rows": [{"id": 1, "name": "Billing"}, {"id": 2, "name": "Network"}]},
    "ticket": {
        "rows": [
            {"id": 1, "team_id": 1, "status": "open", "priority": 2, "cost": 10.5, "resolution": None},
            {"id": 2, "team_id": 1, "status": "closed", "priority": 3, "cost": 0.0, "resolution": None},
            {"id": 3, "team_id": 2, "status": "new", "priority": 1, "cost": 2.0, "resolution": "done"},
            {"id": 4, "team_id": 2, "status": "closed", "priority": 1, "cost": 2.0, "resolution": "done"},
        ],
        "columns": {
            "id": {"type": "integer", "key": True},
            "team_id": {"ref": "team"},
            "status": {"type": "text", "lifecycle": "ticket"},
            "opened_at": {"type": "timestamp", "nullable": True},
            "priority": {"type": "integer"},
            "cost": {"type": "decimal(8,2)"},
            "resolution": {"type": "text", "nullable": True},
        },
    },
    "ticket_event": {"history_of": "ticket"},
    "shift": {
        "rows": [{"team_id": 1, "day": "mon", "hours": 8}],
        "key": ["team_id", "day"],
        "columns": {"team_id": {"ref": "team"}, "day": {"type": "text"}, "hours": {"type": "integer"}},
    },
}
K = {"type": "integer", "optional": True}
LIFECYCLE = {
    "start": "new",
    "at": "opened_at",
    "steps": [
        {"from": "new", "to": "open"},
        {"from": "open", "to": "pending"},
        {"from": ["open", "pending"], "to": "closed"},
    ],
}


class Desk:
    """A small world with rules, on which a test acts and judges."""

    def __init__(self, rules, *, lifecycle=None, views=None):
        document = {
            "worldwright": 1, "id": "desk", "title": "Desk",
            "world": {
                "now": "2026-03-02 09:00:00", "tables": TABLES, "views": views or {},
                "lifecycles": {"ticket": {**LIFECYCLE, **(lifecycle or {})}},
            },
            "tools": {name: {"summary": name, "parameters": {"k": K}} for name in "abx"},
            "rules": rules,
        }  # fmt: skip
        scenario = Scenario(ScenarioDocument.model_validate_json(json.dumps(document)), "sha256:0")
        self.database = Database(build_world(scenario, 7))
        self.database.store.now = START
        twin, problems = twin_of(self.database.schema)
        assert problems == {}
        self.schema = self.database.schema
        self.analyse = twin.analyse
        self.rules = RuleBook(scenario.document, self.schema, self.analyse)
        self.baseline = self.rules.baseline(self.database, {})
        self.step = 0
        self.tables = frozenset()

    def act(self, *statements):
        """Carry out writes as one action; its violations by changes, then by state."""
        self.step += 1
        with self.database.store.record() as recorder:
            changes = self.write(recorder, statements)
            self.tables |= {change.table for change in changes}
            found = self.rules.judge_changes(self.database, changes, step=self.step, bindings={})
            found += self.rules.judge_state(self.database, changes, self.baseline, step=self.step, bindings={})
            if any(violation.deny for violation in found):
                recorder.rollback()
        return found

    def world_acts(self, *statements):
        """Carry out writes as the world's own event."""
        with self.database.store.record() as recorder:
            changes = self.write(recorder, statements)
        tables = frozenset(change.table for change in changes)
        self.baseline = self.rules.excuse(self.database, tables, self.baseline, bindings={})

    def at_the_end(self):
        return self.rules.judge_final_state(self.database, self.tables, self.baseline, step=self.step, bindings={})

    def write(self, recorder, statements):
        for statement in statements:
            self.database.write(statement, {})
        return recorder.changes


@pytest.fixture(name="desk")
def _desk():
    desks = []

    def open_desk(rules=None, **world):
        desks.append(Desk(rules or {}, **world))
        return desks[-1]

    yield open_desk
    for desk in desks:
        desk.database.close()
