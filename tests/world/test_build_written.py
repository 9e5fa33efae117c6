"""Rows that authors write, in the document or in data files."""

from __future__ import annotations

import pytest

from simulator.errors import ScenarioError, WorldError
from tests.world.worlds import made, problems

TYPED = {
    "id": {"type": "integer"},
    "open": {"type": "boolean", "nullable": True},
    "price": {"type": "decimal(6,2)", "nullable": True},
    "day": {"type": "date", "nullable": True},
    "at": {"type": "timestamp", "nullable": True},
    "meta": {"type": "json", "nullable": True},
}


def test_written_values_are_stored_in_their_canonical_form():
    row = {
        "id": 1,
        "open": True,
        "price": 2.675,
        "day": "2026-01-05",
        "at": "2026-01-05T10:00:00+02:00",
        "meta": {"b": 1},
    }
    rows = made({"thing": {"rows": [row, {"id": 2}], "columns": TYPED}})
    assert rows("select * from thing") == [
        (1, 1, 2.68, "2026-01-05", "2026-01-05 08:00:00", '{"b":1}'),
        (2, None, None, None, None, None),
    ]


def test_the_cells_of_a_data_file_are_text_that_the_columns_type_reads():
    data = {
        "columns": ["id", "open", "price", "day", "at", "meta"],
        "rows": [
            ["7", "true", "2.675", "2026-01-05", "2026-01-05T08:00:00Z", "[1, 2]"],
            ["8", None, None, None, None, None],
        ],
    }
    rows = made({"thing": {"data": data, "columns": TYPED}})
    assert rows("select * from thing") == [
        (7, 1, 2.68, "2026-01-05", "2026-01-05 08:00:00", "[1,2]"),
        (8, None, None, None, None, None),
    ]


def test_a_cell_left_out_comes_from_the_columns_source():
    columns = {
        "id": {"type": "integer"},
        "name": {"type": "text"},
        "plan": {"type": "text", "choice": ["free", "pro"]},
        "mail": {"type": "text", "template": "{name}@example.org"},
    }
    written = [{"name": "ann", "plan": "own"}, {"name": "bob", "mail": "b@x"}, {"name": "cy", "id": 9}]
    rows = made({"person": {"rows": written, "columns": columns}})("select * from person order by id")
    assert [row[:2] for row in rows] == [(1, "ann"), (2, "bob"), (9, "cy")]
    assert rows[0][2] == "own"
    assert {row[2] for row in rows[1:]} <= {"free", "pro"}
    assert [row[3] for row in rows] == ["ann@example.org", "b@x", "cy@example.org"]


def test_every_cell_that_does_not_fit_is_told_with_its_place():
    rows = [{"id": 1, "name": 5}, {"id": "2", "name": "x"}, {"id": 3}, {"id": 4, "name": None}]
    found = problems({"team": {"rows": rows, "columns": {"id": {"type": "integer"}, "name": {"type": "text"}}}})
    assert found == {
        "tables.team.rows[0].name": "bad_value",
        "tables.team.rows[1].id": "bad_value",
        "tables.team.rows[2].name": "missing_value",
        "tables.team.rows[3].name": "missing_value",
    }


def test_a_data_row_that_does_not_fit_is_told_with_its_column():
    data = {"columns": ["id", "day"], "rows": [["1", "2026-01-05"], ["2", "05.01.2026"]]}
    with pytest.raises(ScenarioError, match=r"data\.rows\[1\]: column day: '05\.01\.2026' is not a date"):
        made({"thing": {"data": data, "columns": {"id": {"type": "integer"}, "day": {"type": "date"}}}})


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "integer"), (1.5, "integer"), ("1", "real"), (True, "real"), (2, "boolean"), ("yes", "boolean"),
        (1, "text"), ("2026-02-30", "date"), ("2026-01-05 10:00:00", "date"), (20260105, "timestamp"), ("{", "json"),
        ("NaN", "json"), (12345.0, "decimal(6,2)"),
    ],
)  # fmt: skip
def test_values_of_another_type_are_refused(value, kind):
    columns = {"id": {"type": "integer"}, "value": {"type": kind}}
    found = problems({"thing": {"rows": [{"id": 1, "value": value}], "columns": columns}})
    assert found == {"tables.thing.rows[0].value": "bad_value"}


def test_written_references_and_keys_are_checked():
    team = {"rows": [{"id": 1}, {"id": 2}]}
    with pytest.raises(WorldError, match=r"member\.team_id: the value 3 is no key of team"):
        made({"team": team, "member": {"rows": [{"id": 1, "team_id": 3}], "columns": {"team_id": {"ref": "team"}}}})
    with pytest.raises(WorldError, match=r"team\.id: must be unique"):
        made({"team": {"rows": [{"id": 1}, {"id": 1}]}})


def test_generated_rows_may_follow_written_parents_and_their_times():
    tables = {
        "team": {"rows": [{"id": "a", "since": "2026-02-01 00:00:00"}, {"id": "b", "since": "2026-03-01 00:00:00"}]},
        "case": {
            "rows": {"per": "team", "count": 20},
            "columns": {
                "id": {"type": "integer"},
                "team_id": {"ref": "team"},
                "at": {"type": "timestamp", "time": {"after": "team.since"}},
            },
        },
    }
    tables["team"]["columns"] = {"since": {"type": "timestamp"}}
    rows = made(tables)
    assert rows('select count(*) from "case" c join team t on t.id = c.team_id where c.at >= t.since') == [40]


def test_a_written_state_has_no_history_and_the_others_walk():
    lifecycle = {"start": "new", "at": "at", "steps": [{"from": "new", "to": "done", "after": {"constant": "1h"}}]}
    columns = {
        "id": {"type": "integer"},
        "at": {"type": "timestamp"},
        "state": {"type": "text", "lifecycle": "job"},
        "done_at": {"type": "timestamp", "time": {"entered": "done"}},
    }
    written = [{"at": "2026-01-01 00:00:00", "state": "new"}, {"at": "2026-01-01 00:00:00"}]
    rows = made(
        {"job": {"rows": written, "columns": columns}, "log": {"history_of": "job"}}, lifecycles={"job": lifecycle}
    )
    assert rows("select id, state, done_at from job") == [(1, "new", None), (2, "done", "2026-01-01 01:00:00")]
    assert rows("select * from log") == [(1, 2, "new", "done", "2026-01-01 01:00:00")]
