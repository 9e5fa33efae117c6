"""Messages are filled with values, and nothing else in them is interpreted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.tools import MessageTemplate


@pytest.mark.parametrize(
    ("text", "values", "filled"),
    [
        ("There is no ticket {ticket_id}.", {"ticket_id": 7}, "There is no ticket 7."),
        ("{a}{b}", {"a": True, "b": False}, "truefalse"),
        ("{a}", {"a": None}, "none"),
        ("{a}", {}, "none"),
        ("{a}", {"a": 0.1}, "0.1"),
        ("{a}", {"a": [1, "ä", None]}, '[1,"ä",null]'),
        ("{a}", {"a": {"b": 1}}, '{"b":1}'),
        ("{a}", {"a": b"\x01\xff"}, "01ff"),
        ("{{a}} {a}", {"a": "{b}", "b": 1}, "{a} {b}"),
        ("{{{a}}}", {"a": 1}, "{1}"),
        ("100 % {a!r}", {"a": 1}, "100 % {a!r}"),
    ],
)
def test_a_template_is_filled(text, values, filled):
    assert MessageTemplate.parse(text).fill(values) == filled


def test_a_value_is_cut_at_200_characters():
    filled = MessageTemplate.parse("<{a}>").fill({"a": "x" * 500})
    assert len(filled) == 202
    assert filled.startswith("<xxx")


def test_names_are_told_once_in_order():
    assert MessageTemplate.parse("{b} {a} {b} {{c}}").names == ("b", "a")


@pytest.mark.parametrize("text", ["{", "}", "a { b", "{0}", "{}", "{a.b}", "{a!r}", "{a:>5}", "{ a }"])
def test_braces_that_hold_no_name_are_problems(text):
    assert len(MessageTemplate.parse(text).problems) == 1


@given(st.text(alphabet="{}a %\n", max_size=40))
def test_any_text_is_a_template_and_fills(text):
    template = MessageTemplate.parse(text)
    filled = template.fill(dict.fromkeys(template.names, "V"))
    if not template.problems:
        assert filled.count("V") >= len(template.names)


@given(st.text(max_size=60))
def test_escaped_text_comes_out_as_it_was(text):
    template = MessageTemplate.parse(text.replace("{", "{{").replace("}", "}}"))
    assert (template.problems, template.names, template.fill({})) == ((), (), text)
