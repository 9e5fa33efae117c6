import json

import pytest

from simulator import Environment, UsageError, generate_world
from simulator.agents import (
    AGENTS,
    MISTAKES,
    Chance,
    NoisyAgent,
    NullAgent,
    OracleAgent,
    RandomAgent,
    ScriptedAgent,
    finish,
    play,
)
from simulator.episode import workplace_of
from tests.episode.desk import altered, call, elsewhere, scenario, task, trace, world

SEEDS = (7, 8)


def all_tasks():
    return [(seed, item.id) for seed in SEEDS for item in world(seed).tasks()]


def actions_of(env):
    return [line["action"] for line in env.trajectory.steps]


def test_the_oracle_solves_every_task_completely():
    for seed, task_id in all_tasks():
        env = Environment(world(seed))
        played = play(env, OracleAgent(), task_id, 0)
        tried = 0.02 if played.template == "pay_too_much" else 0.0  # its solution tries what is refused
        score = played.score
        assert (score.success, score.completion, score.penalties) == (True, 1.0, tried), task_id
        assert played.ending == ("ended" if played.template == "give_away" else "finished")
        assert played.steps == len(played.kinds) == len(env.trajectory.steps)


def test_the_oracle_plays_each_of_several_solutions():
    for index, word in ((0, "fixed"), (1, "explained"), (9, "explained")):
        env = Environment(world())
        assert play(env, OracleAgent(index), task("close"), 0).score.success
        assert actions_of(env)[1]["arguments"]["resolution"] == word


def test_the_oracle_uses_what_it_was_told():
    env = Environment(world())
    play(env, OracleAgent(), task("ask_and_close"), 0)
    last = actions_of(env)[-2]
    assert last["arguments"]["ticket_id"] == task("ask_and_close").parameters["ticket_id"]
    assert isinstance(last["arguments"]["ticket_id"], int)


def test_doing_nothing_solves_nothing():
    for seed, task_id in all_tasks():
        score = play(Environment(world(seed)), NullAgent(), task_id, 0).score
        assert not score.success
        assert score.total <= 0.0


def test_refusing_blindly_fails_where_acting_is_right():
    blind = ScriptedAgent([finish(refusal="over_limit")])
    outcomes = {
        name: play(Environment(world()), blind, task(name), 0).score.success
        for name in ("pay_too_much", "pay_back", "close", "reroute", "count_open")
    }
    assert outcomes == {"pay_too_much": True, "pay_back": False, "close": False, "reroute": False, "count_open": False}


def choosy(value):
    """Operations whose parameters take some care to fit."""
    value["tools"]["choosy"] = {
        "summary": "Everything must fit.",
        "parameters": {
            "share": {"type": "number", "minimum": 0.25, "maximum": 0.75},
            "above": {"type": "integer", "minimum": 7},
            "code": {"type": "string", "min_length": 30, "max_length": 40},
            "short": {"type": "string", "max_length": 3},
            "none": {"type": "string", "max_length": 0},
            "mail": {"type": "string", "format": "email"},
            "day": {"type": "string", "format": "date"},
            "moment": {"type": "string", "format": "timestamp"},
            "agent_id": {"type": "string", "pattern": "A-0[1-9]"},
            "numbers": {"type": "array", "max_items": 2, "items": {"type": "integer", "minimum": 3, "maximum": 4}},
            "words": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "max_items": 1},
            "nothing": {"type": "array", "max_items": 0},
            "set": {"type": "array", "items": {"type": "integer", "multipleOf": 5}},
            "place": {
                "type": "object",
                "properties": {
                    "floor": {"type": "integer", "exclusiveMinimum": 1, "maximum": 9},
                    "room": {"type": "string", "optional": True},
                    "open": {"type": "boolean"},
                },
            },
            "impossible": {"type": "string", "pattern": "[0-9]{40}", "optional": True},
        },
        "returns": {"value": "select :above + :share"},
    }
    value["tools"]["never"] = {
        "summary": "Nobody guesses this.",
        "parameters": {"secret": {"type": "string", "pattern": "[0-9]{40}"}},
    }


def test_the_random_agent_calls_everything_and_never_misspells():
    own = altered(choosy)
    seen, agent = {}, RandomAgent()
    for seed in range(50):
        for name in ("close", "give_away"):
            env = Environment(own)
            played = play(env, agent, task(name, seed % 3, own), seed)
            assert not {"malformed", "unknown_tool", "bad_arguments", "bad_time"} & set(played.kinds), trace(env)
            for action in actions_of(env):
                seen.setdefault(action["tool"], set()).update(action["arguments"])
    tools = set(own.scenario.document.tools) - {"never"}
    assert tools <= set(seen)
    for name in ("list_tickets", "set_status", "write_note", "choosy"):
        optional = set(own.scenario.document.tools[name].parameters) - {"impossible"}
        assert optional <= seen[name]
    assert "impossible" not in seen["choosy"]


def test_the_random_agent_sees_the_world_as_made_whatever_was_played_before():
    def episode(first):
        own = generate_world(scenario(), seed=7)
        if first is not None:
            env = Environment(own)
            env.reset(task=task(first))
            env.step(call("write_note", ticket_id=task("close").parameters["ticket_id"], text="x"))
        env = Environment(own)
        play(env, RandomAgent(), task("reroute"), 5)
        return trace(env)

    assert episode(None) == episode("close")


def test_an_agent_may_go_from_world_to_world():
    for kind in (RandomAgent, NoisyAgent):
        agent = kind()
        for seed in (7, 8, 7):
            env, fresh = Environment(world(seed)), Environment(world(seed))
            play(env, agent, task("ask_and_close", 0, world(seed)), 3)
            play(fresh, kind(), task("ask_and_close", 0, world(seed)), 3)
            assert trace(env) == trace(fresh)


@pytest.mark.parametrize("kind", [kind for kind in MISTAKES if kind not in ("sql_instead", "wrong_sql")])
def test_each_kind_of_mistake_is_made_and_named(kind):
    made = 0
    for item in world().tasks():
        for seed in range(2):
            right, wrong = Environment(world()), Environment(world())
            play(right, OracleAgent(), item, seed)
            agent = NoisyAgent(kinds=[kind])
            play(wrong, agent, item, seed)
            assert agent.made in ((), (kind,))
            mine, best = actions_of(wrong), actions_of(right)
            assert (mine != best) == bool(agent.made) or kind == "repeat_call"
            if agent.made:
                made += 1
                looks_like(kind, mine, best)
    assert made > 10


def looks_like(kind, mine, best):
    tools = [action["tool"] for action in mine]
    planned = [action["tool"] for action in best]
    differing = [index for index in range(min(len(mine), len(best))) if mine[index] != best[index]]
    first = differing[0]
    if kind == "skip_read":
        assert best[first]["tool"] in ("get_ticket", "list_tickets")
        assert mine == [*best[:first], *best[first + 1 :]]
    elif kind == "repeat_call":
        assert mine == [*best[:first], best[first - 1], *best[first:]]
    elif kind == "out_of_order":
        assert sorted(tools) == sorted(planned)
    elif kind == "collateral_write":
        assert [*mine[:first], *mine[first + 1 :]] == best
        assert differences(mine[first], best[first - 1]) == {"ticket_id"}
    else:
        assert tools == planned
        assert len(differing) == 1
        assert len(differences(mine[first], best[first])) == 1
        assert (differences(mine[first], best[first]) == {"ticket_id"}) == (kind == "wrong_target")


def differences(action, other):
    assert action["tool"] == other["tool"]
    return {name for name, value in action["arguments"].items() if value != other["arguments"][name]}


def test_mistakes_are_made_as_often_as_asked_for_and_equal_seeds_make_equal_ones():
    item = task("ask_and_close")
    plans = []
    for seed in (1, 1, 2, 3, 4):
        agent, env = NoisyAgent(mistakes=3), Environment(world())
        play(env, agent, item, seed)
        assert len(agent.made) == 3
        assert set(agent.made) <= set(MISTAKES)
        plans.append((agent.made, actions_of(env)))
    assert plans[0] == plans[1]
    assert len({json.dumps(plan) for plan in plans}) > 2


def test_successes_without_major_violations_outrank_every_failure():
    for item in world().tasks()[::3]:
        good, bad = [], []
        for seed in range(6):
            env = Environment(world())
            score = play(env, NoisyAgent(mistakes=1 + seed % 3), item, seed).score
            major = any(line.part == "violation" and line.points <= -0.3 for line in score.lines)
            if score.success and not major:
                good.append(score.total)
            elif not score.success:
                bad.append(score.total)
        assert not good or not bad or min(good) > max(bad), item.id


@pytest.mark.parametrize("kinds", [[], ["typo"], ["skip_read", "typo"]])
def test_an_unknown_mistake_is_refused_by_name(kinds):
    with pytest.raises(UsageError, match="skip_read"):
        NoisyAgent(kinds=kinds)


def test_a_script_is_played_from_its_file_and_then_the_agent_stops(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps([call("list_tickets"), "nonsense", call("get_ticket", ticket_id=1)]))
    agent = ScriptedAgent.load(script)
    for _ in range(2):
        env = Environment(world())
        played = play(env, agent, task("close"), 0)
        assert (played.ending, played.kinds) == ("stopped", ("ok", "malformed", "ok"))
        assert env.trajectory.header["agent"] == {"name": "scripted", "seed": 0}
    script.write_text(json.dumps([call("finish"), call("list_tickets")]))
    assert play(Environment(world()), ScriptedAgent.load(script), task("close"), 0).ending == "finished"


@pytest.mark.parametrize("content", [b"", b"{}", b"[", b"\xff", b"[" * 100_000, b'"x"', b"[" + b"9" * 5000 + b"]"])
def test_a_script_that_is_none_is_refused(content, tmp_path):
    (tmp_path / "script.json").write_bytes(content)
    with pytest.raises(UsageError):
        ScriptedAgent.load(tmp_path / "script.json")


def test_a_script_that_is_missing_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(UsageError):
            ScriptedAgent.load(path)


class Echo:
    """An agent from outside: any object with these methods plays."""

    name = "echo"

    def begin(self, environment, observation, seed):
        self.seen = [observation["instruction"]]

    def act(self, observation):
        self.seen.append(observation)
        return None if len(self.seen) > 3 else {"say": len(self.seen)}


def test_any_object_with_the_methods_of_an_agent_plays():
    agent = Echo()
    env = Environment(world())
    played = play(env, agent, task("close"), 0)
    assert (played.agent, played.ending, played.steps) == ("echo", "stopped", 2)
    assert agent.seen[0] == task("close").instruction


def test_chance_is_even_enough_and_depends_on_its_seed_alone():
    draws = [Chance("a", 1).below(10) for _ in range(3)]
    assert len(set(draws)) == 1
    chance = Chance("b")
    counts = [0] * 10
    for _ in range(5000):
        counts[chance.below(10)] += 1
    assert min(counts) > 400
    assert 1300 < sum(Chance(n).happens(0.3) for n in range(5000)) < 1700
    assert [Chance("x").happens(share) for share in (0.0, 1.0)] == [False, True]


def reference():
    """Episodes of every built-in agent, as text."""
    traces = []
    for make in AGENTS.values():
        for template in ("reroute", "ask_and_close", "give_away"):
            env = Environment(world())
            play(env, make(), task(template), 5)
            traces.append(trace(env))
    return json.dumps(traces)


def test_equal_seeds_are_equal_episodes_across_processes_and_hash_seeds():
    assert len(json.loads(reference())) == 3 * len(AGENTS)
    assert elsewhere("tests.agents.test_agents") == reference()


def test_agents_look_at_the_world_and_alter_nothing():
    before = bytes(world().image.image.buffer)
    env = Environment(world())
    env.reset(task=task("close"))
    digest = env.state_digest
    for agent in (RandomAgent(), NoisyAgent(), OracleAgent()):
        agent.begin(env, {}, 1)
        agent.act({})
    assert (env.state_digest, bytes(world().image.image.buffer)) == (digest, before)
    assert workplace_of(world()).solutions.runs(task("close"))[0].steps == 3
