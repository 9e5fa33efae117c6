"""A bundle as a resources server of NeMo Gym: the engine's rewards and digests, its rows, and what it answers."""

import json
from pathlib import Path

import pytest

from simulator import generate_world, load_scenario
from simulator.bundle import export_bundle
from simulator.errors import UsageError
from tests.bundle.conformance import ask, hold, recordings
from tests.bundle.conftest import DESK
from tests.bundle.venvs import venv_with

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).parent / "scripts" / "play_nemo_gym.py"


@pytest.fixture(scope="module")
def told(desk, exported):
    """What the engine gives for recorded actions, and what the server told, playing several at once."""
    recorded = recordings(generate_world(desk, 7))
    folder = exported.folder / "targets" / "nemo_gym" / "resources_servers" / "repair_desk_nemo_gym"
    asked = {"folder": str(folder), "play": recorded}
    return recorded, ask(venv_with("nemo-gym==0.4.0", python="3.12"), SCRIPT, asked)


def test_recorded_actions_earn_what_they_earn_in_the_engine(told, record_property):
    recorded, answer = told
    hold(record_property, "nemo_gym", answer["version"], recorded, answer["played"])
    assert all(item["ending"] in ("finished", "ended") for item in answer["played"])


def test_every_split_has_its_rows_with_what_an_agent_may_know(told, exported):
    _, answer = told
    counts = {split: entry.tasks for split, entry in exported.manifest.splits.items() if entry.tasks}
    assert {name: len(rows) for name, rows in answer["rows"].items()} == {**counts, "example": 5}
    assert answer["types"] == {"example": "example", "train": "train", "validation": "validation", "test": "validation"}
    row = answer["rows"]["train"][0]
    assert set(row) == {"responses_create_params", "task"}
    told_first = row["responses_create_params"]
    assert [message["role"] for message in told_first["input"]] == ["system", "user"]
    assert "Your task:" in told_first["input"][1]["content"]
    assert all(set(tool) == {"type", "name", "description", "parameters", "strict"} for tool in told_first["tools"])
    assert "hidden" not in json.dumps(answer["rows"])
    assert "margin" not in json.dumps(answer["rows"])


def test_an_attempt_that_does_not_finish_is_scored_as_it_stands(told):
    _, answer = told
    assert answer["stopped"]["ending"] == "stopped"
    assert answer["stopped"]["success"] is False


def test_parts_of_the_score_become_metrics(told):
    _, answer = told
    status, metrics = answer["metrics"]
    assert status == 200
    assert metrics["agent_metrics"]["mean/reward"] == pytest.approx(
        sum(item["reward"] for item in answer["played"]) / len(answer["played"])
    )
    assert "mean/completion" in metrics["agent_metrics"]


def test_mistakes_are_answered_and_requests_that_fit_no_episode_are_refused(told):
    _, answer = told
    assert all(status == 200 and text.startswith("Error 4") for status, text in answer["mistakes"]), answer["mistakes"]
    assert answer["early"] == [409, 409]
    assert answer["unknown"] == [400, 400, 422]
    assert all(item["again"] == 409 for item in answer["played"])


def test_a_failure_of_the_engine_is_no_reward(told):
    _, answer = told
    assert answer["faulty"] == [500, 500]


def test_a_tool_that_is_named_as_a_route_of_the_servers_is_refused(tmp_path):
    text = (DESK / "scenario.yaml").read_text().replace("  set_priority:\n", "  verify:\n")
    (tmp_path / "scenario.yaml").write_text(text)
    (tmp_path / "policy.md").write_bytes((DESK / "policy.md").read_bytes())
    scenario = load_scenario(tmp_path)
    with pytest.raises(UsageError, match="`verify`"):
        export_bundle(scenario, seeds=[7], targets=["nemo_gym"], out=tmp_path / "out", unverified=True)
