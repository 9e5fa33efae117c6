"""Intervals of shares and means: known values, and what must hold whatever the sample."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.evaluation import mean_interval, share_interval


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        # R: binom::binom.confint(x, n, methods = "wilson"); also Newcombe, Statistics in Medicine 17 (1998), table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_the_interval_of_a_share_is_wilsons(hits, of, low, high):
    interval = share_interval(hits, of)
    assert interval.value == hits / of
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.00006)


@given(st.integers(1, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
@settings(max_examples=60)
def test_a_share_lies_in_its_interval_and_the_interval_in_zero_to_one(pair):
    hits, of = pair
    interval = share_interval(hits, of)
    assert 0 <= interval.low <= interval.value <= interval.high <= 1
    mirrored = share_interval(of - hits, of)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((interval.low, interval.high))


def test_more_trials_narrow_the_interval_of_a_share():
    widths = [interval.high - interval.low for interval in (share_interval(of // 2, of) for of in (10, 100, 1000))]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize(("hits", "of"), [(0, 0), (3, 2), (-1, 4)])
def test_no_share_is_made_up_without_trials(hits, of):
    with pytest.raises(ValueError, match="no share"):
        share_interval(hits, of)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.integers(0, 2**63))
@settings(max_examples=25)
def test_a_mean_lies_among_the_values_and_its_interval_too(values, seed):
    interval = mean_interval(values, seed=seed)
    slack = 1e-8
    assert min(values) - slack <= interval.low <= interval.high <= max(values) + slack
    assert interval.value == pytest.approx(sum(values) / len(values), abs=1e-8)
    assert mean_interval(values, seed=seed) == interval


def test_the_interval_of_a_mean_agrees_with_the_normal_one_on_a_large_even_sample():
    values = [index / 499 for index in range(500)]
    interval = mean_interval(values, seed=3)
    spread = 1.96 * (sum((value - 0.5) ** 2 for value in values) / 500) ** 0.5 / 500**0.5
    assert (interval.low, interval.high) == pytest.approx((0.5 - spread, 0.5 + spread), abs=0.003)


def test_a_lopsided_sample_gets_a_lopsided_interval():
    interval = mean_interval([1.0] * 19 + [-1.0], seed=1)
    assert interval.high == 1.0
    assert interval.value - interval.low > interval.high - interval.value


def test_equal_values_leave_no_doubt_and_no_values_have_no_mean():
    assert mean_interval([0.1, 0.1, 0.1]).low == mean_interval([0.1, 0.1, 0.1]).high == 0.1
    with pytest.raises(ValueError, match="not of 0"):
        mean_interval([])
    with pytest.raises(ValueError, match="below 10,000"):
        mean_interval([1.0, float("nan")])
