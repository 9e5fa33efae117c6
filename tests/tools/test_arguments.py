"""Arguments are held against the parameters, and brought into the world's form."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from simulator.errors import ScenarioError
from simulator.scenario.models import Parameter
from simulator.tools import ArgumentReader, Verdict
from simulator.tools.parameters import KEYWORDS

CASES = yaml.safe_load((Path(__file__).parent / "fixtures" / "arguments.yaml").read_text(encoding="utf-8"))


def reader(parameters, *, paged=False):
    models = {name: Parameter.model_validate_json(json.dumps(item)) for name, item in parameters.items()}
    return ArgumentReader(models, paged=paged)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_arguments_read_as_written_in_the_fixtures(case):
    read = reader(case["parameters"], paged=case.get("paged", False)).read(case["arguments"])
    if "expect" in case:
        assert read == case["expect"]
        assert json.dumps(read) == json.dumps(case["expect"]), "3 and 3.0 differ here"
    else:
        assert isinstance(read, Verdict)
        assert [read.kind, read.code] == case["verdict"]
        for words in case.get("says", []):
            assert words in read.message


def test_a_long_text_is_refused_at_4000_characters_unless_the_parameter_says_otherwise():
    assert reader({"note": {"type": "string"}}).read({"note": "x" * 4_000}) == {"note": "x" * 4_000}
    assert reader({"note": {"type": "string"}}).read({"note": "x" * 4_001}).code == "too_long"
    longer = reader({"note": {"type": "string", "max_length": 5_000}})
    assert longer.read({"note": "x" * 4_001}) == {"note": "x" * 4_001}


def test_a_list_has_at_most_200_items_unless_the_parameter_says_otherwise():
    assert reader({"ids": {"type": "array"}}).read({"ids": [1] * 200}) == {"ids": [1] * 200}
    assert reader({"ids": {"type": "array"}}).read({"ids": [1] * 201}).code == "too_long"
    longer = reader({"ids": {"type": "array", "max_items": 300}})
    assert longer.read({"ids": [1] * 201}) == {"ids": [1] * 201}


def test_echoed_values_are_cut():
    verdict = reader({"tier": {"type": "string", "enum": ["a"]}}).read({"tier": "x" * 3_000})
    assert len(verdict.message) < 400
    assert "x" * 100 in verdict.message


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_is_published_is_a_json_schema(case):
    schema = reader(case["parameters"], paged=case.get("paged", False)).schema.document()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False


def test_the_published_schema_is_a_copy():
    tickets = reader({"ticket": {"type": "integer"}})
    tickets.schema.document()["properties"]["ticket"]["type"] = "string"
    assert tickets.read({"ticket": 1}) == {"ticket": 1}


def test_a_pattern_that_would_run_for_ages_elsewhere_is_answered_at_once():
    slow = reader({"code": {"type": "string", "pattern": "(a*)*b"}})
    assert slow.read({"code": "a" * 4_000}).code == "bad_pattern"


def test_thousands_of_unequal_objects_are_compared_at_once():
    many = reader(
        {"box": {"type": "object", "properties": {"all": {"type": "array", "uniqueItems": True, "maxItems": 10_000}}}}
    )
    items = [{"n": number} for number in range(10_000)]
    assert many.read({"box": {"all": items}}) == {"box": {"all": items}}


@pytest.mark.parametrize(
    ("parameter", "code", "path"),
    [
        ({"type": "string", "pattern": "("}, "bad_pattern", "x.pattern"),
        ({"type": "string", "pattern": "a)|(b"}, "bad_pattern", "x.pattern"),
        ({"type": "string", "pattern": r"\Qabc"}, "bad_pattern", "x.pattern"),
        ({"type": "string", "pattern": r"(a)\1"}, "bad_pattern", "x.pattern"),
        ({"type": "string", "minimum": 1}, "misplaced_keyword", "x"),
        ({"type": "integer", "format": "date"}, "misplaced_keyword", "x"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, "empty_range", "x"),
        ({"type": "string", "min_length": 3, "max_length": 2}, "empty_range", "x"),
        ({"type": "integer", "enum": ["one"]}, "enum_type", "x.enum"),
        ({"type": "array", "items": {"$ref": "http://example.org/schema"}}, "unknown_keyword", "x.items"),
        ({"type": "array", "items": {"anyOf": [{"type": "string"}]}}, "unknown_keyword", "x.items"),
        ({"type": "array", "items": {"max_length": 3}}, "unknown_keyword", "x.items"),
        ({"type": "array", "items": {"type": "strin"}}, "bad_schema", "x.items.type"),
        ({"type": "array", "items": {"items": 3}}, "bad_schema", "x.items.items"),
        ({"type": "array", "items": {"type": "string", "pattern": "("}}, "bad_pattern", "x.items.pattern"),
        ({"type": "array", "items": {"format": "hostname"}}, "unknown_format", "x.items.format"),
        ({"type": "object", "properties": {"a": 3}}, "bad_schema", "x.properties.a"),
        ({"type": "array", "items": {"properties": [1]}}, "bad_schema", "x.items.properties"),
        ({"type": "array", "items": {"additionalProperties": {"type": "string"}}}, "bad_schema", "x.items"),
        ({"type": "array", "items": {"multipleOf": 0}}, "bad_schema", "x.items.multipleOf"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_reported_with_its_place(parameter, code, path):
    with pytest.raises(ScenarioError) as caught:
        reader({"x": parameter})
    assert [(problem.code, problem.path) for problem in caught.value.problems] == [(code, path)]


def test_a_schema_nested_without_end_is_refused():
    schema = {"type": "string"}
    for _ in range(60):
        schema = {"type": "array", "items": schema}
    with pytest.raises(ScenarioError) as caught:
        reader({"x": {"type": "array", "items": schema}})
    assert caught.value.problems[0].code == "schema_too_large"


def test_a_schema_with_thousands_of_properties_is_refused():
    properties = {f"p{number}": {} for number in range(1_500)}
    with pytest.raises(ScenarioError) as caught:
        reader({"x": {"type": "object", "properties": properties}})
    assert caught.value.problems[0].code == "schema_too_large"


def test_no_keyword_leads_out_of_the_schema():
    leading_out = {"$ref", "$dynamicRef", "$id", "$anchor", "$defs", "anyOf", "oneOf", "allOf", "not", "if"}
    assert not KEYWORDS & leading_out
