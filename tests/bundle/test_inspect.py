"""A bundle as a task of Inspect: the engine's rewards and digests, mistakes, limits, and what a sample holds."""

import json
import subprocess
from pathlib import Path

import pytest

from simulator.bundle import open_bundle
from tests.bundle.conformance import ask, hold, recordings
from tests.bundle.venvs import environment, venv_with

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).parent / "scripts" / "play_inspect.py"
TESTED = "0.3.285"
TASKS = "repair_desk_inspect/tasks.py"
MISTAKES = [
    {"tool": "nonsense", "arguments": {"x": [1, {"y": None}]}},
    {"tool": "list_tickets", "arguments": "{not JSON"},
    {"tool": "get_ticket", "arguments": {}},
    {"tool": "get_ticket", "arguments": {"ticket_id": "one", "kwargs": 1}},
]


@pytest.fixture(scope="module")
def recorded(exported):
    return recordings(open_bundle(exported.folder).world(7))


@pytest.fixture(scope="module")
def told(exported, recorded):
    folder = exported.folder / "targets" / "inspect"
    play = [
        {"task": item["task"], "actions": [action for action in item["actions"] if isinstance(action, dict)]}
        for item in recorded
    ]
    asked = {"folder": str(folder), "tasks": TASKS, "play": play, "calls": MISTAKES}
    return ask(venv_with(f"inspect-ai=={TESTED}"), SCRIPT, asked, folder)


def test_recorded_actions_earn_what_they_earn_in_the_engine(record_property, recorded, told):
    hold(record_property, "inspect", told["version"], recorded, told["played"])


def test_a_sample_is_a_task_and_holds_what_an_agent_may_know(exported, told):
    tasks = open_bundle(exported.folder).tasks("test")
    assert [item["task"] for item in told["whole"]] == [task["id"] for task in tasks]
    assert told["metadata"] == [
        {name: task[name] for name in ("template", "split", "difficulty", "role")} for task in tasks
    ]
    assert told["whole"][0]["messages"][0][0] == "system"
    assert "Your task:" in told["whole"][0]["messages"][1][1]
    assert told["means"] == {"reward": ["mean", "stderr"], "success": ["mean", "stderr"]}
    assert "hidden" not in told["text"]
    assert "margin" not in told["text"]


def test_a_model_that_makes_no_calls_is_scored_as_it_stands(told):
    assert {item["ending"] for item in told["whole"]} == {"stopped"}


def test_every_mistake_reaches_the_episode_and_is_answered(told):
    for sample in told["twice"]:
        answers = [text for role, text in sample["messages"] if role == "tool"]
        assert len(answers) == len(MISTAKES)
        assert all(text.startswith("Error 4") for text in answers), answers


def test_attempts_at_one_task_meet_the_same(told):
    first, second = told["twice"]
    assert first == second


def test_what_a_limit_cuts_off_is_scored_as_it_stands(told):
    assert told["limited"]["ending"] == "stopped"
    assert told["limited"]["reward"] <= 0


def test_another_solver_has_the_tools(told):
    assert told["generated"]["ending"] == "stopped"
    assert [role for role, _ in told["generated"]["messages"]][:3] == ["system", "user", "assistant"]


def test_a_model_sees_the_tools_with_their_parameters(exported, told):
    roles = json.loads((exported.folder / "agent" / "tools.json").read_text())
    first = open_bundle(exported.folder).tasks("train")[0]
    own = {tool["function"]["name"]: tool["function"]["parameters"] for tool in roles[first["role"] or ""]}
    assert set(told["tools"]) == set(own)
    for name, schema in own.items():
        assert set(told["tools"][name]["properties"]) == set(schema.get("properties", {}))
        assert told["tools"][name]["required"] == schema.get("required", [])


def test_inspects_command_lists_the_task(exported):
    python = venv_with(f"inspect-ai=={TESTED}")
    done = subprocess.run(
        [python, "-c", "from inspect_ai._cli.main import main; main()", "list", "tasks", "repair_desk_inspect"],
        cwd=exported.folder / "targets" / "inspect", env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"{TASKS}@repair_desk" in done.stdout
