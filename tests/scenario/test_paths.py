"""Paths as authors read them, and suggestions for words that nearly fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.scenario import did_you_mean, parse_path, render_path


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("tools", "refund_order", "guards", 1, "require"), "tools.refund_order.guards[1].require"),
        (("choice", "1"), "choice.1"),
        (("choice", "a.b", "", "x y"), 'choice["a.b"][""]["x y"]'),
        ((0, 1), "[0][1]"),
    ],
)
def test_a_path_is_written_as_authors_read_it(path, text):
    assert render_path(path) == text
    assert parse_path(text) == path


@given(st.lists(st.text(max_size=6) | st.integers(0, 99), max_size=6).map(tuple))
def test_a_path_is_read_back_as_it_was(path):
    assert parse_path(render_path(path)) == path


@pytest.mark.parametrize("text", [".a", "a..b", "a[", "a[x]", 'a["x', "a.[0]", "a b"])
def test_what_is_no_path_is_refused(text):
    with pytest.raises(ValueError, match="not a path"):
        parse_path(text)


def test_the_nearest_word_is_suggested():
    assert did_you_mean("severty", ["summary", "severity", "deny"]) == "Did you mean `severity`?"
    assert did_you_mean("Team-ID", ["team_id"]) == "Did you mean `team_id`?"
    assert did_you_mean("x", ["severity"]) == ""
    assert did_you_mean("a" * 1_000_000, ["a" * 99]) == ""
