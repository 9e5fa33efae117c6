"""A result is cut to what an observation may hold, by whole rows, and says so."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.tools import RESULT_LIMIT, cap_result, result_text

ROWS = [{"id": number, "text": "some words"} for number in range(1_000)]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=12), inner, max_size=6),
    max_leaves=40,
)


def test_a_result_that_fits_is_not_touched():
    result = {"rows": ROWS[:3]}
    assert cap_result(result) == (result, None)


def test_a_list_keeps_whole_rows_from_its_start():
    result, cut = cap_result(ROWS)
    items = result["items"]
    assert items == ROWS[: len(items)]
    assert 0 < len(items) < len(ROWS)
    assert {**result, "items": 0} == {"items": 0, "truncated": True, "total": 1_000, "next_page": None}
    assert (cut.shown, cut.total) == (len(items), 1_000)
    assert len(result_text(result)) <= RESULT_LIMIT
    assert len(result_text({**result, "items": ROWS[: len(items) + 1]})) > RESULT_LIMIT, "as many rows as fit"


def test_a_page_keeps_its_total_and_its_next_page():
    page = {"items": ROWS, "page": 2, "total": 5_000, "next_page": 3}
    result, _ = cap_result(page)
    assert result == {**page, "items": ROWS[: len(result["items"])], "truncated": True}
    assert len(result_text(result)) <= RESULT_LIMIT


def test_an_object_loses_rows_of_its_longest_list():
    result, cut = cap_result({"id": 1, "few": [1, 2, 3], "customer": {"orders": ROWS}})
    kept = result["customer"]["orders"]
    assert kept == ROWS[: len(kept)]
    assert result["few"] == [1, 2, 3]
    assert result["truncated"] is True
    assert result["total"] == {"customer.orders": 1_000}
    assert (cut.shown, cut.total) == (len(kept), 1_000)


def test_an_object_loses_rows_of_several_lists_if_it_must():
    result, _ = cap_result({"a": ROWS, "b": ROWS + ROWS})
    assert result["total"] == {"a": 1_000, "b": 2_000}
    assert len(result_text(result)) <= RESULT_LIMIT


def test_one_row_that_is_too_long_is_cut_in_its_texts_with_a_note():
    result, _ = cap_result([{"id": 1, "body": "x" * 50_000}])
    (row,) = result["items"]
    assert row["id"] == 1
    assert row["body"].startswith("xxx")
    assert "of 50,000 characters" in row["body"]
    assert len(result_text(result)) <= RESULT_LIMIT


def test_a_first_row_that_holds_too_many_rows_loses_some_of_them():
    result, _ = cap_result([{"id": 1, "lines": ROWS}, {"id": 2, "lines": []}])
    (row,) = result["items"]
    assert row["lines"] == ROWS[: len(row["lines"])]
    assert (row["total"], result["total"]) == ({"lines": 1_000}, 2)


def test_a_single_text_is_cut_with_a_note():
    result, cut = cap_result("y" * 20_000)
    assert result.startswith("yyy")
    assert "of 20,000 characters" in result
    assert cut.characters == 20_002


def test_the_caller_keeps_what_it_gave():
    given_result = {"a": list(ROWS)}
    cap_result(given_result)
    assert given_result == {"a": ROWS}


@pytest.mark.parametrize("limit", [600, 2_000])
@given(value=json_values)
def test_whatever_comes_in_fits_afterwards(limit, value):
    result, cut = cap_result(value, limit)
    assert len(result_text(result)) <= limit
    assert json.loads(result_text(result)) == result
    assert (cut is None) == (result is value)


def test_an_object_of_countless_fields_fits_too():
    result, _ = cap_result({f"field {number}\n": number for number in range(5_000)})
    assert result["truncated"] is True
    assert len(result_text(result)) <= RESULT_LIMIT
