import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.tasks import fill_arguments, fill_partly, fill_text, names_used


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Move {ticket_id} to {team}.", "Move 7 to Billing."),
        ("{price} {whole} {big}", "12.5 25 1e+300"),
        ("{nothing}, {yes}, {no}", "none, true, false"),
        ("{list}", '[1, "ü"]'),
        ("{{team}} and {{{team}}}", "{team} and {Billing}"),
        ("{unknown} { } {Team} }{", "{unknown} { } {Team} }{"),
    ],
)
def test_text_is_filled_with_values_in_words(text, expected):
    values = {
        "ticket_id": 7, "team": "Billing", "price": 12.5, "whole": 25.0, "big": 1e300, "nothing": None, "yes": True,
        "no": False, "list": [1, "ü"],
    }  # fmt: skip
    assert fill_text(text, values) == expected


def test_an_argument_that_is_one_placeholder_keeps_its_type():
    arguments = {"id": "{id}", "ids": ["{id}", {"note": "no. {id}"}], "given": None, "open": "{open}"}
    filled = fill_arguments(arguments, {"id": 7, "open": True})
    assert filled == {"id": 7, "ids": [7, {"note": "no. 7"}], "given": None, "open": True}
    assert filled["open"] is True


def test_a_value_is_not_filled_again():
    assert fill_text("{one}", {"one": "{two}", "two": "secret"}) == "{two}"


def test_names_are_found_wherever_they_stand():
    assert names_used({"a": "{one} {two}", "b": ["{three}", {"c": "{one}"}], "d": "{{four}}", "e": 5}) == (
        "one",
        "two",
        "three",
    )


texts = st.text(st.sampled_from("{}ab_ ü"), max_size=12)
values = st.dictionaries(
    st.sampled_from(("a", "b", "ab")), texts | st.integers() | st.none() | st.lists(texts, max_size=2)
)


@given(st.lists(texts, max_size=3), values, values)
def test_filling_in_two_parts_is_filling_at_once(arguments, first, second):
    assert fill_arguments(fill_partly(arguments, first), second) == fill_arguments(arguments, {**second, **first})
