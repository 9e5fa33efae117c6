from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.scenario.times import (
    format_date,
    format_timestamp,
    normalise_date,
    normalise_timestamp,
    parse_date,
    parse_timestamp,
)

FIRST, LAST = -62_135_596_800, 253_402_300_799


@given(st.integers(FIRST, LAST))
def test_a_timestamp_reads_back_and_is_its_own_normal_form(seconds):
    text = format_timestamp(seconds)
    assert parse_timestamp(text) == seconds
    assert normalise_timestamp(text) == text


@given(st.lists(st.integers(FIRST, LAST), min_size=2))
def test_timestamps_sort_as_text_like_the_times_they_name(times):
    assert sorted(map(format_timestamp, times)) == [format_timestamp(at) for at in sorted(times)]


@given(st.integers(FIRST // 86_400, LAST // 86_400))
def test_a_date_reads_back_and_is_midnight_of_its_timestamp(days):
    text = format_date(days)
    assert parse_date(text) == days
    assert parse_timestamp(text + " 00:00:00") == days * 86_400
    assert normalise_date(text) == text


def test_a_timestamp_agrees_with_the_standard_library():
    assert parse_timestamp("2026-03-02 09:00:00") == datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-02",
        "2026-03-02T09:00:00",
        "2026-3-2 09:00:00",
        "2026-02-30 00:00:00",
        "0000-01-01 00:00:00",
        "",
        "２０２６-01-01 00:00:00",
    ],
)
def test_only_the_canonical_form_of_a_real_time_is_parsed(text):
    with pytest.raises(ValueError, match="not a time"):
        parse_timestamp(text)


@pytest.mark.parametrize("text", ["2026-02-30", "2026-3-2", "2026-03-02 00:00:00", "20260302", ""])
def test_only_the_canonical_form_of_a_real_date_is_parsed(text):
    with pytest.raises(ValueError, match="not a date"):
        parse_date(text)


@pytest.mark.parametrize(
    ("function", "value"), [(format_timestamp, LAST + 1), (format_timestamp, FIRST - 1), (format_date, 10**9)]
)
def test_times_outside_the_years_1_to_9999_are_refused(function, value):
    with pytest.raises(ValueError, match="outside the years"):
        function(value)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2026-01-02T03:04:05", "2026-01-02 03:04:05"),
        ("2026-01-02T03:04:05Z", "2026-01-02 03:04:05"),
        ("2026-01-02t03:04:05.999z", "2026-01-02 03:04:05"),
        ("2026-01-02 03:04:05+02:00", "2026-01-02 01:04:05"),
        ("2026-01-01T23:30:00-0530", "2026-01-02 05:00:00"),
        ("2026-01-02 03:04:05 +02", "2026-01-02 01:04:05"),
        ("2026-01-02 03:04:05 UTC", "2026-01-02 03:04:05"),
        ("2026-01-02 03:04", "2026-01-02 03:04:00"),
        ("  2026-01-02 ", "2026-01-02 00:00:00"),
    ],
)
def test_other_forms_of_a_time_are_rewritten(text, canonical):
    assert normalise_timestamp(text) == canonical


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "yesterday",
            "2026-01",
            "2026-13-01",
            "2026-01-02 24:00:00",
            "2026-01-02 03:04:60",
            "02/01/2026",
            "1767312000",
        ),
        *(
            "0001-01-01 00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "2026-01-02T03:04:05+16:00",
            "2026-01-02T03:04:05+01:60",
        ),
        *("2026-01-02 03:04:05 PST", "2026-01-02  03:04:05", " " * 10_000 + "2026-01-02"),
    ],
)
def test_what_cannot_be_a_time_normalises_to_nothing(text):
    assert normalise_timestamp(text) is None


def test_a_date_never_loses_a_time_of_day():
    assert normalise_date("2026-01-02T00:00:00Z") == "2026-01-02"
    assert normalise_date("2026-01-02T10:00:00Z") is None


@given(
    st.text("0123456789-T:Z+. ", max_size=30)
    | st.from_regex(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}.{0,9}")
)
def test_any_text_normalises_to_a_canonical_time_or_nothing(text):
    result = normalise_timestamp(text)
    assert result is None or format_timestamp(parse_timestamp(result)) == result
