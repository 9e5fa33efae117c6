"""What is told about a world before it is made: everything at once, each at its place."""

from __future__ import annotations

import pytest

from simulator.errors import ScenarioError, WorldError
from simulator.world import estimate_rows
from tests.world.worlds import made, problems, scenario, things

PATH = "tables.thing.columns.value"


@pytest.mark.parametrize(
    ("model", "place", "code"),
    [
        ({"type": "text"}, "", "no_source"),
        ({"type": "text", "faker": "nmae"}, ".faker", "unknown_provider"),
        ({"type": "text", "faker": "date"}, ".faker", "unknown_provider"),
        ({"type": "text", "faker": {"provider": "name", "locale": "xx_XX"}}, ".faker.locale", "unknown_locale"),
        ({"type": "text", "pattern": "C-%s"}, ".pattern", "bad_pattern"),
        ({"type": "text", "template": "{id"}, ".template", "bad_template"),
        ({"type": "text", "template": "{nobody}"}, ".template", "unknown_column"),
        ({"type": "text", "template": "{value}"}, "", "cyclic_columns"),
        ({"number": {"uniform": [1, 2]}}, ".number", "source_type"),
        ({"type": "integer", "number": {"uniform": [0.2, 0.8]}}, ".number", "bad_numbers"),
        ({"type": "real", "number": {"pareto": [0, 1]}}, ".number", "bad_numbers"),
        ({"type": "text", "sequence": 1}, ".sequence", "source_type"),
        ({"type": "integer", "choice": ["a"]}, ".choice", "bad_choice"),
        ({"type": "integer", "choice": {"a": 1}}, ".choice", "bad_choice"),
        ({"type": "integer", "choice": {"1": 0}}, ".choice", "bad_choice"),
        ({"type": "integer", "choice": []}, ".choice", "bad_choice"),
        ({"type": "integer", "choice": [1, None]}, ".choice", "missing_value"),
        ({"type": "integer", "constant": "x"}, ".constant", "bad_value"),
        ({"type": "integer", "constant": None}, ".constant", "bad_value"),
        ({"type": "timestamp", "time": {"from": "soon"}}, ".time.from", "bad_time"),
        ({"type": "timestamp", "time": {"from": "now", "to": "-1d"}}, ".time", "bad_time"),
        ({"type": "timestamp", "time": {"to": "now"}}, ".time", "bad_time"),
        ({"type": "timestamp", "time": {"after": "opened"}}, ".time.after", "unknown_column"),
        ({"type": "timestamp", "time": {"after": "id"}}, ".time.after", "not_a_time"),
        ({"type": "timestamp", "time": {"after": "customer.since"}}, ".time.after", "unknown_column"),
        ({"type": "timestamp", "time": {"entered": "closed"}}, ".time.entered", "no_lifecycle"),
        ({"ref": "thing"}, "", "bad_reference"),
        ({"ref": "thing", "nullable": True, "where": "id > 3"}, ".where", "bad_reference"),
        ({"type": "integer", "unique": True, "choice": [1, 2, 3]}, "", "impossible_unique"),
        ({"type": "boolean", "unique": True, "choice": [True, False]}, "", "impossible_unique"),
        ({"type": "integer", "unique": True, "number": {"uniform": [1, 19]}}, "", "impossible_unique"),
        ({"type": "integer", "unique": True, "constant": 1}, "", "impossible_unique"),
        ({"type": "date", "unique": True, "time": {"from": "-18d"}}, "", "impossible_unique"),
        ({"depends_on": {"column": "idd", "when": {}}}, ".depends_on.column", "unknown_column"),
        ({"depends_on": {"column": "id", "when": {"x": {"constant": "a"}}}}, ".depends_on.when.x", "bad_value"),
        ({"depends_on": {"column": "id", "when": {"1": {}}}}, '.depends_on.when.1', "no_source"),
        ({"depends_on": {"column": "id", "when": {"1": {"ref": "thing"}}}}, ".depends_on.when.1.ref", "bad_source"),
        (
            {"depends_on": {"column": "id", "when": {"1": {"constant": 1, "uuid": True}}}},
            ".depends_on.when.1",
            "bad_source",
        ),
    ],
)  # fmt: skip
def test_a_column_that_cannot_be_made_is_told_at_its_place(model, place, code):
    assert problems(things(20, value=model)).get(PATH + place) == code
    with pytest.raises(ScenarioError):
        made(things(20, value=model))


def test_all_problems_are_told_at_once_with_lines_of_a_cycle():
    tables = things(
        5,
        a={"type": "text", "template": "{b}"},
        b={"type": "text", "template": "{c}"},
        c={"type": "text", "sql": "a || 'x'"},
        d={"type": "text", "faker": "nome"},
    )
    tables["child"] = {"rows": {"per": "things", "count": {"pareto": [1, 1]}}, "columns": {"id": {"type": "integer"}}}
    with pytest.raises(ScenarioError) as caught:
        made(tables)
    found = {problem.code: problem for problem in caught.value.problems}
    assert "a → c → b → a" in found["cyclic_columns"].message or "→" in found["cyclic_columns"].message
    assert "name" in found["unknown_provider"].message
    assert found["unknown_table"].suggestion == "Did you mean `thing`?"


def test_children_need_a_parent_a_reference_to_it_and_a_count_that_ends():
    child = {"rows": {"per": "thing", "count": {"pareto": [0.9, 1]}}, "columns": {"id": {"type": "integer"}}}
    found = problems({**things(3), "child": child})
    assert found == {"tables.child.rows": "no_reference", "tables.child.rows.count.pareto": "bad_count"}
    child["columns"]["thing_id"] = {"ref": "thing", "where": "id > 1"}
    child["rows"]["count"] = {"uniform": [3, 1]}
    assert problems({**things(3), "child": child}) == {
        "tables.child.rows.count.uniform": "bad_count",
        "tables.child.columns.thing_id.where": "bad_reference",
    }


def test_a_lifecycle_names_columns_and_states_that_exist():
    machine = {
        "start": "new", "at": "opnd",
        "steps": [
            {"from": "new", "to": "open", "after": {"constant": "1h"}}, {"from": "lost", "to": "found"},
        ],
    }  # fmt: skip
    tables = things(
        5,
        opened={"type": "timestamp", "time": {"from": "-1d"}},
        state={"type": "text", "lifecycle": "thing"},
        at={"type": "timestamp", "time": {"entered": "opem"}},
    )
    assert problems(tables, lifecycles={"thing": machine}) == {
        "lifecycles.thing.at": "unknown_column",
        "lifecycles.thing.steps": "unreachable_state",
        "tables.thing.columns.at.time.entered": "unknown_state",
    }
    machine["at"] = "opened"
    tables["thing"]["columns"]["at"]["time"]["entered"] = "open"
    made(tables, lifecycles={"thing": machine})  # a state nobody reaches is a warning


def test_a_world_that_is_too_large_is_refused_before_anything_is_made():
    tables = {
        **things(1_000_000),
        "child": {
            "rows": {"per": "thing", "count": {"poisson": 60}},
            "columns": {"id": {"type": "integer"}, "thing_id": {"ref": "thing"}},
        },
    }
    assert estimate_rows(scenario(tables).document, 0.001) == {"thing": 1000, "child": 60_000}
    with pytest.raises(WorldError, match=r"about 61,000,000 rows \(60,000,000 of them in child\); at most 50,000,000"):
        made(tables)
    with pytest.raises(WorldError, match=r"thing would have 60,000,002 cells"):
        made(things(30_000_001, value={"type": "integer", "constant": 1}))


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_scale_that_is_no_positive_number_is_refused(scale):
    with pytest.raises(WorldError, match="scale"):
        made(things(1), scale=scale)
