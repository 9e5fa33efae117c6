"""The target `mcp`: the same reward over HTTP and stdio; an agent's token opens its episode and nothing else."""

from pathlib import Path

import pytest

from simulator.bundle import open_bundle
from simulator.bundle.tool_episode import ToolEpisode
from tests.bundle.conformance import ask, hold, recordings
from tests.bundle.venvs import venv_with

SCRIPT = Path(__file__).parent / "scripts" / "play_mcp.py"
TESTED = "2.3.0"
OLDEST = "1.27.0"
MODULE = "repair_desk_mcp"
OVER_STDIO = 3


def told_by(version, exported, recorded):
    play = [
        {"task": item["task"], "actions": [action for action in item["actions"] if isinstance(action, dict)]}
        for item in recorded
    ]
    asked = {"module": MODULE, "play": play, "over_stdio": OVER_STDIO}
    return ask(venv_with(f"mcp=={version}"), SCRIPT, asked, exported.folder / "targets" / "mcp")


@pytest.fixture(scope="module")
def recorded(exported):
    return recordings(open_bundle(exported.folder).world(7))


@pytest.fixture(scope="module")
def told(exported, recorded):
    return told_by(TESTED, exported, recorded)


def test_each_recording_has_the_engines_reward_over_http(record_property, recorded, told):
    hold(record_property, "mcp", TESTED, recorded, told["http"])


def test_stdio_tells_and_pays_the_same(told):
    assert told["stdio"] == told["http"][:OVER_STDIO]


def test_a_client_sees_the_tools_and_the_task_of_its_episode(exported, recorded, told):
    episode = ToolEpisode(open_bundle(exported.folder), recorded[0]["task"])
    wanted = {tool["function"]["name"]: tool["function"]["parameters"] for tool in episode.tools}
    assert told["others"]["tools"] == wanted
    assert told["others"]["begun"] == list(episode.tools)
    assert told["others"]["prompt"] == episode.prompt
    assert told["others"]["prompts"] == ["task"]


def test_mistakes_are_answered_and_after_the_end_every_call_is_told_so(told):
    assert all(text.startswith("Error ") for text in told["others"]["mistakes"])
    assert "over" in told["others"]["over"]


def test_one_episodes_end_is_not_anothers(told):
    assert not told["others"]["going"].startswith("Error")


def test_a_token_opens_its_episode_and_nothing_of_the_trainers(told):
    assert told["others"]["refused"] == {
        "trainer with token": 401,
        "begin with token": 401,
        "record with token": 401,
        "tasks without key": 401,
        "mcp with key": 401,
        "mcp without": 401,
        "no such task": 422,
        "no object": 422,
        "no json": 422,
        "deep": 422,
        "large": 413,
        "no such episode": 404,
    }
    assert told["others"]["ended"] == [204, 401]


def test_the_trainer_gets_tasks_and_records(exported, told):
    assert told["others"]["tasks"] == [task["id"] for task in open_bundle(exported.folder).tasks("train")]
    kinds = told["others"]["record"]
    assert (kinds[0], kinds[-1], set(kinds[1:-1])) == ("header", "footer", {"step"})


@pytest.mark.slow
def test_the_first_generation_of_the_package_does_the_same(exported, recorded, told):
    assert told_by(OLDEST, exported, recorded) == told
