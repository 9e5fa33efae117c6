from __future__ import annotations

import pytest

from simulator.errors import WorldError
from simulator.world.generation import Template


def test_a_template_puts_columns_of_the_row_together():
    template = Template("{first} {last} <{mail}> 100% {{x}}")
    rows = template.render({"first": ["A", "B"], "last": ["C", "D"], "mail": ["a@x", "b@x"]}, 2)
    assert rows == ["A C <a@x> 100% {x}", "B D <b@x> 100% {x}"]
    assert template.columns == ("first", "last", "mail")


def test_a_column_used_twice_is_named_once():
    template = Template("{a}{b}{a}")
    assert template.columns == ("a", "b")
    assert template.render({"a": [1], "b": [2.5]}, 1) == ["12.51"]


def test_a_missing_value_makes_the_text_missing():
    assert Template("{a}-{b}").render({"a": [1, None], "b": [True, False]}, 2) == ["1-true", None]


def test_a_template_without_columns_is_the_same_in_each_row():
    assert Template("50% {{}}").render({}, 2) == ["50% {}", "50% {}"]


def test_values_are_never_interpreted():
    assert Template("{a}").render({"a": ["{b} %s {0.__class__}"]}, 1) == ["{b} %s {0.__class__}"]


@pytest.mark.parametrize("text", ["{", "}", "{}", "{a.b}", "{a!r}", "{a:>9}", "{0}", "{a", "x" * 10_001])
def test_anything_but_a_plain_name_in_braces_is_refused(text):
    with pytest.raises(WorldError, match=r"stray|at most"):
        Template(text)
