"""The picture of a scenario's tables."""

from __future__ import annotations

from simulator.scenario import mermaid_diagram, parse_document


def drawn(tables: dict[str, object], **world: object) -> str:
    document = {
        "worldwright": 1,
        "id": "small",
        "title": "Small",
        "world": {"now": "2026-03-02 09:00:00", "tables": tables, **world},
        "tools": {"look": {"summary": "Look.", "returns": {"value": "select 1"}}},
    }
    return mermaid_diagram(parse_document(document).document)


TEAM = {"rows": [{"id": 1, "name": "Red"}, {"id": 2, "name": "Blue"}]}
PERSON = {
    "rows": 5,
    "columns": {
        "code": {"type": "text", "key": True, "pattern": "P-%03d"},
        "team_id": {"ref": "team"},
        "boss": {"ref": "person", "missing": 0.5},
        "since": {"type": "timestamp", "time": {"from": "-1y"}},
        "status": {"type": "text", "lifecycle": "person"},
    },
}
CARD = {
    "rows": 3,
    "columns": {
        "id": {"type": "integer", "key": True},
        "owner": {"ref": "person", "unique": True},
        "limit_eur": {"type": "decimal(8,2)", "constant": 5},
    },
}
LIFECYCLE = {"person": {"start": "new", "at": "since", "steps": [{"from": "new", "to": "gone"}]}}


def test_tables_show_key_and_state_and_lines_what_refers_to_what():
    tables = {"team": TEAM, "person": PERSON, "person_event": {"history_of": "person"}, "card": CARD}
    assert drawn(tables, lifecycles=LIFECYCLE) == (
        "erDiagram\n"
        "    team {\n        integer id PK\n    }\n"
        "    person {\n        text code PK\n        text status\n    }\n"
        "    person_event {\n        integer id PK\n        text to_state\n    }\n"
        "    card {\n        integer id PK\n    }\n"
        "    team ||--o{ person : team_id\n"
        "    person |o--o{ person : boss\n"
        "    person ||--o{ person_event : history\n"
        "    person ||--o| card : owner\n"
    )


def test_a_computed_key_refers_too():
    ticket = {
        "rows": 2,
        "columns": {"id": {"type": "integer", "key": True}, "team_id": {"references": "team", "sql": "1"}},
    }
    assert drawn({"ticket": ticket, "team": TEAM}).endswith("    team ||--o{ ticket : team_id\n")


def test_a_key_that_refers_has_its_parents_type():
    tables = {
        "team": TEAM,
        "desk": {"rows": 2, "columns": {"team_id": {"ref": "team", "key": True}}},
        "seat": {
            "rows": 4,
            "key": ["team_id", "place"],
            "columns": {"team_id": {"ref": "team"}, "place": {"type": "decimal(3,0)", "constant": 1}},
        },
    }
    text = drawn(tables)
    assert "    desk {\n        integer team_id PK\n    }\n" in text
    assert "    seat {\n        integer team_id PK\n        decimal place PK\n    }\n" in text
    assert "    team ||--o| desk : team_id\n" in text
    assert "    team ||--o{ seat : team_id\n" in text


def test_rows_from_a_file_have_their_first_column_as_key():
    data = {"columns": ["sku", "name"], "rows": [["A", "Axe"]]}
    assert drawn({"product": {"data": data}}) == "erDiagram\n    product {\n        text sku PK\n    }\n"
