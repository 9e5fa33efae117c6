from __future__ import annotations

import numpy as np
import pytest

from simulator.errors import WorldError
from simulator.world.generation import CountChoice, Numbers, Stream, child_counts, parent_positions

STREAM = Stream(5, "ticket", "", "count")
MOST = 10**7


def test_a_number_gives_every_parent_as_many_children():
    assert child_counts(3, STREAM, 4, most=MOST).tolist() == [3, 3, 3, 3]


def test_a_distribution_includes_parents_without_children():
    counts = child_counts(Numbers("poisson", (2,)), STREAM, 10_000, most=MOST)
    assert abs(counts.mean() - 2) < 0.1
    assert abs((counts == 0).mean() - 0.135) < 0.02
    assert child_counts(Numbers("normal", (0, 2)), STREAM, 1000, most=MOST).min() == 0
    assert set(child_counts(Numbers("uniform", (0, 3)), STREAM, 1000, most=MOST).tolist()) == {0, 1, 2, 3}


def test_weighted_counts_have_their_shares():
    counts = child_counts(CountChoice((0, 5), (1, 3)), STREAM, 10_000, most=MOST)
    assert set(counts.tolist()) == {0, 5}
    assert abs((counts == 5).mean() - 0.75) < 0.03


def test_children_stand_in_the_order_of_their_parents():
    assert parent_positions(np.array([2, 0, 1])).tolist() == [0, 0, 2]
    assert parent_positions(np.array([], dtype=np.int64)).tolist() == []


@pytest.mark.parametrize(
    "cardinality", [-1, CountChoice((-1,), (1,)), 10**9, CountChoice((1, 2), (1,)), Numbers("constant", (1e15,))]
)
def test_impossible_numbers_of_children_are_refused(cardinality):
    with pytest.raises(WorldError, match=r"negative|more than|one weight"):
        child_counts(cardinality, STREAM, 4096, most=MOST)
