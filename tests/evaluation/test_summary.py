"""Summaries: what is counted, what is averaged, and what is left out."""

from dataclasses import replace

from simulator.agents import Played
from simulator.evaluation import (
    AgentChoice,
    Assignment,
    Outcome,
    compare_agents,
    compare_paired,
    mean_interval,
    share_interval,
    summarise,
)
from simulator.reward import Score

SCORE = Score(0.5, False, 0.5, None, 1.0, 0.0, ())


def outcome(number, *, agent="oracle", fault="", template="route", difficulty=1, kinds=("ok",), **score):
    played = Played(
        f"w7/{template}/{number}", template, difficulty, agent, number, "finished", replace(SCORE, **score),
        len(kinds), kinds,
    )  # fmt: skip
    assignment = Assignment(AgentChoice(agent), number, played.task, number)
    return Outcome(assignment, None if fault else played, fault)


def test_success_and_means_come_with_their_intervals():
    outcomes = [outcome(number, success=number < 3, total=number / 10) for number in range(4)]
    (summary,) = summarise(outcomes, seed=5)
    assert summary.success == share_interval(3, 4)
    assert summary.means["reward"] == mean_interval([0.0, 0.1, 0.2, 0.3], seed=5)


def test_an_invalid_episode_is_counted_and_is_in_no_mean():
    (summary,) = summarise([outcome(0, total=0.5), outcome(1, fault="broken", total=-1.0)])
    assert (summary.episodes, summary.invalid) == (2, 1)
    assert summary.means["reward"].value == 0.5
    assert summary.success == share_interval(0, 1)


def test_when_every_episode_is_invalid_nothing_is_claimed():
    (summary,) = summarise([outcome(0, fault="broken")])
    assert summary.success is None
    assert set(summary.means.values()) == {None}


def test_a_part_that_does_not_apply_is_left_out_of_its_mean():
    (summary,) = summarise([outcome(0, process=None), outcome(1, process=0.8)])
    assert summary.means["process"].value == 0.8
    (without,) = summarise([outcome(0, process=None)])
    assert without.means["process"] is None


def test_verdicts_count_actions_and_templates_count_episodes():
    outcomes = [
        outcome(0, kinds=("ok", "guard", "ok"), success=True, total=1.0),
        outcome(1, kinds=("guard", "malformed", "guard"), template="close"),
        outcome(2, kinds=("ok",)),
    ]
    (summary,) = summarise(outcomes)
    assert list(summary.verdicts.items()) == [("guard", 3), ("ok", 3), ("malformed", 1)]
    assert summary.endings == {"finished": 3}
    assert summary.templates["route"].episodes == 2
    assert summary.templates["route"].successes == 1
    assert summary.templates["route"].success == share_interval(1, 2)
    assert summary.templates["route"].reward == mean_interval([1.0, 0.5])
    assert summary.templates["close"].episodes == 1


def test_agents_are_told_in_the_order_in_which_they_played():
    summaries = summarise([outcome(0, agent="null"), outcome(0, agent="noisy"), outcome(1, agent="null")])
    assert [(summary.agent, summary.episodes) for summary in summaries] == [("null", 2), ("noisy", 1)]


def test_difficulties_are_told_from_the_easiest_to_the_hardest():
    (summary,) = summarise([outcome(0, difficulty=4, success=True), outcome(1, difficulty=2), outcome(2, difficulty=4)])
    assert [(level, group.episodes, group.successes) for level, group in summary.difficulties.items()] == [
        (2, 1, 0),
        (4, 2, 1),
    ]


def test_what_is_done_again_is_told_as_far_as_every_task_was_repeated():
    often = [outcome(0, success=number > 0) for number in range(4)]
    (summary,) = summarise([*often, *(outcome(1, success=True) for _ in range(3))])
    assert [(step.k, step.pass_at_k, step.pass_all_k) for step in summary.repeated] == [
        (1, (0.75 + 1) / 2, (0.75 + 1) / 2),
        (2, 1.0, (0.5 + 1) / 2),
    ]
    assert summarise([*often, outcome(1)])[0].repeated == ()
    assert summarise([*often, outcome(1, fault="broken"), outcome(1, fault="broken")])[0].repeated == ()


def test_agents_are_compared_on_the_tasks_that_both_have_played_by_their_means():
    played = [
        outcome(0, agent="oracle", total=1.0),
        outcome(0, agent="oracle", total=0.0),
        outcome(1, agent="oracle", total=1.0),
        outcome(2, agent="oracle", total=1.0),
        outcome(0, agent="null", total=0.0),
        outcome(1, agent="null", total=0.5),
        outcome(2, agent="null", fault="broken"),
        outcome(9, agent="random"),
    ]
    (found,) = compare_agents(played, seed=3)
    assert (found.first, found.second) == ("oracle", "null")
    assert found.reward == compare_paired([0.5, 1.0], [0.0, 0.5], seed=3)
