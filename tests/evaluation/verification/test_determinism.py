"""`determinism`: equal actions give equal episodes, and no observation tells the real time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from simulator import generate_world
from simulator.evaluation.verification.checks.determinism import (
    CHECK,
    IN_ANOTHER_PROCESS,
    clock_findings,
    difference,
)

NOW = datetime(2041, 5, 6, 7, 8, 9, tzinfo=UTC)


def test_a_sound_template_is_the_same_again(subject):
    result = CHECK.run(subject("route"))
    assert result.findings == ()
    assert [(tally.of, tally.noticed) for tally in result.tallies] == [(2, 2)]


def test_another_process_makes_the_same_world_and_plays_the_same_episodes(desk):
    scenario = desk()
    result = IN_ANOTHER_PROCESS.run(scenario, [generate_world(scenario, 1)], ())
    assert result.findings == ()
    assert [tally.of for tally in result.tallies] == [2]


def test_another_process_that_makes_another_world_is_told(desk):
    world = generate_world(desk(lambda document: document["world"]["tables"]["ticket"].update(rows=17)), 1)
    result = IN_ANOTHER_PROCESS.run(desk(), [world], ())
    assert {"determinism.world", "determinism.process"} <= {finding.check for finding in result.findings}


def test_episodes_differ_in_the_first_thing_that_is_not_the_same(subject):
    made = subject("route")
    task = made.tasks[0]
    episode = made.follow(task, made.solutions(task)[0])
    assert difference(episode, made.follow(task, made.solutions(task)[0])) is None
    other = (episode.observations[0], {**episode.observations[1], "result": None}, *episode.observations[2:])
    assert difference(episode, replace(episode, observations=other)) == (2, "the observation")
    digests = (*episode.digests[:2], "0", *episode.digests[3:])
    assert difference(episode, replace(episode, digests=digests)) == (3, "the state")
    assert difference(episode, replace(episode, start_digest="0")) == (0, "the state")
    short = replace(episode, digests=episode.digests[:-1], observations=episode.observations[:-1])
    assert difference(episode, short) == (4, "the number of steps")
    assert difference(episode, replace(episode, score=replace(episode.score, total=0.0))) == (4, "the score")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("made 2041-05-06 07:08:01", True),
        ("made 2041-05-06T07:07:59Z", True),
        (f"{int(NOW.timestamp()) + 2}", True),
        ("due 2041-05-06", True),
        ("due 2041-05-07", False),
        ("2026-03-02 09:00:00", False),
        (f"1{int(NOW.timestamp())}", False),
    ],
)
def test_the_real_time_in_an_observation_is_told(subject, text, told):
    made = subject("route", tasks=1)
    episode = made.act(made.tasks[0], [{"tool": "list_teams", "arguments": {}}])
    shown = replace(episode, observations=({**episode.observations[0], "result": [{"made": text}]},))
    findings = list(clock_findings(made, shown, NOW))
    assert [finding.check for finding in findings] == (["determinism.wall_clock"] if told else [])
    assert all(finding.evidence.step == 1 for finding in findings)


def test_a_world_whose_own_time_is_near_may_show_a_date_by_chance(subject):
    made = subject("route", tasks=1)
    episode = made.act(made.tasks[0], [{"tool": "list_teams", "arguments": {}}])
    near = datetime(2026, 3, 2, 9, 0, tzinfo=UTC) + timedelta(days=100)
    shown = replace(episode, observations=({"result": f"due {near:%Y-%m-%d}"},))
    assert list(clock_findings(made, shown, near)) == []
