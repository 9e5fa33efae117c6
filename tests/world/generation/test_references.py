"""Columns that compute the key of another table's row, and say so."""

from __future__ import annotations

import pytest

from simulator import ScenarioError, generate_world
from simulator.lint import checked
from simulator.scenario import parse_document
from simulator.world import Database

TEAM = {"rows": 3, "columns": {"id": {"type": "text", "key": True, "pattern": "T-%02d"}}}


def scenario(**columns: object):
    ticket = {"rows": 4, "columns": {"id": {"type": "integer", "key": True}, **columns}}
    return made_of({"ticket": ticket, "team": TEAM})


def made_of(tables: dict[str, object]):
    document = {
        "worldwright": 1,
        "id": "small",
        "title": "Small",
        "world": {"now": "2026-03-02 09:00:00", "tables": tables},
        "tools": {"look": {"summary": "Look.", "returns": {"value": "select 1"}}},
    }
    return checked(parse_document(document))


def test_the_table_referred_to_is_made_first_and_gives_the_type():
    made = scenario(team_id={"references": "team", "sql": "(select max(t.id) from team t)"})
    with Database(generate_world(made, 1).image) as database:
        rows = database.query("select distinct t.team_id, typeof(t.team_id) from ticket t", {}).rows
        assert rows == (("T-03", "text"),)


def test_a_row_may_refer_to_its_own_table():
    earlier = {"references": "ticket", "nullable": True, "sql": "case when id > 1 then id - 1 end"}
    with Database(generate_world(scenario(earlier_id=earlier), 1).image) as database:
        assert database.query("select earlier_id from ticket order by id", {}).rows == ((None,), (1,), (2,), (3,))


@pytest.mark.parametrize(
    ("column", "code"),
    [
        ({"references": "taem", "sql": "'T-01'"}, "unknown_table"),
        ({"references": "team", "ref": "team"}, "bad_value"),
    ],
)
def test_what_cannot_be_is_told(column, code):
    with pytest.raises(ScenarioError) as raised:
        scenario(team_id=column)
    assert [problem.code for problem in raised.value.problems] == [code]


def test_written_references_repeat_where_a_third_column_tells_the_rows_apart():
    cells = {"columns": {"team_id": {"ref": "team"}, "other_id": {"ref": "team"}, "kind": {"type": "text"}}}
    rows = [{"team_id": "T-01", "other_id": "T-02", "kind": kind} for kind in ("a", "b", "c", "d")]
    tables = {"team": TEAM, "match": {"key": ["team_id", "other_id", "kind"], "rows": rows, **cells}}
    with Database(generate_world(made_of(tables), 1).image) as database:
        assert database.value("select count(*) from match", {}) == 4


def test_a_computed_key_must_be_there():
    with pytest.raises(Exception, match="team_id"):
        generate_world(scenario(team_id={"references": "team", "sql": "'T-77'"}), 1)
