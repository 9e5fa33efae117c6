"""A bundle served by ORS, played with its own client: the engine's rewards and digests, and what a task is told."""

import json
import socket
from pathlib import Path

import pytest

from simulator import generate_world
from tests.bundle.conformance import ask, hold, recordings
from tests.bundle.venvs import venv_with

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).parent / "scripts" / "play_ors.py"


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


@pytest.fixture(scope="module")
def told(desk, exported):
    """What the engine gives for recorded actions, and what the client was told, playing several at once."""
    recorded = recordings(generate_world(desk, 7))
    asked = {"module": "repair_desk_ors", "name": "repair_desk", "port": free_port(), "play": recorded}
    return recorded, ask(venv_with("openreward==0.1.167"), SCRIPT, asked, exported.folder / "targets" / "ors")


def test_recorded_actions_earn_what_they_earn_in_the_engine(told, record_property):
    recorded, answer = told
    sums = [{**item, "reward": sum(item["rewards"])} for item in answer["played"]]
    hold(record_property, "ors", answer["version"], recorded, sums)
    assert [item["rewards"] for item in answer["played"]] == [item["rewards"] for item in recorded]


def test_tasks_are_listed_with_what_an_agent_may_know(told, exported):
    _, answer = told
    counts = {split: entry.tasks for split, entry in exported.manifest.splits.items()}
    assert answer["splits"] == [split for split in counts if counts[split]]
    assert len(answer["tasks"]) == counts["train"]
    assert set(answer["tasks"][0]) == {"id", "template", "instruction", "split", "difficulty", "role"}
    shown = json.dumps([answer[key] for key in ("tasks", "tools", "prompts", "messages")])
    assert "hidden" not in shown
    assert "margin" not in shown


def test_a_task_has_the_tools_of_its_role(told, exported):
    _, answer = told
    roles = json.loads((exported.folder / "agent" / "tools.json").read_text())
    assert len(roles) > 1
    for role, tools in roles.items():
        wanted = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
        assert {tool["name"]: tool["schema"] for tool in answer["tools"][role or "null"]} == wanted
    assert set(answer["listed"]) == set.intersection(
        *({tool["function"]["name"] for tool in tools} for tools in roles.values())
    )


def test_the_prompt_is_told_as_text_and_as_messages(told):
    _, answer = told
    assert all("Your task:" in prompt for prompt in answer["prompts"].values())
    assert [message["role"] for message in answer["messages"]] == ["system", "user"]


def test_mistakes_are_answered_and_what_there_is_not_is_refused(told):
    _, answer = told
    assert all(text.startswith("Error 4") for text in answer["wrong"]), answer["wrong"]
    assert answer["unknown"] == ["ToolCallError"] * 3
    assert len(answer["refused"]) == 3
    assert not any("Your task:" in text for text in answer["refused"])


def test_a_model_that_makes_no_more_calls_is_scored_as_it_stands(told):
    _, answer = told
    assert answer["stopped"]["finished"]
    assert answer["stopped"]["ending"] == "stopped"
    assert answer["stopped"]["reward"] == 0.0
