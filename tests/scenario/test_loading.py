"""From an author's files to a scenario: all problems at once, in plain words, at their places."""

import copy
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import ScenarioError
from simulator.scenario import document_value, parse_document, read_scenario, read_yaml

FIXTURES = Path(__file__).parent / "fixtures"
BAD = sorted(path for path in (FIXTURES / "bad").iterdir() if path.suffix != ".expected")
EXAMPLE, _ = read_yaml((FIXTURES / "support_desk" / "scenario.yaml").read_bytes(), file="scenario.yaml")
EXAMPLE["policy"] = "Be kind."
TINY, _ = read_yaml((FIXTURES / "tiny.yaml").read_bytes(), file="tiny.yaml")


def problems(value):
    with pytest.raises(ScenarioError) as caught:
        parse_document(value)
    return caught.value.problems


def outcome(read, source):
    try:
        return read(source), ()
    except ScenarioError as error:
        return None, error.problems


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_a_bad_file_is_refused_with_every_problem_at_its_place(path):
    with pytest.raises(ScenarioError) as caught:
        read_scenario(path)
    assert str(caught.value) == path.with_name(path.name + ".expected").read_text().rstrip("\n")


def test_a_folder_its_main_file_and_its_one_document_are_the_same_scenario(tmp_path):
    folder = read_scenario(FIXTURES / "support_desk")
    assert folder.document.policy.startswith("# Working at the support desk")
    assert folder.positions.key(("tools", "run_sql")).line == 74
    assert read_scenario(str(FIXTURES / "support_desk" / "scenario.yaml")) == folder
    one = tmp_path / "one.json"
    one.write_text(json.dumps(document_value(folder.document)))
    assert read_scenario(one) == folder
    assert parse_document(document_value(folder.document)).digest == folder.digest


@pytest.mark.parametrize("name", ["gone", "notes.txt", "locked.yaml"])
def test_a_path_that_holds_no_scenario_is_refused(tmp_path, name):
    (tmp_path / "notes.txt").write_text("hello")
    os.mkfifo(tmp_path / "locked.yaml")
    with pytest.raises(ScenarioError) as caught:
        read_scenario(tmp_path / name)
    assert caught.value.problems[0].code in ("missing_file", "not_a_file")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([1], "not_a_mapping"),
        ("text", "not_a_mapping"),
        ({1: 2}, "not_json"),
        ({"a": {1, 2}}, "not_json"),
        ({"a": b"x"}, "not_json"),
        ({"a": float("nan")}, "number_range"),
        ({"a": 2**64}, "number_range"),
        ({"a": "\ud800"}, "bad_character"),
        ({"\x00": 1}, "bad_character"),
    ],
)
def test_a_value_that_is_no_json_mapping_is_refused(value, code):
    assert [problem.code for problem in problems(value)] == [code]


def test_a_value_that_contains_itself_or_multiplies_is_refused():
    loop = {}
    loop["again"] = loop
    assert problems(loop)[0].code == "too_deep"
    wide = "x" * 1_000_000
    for _ in range(20):
        wide = [wide] * 10
    assert problems({"wide": wide})[0].code == "too_large"


def test_a_document_with_more_keys_than_any_scenario_has_is_refused():
    value = copy.deepcopy(TINY)
    value["tasks"] = {f"t{i}": {"instruction": 5} for i in range(60_000)}
    assert [problem.code for problem in problems(value)] == ["too_large"]


def test_rows_that_do_not_fit_are_refused_by_their_index():
    value = copy.deepcopy(TINY)
    value["world"]["tables"]["team"]["rows"] = [{"id": 1}, 5] * 300_000
    value["world"]["tables"]["site"] = {"data": {"columns": ["id", "name"], "rows": [[1, "a"], [2], "x"]}}
    found = problems(value)
    assert len(found) == 100
    assert (found[0].code, found[0].path) == ("data_row", "world.tables.team.rows[1]")
    del value["world"]["tables"]["team"]
    assert [problem.path for problem in problems(value)] == [
        "world.tables.site.data.rows[1]",
        "world.tables.site.data.rows[2]",
    ]


def test_rows_reach_the_scenario_as_they_were_written():
    value = copy.deepcopy(TINY)
    rows = [[1, "a", {"b": [1.0]}], [2, None, True]]
    value["world"]["tables"]["site"] = {"data": {"columns": ["id", "name", "extra"], "rows": rows}}
    tables = parse_document(value).document.world.tables
    assert tables["site"].data.rows == rows
    assert tables["team"].rows == [{"id": 1, "name": "Billing"}]


def test_the_names_of_models_never_reach_an_author():
    for path in BAD:
        with pytest.raises(ScenarioError) as caught:
            read_scenario(path)
        for word in (
            "Input should",
            "valid dictionary",
            "PerParent",
            "function-after",
            "[type=",
            "pydantic",
            "constrained",
        ):
            assert word not in str(caught.value)


def _places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, (*path, key))


PLACES = [path for path in _places(EXAMPLE) if path]
JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just([]), st.just({}),
    st.sampled_from(["zipf", "now", "-3y", "*", "select 1", [["a"], 2], {"reads": "ticket"}, {"rows": "a"}, {"": 1}]),
    st.dictionaries(st.text(max_size=5), st.integers(-1, 1), max_size=3),
)  # fmt: skip


@settings(max_examples=250)
@given(st.data())
def test_a_spoilt_example_is_a_scenario_or_a_scenario_error(data):
    value = copy.deepcopy(EXAMPLE)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(PLACES))
        parent = value
        for step in path[:-1]:
            parent = parent[step] if isinstance(parent, dict) and step in parent else None
            if parent is None:
                break
        if not isinstance(parent, dict):
            continue
        match data.draw(st.sampled_from(["replace", "remove", "rename"])):
            case "replace":
                parent[path[-1]] = data.draw(JUNK)
            case "remove":
                parent.pop(path[-1], None)
            case _:
                parent[data.draw(st.text(max_size=8))] = parent.pop(path[-1], 1)
    scenario, found = outcome(parse_document, value)
    if scenario is not None:
        assert parse_document(document_value(scenario.document)).digest == scenario.digest
    assert all(problem.message.endswith(".") for problem in found)


@settings(max_examples=150)
@given(
    st.integers(0, 6_000),
    st.sampled_from(["", "[", "]", "{", "}", ":", "\n", "  ", "- ", "'", '"', "*a", "&a ", "\x00", "1e999", "!x "]),
)
def test_a_spoilt_text_is_a_scenario_or_a_scenario_error(tmp_path_factory, at, text):
    written = (FIXTURES / "support_desk" / "scenario.yaml").read_text().replace("policy: policy.md", "policy: Be kind.")
    path = tmp_path_factory.mktemp("spoilt") / "one.yaml"
    path.write_text(written[:at] + text + written[at + 1 :])
    scenario, found = outcome(read_scenario, path)
    assert scenario is not None or found
    assert all(problem.location.line for problem in found)
