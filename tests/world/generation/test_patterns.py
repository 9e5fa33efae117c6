from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import WorldError
from simulator.world.generation import KeyPattern


@pytest.mark.parametrize(
    ("pattern", "key"), [("C-%05d", "C-00042"), ("#W%07d", "#W0000042"), ("%d", "42"), ("100%%/%03d}", "100%/042}")]
)
def test_a_pattern_writes_its_number_and_reads_it_back(pattern, key):
    assert KeyPattern(pattern).render([42]) == [key]
    assert KeyPattern(pattern).parse(key) == 42


def test_a_number_too_long_for_its_width_keeps_all_digits():
    assert KeyPattern("C-%02d").render([7, 123]) == ["C-07", "C-123"]
    assert KeyPattern("C-%02d").parse("C-123") == 123


@given(st.integers(0, 10**18 - 1), st.sampled_from(["C-%05d", "%d9", "0%03d", "%%%d%%"]))
def test_keys_are_unique_and_readable(number, pattern):
    key_pattern = KeyPattern(pattern)
    assert key_pattern.parse(key_pattern.render([number])[0]) == number


@pytest.mark.parametrize(
    "key", ["", "C-", "C-7", "C-007", "c-07", "C-07 ", "C-+7", "C--7", "C-٠٧", "X-07", "C-" + "9" * 5000]
)
def test_a_key_that_the_pattern_would_not_write_has_no_number(key):
    assert KeyPattern("C-%02d").parse(key) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "C",
        "%d-%d",
        "%s",
        "%5d",
        "%-5d",
        "%05x",
        "%0d",
        "%099d",
        "%",
        "C-%",
        "%%d",
        "x" * 101 + "%d",
        "%*d",
        "%(a)d",
    ],
)
def test_a_pattern_without_exactly_one_number_is_refused(pattern):
    with pytest.raises(WorldError, match="pattern"):
        KeyPattern(pattern)
