"""Who plays what: fixed before the first episode begins, fair over templates, the same for every agent."""

from pathlib import Path

import pytest

from simulator.errors import UsageError
from simulator.evaluation import AgentChoice, assign, episode_seed
from simulator.tasks import Task

AGENTS = (AgentChoice("oracle"), AgentChoice("null"))


def task(template, number):
    return Task(f"w7/{template}/{number:012x}", template, {}, "Do it.", "train", 1, None, None, 10, 7)


TASKS = [task("easy", 1), task("easy", 2), task("easy", 3), task("hard", 1)]


def test_every_agent_plays_the_same_tasks_with_the_same_seeds():
    oracle, null = (
        [(item.task, item.seed) for item in assign(AGENTS, TASKS, episodes=6, seed=3) if item.agent == agent]
        for agent in AGENTS
    )
    assert oracle == null
    assert [seed for _, seed in oracle] == [episode_seed(3, number) for number in range(6)]
    assert len({seed for _, seed in oracle}) == 6


def test_templates_take_turns_and_all_tasks_are_played_before_one_is_played_again():
    tasks = [item.task for item in assign(AGENTS[:1], TASKS, episodes=5, seed=3)]
    assert [name.split("/")[1] for name in tasks] == ["easy", "hard", "easy", "easy", "easy"]
    assert set(tasks[:4]) == {item.id for item in TASKS}
    assert tasks[4] == tasks[0]


def test_more_episodes_begin_with_the_same_ones():
    few = assign(AGENTS[:1], TASKS, episodes=3, seed=3)
    assert assign(AGENTS[:1], TASKS, episodes=9, seed=3)[:3] == few


def test_no_two_episodes_share_a_file():
    files = [item.file for item in assign(AGENTS, TASKS, episodes=9, seed=3, folder=Path("out"))]
    assert len(set(files)) == 18
    assert files[0] == Path("out/oracle/w7_easy_000000000001.jsonl")
    assert files[4] == Path("out/oracle/w7_easy_000000000001.2.jsonl")


def test_without_tasks_there_is_nothing_to_play():
    with pytest.raises(UsageError, match="no task"):
        assign(AGENTS, [], episodes=1, seed=0)


@pytest.mark.parametrize(
    ("name", "told"),
    [("orcale", "Did you mean `oracle`"), ("x" * 10_000, "there are oracle"), ("scripted", "--script")],
)
def test_an_agent_that_there_is_not_is_told_with_those_there_are(name, told):
    with pytest.raises(UsageError, match=told) as caught:
        AgentChoice(name)
    assert len(str(caught.value)) < 400
