"""The built-in agents where the world lets calls fail: the oracle loses nothing, the others play on."""

import pytest

from simulator import Environment
from simulator.agents import AGENTS, OracleAgent, play
from tests.episode.desk import altered, task, trace


def struck(**fault):
    share = {} if fault["kind"] == "outage" else {"share": 1}
    return altered(lambda value: value.update(faults={"it": {**share, **fault}}))


def oracle(of, template):
    env = Environment(of)
    played = play(env, OracleAgent(), task(template, of=of), 0)
    return played, [step["action"] for step in env.trajectory.steps], env


def tools(actions):
    return [action["tool"] for action in actions]


def perfect(played):
    score = played.score
    return (score.success, score.efficiency, score.process, score.penalties) == (True, 1.0, 1.0, 0.0)


def test_the_oracle_waits_as_long_as_it_is_told():
    played, actions, _ = oracle(struck(tools="assign_ticket", kind="rate_limit", retry_after="1m30s"), "reroute")
    assert perfect(played)
    assert tools(actions) == ["get_ticket", *["assign_ticket", "wait"] * 2, "assign_ticket", "finish"]
    assert actions[2]["arguments"] == {"duration": "90s"}


def test_the_oracle_repeats_a_call_under_the_same_key_and_does_it_once():
    played, actions, env = oracle(struck(tools="refund", kind="timeout", effect="after"), "pay_back")
    assert played.score.success
    assert played.score.efficiency == 1.0
    assert tools(actions) == ["refund", "refund", "refund", "finish"]
    assert {action["arguments"]["request"] for action in actions[:3]} == {"pay"}
    assert len(env.changes()) == 1


def test_the_oracle_does_nothing_twice_that_has_no_key():
    played, actions, _ = oracle(struck(tools="assign_ticket", kind="timeout", effect="after"), "reroute")
    assert perfect(played)
    assert tools(actions) == ["get_ticket", "assign_ticket", "finish"]
    played, actions, _ = oracle(struck(tools="assign_ticket", kind="timeout", effect="before"), "reroute")
    assert perfect(played)
    assert tools(actions) == ["get_ticket", *["assign_ticket"] * 3, "finish"]


@pytest.mark.parametrize("last", [1, 4])
def test_the_oracle_sits_an_outage_out(last):
    played, actions, _ = oracle(struck(tools="get_ticket", kind="outage", from_step=1, to_step=last), "reroute")
    assert perfect(played)
    assert tools(actions) == [*["get_ticket"] * (last + 1), "assign_ticket", "finish"]


def test_the_oracle_reads_again_what_it_must_remember_of_a_stale_answer():
    played, actions, env = oracle(struck(tools="get_ticket", kind="stale_read", behind=2), "ask_and_close")
    assert played.score.success
    assert played.score.efficiency == 1.0
    stale = [step["step"] for step in env.trajectory.steps if step["verdict"]["code"] == "stale_read"]
    assert stale
    assert all(actions[number] == actions[number - 1] for number in stale)


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_every_agent_plays_the_same_struck_episode_again(agent):
    faults = {
        "slow": {"tools": ["assign_ticket", "write_note"], "kind": "timeout", "effect": "after", "share": 0.4},
        "busy": {"tools": ["get_ticket", "set_status", "refund"], "kind": "rate_limit", "share": 0.4},
    }
    of = altered(lambda value: value.update(faults=faults))
    for template in ("reroute", "ask_and_close"):
        one, other = Environment(of), Environment(of)
        for env in (one, other):
            assert play(env, AGENTS[agent](), task(template, of=of), 3).ending in ("finished", "truncated")
        assert trace(one) == trace(other)
