"""What lint says about rules."""

import json

import pytest

from simulator.rules import rule_problems
from simulator.scenario.models import ScenarioDocument
from simulator.sql.schema import build_schema

DOCUMENT = {
    "worldwright": 1, "id": "desk", "title": "Desk",
    "world": {
        "now": "2026-03-02 09:00:00",
        "tables": {
            "ticket": {"rows": [{"id": 1, "status": "new", "opened_at": "2026-03-01 08:00:00"}], "columns": {
                "id": {"type": "integer", "key": True}, "status": {"type": "text", "lifecycle": "ticket"},
                "opened_at": {"type": "timestamp"}}},
            "ticket_event": {"history_of": "ticket"},
        },
        "lifecycles": {"ticket": {"start": "new", "at": "opened_at", "steps": [{"from": "new", "to": "open"}]}},
    },
    "tools": {
        "get_ticket": {"summary": "Get.", "parameters": {"ticket_id": {"type": "integer"}}},
        "close_ticket": {"summary": "Close.", "parameters": {"id": {"type": "integer"}}},
        "list_tickets": {"summary": "List."},
        "run_sql": {"sql": {"grants": {"ticket": {"select": "*"}}}},
    },
    "limits": {"steps": 20},
}  # fmt: skip


def problems(**rules):
    document = ScenarioDocument.model_validate_json(json.dumps({**DOCUMENT, "rules": rules}))
    schema, found = build_schema(document)
    assert found == ()
    return rule_problems(document, schema)


def process(**rule):
    return [
        (problem.code, problem.path.removeprefix("rules.process.rule.")) for problem in problems(process={"rule": rule})
    ]


GOOD = [
    {"precedence": ["get_ticket", "close_ticket"], "same": {"get_ticket": "ticket_id", "close_ticket": "id"}},
    {"precedence": ["get_ticket", {"writes": "ticket.status"}], "same": {"get_ticket": "ticket_id", "ticket": "key"}},
    {
        "precedence": ["get_ticket", {"writes": "ticket"}],
        "same": {"get_ticket": "ticket_id", "run_sql": "key", "close_ticket": "id"},
    },
    {"at_most": [[{"reads": "ticket"}, "list_tickets"], 10]},
    {"existence": ["get_ticket", 2], "where": ":ticket_id > 1", "same": "ticket_id"},
    {"absence": "get_ticket", "where": {"get_ticket": ":ticket_id = :actor"}},
    {"precedence": ["get_ticket", "finish"], "within": 3, "deny": True},
    {"response": ["get_ticket", "close_ticket"], "within": "2h"},
    {"absence": ["finish"], "where": ":refusal is not null"},
    {"absence": ["wait"], "where": ":duration = '30d'"},
    {"never": "select step from action where tool = 'run_sql'", "deny": True},
]  # fmt: skip


@pytest.mark.parametrize("rule", GOOD, ids=str)
def test_a_sensible_rule_has_no_problem(rule):
    assert process(**rule) == []


BOTH = ["get_ticket", "close_ticket"]
BAD = [
    ({"existence": "get_tickets"}, "unknown_tool", "existence"),
    ({"precedence": ["get_ticket", ["close_ticket", "close"]]}, "unknown_tool", "precedence[1][1]"),
    ({"absence": {"reads": "tickets"}}, "unknown_table", "absence.reads"),
    ({"absence": {"writes": "tickets.status"}}, "unknown_table", "absence.writes"),
    ({"absence": {"writes": "ticket.state"}}, "unknown_column", "absence.writes"),
    ({"absence": {"writes": "ticket"}, "outcome": "error"}, "never_matches", "absence"),
    ({"last": "finish"}, "never_matches", "last"),
    ({"chain_precedence": ["get_ticket", "finish"]}, "never_matches", "chain_precedence[1]"),
    ({"precedence": ["get_ticket", "close_ticket"], "same": "ticket_id"}, "unknown_argument", "same"),
    ({"precedence": BOTH, "same": {"get_ticket": "id", "close_ticket": "id"}}, "unknown_argument", "same.get_ticket"),
    ({"precedence": ["get_ticket", "close_ticket"], "same": {"get_ticket": "ticket_id"}}, "same_missing", "same"),
    (
        {"at_most": ["get_ticket", 1], "same": {"get_ticket": "ticket_id", "take_ticket": "id"}},
        "unknown_tool", "same.take_ticket",
    ),
    ({"at_most": [{"reads": "ticket"}, 1], "same": "key"}, "same_key_of_read", "same"),
    ({"absence": "get_ticket", "same": "ticket_id"}, "same_without_effect", "same"),
    ({"absence": "get_ticket", "where": ":id = 1"}, "unknown_argument", "where"),
    ({"absence": "get_ticket", "where": {"close": ":id = 1"}}, "unknown_tool", "where.close"),
    ({"absence": "get_ticket", "where": ":ticket_id in (select id from ticket)"}, "where_reads_data", "where"),
    ({"absence": "get_ticket", "where": "now() > '2026-03-02'"}, "where_reads_data", "where"),
    ({"absence": "get_ticket", "where": "current_timestamp > :ticket_id"}, "where_reads_data", "where"),
    ({"at_most": ["get_ticket", 0]}, "impossible_count", "at_most[1]"),
    ({"existence": ["get_ticket", 0]}, "impossible_count", "existence[1]"),
    ({"exactly": ["get_ticket", 21]}, "impossible_count", "exactly[1]"),
    ({"existence": ["finish", 2]}, "impossible_count", "existence[1]"),
    ({"at_most": ["get_ticket", 20]}, "impossible_count", "at_most[1]"),
    ({"precedence": ["get_ticket", "get_ticket"]}, "same_event_twice", "precedence"),
    ({"absence": "get_ticket", "within": 3}, "within_without_pair", "within"),
    ({"response": ["get_ticket", "close_ticket"], "within": "-2h"}, "bad_duration", "within"),
    ({"response": ["get_ticket", "close_ticket"], "deny": True}, "deny_too_late", "deny"),
    ({"absence": "get_ticket", "outcome": "error", "deny": True}, "deny_too_late", "deny"),
    ({"never": "select step from action", "same": "id"}, "not_for_never", "same"),
    ({"never": "select tool from action", "deny": True}, "never_without_step", "never"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "code", "path"), BAD, ids=[f"{code} {rule}" for rule, code, _ in BAD])
def test_a_rule_that_cannot_mean_anything_is_a_problem(rule, code, path):
    assert process(**rule) == [(code, path)]


@pytest.mark.parametrize(
    ("when", "code"),
    [
        ({"update": "tickets.status"}, "unknown_table"),
        ({"update": "ticket.state"}, "unknown_column"),
        ({"delete": "tickets"}, "unknown_table"),
        ({"update": "ticket.id"}, "never_triggered"),
        ({"insert": "ticket_event"}, "never_triggered"),
    ],
)
def test_a_change_rule_must_watch_something_there_is(when, code):
    (problem,) = problems(change={"rule": {"when": when, "require": "true"}})
    assert (problem.code, problem.path) == (code, f"rules.change.rule.when.{next(iter(when))}")


def test_all_problems_are_found_at_once_with_suggestions():
    found = problems(
        process={"one": {"existence": "get_tickets"}, "two": {"absence": {"writes": "ticket.statu"}}},
        change={"three": {"when": {"insert": "tickets"}, "require": "true"}},
    )
    assert [problem.suggestion for problem in found] == [
        "Did you mean `ticket`?", "Did you mean `get_ticket`?", "Did you mean `status`?",
    ]  # fmt: skip
