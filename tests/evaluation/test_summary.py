"""Summaries: what is counted, what is averaged, and what is left out."""

from dataclasses import replace

from simulator.agents import Played
from simulator.evaluation import AgentChoice, Assignment, Outcome, mean_interval, share_interval, summarise
from simulator.reward import Score

SCORE = Score(0.5, False, 0.5, None, 1.0, 0.0, ())


def outcome(number, *, agent="oracle", fault="", template="route", kinds=("ok",), **score):
    played = Played(
        f"w7/{template}/{number}", template, agent, number, "finished", replace(SCORE, **score), len(kinds), kinds
    )
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
    assert summary.templates["route"].reward == 0.75
    assert summary.templates["close"].episodes == 1


def test_agents_are_told_in_the_order_in_which_they_played():
    summaries = summarise([outcome(0, agent="null"), outcome(0, agent="noisy"), outcome(1, agent="null")])
    assert [(summary.agent, summary.episodes) for summary in summaries] == [("null", 2), ("noisy", 1)]
