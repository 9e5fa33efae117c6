from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.world.generation import Stream

STREAM = Stream(7, "customer", "name")


@given(st.integers(0, 50), st.integers(0, 50))
def test_a_stream_made_in_chunks_equals_the_whole(first, second):
    for draw in (STREAM.raw, STREAM.uniform):
        chunks = np.concatenate([draw(first), draw(second, start=first)])
        assert np.array_equal(chunks, draw(first + second))
    whole = STREAM.integers(first + second, -5, 1000)
    assert np.array_equal(
        np.concatenate([STREAM.integers(first, -5, 1000), STREAM.integers(second, -5, 1000, start=first)]), whole
    )


def test_streams_of_different_columns_share_nothing():
    streams = [
        STREAM,
        Stream(8, "customer", "name"),
        Stream(7, "customern", "ame"),
        Stream(7, "customer", "email"),
        Stream(7, "customer", "name", "x"),
        STREAM.split("x"),
        STREAM.split("y"),
    ]
    words = [word for stream in streams for word in stream.raw(100).tolist()]
    assert len(set(words)) == len(words)


def test_asking_again_gives_the_same_values():
    assert np.array_equal(STREAM.raw(10), STREAM.raw(10))
    assert np.array_equal(Stream(7, "customer", "name").raw(10), STREAM.raw(10))


def test_uniform_numbers_fill_the_unit_interval_evenly():
    values = STREAM.uniform(100_000)
    assert values.min() >= 0
    assert values.max() < 1
    counts = np.histogram(values, bins=20, range=(0, 1))[0]
    assert np.all(np.abs(counts - 5000) < 400)


@settings(max_examples=50)
@given(st.integers(-(2**62), 2**62), st.integers(1, 2**63 - 1))
def test_integers_are_the_high_part_of_the_product_with_the_span(low, span):
    span = min(span, 2**63 - 1 - low)
    expected = [low + (word * span >> 64) for word in STREAM.raw(20).tolist()]
    assert STREAM.integers(20, low, low + span).tolist() == expected


def test_integers_take_bounds_for_each_row():
    low, high = np.arange(1000), np.arange(1000) + 1 + np.arange(1000) % 7
    values = STREAM.integers(1000, low, high)
    assert np.all((values >= low) & (values < high))


def test_an_empty_range_of_integers_is_refused():
    with pytest.raises(ValueError, match="low < high"):
        STREAM.integers(3, 5, 5)


def test_a_permutation_holds_every_number_once_and_moves_most():
    permutation = STREAM.permutation(1000)
    assert sorted(permutation.tolist()) == list(range(1000))
    assert np.count_nonzero(permutation == np.arange(1000)) < 20


def test_a_share_of_booleans_is_true():
    assert abs(STREAM.bernoulli(100_000, 0.3).mean() - 0.3) < 0.01
    assert not STREAM.bernoulli(1000, 0.0).any()
    assert STREAM.bernoulli(1000, 1.0).all()


@settings(max_examples=60)
@given(st.integers(1, 3000))
def test_distinct_integers_walk_the_whole_range(size):
    values = STREAM.distinct(size, size)
    assert sorted(values.tolist()) == list(range(size))
    half = size // 2
    assert np.array_equal(
        np.concatenate([STREAM.distinct(half, size), STREAM.distinct(size - half, size, start=half)]), values
    )


def test_distinct_integers_of_a_huge_range_spread_over_it():
    values = STREAM.distinct(10_000, 10**18)
    assert len(set(values.tolist())) == 10_000
    assert np.all(np.abs(np.histogram(values, bins=10, range=(0, 10**18))[0] - 1000) < 200)


def test_more_distinct_integers_than_there_are_is_refused():
    with pytest.raises(ValueError, match="no 11 different"):
        STREAM.distinct(11, 10)
