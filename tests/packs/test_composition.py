"""How packs join a scenario: order, adjustments, digest, positions, and what the whole is judged by."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from simulator.errors import ScenarioError
from simulator.lint import lint_scenario
from simulator.scenario import (
    document_from_files,
    document_value,
    files_from_document,
    json_schema,
    parse_document,
    read_scenario,
    read_yaml,
)
from simulator.scenario.packs import PACKS, composition, read_pack
from tests.packs.minimal import document, scenario

QUEUE_FILE = Path(composition.__file__).with_name("queue.yaml")


def write(folder, text):
    folder.mkdir()
    (folder / "scenario.yaml").write_text(text, encoding="utf-8")
    return folder


def place_of(problem):
    return Path(problem.location.file).read_text("utf-8").splitlines()[problem.location.line - 1].strip()


HEAD = """
worldwright: 1
id: small
title: Small
world:
  now: "2026-03-30 09:00:00"
  packs: [queue]
  views: {dead_letter: null}
  tables:
"""


def test_what_packs_define_comes_first_and_in_the_order_named():
    own = {"tables": {"customer": {"rows": 3, "columns": {"id": {"type": "integer"}}}}}
    made = scenario("queue", "files", world=own).document
    tables = list(made.world.tables)
    assert tables.index("queue_message") < tables.index("bucket") < tables.index("customer")
    assert next(iter(made.tools)) == "list_queues"
    assert made.world.packs == []


def test_own_columns_replace_the_packs_and_the_rest_stays():
    table = {"columns": {"body": {"type": "json", "constant": "{}"}, "region": {"type": "text", "constant": "eu"}}}
    pack = scenario("queue").document.world.tables["queue_message"]
    adjusted = scenario("queue", world={"tables": {"queue_message": table}}).document.world.tables["queue_message"]
    assert list(adjusted.columns) == [*pack.columns, "region"]
    assert adjusted.columns["body"].constant == "{}"
    assert adjusted.columns["body"].sql is None
    assert adjusted.columns["attempts"] == pack.columns["attempts"]
    assert (adjusted.rows, adjusted.indexes, adjusted.summary) == (pack.rows, pack.indexes, pack.summary)


def test_own_rows_replace_the_packs_whichever_way_they_are_given():
    rows = [{"name": "mine", "purpose": "Mine.", "visibility_seconds": 5, "max_attempts": 1}]
    cells = {"columns": list(rows[0]), "rows": [list(rows[0].values())]}
    written = scenario("queue", world={"tables": {"queue": {"rows": rows}}}).document.world.tables["queue"]
    from_file = scenario("queue", world={"tables": {"queue": {"data": cells}}}).document.world.tables["queue"]
    assert written.rows == rows
    assert from_file.rows is None
    assert from_file.data.rows == cells["rows"]
    fewer = scenario("queue", world={"tables": {"queue_message": {"rows": 5, "indexes": [["state"]]}}})
    assert (
        fewer.document.world.tables["queue_message"].rows,
        fewer.document.world.tables["queue_message"].indexes,
    ) == (5, [["state"]])


def test_a_packs_column_can_refer_to_a_table_of_the_scenario():
    own = {
        "tables": {
            "shop": {"rows": [{"name": "north"}, {"name": "south"}]},
            "queue": {"columns": {"shop": {"ref": "shop"}}},
        }
    }
    assert [problem.code for problem in lint_scenario(scenario("queue", world=own))] == []


def test_an_operation_or_rule_of_the_same_name_replaces_the_packs_as_a_whole():
    own = {"list_queues": {"summary": "Mine.", "returns": {"many": "select name from queue order by name"}}}
    rule = {"change": {"queue_message_stays_finished": {"when": {"delete": "queue_message"}, "require": "1 = 1"}}}
    made = scenario("queue", tools=own, rules=rule).document
    assert made.tools["list_queues"].summary == "Mine."
    assert made.tools["list_queues"].takes == "0s"
    assert not made.rules.change["queue_message_stays_finished"].deny
    assert list(made.tools) == list(scenario("queue").document.tools)


def test_null_takes_a_part_of_a_pack_out():
    world = {"tables": {"queue_message": {"columns": {"discard_reason": None}}}, "views": {"dead_letter": None}}
    tools = dict.fromkeys(("discard_message", "get_message", "list_dead_letters", "publish_message"))
    made = scenario("queue", world=world, tools=tools)
    assert "discard_reason" not in made.document.world.tables["queue_message"].columns
    assert not tools.keys() & made.document.tools.keys()
    assert [problem.code for problem in lint_scenario(made)] == []


def test_null_for_what_no_pack_has_is_an_error():
    with pytest.raises(ScenarioError) as caught:
        scenario("queue", tools={"list_quees": None})
    assert [(problem.code, problem.path) for problem in caught.value.problems] == [("wrong_type", "tools.list_quees")]


def test_a_pack_is_added_once_however_often_it_is_named_and_unknown_ones_are_refused():
    assert scenario("queue", "queue").digest == scenario("queue").digest
    with pytest.raises(ScenarioError) as caught:
        scenario("queue", "services")
    assert [(problem.code, problem.path) for problem in caught.value.problems] == [("bad_value", "world.packs[1]")]


def test_the_digest_is_that_of_the_whole_written_out():
    made = scenario("queue", "logs")
    again = parse_document(document_value(made.document))
    assert again.digest == made.digest
    assert again.document == made.document
    assert made.digest != scenario("logs", "queue").digest


def test_a_pack_that_changes_changes_the_digest(monkeypatch):
    before = scenario("queue").digest
    pack = read_pack("queue")
    tools = {**pack.parts["tools"], "list_queues": {**pack.parts["tools"]["list_queues"], "takes": "6s"}}
    changed = replace(pack, parts={**pack.parts, "tools": tools})
    monkeypatch.setattr(composition, "read_pack", lambda name: changed)
    assert scenario("queue").digest != before


def test_reading_a_scenario_leaves_the_pack_as_it_is():
    before = json.dumps(read_pack("queue").parts)
    scenario(
        "queue",
        world={"tables": {"queue": {"rows": []}, "queue_message": {"columns": {"body": None}}}},
        tools={"list_queues": None},
    )
    assert json.dumps(read_pack("queue").parts) == before


def test_a_scenario_that_names_packs_can_be_taken_apart_into_files_and_put_together():
    value = document("queue", tools={"discard_message": None}, world={"tables": {"queue": {"rows": []}}})
    again, positions = document_from_files(files_from_document(value))
    assert again == value
    assert parse_document(again, positions).digest == parse_document(value).digest


def test_a_policy_of_a_pack_follows_the_scenarios_own(monkeypatch):
    pack = replace(read_pack("queue"), parts={"policy": "Never guess.\n"})
    monkeypatch.setattr(composition, "read_pack", lambda name: pack)
    tools = {"look": {"summary": "Look."}}
    world = {"tables": {"thing": {"rows": [{"id": 1}]}}}
    assert (
        scenario("queue", policy="Be kind.\n", tools=tools, world=world).document.policy == "Be kind.\n\nNever guess."
    )
    assert scenario("queue", tools=tools, world=world).document.policy == "Never guess."


def test_a_fault_in_a_pack_that_the_scenario_causes_points_into_the_packs_file(tmp_path):
    text = HEAD + "    queue:\n      columns: {purpose: null}\n      rows: []\n"
    made = read_scenario(write(tmp_path / "small", text))
    problems = lint_scenario(made)
    assert {problem.code for problem in problems} == {"sql_unknown_name"}
    assert {Path(problem.location.file) for problem in problems} == {QUEUE_FILE}
    assert "q.purpose" in place_of(problems[0])


def test_a_fault_in_an_adjustment_points_into_the_scenarios_file(tmp_path):
    text = HEAD + "    queue_message:\n      columns:\n        body: {type: jsn}\n"
    with pytest.raises(ScenarioError) as caught:
        read_scenario(write(tmp_path / "small", text))
    (problem,) = caught.value.problems
    assert problem.path == "world.tables.queue_message.columns.body.type"
    assert (problem.location.file, problem.location.line) == ("scenario.yaml", 12)


def test_a_part_that_is_no_mapping_is_left_for_the_models_to_refuse():
    for parts in ({"tools": []}, {"rules": "none"}, {"world": {"tables": 3}}):
        with pytest.raises(ScenarioError) as caught:
            scenario("queue", **parts)
        assert {problem.code for problem in caught.value.problems} == {"wrong_type"}


def test_packs_define_nothing_twice():
    seen = {}
    for name in ["services", *PACKS]:
        pack = read_pack(name)
        for path in composition.ENTRIES:
            for entry in composition.part_at(pack.parts, path) or {}:
                assert seen.setdefault((path, entry), name) == name, f"{entry} is in {seen[path, entry]} and {name}"


def test_the_json_schema_accepts_a_scenario_that_adjusts_packs():
    text = HEAD + (
        "    queue_message:\n      columns: {body: null}\n"
        "tools: {list_dead_letters: null}\nrules: {change: {queue_message_stays_finished: null}}\n"
    )
    value, _ = read_yaml(text, file="x.yaml")
    validator = jsonschema.Draft202012Validator(json_schema())
    assert [error.message for error in validator.iter_errors(value)] == []
    del value["tools"]
    assert [error.message for error in validator.iter_errors(value)] == []
