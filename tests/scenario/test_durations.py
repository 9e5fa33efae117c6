from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.scenario.durations import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("15m", 900),
        ("2h", 7200),
        ("1d", 86_400),
        ("3w", 1_814_400),
        ("6mo", 15_552_000),
        ("-3y", -94_608_000),
        ("1d12h", 129_600),
        ("0s", 0),
        ("1y1mo1w1d1h1m1s", 34_822_861),
    ],
)
def test_a_duration_is_a_number_of_seconds(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "5",
        "s",
        "1.5h",
        "2 h",
        "12h1d",
        "1h1h",
        "+2h",
        "--2h",
        "2H",
        "1e3s",
        "٣h",
        "2h\n",
        "9" * 39 + "s",
        "1s" * 99,
    ],
)
def test_what_is_no_duration_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=r"not a duration.*1d12h|longer than 10,000 years"):
        parse_duration(text)


def test_a_duration_is_written_in_its_largest_units():
    assert [format_duration(s) for s in (129_600, -5400, 0, 59)] == ["1d12h", "-1h30m", "0s", "59s"]


@given(st.integers(-(10**11), 10**11))
def test_a_written_duration_reads_back(seconds):
    assert parse_duration(format_duration(seconds)) == seconds
