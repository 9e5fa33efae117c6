"""What is published about the language is true: the JSON Schema and the reference in docs/."""

import copy
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from simulator.scenario import (
    document_from_files,
    document_value,
    json_schema,
    json_schema_text,
    parse_document,
    read_scenario,
    reference_markdown,
)

ROOT = Path(__file__).parents[2]
FIXTURES = Path(__file__).parent / "fixtures"
EXAMPLE, _ = document_from_files(
    {path.name: path.read_bytes() for path in (FIXTURES / "support_desk").iterdir() if path.is_file()}
)
VALIDATOR = Draft202012Validator(json_schema())


def test_the_committed_schema_is_that_of_the_models():
    assert (ROOT / "docs" / "scenario.schema.json").read_text() == json_schema_text()


def test_the_committed_reference_is_that_of_the_models():
    assert (ROOT / "docs" / "language-reference.md").read_text() == reference_markdown()


def test_the_schema_is_draft_2020_12_and_always_the_same():
    Draft202012Validator.check_schema(json_schema())
    assert json_schema()["$schema"].endswith("2020-12/schema")
    assert json_schema_text() == json_schema_text()


def test_the_schema_accepts_what_loads_in_every_form():
    assert not list(VALIDATOR.iter_errors(EXAMPLE))
    assert not list(VALIDATOR.iter_errors(document_value(parse_document(EXAMPLE).document)))
    assert not list(VALIDATOR.iter_errors(document_value(read_scenario(FIXTURES / "tiny.yaml").document)))


@pytest.mark.parametrize(
    "change",
    [
        lambda value: value.update(polcy="x"),
        lambda value: value.pop("title"),
        lambda value: value["tools"].update({"Bad-Name": {"summary": "x"}}),
        lambda value: value["tasks"]["reroute"].update(take=0),
        lambda value: value["tasks"]["reroute"]["solution"].append({"Bad Name": {}}),
        lambda value: value["tasks"]["reroute"]["solution"].append({"get_ticket": 5}),
        lambda value: value["world"]["tables"]["ticket"]["columns"]["topic"].update(type="string"),
    ],
)
def test_the_schema_refuses_what_does_not_load(change):
    value = copy.deepcopy(EXAMPLE)
    change(value)
    assert list(VALIDATOR.iter_errors(value))


def test_every_key_of_the_language_is_explained():
    for definition in json_schema()["$defs"].values():
        for name, field in definition.get("properties", {}).items():
            assert field.get("description") or "$ref" in field or field.get("default") is not None, name


def test_the_reference_links_only_to_parts_it_has():
    text = reference_markdown()
    for link in {part.split(")")[0] for part in text.split("](#")[1:]}:
        assert f"\n## {link}\n" in text.lower()


def test_the_reference_can_be_read():
    rows = [line for line in reference_markdown().splitlines() if line.startswith("| ")]
    cells = [row.replace("\\|", "").split(" | ") for row in rows]
    assert all(len(re.sub(r"\(#\w+\)", "", cell[1])) <= 150 for cell in cells)
    by_key = {cell[0].strip("|` *"): cell for cell in cells}
    assert by_key["existence"][1] == "[event, whole number] or event"
    assert by_key["weights"][2] == by_key["penalties"][2] == "its defaults"
