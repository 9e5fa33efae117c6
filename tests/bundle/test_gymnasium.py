"""A bundle in Gymnasium itself: its own checker, vectors of environments, and the engine's rewards and digests."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from simulator import Environment, generate_world
from simulator.agents import NoisyAgent, NullAgent, OracleAgent, play
from tests.bundle.venvs import environment, venv_with

ID = "repair_desk_gymnasium:repair-desk-v1"
SCRIPT = Path(__file__).parent / "scripts" / "play_gymnasium.py"


def recorded(world):
    """For the first task of each template and each agent: the actions, and what the engine gives for them."""
    first = {task.template: task for task in reversed(world.tasks("train"))}
    for task in first.values():
        for agent in (OracleAgent(), NoisyAgent(2), NullAgent()):
            env = Environment(world)
            play(env, agent, task, seed=5)
            actions = [line["action"] for line in env.trajectory.steps]
            env.reset(task=task.id)
            rewards = [env.step(action)[1] for action in actions]
            yield {
                "options": {"task": task.id},
                "actions": [json.dumps(action) for action in actions],
                "expected": {"rewards": rewards, "digest": env.state_digest, "total": env.score().total},
            }


def ask(python, target, asked):
    done = subprocess.run(
        [python, SCRIPT], input=json.dumps(asked), env=environment(target), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def python():
    return venv_with("gymnasium==1.4.0")


@pytest.fixture(scope="module")
def told(python, desk, exported):
    """What Gymnasium told of the bundle, and what the engine says it should."""
    asked = {"id": ID, "play": list(recorded(generate_world(desk, 7)))}
    return asked["play"], ask(python, exported.folder / "targets" / "gymnasium", asked)


def test_its_own_checker_finds_nothing_and_recorded_actions_earn_what_they_earn_in_the_engine(told):
    play, answer = told
    assert len(play) == 21
    assert len({item["expected"]["total"] for item in play}) > 3
    for item, played in zip(play, answer["played"], strict=True):
        assert played["rewards"] == item["expected"]["rewards"]
        assert played["digest"] == item["expected"]["digest"]
        assert (
            json.loads(played["score"])["total"] == item["expected"]["total"] == pytest.approx(sum(played["rewards"]))
        )


def test_a_seed_chooses_the_task(told):
    _, answer = told
    first, again, *others = answer["tasks"]
    assert first == again
    assert set(others) - {first}


def test_what_is_no_call_is_told_as_a_mistake(told):
    _, answer = told
    assert all(text.startswith("Error 4") for text in answer["hostile"])


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_of_environments_show_texts_and_pay_rewards(told, mode):
    _, answer = told
    vectors = answer[mode]
    assert all("Your task:" in text for text in vectors["first"])
    assert '"items"' in vectors["listed"][0]
    assert "not_an_object" in vectors["listed"][1]
    assert vectors["ended"] == [True, True]
    assert vectors == answer["sync"]


def test_the_package_built_into_a_wheel_carries_the_bundle(python, copied, tmp_path):
    pytest.importorskip("hatchling", reason="hatchling, of requirements/dev.lock, is not installed: make setup")
    target = copied / "targets" / "gymnasium"
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "wheel"], cwd=target,
                   check=True, capture_output=True)  # fmt: skip
    (wheel,) = (tmp_path / "wheel").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    shutil.rmtree(copied)
    answer = ask(python, tmp_path / "installed", {"id": ID, "play": []})
    assert answer["bundle"].startswith(str(tmp_path / "installed"))
    assert all("Your task:" in text for text in answer["sync"]["first"])
