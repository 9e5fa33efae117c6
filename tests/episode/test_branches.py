"""Forks, snapshots and restores, in any order: every branch is what its own actions made it, and nothing else."""

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulator import Environment
from tests.episode.actions import CALLS
from tests.episode.desk import call, task, trace, world

TEMPLATES = ("close", "ask_and_close", "pay_back", "reroute")

MOVES = st.lists(
    st.one_of(
        CALLS.map(lambda action: ("act", action)),
        CALLS.map(lambda action: ("act", action)),
        CALLS.map(lambda action: ("act", action)),
        st.just(("fork", None)),
        st.just(("keep", None)),
        st.integers(0, 9).map(lambda number: ("restore", number)),
        st.integers(0, 9).map(lambda number: ("turn to", number)),
        st.sampled_from([("act", call("finish")), ("stop", None), ("look", None)]),
    ),
    max_size=25,
)


class _Branch:
    """An environment with the list of what was done in it."""

    def __init__(self, env, done):
        self.env, self.done = env, done

    def act(self, action):
        self.done.append(action)
        _do(self.env, action)


def _do(env, action):
    if action == "stop":
        env.stop("enough")
    else:
        env.step(action)


@settings(max_examples=120)
@given(template=st.sampled_from(TEMPLATES), moves=MOVES)
@example(
    template="ask_and_close",
    moves=[
        ("act", call("write_note", ticket_id=22, text="works?", request="a")),
        ("keep", None),
        ("act", call("wait", duration="1h")),
        ("fork", None),
        ("restore", 0),
        ("act", call("set_priority", ticket_id=1, priority=1)),
        ("turn to", 1),
        ("act", call("write_note", ticket_id=23, text="works?")),
    ],
)
def test_a_branch_equals_a_fresh_episode_with_the_same_actions(template, moves):
    branches, kept = [_Branch(Environment(world()), [])], []
    branches[0].env.reset(task=task(template), seed=3)
    current = branches[0]
    for move, what in moves:
        if move == "act":
            current.act(what)
        elif move == "stop":
            current.act("stop")
        elif move == "fork":
            branches.append(_Branch(current.env.fork(), list(current.done)))
        elif move == "keep":
            kept.append((current.env.snapshot(), list(current.done)))
        elif move == "restore" and kept:
            moment, done = kept[what % len(kept)]
            current.env.restore(moment)
            current.done = list(done)
        elif move == "turn to":
            current = branches[what % len(branches)]
        elif move == "look":
            current.env.score()
            current.env.changes()
    for branch in branches:
        fresh = Environment(world())
        fresh.reset(task=task(template), seed=3)
        for action in branch.done:
            _do(fresh, action)
        assert trace(fresh) == trace(branch.env)
        assert fresh.state_digest == branch.env.state_digest
        assert fresh.changes() == branch.env.changes()
        assert fresh.score() == branch.env.score()


@settings(max_examples=60)
@given(actions=st.lists(CALLS, max_size=12))
def test_changes_tell_all_that_differs_from_the_start(actions):
    env = Environment(world())
    env.reset(task=task("ask_and_close"))
    for action in actions:
        env.step(action)
    by_steps = [item for line in env.trajectory.steps for item in line["changes"]]
    assert (env.changes() == []) or by_steps
    if env.changes() == []:
        start = Environment(world())
        start.reset(task=task("ask_and_close"))
        assert env.state_digest == start.state_digest
    undone = [item for item in by_steps if item["op"] == "insert" and item["table"] == "refund"]
    assert [item for item in env.changes() if item["table"] == "refund"] == undone, "refunds are only ever added"
    assert json.loads(json.dumps(env.changes())) == env.changes()
