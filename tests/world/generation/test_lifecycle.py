from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import WorldError
from simulator.world.generation import MOST_TRANSITIONS, NEVER, Numbers, Step, Stream, walk

HOUR, DAY = 3600, 86_400
CLOCK = 1_772_442_000
TICKET = [
    Step("new", "open", Numbers("exponential", (2 * HOUR,))),
    Step("open", "pending", Numbers("exponential", (DAY,)), 3),
    Step("pending", "open", Numbers("exponential", (2 * DAY,))),
    Step("open", "closed", Numbers("lognormal_median", (DAY, 1)), 7),
]
ALLOWED = {(step.source, step.target) for step in TICKET}
STREAM = Stream(1, "ticket", "status")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(CLOCK - 40 * DAY, CLOCK + DAY), max_size=40), st.integers(0, 5))
def test_status_and_history_agree_with_the_machine(starts, seed):
    walks = walk("new", TICKET, Stream(seed, "ticket", "status"), np.array(starts, dtype=np.int64), CLOCK)
    state, since = ["new"] * len(starts), list(starts)
    rows = list(
        zip(walks.entity.tolist(), walks.at.tolist(), walks.source.tolist(), walks.target.tolist(), strict=True)
    )
    assert rows == sorted(rows)
    for entity, at, source, target in rows:
        assert walks.states[source] == state[entity]
        assert (walks.states[source], walks.states[target]) in ALLOWED
        assert since[entity] < at <= CLOCK
        state[entity], since[entity] = walks.states[target], at
    assert [walks.states[final] for final in walks.final.tolist()] == state
    assert walks.since.tolist() == since


def test_weights_decide_between_the_steps_of_a_state():
    walks = walk("new", TICKET, STREAM, np.full(20_000, CLOCK - 3000 * DAY), CLOCK)
    assert {walks.states[state] for state in walks.final.tolist()} == {"closed"}
    from_open = walks.target[walks.source == walks.states.index("open")]
    assert abs((from_open == walks.states.index("closed")).mean() - 0.7) < 0.02


def test_dwell_times_follow_their_distribution():
    walks = walk("new", TICKET, STREAM, np.full(20_000, CLOCK - 3000 * DAY), CLOCK)
    first = walks.source == walks.states.index("new")
    assert abs((walks.at[first] - (CLOCK - 3000 * DAY)).mean() - 2 * HOUR) < 300


def test_what_lies_after_the_clock_has_not_happened():
    steps = [Step("a", "b", Numbers("constant", (100,)))]
    walks = walk("a", steps, STREAM, np.array([CLOCK - 100, CLOCK - 99, CLOCK + 5]), CLOCK)
    assert walks.final.tolist() == [1, 0, 0]
    assert (walks.entity.tolist(), walks.at.tolist()) == ([0], [CLOCK])


def test_a_machine_that_cycles_without_end_is_bounded():
    steps = [Step("a", "b", Numbers("constant", (0,))), Step("b", "a", Numbers("constant", (0,)))]
    walks = walk("a", steps, STREAM, np.array([0]), CLOCK)
    assert walks.at.tolist() == list(range(1, MOST_TRANSITIONS + 1))


def test_an_entity_walks_the_same_way_whatever_comes_after_it():
    starts = CLOCK - np.arange(500) * HOUR
    whole, part = walk("new", TICKET, STREAM, starts, CLOCK), walk("new", TICKET, STREAM, starts[:100], CLOCK)
    assert whole.final[:100].tolist() == part.final.tolist()
    assert whole.at[whole.entity < 100].tolist() == part.at.tolist()


def test_steps_without_weight_are_refused_by_state():
    with pytest.raises(WorldError, match="steps from `a`: weights"):
        walk("a", [Step("a", "b", Numbers("constant", (1,)), 0)], STREAM, np.array([0]), CLOCK)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3 * DAY), st.none() | st.integers(0, 4 * DAY)), max_size=30), st.integers(0, 5)
)
def test_a_step_with_moments_is_made_then_unless_the_entity_has_left_before(entities, seed):
    starts = np.array([CLOCK - 2 * DAY - start for start, _ in entities], dtype=np.int64)
    ends = np.array(
        [NEVER if end is None else start + end for start, (_, end) in zip(starts.tolist(), entities, strict=True)],
        dtype=np.int64,
    )
    steps = [
        Step("firing", "seen", Numbers("exponential", (HOUR,)), 9),
        Step("firing", "muted", Numbers("exponential", (HOUR,))),
        Step("firing", "over", at=ends),
        Step("seen", "over", at=ends),
    ]
    walks = walk("firing", steps, Stream(seed, "alert", "status"), starts, CLOCK)
    states = [walks.states[final] for final in walks.final.tolist()]
    for end, start, state, since in zip(ends.tolist(), starts.tolist(), states, walks.since.tolist(), strict=True):
        if state == "over":
            assert since == max(end, start + 1)
        elif state == "muted":
            assert since <= max(end, start + 1)
        else:
            assert max(end, since + 1) > CLOCK
