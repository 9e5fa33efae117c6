"""Reading one JSON document within bounds."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import ScenarioError
from simulator.scenario import read_json
from simulator.scenario.source_text import TextLimits


def problems(text, **kwargs):
    with pytest.raises(ScenarioError) as caught:
        read_json(text, file="s.json", **kwargs)
    return [(problem.code, problem.path, problem.location.line) for problem in caught.value.problems]


def test_values_keep_their_types_and_places():
    value, positions = read_json('{"a": [1, 1.0, "x", null, true],\n "b\\u0041": {}}', file="s.json")
    assert repr(value) == repr({"a": [1, 1.0, "x", None, True], "bA": {}})
    assert (positions.value(("a", 2)).line, positions.value(("a", 2)).column) == (1, 16)
    assert (positions.key(("bA",)).line, positions.value(("bA",)).column) == (2, 13)


@pytest.mark.parametrize("bracket", ["[", '{"a":', '[{"a":'])
def test_ten_megabytes_of_nesting_are_too_deep(bracket):
    assert problems(bracket * (10_000_000 // len(bracket)))[0][0] == "too_deep"


def test_brackets_in_strings_do_not_nest():
    assert read_json('["' + "[" * 1_000 + '\\"' + "{" * 1_000 + '"]', file="s.json")[0]


def test_sixty_four_levels_are_read_and_one_more_is_not():
    assert read_json("[" * 64 + "]" * 64, file="s.json")[0]
    assert problems("[" * 65 + "]" * 65)[0][0] == "too_deep"


def test_duplicates_and_numbers_that_are_none_are_reported_at_once():
    assert problems('{"a": 1,\n "\\u0061": NaN,\n "b": [1e999, -Infinity, 9223372036854775808]}') == [
        ("duplicate_key", "a", 2),
        ("number_range", "a", 2),
        ("number_range", "b[0]", 3),
    ]


@pytest.mark.parametrize(
    "text", ["", "{", '{"a" 1}', "[1,]", "{'a': 1}", "01", "- 1", "1 2", '"a', '"\n"', "nul", "1.", "--1"]
)
def test_what_is_not_json_is_a_syntax_error(text):
    assert problems(text)[0][0] == "json_syntax"


def test_more_than_allowed_is_too_large():
    assert problems("[" + "1," * 30 + "1]", limits=TextLimits(nodes=20))[0][0] == "too_large"
    assert problems('{"a": 1, "b": 2, "c": 3}', limits=TextLimits(nodes=6))[0][0] == "too_large"
    assert read_json('{"a": 1, "b": 2, "c": 3}', file="s.json", limits=TextLimits(nodes=7))[0]
    assert problems('"' + "x" * 101 + '"', limits=TextLimits(scalar=100))[0][0] == "too_large"
    assert problems("9" * 5_000_000)[0][0] == "number_range"


def test_a_document_of_a_million_keys_is_refused_with_what_to_do():
    text = "{" + ", ".join(f'"k{number}": {number}' for number in range(600_000)) + "}"
    with pytest.raises(ScenarioError, match=r"more than 1,000,000 keys and values\. Keep many rows in CSV files"):
        read_json(text, file="s.json")


_TOKENS = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"a"', '"\\ud800"', '"', "1", "-", "1e999", "NaN", "null", " ", "\n", "\\"]
)


@settings(max_examples=150)
@given(st.one_of(st.binary(max_size=100), st.text(max_size=100), st.lists(_TOKENS, max_size=30).map("".join)))
def test_any_text_is_json_as_python_reads_it_or_a_scenario_error(text):
    with suppress(ScenarioError):
        assert repr(read_json(text, file="s.json")[0]) == repr(json.loads(text))


_STRINGS = st.text('ab"\\/[{', max_size=4)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | _STRINGS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_STRINGS, inner, max_size=4),
)


@settings(max_examples=100)
@given(_VALUES)
def test_the_places_are_those_of_the_values(value):
    text = json.dumps(value, indent=1)
    _, positions = read_json(text, file="s.json")
    lines = text.split("\n")
    for path in positions.marks:
        at = value
        for step in path:
            at = at[step]
        place = positions.value(path)
        assert lines[place.line - 1][place.column - 1 :].startswith(json.dumps(at)[0])
