"""An attempt at a task of a bundle, as the adapters use it: texts, mistakes, how it comes out, and faults."""

import json
from threading import Thread

import pytest

from simulator import EngineFault, UsageError
from simulator.bundle import open_bundle
from simulator.bundle.opening import shared_bundle
from simulator.bundle.role_tools import all_tools, tools_by_role
from simulator.bundle.tool_episode import ToolEpisode, messages_of
from simulator.episode import workplace_of


@pytest.fixture(scope="module")
def bundle(exported):
    return open_bundle(exported.folder)


def task_of(bundle, template):
    return next(task["id"] for task in bundle.tasks("train") if task["template"] == template)


def test_the_messages_are_the_policy_and_the_task(bundle):
    task = task_of(bundle, "count_open")
    episode = ToolEpisode(bundle, task)
    system, user = episode.messages
    assert [system["role"], user["role"]] == ["system", "user"]
    assert episode.prompt == f"{system['content']}\n\n{user['content']}"
    assert messages_of(bundle.world_of(task), task) == episode.messages


@pytest.mark.parametrize("arguments", ["{", "[1]", "7", "", {"answer": {}}, None, '{"a": 1, "a": 2}'])
def test_mistakes_are_answered(bundle, arguments):
    episode = ToolEpisode(bundle, task_of(bundle, "close"))
    assert episode.call("get_ticket", arguments).startswith("Error 4")
    assert episode.call("nonsense", {}).startswith("Error 4")
    assert not episode.over


def test_the_parts_are_those_that_apply_to_the_task(bundle):
    counting = ToolEpisode(bundle, task_of(bundle, "count_open"))
    assert set(counting.outcome().parts) == {"completion", "efficiency", "penalties"}
    routing = ToolEpisode(bundle, task_of(bundle, "reroute"))
    assert set(routing.outcome().parts) == {"completion", "process", "efficiency", "penalties"}


def test_an_attempt_that_is_not_over_is_stopped_and_scored_once(bundle):
    episode = ToolEpisode(bundle, task_of(bundle, "count_open"))
    outcome = episode.outcome("enough")
    assert (outcome.ending, outcome.success, outcome.reward, episode.over) == ("stopped", False, 0.0, True)
    assert episode.outcome() == outcome
    assert episode.call("finish", {}).startswith("Error 410 episode_over")


def test_an_attempt_in_which_the_engine_failed_has_no_reward_from_then_on(exported):
    own = open_bundle(exported.folder)
    task = task_of(own, "close")
    episode = ToolEpisode(own, task)
    workplace_of(own.world_of(task)).engine.database.close()  # the connection dies under the episode
    for attempt in (lambda: episode.call("list_tickets", {}), lambda: episode.call("finish", {}), episode.outcome):
        with pytest.raises(EngineFault):
            attempt()
    assert not episode.over


def test_a_task_the_bundle_does_not_have_is_refused(bundle):
    with pytest.raises(UsageError, match="no task"):
        ToolEpisode(bundle, "w7/nonsense/0")


def test_the_tools_by_role_are_those_of_the_agents_side(bundle, exported):
    told = json.loads((exported.folder / "agent" / "tools.json").read_text())
    assert {role: list(tools) for role, tools in tools_by_role(bundle).items()} == told
    assert {tool["function"]["name"] for tool in all_tools(bundle)} == set(bundle.manifest.tools)
    assert len(all_tools(bundle)) == len(bundle.manifest.tools)


def test_threads_that_ask_at_once_get_one_bundle_and_one_world(copied):
    got = []

    def ask():
        bundle = shared_bundle(str(copied))
        got.append((bundle, bundle.world(7), workplace_of(bundle.world(7))))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 8
    assert len({tuple(map(id, item)) for item in got}) == 1
