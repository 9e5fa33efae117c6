"""A bundle in Gymnasium itself: its own checker, vectors of environments, and the engine's rewards and digests."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from simulator import generate_world
from tests.bundle.conformance import ask, hold, recordings
from tests.bundle.venvs import venv_with

ID = "repair_desk_gymnasium:repair-desk-v1"
SCRIPT = Path(__file__).parent / "scripts" / "play_gymnasium.py"


@pytest.fixture(scope="module")
def python():
    return venv_with("gymnasium==1.4.0")


@pytest.fixture(scope="module")
def told(python, desk, exported):
    """What Gymnasium told of the bundle, and what the engine says it should."""
    recorded = recordings(generate_world(desk, 7))
    play = [
        {"options": {"task": item["task"]}, "actions": [json.dumps(action) for action in item["actions"]]}
        for item in recorded
    ]
    return recorded, ask(python, SCRIPT, {"id": ID, "play": play}, exported.folder / "targets" / "gymnasium")


def test_its_own_checker_finds_nothing_and_recorded_actions_earn_what_they_earn_in_the_engine(told, record_property):
    recorded, answer = told
    played = [
        {**item, "reward": sum(item["rewards"]), "success": json.loads(item["score"])["success"]}
        for item in answer["played"]
    ]
    hold(record_property, "gymnasium", answer["version"], recorded, played)
    assert [item["rewards"] for item in played] == [item["rewards"] for item in recorded]


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
    answer = ask(python, SCRIPT, {"id": ID, "play": []}, tmp_path / "installed")
    assert answer["bundle"].startswith(str(tmp_path / "installed"))
    assert all("Your task:" in text for text in answer["sync"]["first"])
