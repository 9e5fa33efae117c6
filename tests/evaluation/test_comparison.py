"""Paired comparison: symmetric, deterministic, sure where agents differ in every task and unsure where they do not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.evaluation import compare_paired

PAIRS = st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=16)


@settings(max_examples=25, deadline=None)
@given(PAIRS)
def test_changing_places_changes_signs_and_nothing_else(pairs):
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    one, other = compare_paired(first, second), compare_paired(second, first)
    assert one == compare_paired(first, second)
    assert (one.wins, one.losses, one.p) == (other.losses, other.wins, other.p)
    assert one.difference.value == pytest.approx(-other.difference.value)
    assert 0 < one.p <= 1


def test_equal_agents_differ_by_nothing():
    found = compare_paired([0.5] * 30, [0.5] * 30)
    assert (found.difference.value, found.wins, found.losses, found.p) == (0, 0, 0, 1)


@pytest.mark.parametrize(("tasks", "p"), [(4, 2 / 16), (10, 2 / 1024)])
def test_few_tasks_are_counted_exactly(tasks, p):
    assert compare_paired([1.0] * tasks, [0.0] * tasks).p == pytest.approx(p)


def test_a_difference_in_every_one_of_many_tasks_is_no_chance():
    found = compare_paired([1.0] * 40, [0.2] * 40)
    assert found.p < 0.001
    assert found.difference.low == found.difference.value == pytest.approx(0.8)


def test_results_of_different_tasks_are_refused():
    with pytest.raises(ValueError, match="argument"):
        compare_paired([1.0], [1.0, 2.0])
