"""Run where Gymnasium is: check the environment, and play recorded actions. Speaks JSON."""

import json
import sys
import warnings

import gymnasium
from gymnasium.utils.env_checker import check_env

FINISH = '{"tool": "finish", "arguments": {}}'


def play(env, options, actions):
    env.reset(seed=0, options=options)
    rewards, info, over = [], {}, False
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        rewards.append(reward)
        over = terminated or truncated
    return {"rewards": rewards, "digest": info["state_digest"], "over": over, "score": info.get("score")}


def vectors(identifier, mode, **options):
    envs = gymnasium.make_vec(identifier, num_envs=2, vectorization_mode=mode, **options)
    first, info = envs.reset(seed=[1, 2])
    listed, *_ = envs.step(('{"tool": "list_tickets", "arguments": {}}', "no call"))
    _, rewards, ended, _, last = envs.step((FINISH, FINISH))
    envs.close()
    return {
        "tasks": list(info["task"]),
        "first": list(first["text"]),
        "listed": list(listed["text"]),
        "rewards": list(rewards),
        "ended": [bool(flag) for flag in ended],
        "digests": list(last["state_digest"]),
    }


def main():
    warnings.simplefilter("error")
    asked = json.load(sys.stdin)
    identifier = asked["id"]
    check_env(gymnasium.make(identifier).unwrapped)
    check_env(gymnasium.make(identifier, split="test", render_mode="ansi").unwrapped)
    env = gymnasium.make(identifier)
    told = [env.reset(seed=seed)[1]["task"] for seed in (3, 3, 4, 5, 6)]
    env.reset(seed=1)
    wrong = ("", "[" * 60_000, "\ud800", '{"tool": 1}', '{"tool": "finish", "tool": "wait"}', "\U0001f600")
    hostile = [env.step(action)[0]["text"] for action in wrong]
    json.dump(
        {
            "version": gymnasium.__version__,
            "tasks": told,
            "hostile": hostile,
            "played": [play(gymnasium.make(identifier), item["options"], item["actions"]) for item in asked["play"]],
            "sync": vectors(identifier, "sync"),
            "async": vectors(identifier, "async", vector_kwargs={"shared_memory": False}),
            "bundle": sys.modules[identifier.partition(":")[0]].__file__,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
