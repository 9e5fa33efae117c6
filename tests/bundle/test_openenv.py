"""A bundle in OpenEnv itself: its validation, its clients over websockets, and the engine's rewards and digests."""

import json
import shutil
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from simulator import generate_world
from simulator.bundle.exporting import bundle_files
from simulator.bundle.manifest import VerificationEntry
from simulator.version import ENGINE_VERSION
from tests.bundle.conformance import ask, hold, recordings
from tests.bundle.venvs import venv_with

pytestmark = pytest.mark.slow
NAME = "repair_desk"
SCRIPT = Path(__file__).parent / "scripts" / "play_openenv.py"


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def played(folder, play):
    asked = {"folder": str(folder), "name": NAME, "port": free_port(), "play": play}
    return ask(venv_with("openenv==0.10.0"), SCRIPT, asked)


@pytest.fixture(scope="module")
def told(desk, exported):
    """What the engine gives for recorded actions, and what OpenEnv told of the bundle, played all at once."""
    recorded = recordings(generate_world(desk, 7))
    return recorded, played(exported.folder / "targets" / "openenv", recorded)


def test_recorded_actions_earn_what_they_earn_in_the_engine_in_sessions_at_once(told, record_property):
    recorded, answer = told
    sums = [{**item, "reward": sum(item["rewards"])} for item in answer["played"]]
    hold(record_property, "openenv", answer["version"], recorded, sums)
    assert [item["rewards"] for item in answer["played"]] == [item["rewards"] for item in recorded]


def test_its_own_validation_passes_for_the_package_and_for_the_running_server(told):
    _, answer = told
    assert answer["static"]["code"] == 0
    assert answer["static"]["report"]["verdict"] == "pass"
    assert answer["running"]["code"] == 0
    assert answer["running"]["report"]["summary"]["failed_criteria"] == []


def test_tasks_are_listed_with_what_an_agent_may_know(told, exported):
    _, answer = told
    counts = {split: entry.tasks for split, entry in exported.manifest.splits.items()}
    assert [split["name"] for split in answer["splits"]] == [split for split in counts if counts[split]]
    assert answer["counts"] == {split: {"num_tasks": counts[split]} for split in answer["counts"]}
    tasks = answer["tasks"]["tasks"]
    assert len(tasks) == counts["train"]
    assert answer["task"]["task"] == tasks[1]
    assert set(tasks[0]) == {"index", "id", "template", "instruction", "split", "difficulty", "role"}


def test_a_seed_or_split_chooses_the_task_and_the_prompt_is_told(told):
    _, answer = told
    look = answer["look"]
    assert look["told"] == look["again"]
    assert look["tasks"][0] == answer["tasks"]["tasks"][1]["id"]
    assert look["tasks"][1].startswith("w20000/")
    assert "Your task:" in look["told"]["prompt"]
    assert set(look["told"]) == {"prompt", "metadata"}
    assert not look["told"]["metadata"]


def test_mistakes_are_answered_and_what_there_is_not_is_refused(told):
    _, answer = told
    look = answer["look"]
    assert "reset first" in look["early"]["error"]["message"]
    assert all(text.startswith("Error 4") for text in look["wrong"]), look["wrong"]
    assert len(look["refused"]) == 4


def test_all_tools_are_listed_before_and_those_of_the_role_after_a_reset(told):
    recorded, answer = told
    assert recorded[0]["task"].startswith("w7/give_away/")
    assert sorted(answer["tools"]["before"]) == sorted(answer["tools"]["after"])
    assert "hand_over" in answer["tools"]["after"]


def test_nothing_that_is_told_holds_what_only_the_grader_knows(told):
    _, answer = told
    shown = json.dumps([answer["tasks"], answer["look"], answer["tools"], answer["metadata"]])
    assert "hidden" not in shown
    assert "margin" not in shown


def test_the_package_declares_what_it_has(exported):
    declared = yaml.safe_load((exported.folder / "targets" / "openenv" / "openenv.yaml").read_text())["validation"]
    assert declared["capabilities"]["declared_tools"] == exported.manifest.tools
    assert declared["capabilities"]["declared_task_count"] == {
        split: entry.tasks for split, entry in exported.manifest.splits.items() if entry.tasks
    }
    assert declared["reward"] == {"range": [-1.0, 1.0], "oracle_tolerance": 0.1, "floor_margin": 0.1}


def test_the_margin_is_what_a_passed_verification_guarantees(desk):
    passed = VerificationEntry(fingerprint="sha256:0", engine=ENGINE_VERSION, seeds=[7], tasks=1, checks=[])
    _, files = bundle_files(desk, [generate_world(desk, 7)], ["openenv"], frozen=False, verification=passed)
    declared = yaml.safe_load(files["targets/openenv/openenv.yaml"])["validation"]
    assert declared["reward"] == {"range": [-1.0, 1.0], "oracle_tolerance": 0.1, "floor_margin": 1.0}


def test_the_package_built_into_a_wheel_carries_the_bundle(copied, tmp_path):
    pytest.importorskip("hatchling", reason="hatchling, of requirements/dev.lock, is not installed: make setup")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "wheel"],
                   cwd=copied / "targets" / "openenv", check=True, capture_output=True)  # fmt: skip
    (wheel,) = (tmp_path / "wheel").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    shutil.rmtree(copied)
    python = venv_with("openenv==0.10.0")
    code = "import json, repair_desk_openenv.server.app as app; print(json.dumps([app.BUNDLE.is_dir(), app.app.title]))"
    script = tmp_path / "script.py"
    script.write_text(code)
    assert ask(python, script, {}, tmp_path / "installed")[0]
