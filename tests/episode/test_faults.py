"""Faults: each kind as an agent meets it, what it costs and adds, and that forks, restores and replays agree."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Environment, Trajectory
from simulator.agents import NoisyAgent, OracleAgent, RandomAgent, play
from simulator.episode import render, replay
from tests.episode.actions import CALLS
from tests.episode.desk import altered, begin, call, do, open_tickets, trace

OPEN, OTHER = open_tickets()[-2:]
EVERY_KIND = {
    "slow_notes": {"tools": "write_note", "kind": "timeout", "effect": "after", "share": 0.4},
    "slow_refunds": {"tools": ["refund", "merge_tickets"], "kind": "timeout", "share": 0.4},
    "broken": {"tools": ["get_ticket", "set_status"], "kind": "server_error", "share": 0.2},
    "busy": {"tools": ["get_ticket", "assign_ticket", "refund"], "kind": "rate_limit", "share": 0.1},
    "replica": {"tools": ["get_ticket", "list_tickets"], "kind": "stale_read", "behind": 3, "share": 0.2},
    "down": {"tools": ["set_priority", "list_tickets"], "kind": "outage", "from_step": 3, "to_step": 5},
}  # fmt: skip
WORLD = altered(lambda value: value.update(faults=EVERY_KIND))


def struck(**fault):
    """A world in which one fault strikes whenever it may."""
    share = {} if fault["kind"] == "outage" else {"share": 1}
    return altered(lambda value: value.update(faults={"it": {**share, **fault}}))


def failures(env):
    return [line for line in env.score().lines if line.part == "failed_action"]


def test_a_timeout_before_the_effect_leaves_everything_as_it_was():
    env = begin("close", 1, of=struck(tools="write_note", kind="timeout"))
    before = env.state_digest
    told = do(env, "write_note", ticket_id=OPEN, text="hm")
    assert (told["ok"], told["kind"], told["code"], told["status"]) == (False, "fault", "timeout", 504)
    assert told["result"] == {"retryable": True}
    assert told["now"] == "2026-03-02 09:05:00", "the call's own five minutes have gone by"
    assert env.state_digest == before


def test_a_timeout_after_the_effect_tells_the_agent_the_same_and_yet_it_is_done():
    before = begin("close", 1, of=struck(tools="write_note", kind="timeout"))
    after = begin("close", 1, of=struck(tools="write_note", kind="timeout", effect="after"))
    action = call("write_note", ticket_id=OPEN, text="works?")
    told, _, _, _, info = after.step(action)
    assert told == before.step(action)[0]
    assert {change["table"] for change in info["changes"]} == {"note", "ticket", "ticket_event"}
    assert info["flags"] == ["fault:it", "took_effect"]
    do(after, "wait", duration="20m")
    assert [mail["body"] for mail in do(after, "get_ticket", ticket_id=OPEN)["result"]["mails"]] == ["answer to works?"]


def test_a_retry_under_the_same_idempotency_key_returns_the_first_result_and_does_nothing_more():
    env = begin("close", 1, of=struck(tools="write_note", kind="timeout", effect="after"))
    same = {"ticket_id": OPEN, "text": "hm", "request": "a"}
    assert [do(env, "write_note", **same)["kind"] for _ in range(2)] == ["fault", "fault"]
    told = do(env, "write_note", **same)
    assert told["result"]["text"] == "hm"
    notes = [change for change in env.changes() if change["table"] == "note"]
    assert [change["key"] for change in notes] == [[told["result"]["id"]]]


def test_a_retry_without_a_key_does_it_twice():
    env = begin("close", 1, of=struck(tools="write_note", kind="timeout", effect="after"))
    for _ in range(2):
        do(env, "write_note", ticket_id=OPEN, text="hm")
    assert len([change for change in env.changes() if change["table"] == "note"]) == 2


def test_a_server_error_leaves_everything_as_it_was():
    env = begin("close", 1, of=struck(tools="set_priority", kind="server_error"))
    before = env.state_digest
    told = do(env, "set_priority", ticket_id=OPEN, priority=1)
    assert (told["kind"], told["code"], told["status"]) == ("fault", "server_error", 500)
    assert told["result"] == {"retryable": True}
    assert env.state_digest == before
    assert told["now"] == "2026-03-02 09:00:00"


def test_a_rate_limit_turns_calls_away_until_the_world_is_past_it():
    env = begin("close", 1, of=struck(tools="list_tickets", kind="rate_limit", retry_after="40s"))
    told = do(env, "list_tickets")
    assert (told["kind"], told["code"], told["status"]) == ("fault", "rate_limited", 429)
    assert told["result"] == {"retryable": True, "retry_after": 40}
    left = told["steps_left"]
    do(env, "wait", duration="15s")
    early = do(env, "list_tickets")
    assert early["result"] == {"retryable": True, "retry_after": 25}
    assert early["steps_left"] == left - 2, "calling too early adds nothing to the limit"
    do(env, "wait", duration="25s")
    do(env, "list_tickets")
    do(env, "wait", duration="40s")
    assert do(env, "list_tickets")["ok"], "it has struck twice running"


def test_a_stale_read_shows_an_earlier_moment_and_says_so():
    env = begin("close", 1, of=struck(tools="get_ticket", kind="stale_read", behind=1))
    assert do(env, "get_ticket", ticket_id=OPEN)["code"] == "ok", "there is no other moment yet"
    do(env, "write_note", ticket_id=OPEN, text="hm")
    told = do(env, "get_ticket", ticket_id=OPEN)
    assert (told["ok"], told["kind"], told["code"], told["status"]) == (True, "ok", "stale_read", 203)
    assert (told["as_of"], told["now"]) == ("2026-03-02 09:01:00", "2026-03-02 09:07:00")
    assert told["result"]["status"] == "open"
    assert "Note: These data are not the latest: they are of 2026-03-02 09:01:00, 1 step ago." in render(told)
    fresh = do(env, "get_ticket", ticket_id=OPEN)
    assert (fresh["result"]["status"], fresh["code"], "as_of" in fresh) == ("pending", "ok", False)


def test_a_stale_read_never_makes_a_call_fail_that_would_succeed():
    env = begin("close", 1, of=struck(tools="read_extra", kind="stale_read", behind=1))
    do(env, "write_note", ticket_id=OPEN, text="no json")
    do(env, "drop_note", note_id=6)
    told = do(env, "read_extra", note_id=6)
    assert (told["ok"], told["result"], told["code"]) == (True, None, "ok")


def test_an_outage_fails_every_call_from_its_first_step_to_its_last():
    env = begin("close", 1, of=struck(tools=["get_ticket", "set_priority"], kind="outage", from_step=2, to_step=4))
    kinds = [do(env, "get_ticket", ticket_id=OPEN)["kind"] for _ in range(5)]
    assert kinds == ["ok", "fault", "fault", "fault", "ok"]
    env = begin("close", 1, of=struck(tools=["get_ticket", "set_priority"], kind="outage", from_step=1, to_step=4))
    told = do(env, "set_priority", ticket_id=OPEN, priority=1)
    assert (told["code"], told["status"], told["result"]) == ("unavailable", 503, {"retryable": True})
    assert do(env, "list_tickets")["ok"]


def test_a_fault_adds_two_steps_to_the_limit_and_the_par_and_is_no_failed_action():
    env = begin("count_open", of=struck(tools="list_tickets", kind="server_error"))
    left = do(env, "list_tickets")["steps_left"]
    assert left == 30 + 2 - 1
    do(env, "list_tickets")
    counted = do(env, "list_tickets", status="open")["result"]["total"]
    do(env, "finish", answer=str(counted))
    score = env.score()
    assert (score.success, score.efficiency, failures(env)) == (True, 1.0, [])
    assert "4 in each for faults" in next(line.text for line in score.lines if line.part == "efficiency")


def test_spamming_does_not_stretch_an_episode_for_ever():
    env = begin("close", 1, of=struck(tools="list_tickets", kind="server_error"))
    kinds = []
    while not env.snapshot().ending:
        kinds.append(do(env, "list_tickets")["kind"])
    assert len(kinds) == 60
    assert kinds.count("fault") == 15
    assert set(kinds[-30:]) == {"ok"}, "once faults have doubled the limit none strikes any more"


@pytest.mark.parametrize("template", ["reroute", "close", "ask_and_close", "pay_back"])
def test_the_oracle_gets_through_at_full_efficiency(template):
    struck_steps = 0
    for task in [task for task in WORLD.tasks() if task.template == template]:
        for seed in range(6):
            env = Environment(WORLD)
            played = play(env, OracleAgent(), task, seed)
            assert played.score.success, [line.text for line in played.score.lines]
            assert played.score.efficiency == 1.0
            assert not failures(env)
            struck_steps += env.snapshot().faults.struck
    assert struck_steps


def runs(env):
    """For each operation, how often it was struck between calls that were not; outages and early calls left out."""
    lengths, running = [], {}
    for step in env.trajectory.steps:
        tool, flags = step["action"]["tool"] if isinstance(step["action"], dict) else "", step["flags"]
        if "fault:down" in flags:
            continue
        running[tool] = running.get(tool, 0) + 1 if any(flag.startswith("fault:") for flag in flags) else 0
        lengths.append(running[tool])
    return lengths


@settings(max_examples=25, deadline=None)
@given(st.lists(CALLS, max_size=14), st.integers(0, 99), st.integers(0, 13))
def test_forks_restored_moments_and_replays_of_struck_episodes_agree_byte_for_byte(actions, seed, place):
    env = begin("close", 1, of=WORLD, seed=seed)
    for action in actions[:place]:
        env.step(action)
    branch, moment = env.fork(), env.snapshot()
    for action in actions[place:]:
        env.step(action)
    for action in reversed(actions):  # another life in between
        branch.step(action)
    branch.restore(moment)
    for action in actions[place:]:
        branch.step(action)
    for each in (env, branch):
        each.step(call("finish"))
    assert json.dumps(trace(branch)) == json.dumps(trace(env))
    lines = [json.loads(json.dumps(line)) for line in env.trajectory.lines()]
    report = replay(Trajectory(lines[0], tuple(lines[1:-1]), lines[-1]), WORLD)
    assert report.same, report.difference
    state = env.snapshot()
    assert state.faults.steps_added == 2 * state.faults.struck <= state.task.steps


@pytest.mark.parametrize("agent", [RandomAgent, NoisyAgent])
def test_no_operation_is_struck_more_than_twice_running_whoever_plays(agent):
    longest = 0
    for seed in range(20):
        env = Environment(WORLD)
        task = WORLD.tasks()[seed % len(WORLD.tasks())]
        play(env, agent(), task, seed)
        longest = max([longest, *runs(env)])
        assert not [line for line in failures(env) if "fault" in line.text]
    assert longest in (1, 2)


def test_whether_a_call_is_struck_depends_on_world_task_seed_operation_and_count_alone():
    def pattern(of, seed, index=1):
        env = begin("close", index, of=of, seed=seed)
        return [do(env, "set_status", ticket_id=999, status="open")["kind"] for _ in range(20)]

    wide = {"it": {"tools": "set_status", "kind": "server_error", "share": 0.5}}
    one, two = (altered(lambda value: value.update(faults=wide), seed=seed) for seed in (7, 8))
    assert pattern(one, 1) == pattern(one, 1)
    assert len({tuple(pattern(one, seed)) for seed in range(5)}) > 1
    assert pattern(one, 1) != pattern(two, 1)
    assert pattern(one, 1) != pattern(one, 1, index=2)
    env = begin("close", 1, of=one, seed=1)
    mixed = []
    for _ in range(20):
        do(env, "list_tickets")
        mixed.append(do(env, "set_status", ticket_id=999, status="open")["kind"])
    assert mixed[:10] == pattern(one, 1)[:10]
