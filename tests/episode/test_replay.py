import copy
import json

import pytest

from simulator import Trajectory, TrajectoryError, UsageError, generate_world, replay
from simulator.scenario import parse_document
from tests.episode.desk import altered, begin, call, document, open_tickets, scenario, world
from tests.episode.test_trajectory import episode

OPEN, OTHER = open_tickets()[-2:]


def copied(trajectory):
    return Trajectory(*copy.deepcopy((trajectory.header, trajectory.steps, trajectory.footer)))


def ended(how):
    if how == "finished":
        return episode()
    env = begin("give_away" if how == "ended" else "reroute", seed=1)
    env.step(call("write_note", ticket_id=OPEN, text="a?"))
    if how == "stopped":
        env.stop("the context is full \ud800")
    elif how == "ended":
        env.step(call("hand_over", ticket_id=env.task.parameters["ticket_id"]))
    elif how == "truncated":
        for _ in range(7):
            env.step({"x": 1})
    return env


@pytest.mark.parametrize("how", ["finished", "stopped", "ended", "truncated", "going on"])
def test_an_episode_replays_the_same(how, tmp_path):
    env = ended(how)
    env.trajectory.save(tmp_path / "one.jsonl")
    kept = Trajectory.load(tmp_path / "one.jsonl")
    for own in (world(), generate_world(scenario(), seed=7)):
        report = replay(kept, own)
        assert (report.difference, report.drift, report.steps) == (None, (), len(kept.steps))
        assert report.same == (how != "going on")
        assert report.unfinished.startswith("cut off after step 1") == (how == "going on")


def test_an_invalid_episode_replays_up_to_its_fault():
    trajectory = ended("going on").trajectory
    footer = {"type": "footer", "ending": "invalid", "reason": "x", "steps": 1, "reward": 0.0, "score": None}
    report = replay(Trajectory(trajectory.header, trajectory.steps, footer), world())
    assert (report.difference, report.same, report.unfinished) == (None, False, "invalid after step 1: x")


def test_wall_times_and_what_adapters_add_are_not_compared():
    trajectory = copied(episode().trajectory)
    for line in trajectory.steps:
        line["wall_ms"] = 99.0
        line["messages"] = ["other"]
    trajectory.header["agent"] = {"name": "another"}
    assert replay(trajectory, world()).same


TAMPERED = {
    "a verdict": (2, "verdict.code", lambda line: line["verdict"].update(code="other")),
    "a status": (2, "verdict.status", lambda line: line["verdict"].update(status=201)),
    "a result": (1, "observation.result.priority", lambda line: line["observation"]["result"].update(priority=9)),
    "a message": (5, "observation.message", lambda line: line["observation"].update(message="other")),
    "the time told": (6, "observation.now", lambda line: line["observation"].update(now="2026-03-02 09:00:00")),
    "a change": (2, "changes[0].new.text", lambda line: line["changes"][0]["new"].update(text="other")),
    "who made a change": (6, "changes[0].source", lambda line: line["changes"][0].update(source="agent")),
    "changes left out": (2, "changes", lambda line: line["changes"].pop()),
    "a digest": (3, "state_digest", lambda line: line.update(state_digest="0" * 32)),
    "a reward": (4, "reward", lambda line: line.update(reward=0.5)),
    "a violation": (4, "violations", lambda line: line["violations"].clear()),
    "a flag": (3, "flags", lambda line: line["flags"].clear()),
    "a number": (2, "step", lambda line: line.update(step=7)),
    "an answer that is true": (1, "observation.ok", lambda line: line["observation"].update(ok=1)),
    "the action": (7, "verdict.kind", lambda line: line.update(action=call("set_status", ticket_id=1, status="now"))),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_step_is_found(name):
    step, place, tamper = TAMPERED[name]
    trajectory = copied(episode().trajectory)
    tamper(trajectory.steps[step - 1])
    report = replay(trajectory, world())
    assert not report.same
    assert (report.difference.step, report.difference.place) == (step, place)
    assert f"at step {step}" in str(report.difference)


@pytest.mark.parametrize(
    ("place", "tamper"),
    [
        ("ending", lambda footer: footer.update(ending="truncated")),
        ("success", lambda footer: footer.update(success=not footer["success"])),
        ("score.total", lambda footer: footer["score"].update(total=0.999)),
        ("score.lines[0].points", lambda footer: footer["score"]["lines"][0].update(points=5)),
        ("steps", lambda footer: footer.update(steps=3)),
        ("reward", lambda footer: footer.update(reward=3)),
    ],
)
def test_a_tampered_end_is_found(place, tamper):
    trajectory = copied(episode().trajectory)
    tamper(trajectory.footer)
    assert replay(trajectory, world()).difference.place == place


def test_a_tampered_beginning_is_found():
    trajectory = copied(episode().trajectory)
    trajectory.header["observation"]["instruction"] = "Do nothing."
    assert (replay(trajectory, world()).difference.step, replay(trajectory, world()).difference.place) == (
        0, "observation.instruction",
    )  # fmt: skip
    trajectory = copied(episode().trajectory)
    trajectory.header["tools"][0]["function"]["name"] = "other"
    assert str(replay(trajectory, world()).difference).startswith("at reset, tools[0]")


def test_steps_left_out_or_added_are_found():
    trajectory = episode().trajectory
    shorter = Trajectory(trajectory.header, (*trajectory.steps[:2], *trajectory.steps[3:]), trajectory.footer)
    assert replay(shorter, world()).difference.step == 3
    longer = Trajectory(trajectory.header, (*trajectory.steps, trajectory.steps[0]), trajectory.footer)
    assert str(replay(longer, world()).difference).endswith("'the episode was over'")
    cut = Trajectory(trajectory.header, trajectory.steps[:-1], trajectory.footer)
    assert replay(cut, world()).difference.place == "ending"


def test_another_world_is_refused_and_so_is_a_task_it_lacks():
    trajectory = copied(episode().trajectory)
    with pytest.raises(UsageError, match="world 7"):
        replay(trajectory, world(8))
    with pytest.raises(UsageError, match="scale"):
        replay(trajectory, generate_world(scenario(), seed=7, scale=2.0))
    trajectory.header["task"]["id"] = "w7/close/0000"
    with pytest.raises(UsageError, match="no task"):
        replay(trajectory, world())


def test_against_a_changed_scenario_the_replay_tells_what_drifted():
    trajectory = episode().trajectory

    def harmless(value):
        value["version"] = "1.3.0"
        value["tools"]["refund"]["summary"] = "Pay money back to the customer."

    report = replay(trajectory, altered(harmless))
    assert report.drift[0] == "scenario repair-desk 1.2.0 is now repair-desk 1.3.0"
    assert report.difference.place.startswith("tools[4]")

    def invisible(value):
        value["tasks"]["count_open"]["summary"] = "Counting."

    report = replay(trajectory, altered(invisible))
    assert report.drift
    assert report.same, report.difference

    def stricter(value):
        value["rules"]["process"]["no_note_is_dropped"]["deny"] = True

    report = replay(trajectory, altered(stricter))
    assert report.drift
    assert (report.difference.step, report.difference.place) == (4, "verdict.kind")


def test_another_engine_is_drift():
    trajectory = copied(episode().trajectory)
    trajectory.header["engine"] = "0.0.0"
    report = replay(trajectory, world())
    assert report.same
    assert report.drift[0].startswith("engine 0.0.0 is now")


def test_an_unreadable_action_can_have_failed_only():
    trajectory = copied(episode().trajectory)
    assert trajectory.steps[4]["action"] == {"unreadable": "a number that is not finite", "tool": "get_ticket"}
    trajectory.steps[4]["verdict"] = {"kind": "ok", "code": "ok", "status": 200, "message": ""}
    with pytest.raises(TrajectoryError, match="unreadable"):
        replay(trajectory, world())
    for wrong in ({}, {"kind": ["ok"]}, {"kind": "malformed", "code": 1, "status": "x", "message": ""}):
        trajectory.steps[4]["verdict"] = wrong
        with pytest.raises(TrajectoryError, match="step 5"):
            replay(trajectory, world())


def test_a_replay_of_strange_fields_ends_in_words():
    trajectory = copied(episode().trajectory)
    for name, value in (("turn", "x"), ("changes", 5), ("observation", {}), ("raw", None), ("call_id", None)):
        changed = copied(trajectory)
        changed.steps[0][name] = value
        report = replay(changed, world())
        assert report.same or len(str(report.difference)) < 1000
    for name, value in (("tools", None), ("limits", []), ("agent", "x"), ("observation", {"x": 1})):
        changed = copied(trajectory)
        changed.header[name] = value
        report = replay(changed, world())
        assert report.same == (name == "agent")
    assert json.dumps(replay(trajectory, world()).trajectory.lines())


def test_documents_and_folders_of_one_meaning_replay_each_other():
    report = replay(episode().trajectory, generate_world(parse_document(document()), seed=7))
    assert (report.same, report.drift) == (True, ())
