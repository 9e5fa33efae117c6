"""A Python caller that passes a wrong type is told at once, by the argument's name, and nothing has happened."""

from pathlib import Path

import pytest

from simulator import (
    Environment,
    Trajectory,
    UsageError,
    generate_world,
    load_scenario,
    open_world,
    replay,
)
from tests.episode.desk import begin, call, scenario, world

NAN = float("nan")
LIST = call("list_tickets")
WRONG = {
    "stop": [("reason", lambda env, value: env.stop(value), [None, 5, b"x", ["x"]])],
    "reset": [
        ("options", lambda env, value: env.reset(options=value), [5, "agent", ["agent"], {5: 1}]),
        ("agent", lambda env, value: env.reset(options={"agent": value}), [5, "me", [1]]),
        ("seed", lambda env, value: env.reset(seed=value), ["1", 1.0, NAN, -1, True, 1 << 63]),
        ("task", lambda env, value: env.reset(task=value), [5, b"x", ["close"], {}]),
    ],
    "step": [
        ("turn", lambda env, value: env.step(LIST, turn=value), [NAN, "1", 1.5, -1, True, [1]]),
        ("raw", lambda env, value: env.step(LIST, raw=value), [b"x", 5, {"text": "x"}]),
        ("call_id", lambda env, value: env.step(LIST, call_id=value), [b"x", 5, ["x"]]),
        ("extras", lambda env, value: env.step(LIST, extras=value), [5, "x", [1], {"tokens": NAN}, {"other": 1}]),
    ],
    "restore": [("moment", lambda env, value: env.restore(value), [None, "x", 5])],
    "environment": [
        ("world", lambda env, value: Environment(value), [None, "x", 7]),
        ("agent", lambda env, value: Environment(env.world, agent=value), [5, "me", [1]]),
    ],
    "generate_world": [
        ("scenario", lambda env, value: generate_world(value, 1), [None, "desk", {}]),
        ("seed", lambda env, value: generate_world(scenario(), value), ["x", None, 1.5, NAN, True, -1]),
        ("scale", lambda env, value: generate_world(scenario(), 1, scale=value), ["x", None, NAN, float("inf"), True]),
        ("directory", lambda env, value: generate_world(scenario(), 1, directory=value), [5, b"x", "a\0b"]),
        ("progress", lambda env, value: generate_world(scenario(), 1, progress=value), [5, "x"]),
    ],
    "world": [
        ("split", lambda env, value: env.world.tasks(value), [5, ["train"]]),
        ("task_id", lambda env, value: env.world.task(value), [None, 5, ["x"]]),
        ("path", lambda env, value: env.world.save(value), [None, 5, b"x", "a\0b"]),
        ("path", lambda env, value: open_world(value, scenario()), [None, 5, b"x"]),
        ("scenario", lambda env, value: open_world("x", value), [None, "x"]),
        ("path", lambda env, value: load_scenario(value), [None, 5, b"x", "a\0b"]),
    ],
    "trajectory": [
        ("path", lambda env, value: Trajectory.load(value), [None, 5, b"x"]),
        ("path", lambda env, value: env.trajectory.save(value), [None, 5, b"x"]),
        ("trajectory", lambda env, value: replay(value, env.world), [None, "x", Path("x")]),
        ("world", lambda env, value: replay(env.trajectory, value), [None, 7]),
    ],
}
CASES = [(place, *case) for place, cases in WRONG.items() for case in cases]


@pytest.mark.parametrize(("place", "name", "use", "values"), CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES])
def test_a_wrong_type_is_a_usage_error_that_names_the_argument(place, name, use, values):
    env = begin("close")
    before = env.snapshot()
    for value in values:
        with pytest.raises(UsageError, match=f"`{name}`"):
            use(env, value)
        assert env.snapshot() is before


def test_what_counts_as_a_whole_number_is_taken():
    class Count:
        def __index__(self):
            return 3

    env = Environment(world())
    env.reset(seed=Count())
    env.step(LIST, turn=Count(), raw="x", call_id="c1", extras={"tokens": 5})
    assert env.trajectory.steps[0]["turn"] == 3
    assert env.trajectory.header["reset_seed"] == 3
