"""One reward everywhere: what the engine gives for the actions of three agents, for a framework to be held against."""

import json
import subprocess

import pytest

from simulator import Environment
from simulator.agents import NoisyAgent, NullAgent, OracleAgent, play
from tests.bundle.venvs import environment

AGENTS = {"oracle": OracleAgent(), "noisy": NoisyAgent(2), "null": NullAgent()}


def recordings(world, split="train"):
    """For the first task of each template and each agent: the actions, and what the engine gives for them.

    Each is ``agent``, ``task``, ``actions`` (JSON values, mostly ``{"tool", "arguments"}``), ``rewards`` of each step,
    ``total``, ``success`` and the final ``digest``.
    """
    first = {task.template: task for task in reversed(world.tasks(split))}
    return [_recording(world, task, agent) for task in first.values() for agent in AGENTS]


def _recording(world, task, agent):
    env = Environment(world)
    play(env, AGENTS[agent], task, seed=5)
    actions = [line["action"] for line in env.trajectory.steps]
    env.reset(task=task.id)
    rewards = [env.step(action)[1] for action in actions]
    score = env.score()
    return {
        "agent": agent,
        "task": task.id,
        "actions": actions,
        "rewards": rewards,
        "total": score.total,
        "success": score.success,
        "digest": env.state_digest,
    }


def ask(python, script, asked, *folders, timeout=300):
    """What a script answers that is run by a framework's Python: JSON in, JSON out."""
    done = subprocess.run(
        [python, script], input=json.dumps(asked), env=environment(*folders), capture_output=True, text=True,
        check=False, timeout=timeout,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-8_000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def hold(record_property, target, version, recorded, played):
    """Assert that each played recording has the engine's reward and final digest, and keep a row for the table.

    ``played`` has, in the order of ``recorded``, a mapping with ``reward`` (the whole episode's) and ``digest`` each;
    ``success``, where a framework tells it, is compared too.
    """
    assert len(played) == len(recorded)
    assert len({item["total"] for item in recorded}) > 3
    for item, got in zip(recorded, played, strict=True):
        place = f"{item['agent']} on {item['task']}"
        assert got["reward"] == pytest.approx(item["total"], abs=1e-9), place
        assert got["digest"] == item["digest"], place
        assert got.get("success", item["success"]) == item["success"], place
    counts = {agent: sum(item["agent"] == agent for item in recorded) for agent in AGENTS}
    record_property("conformance", [target, version, *(f"{count} of {count}" for count in counts.values())])
