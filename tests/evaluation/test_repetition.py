"""pass@k and pass^k against counting every choice of k episodes."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.evaluation import mean_pass_all_k, mean_pass_at_k, pass_all_k, pass_at_k


@settings(max_examples=60)
@given(st.data())
def test_both_are_the_share_of_the_choices_of_k_episodes(data):
    results = data.draw(st.lists(st.booleans(), min_size=1, max_size=8))
    k = data.draw(st.integers(1, len(results)))
    choices = list(combinations(results, k))
    assert pass_at_k(sum(results), len(results), k) == pytest.approx(fmean(map(any, choices)))
    assert pass_all_k(sum(results), len(results), k) == pytest.approx(fmean(map(all, choices)))


@given(st.integers(0, 20))
def test_with_one_episode_both_are_the_success_rate(successes):
    assert pass_at_k(successes, 20, 1) == pytest.approx(successes / 20)
    assert pass_all_k(successes, 20, 1) == pytest.approx(successes / 20)


def test_means_are_over_tasks():
    assert mean_pass_at_k([(4, 4), (0, 4)], 2) == 0.5
    assert mean_pass_all_k([(4, 4), (2, 4)], 2) == pytest.approx((1 + 1 / 6) / 2)


@pytest.mark.parametrize("given", [(1, 2, 3), (3, 2, 1), (1, 2, 0), (-1, 2, 1)])
def test_what_cannot_be_is_refused(given):
    with pytest.raises(ValueError, match="no"):
        pass_at_k(*given)


def test_no_tasks_have_no_mean():
    with pytest.raises(ValueError, match="one task"):
        mean_pass_all_k([], 1)
