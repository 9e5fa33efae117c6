"""Reading YAML: what plain values mean, and what is refused, where and how fast."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import ScenarioError
from simulator.scenario import read_yaml, write_yaml
from simulator.scenario.source_text import TextLimits


def problems(text, **kwargs):
    with pytest.raises(ScenarioError) as caught:
        read_yaml(text, file="s.yaml", **kwargs)
    return caught.value.problems


def codes(text, **kwargs):
    return [problem.code for problem in problems(text, **kwargs)]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("null", None), ("~", None), ("", None), ("true", True), ("false", False),
        ("0", 0), ("-0", 0), ("12", 12), ("-12", -12), ("1.5", 1.5), ("1e3", 1000.0), ("1.0", 1.0), ("-2.5E-1", -0.25),
        ("yes", "yes"), ("on", "on"), ("Off", "Off"), ("n", "n"), ("True", "True"), ("NULL", "NULL"),
        ("007", "007"), ("0o7", "0o7"), ("0x1F", "0x1F"), ("1_000", "1_000"), ("+1", "+1"), (".5", ".5"), ("5.", "5."),
        ("12:30:45", "12:30:45"), ("2026-03-02", "2026-03-02"), ("2026-03-02 09:00:00", "2026-03-02 09:00:00"),
        (".inf", ".inf"), (".nan", ".nan"), ("-.inf", "-.inf"), ("=", "="),
        ('"5"', "5"), ("'true'", "true"), ("!!str 5", "5"), ("! 5", "5"), ("|\n  5", "5"), (">-\n  null", "null"),
    ],
)  # fmt: skip
def test_plain_values_are_json_and_everything_else_is_text(written, meant):
    value, _ = read_yaml(f"a: {written}", file="s.yaml")
    assert value == {"a": meant}
    assert type(value["a"]) is type(meant)


def test_keys_are_texts_whatever_they_look_like():
    value, _ = read_yaml('1: a\ntrue: b\n1.50: c\nyes: d\n"null": e\n2026-01-01: f', file="s.yaml")
    assert value == {"1": "a", "true": "b", "1.50": "c", "yes": "d", "null": "e", "2026-01-01": "f"}


def test_keys_that_are_the_same_text_are_duplicates():
    assert codes('1: a\n"1": b') == ["duplicate_key"]


def test_an_alias_repeats_a_value_that_is_not_shared():
    value, _ = read_yaml("a: &a {b: [1]}\nc: *a", file="s.yaml")
    value["a"]["b"].append(2)
    assert value["c"] == {"b": [1]}


def test_keys_and_values_know_their_places():
    _, positions = read_yaml("a:\n  - b: 1\n    c:\n      text\nd: &x {e: 2}\nf: *x", file="s.yaml")
    assert (positions.key(("a",)).line, positions.key(("a",)).column) == (1, 1)
    assert (positions.value(("a", 0, "b")).line, positions.value(("a", 0, "b")).column) == (2, 8)
    assert (positions.key(("a", 0, "c")).line, positions.value(("a", 0, "c")).line) == (3, 4)
    assert (positions.value(("f", "e")).line, positions.value(("f", "e")).column) == (6, 4)
    assert positions.key(("a", 0, "gone", "for", "good")).line == 2
    assert positions.value(()).file == "s.yaml"


def test_windows_line_ends_and_a_byte_order_mark_are_read():
    assert read_yaml(b"\xef\xbb\xbfa: 1\r\nb: |\r\n  x\r\n  y\r\n", file="s.yaml")[0] == {"a": 1, "b": "x\ny\n"}


def test_every_duplicate_of_a_text_is_reported():
    found = problems("a: 1\na: 2\nb: {c: 1, c: 2}\nd: !t 1")
    assert [(p.code, p.path, p.location.line) for p in found] == [
        ("duplicate_key", "a", 2),
        ("duplicate_key", "b.c", 3),
        ("yaml_tag", "d", 4),
    ]


@pytest.mark.parametrize("bracket", ["[", "{", "- ", "{a: ", "[a: ", '{"a":'])
def test_ten_megabytes_of_nesting_are_too_deep(bracket):
    assert codes(bracket * (9_000_000 // len(bracket))) == ["too_deep"]


def test_lists_and_mappings_are_no_keys():
    assert (
        codes("? " * 4_000_000) == codes("[a]: 1") == codes("{{a: 1}: 2}") == codes("a: &a x\n*a : 1") == ["yaml_key"]
    )


@pytest.mark.parametrize(
    "text", ["a: {meter}", "a:\n  - {meter}", "a: {b: {meter}}", "a: {b: 1, meter}", "a: {\n  meter\n}", "é: {meter }"]
)
def test_a_placeholder_without_quotes_is_told_to_be_quoted(text):
    with pytest.raises(ScenarioError, match=r'yaml_key .*Quote a text that holds a placeholder: "\{meter\}"'):
        read_yaml(text, file="s.yaml")


def test_an_empty_value_after_a_colon_is_null():
    assert read_yaml("a: {b: , c : , d: null}\ne:\n? f\n", file="s.yaml")[0] == {
        "a": {"b": None, "c": None, "d": None}, "e": None, "f": None,
    }  # fmt: skip


def test_sixty_four_levels_are_read_and_one_more_is_not():
    assert read_yaml("a: " + "[" * 63 + "]" * 63, file="s.yaml")[0]
    assert codes("a: " + "[" * 64 + "]" * 64) == ["too_deep"]


def test_aliases_cannot_nest_deeper_than_brackets():
    lines = ["a0: &a0 [1]"] + [f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 70)]
    assert codes("\n".join(lines)) == ["too_deep"]


def test_aliases_cannot_multiply_values_or_characters():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 8)}]" for i in range(1, 12)]
    assert codes("\n".join(lines)) == ["yaml_alias_bomb"]
    assert codes("a: &a " + "x" * 900_000 + "\nb: [" + "*a, " * 20 + "]") == ["yaml_alias_bomb"]


def test_more_bytes_values_or_characters_than_allowed_are_too_large():
    limits = TextLimits(size=1_000, nodes=50, scalar=100)
    assert codes("a: " + "é" * 600, limits=limits) == ["too_large"]
    assert codes("a: [" + "1," * 60 + "]", limits=limits) == ["too_large"]
    assert codes("a: " + "x" * 101, limits=limits) == ["too_large"]
    assert codes(b"a: 1" + b" " * 10_000_000) == ["too_large"]


def test_reading_gives_up_after_a_hundred_problems():
    assert len(codes("a: 1\n" * 5_000)) == 100


def test_thousands_of_directives_are_refused_before_they_are_parsed():
    assert codes("".join(f"%TAG !a{i}! tag:a,b\n" for i in range(400_000)) + "--- {}") == ["yaml_directive"]


@settings(max_examples=150)
@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200), st.text("[]{}:,-&*!|>'\"%@`#?~<=ab1 \n\t", max_size=80))
)
def test_any_text_is_a_mapping_or_a_scenario_error(text):
    with suppress(ScenarioError):
        assert isinstance(read_yaml(text, file="s.yaml")[0], dict)


_SAFE = st.characters(
    exclude_categories=["Cs", "Cc", "Cn", "Co"], exclude_characters="\ufeff", include_characters="\n\t\r\x85"
)
_TEXT = st.one_of(
    st.text(_SAFE, max_size=30),
    st.sampled_from(
        [
            "null",
            "~",
            "",
            "yes",
            "1",
            "1e5",
            "0x1",
            "- a",
            "a: b",
            "# c",
            "<<",
            "2026-01-01",
            " a",
            "a\n\nb\n",
            "\n",
            "a \nb",
        ]
    ),
)
_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        _TEXT,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_TEXT, inner, max_size=4)),
    max_leaves=12,
)


@settings(max_examples=200)
@given(st.dictionaries(_TEXT, _JSON, max_size=5))
def test_what_is_written_is_read_back_with_types_and_order(value):
    read, _ = read_yaml(write_yaml(value), file="s.yaml")
    assert repr(read) == repr(value)


def test_written_text_is_pleasant_to_read():
    value = {
        "name": {"type": "text", "key": True},
        "policy": "One.\nTwo.\n",
        "sql": "select 1 from t where a = 'b'",
        "n": "5",
    }
    assert write_yaml(value) == (
        "name: {type: text, key: true}\npolicy: |\n  One.\n  Two.\nsql: select 1 from t where a = 'b'\nn: \"5\"\n"
    )
