"""What a trainer does with the server's key, and that an agent's token does none of it."""

import json

import pytest

from simulator import Environment, replay
from simulator.bundle import open_bundle
from simulator.episode import Trajectory

HIDDEN = ("hidden", "margin", "solution", "checks", "digest", "reward", "score")


def test_tasks_are_listed_by_split_with_what_an_agent_may_know(trainer):
    every = trainer.ask("GET", "/worldwright/tasks").json
    train = trainer.ask("GET", "/worldwright/tasks?split=train&limit=2&offset=1").json
    assert {task["split"] for task in every["tasks"]} == {"train", "validation"}
    assert train["total"] < every["total"]
    assert len(train["tasks"]) == 2
    assert set(train["tasks"][0]) == {"id", "template", "instruction", "split", "difficulty", "role"}
    assert "hidden" not in json.dumps(every)


def test_an_episode_is_begun_watched_ended_and_scored(trainer, begun):
    made, agent = begun("count_open")
    place = f"/worldwright/episodes/{made['episode']}"
    agent.ask("GET", "/tickets?status=open")
    seen = trainer.ask("GET", place).json
    assert seen["steps"] == 1
    assert seen["task"] == made["task"]
    early = trainer.ask("GET", f"{place}/score").json
    assert early["over"] is False
    done = trainer.ask("POST", f"{place}/finish", {"reason": "Enough."}).json
    assert done["ending"] == "stopped"
    assert done["over"] is True
    assert done["reward"] == done["score"]["total"]
    assert trainer.ask("GET", f"{place}/score").json == done
    assert trainer.ask("POST", f"{place}/finish").json == done


def test_acting_for_an_episode_tells_the_reward(trainer, begun, bundle):
    made, _ = begun("give_away")
    environment = Environment(open_bundle(bundle).world(7))
    environment.reset(task=made["task"])
    action = {"tool": "hand_over", "arguments": {"ticket_id": environment.task.parameters["ticket_id"]}}
    told, reward, terminated, truncated, info = environment.step(action)
    got = trainer.ask("POST", f"/worldwright/episodes/{made['episode']}/act", action).json
    assert got == {
        "observation": told, "over": True, "reward": reward, "terminated": terminated, "truncated": truncated,
        "state_digest": info["state_digest"],
    }  # fmt: skip


def test_the_record_of_an_episode_can_be_replayed(trainer, begun, bundle, tmp_path):
    made, agent = begun("close", agent={"name": "curl"}, seed=3)
    agent.ask("GET", "/tickets/1")
    agent.ask("PUT", "/tickets/1/status", {"status": 4})
    agent.ask("POST", "/worldwright/tools/finish")
    record = tmp_path / "record.jsonl"
    record.write_bytes(trainer.ask("GET", f"/worldwright/episodes/{made['episode']}/trajectory").content)
    trajectory = Trajectory.load(record)
    assert trajectory.header["agent"] == {"name": "curl"}
    assert trajectory.header["reset_seed"] == 3
    assert replay(trajectory, open_bundle(bundle).world(7)).difference is None


def test_a_deleted_episode_is_gone_for_both(trainer, begun):
    made, agent = begun()
    place = f"/worldwright/episodes/{made['episode']}"
    assert trainer.ask("DELETE", place).status == 204
    for answer in (trainer.ask("GET", place), agent.ask("GET", "/tickets"), agent.ask("GET", "/worldwright/episode")):
        assert answer.status == 410
        assert "deleted" in answer.json["message"]
    assert trainer.ask("DELETE", place).status == 410


def test_attempts_at_one_task_meet_the_same_and_do_not_meet_each_other(begun):
    first, one = begun("close")
    second, other = begun("close")
    assert first["observation"] == second["observation"]
    assert first["state_digest"] == second["state_digest"]
    assert first["token"] != second["token"]
    shown = [agent.ask("GET", "/tickets/2").json for agent in (one, other)]
    assert shown[0] == shown[1]
    one.ask("POST", "/tickets/2/notes", {"text": "mine"})
    assert other.ask("GET", "/tickets/2").json == shown[0]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/worldwright/tasks"), ("GET", "/worldwright/workers"), ("POST", "/worldwright/episodes"),
        ("GET", "/worldwright/episodes/{}"), ("DELETE", "/worldwright/episodes/{}"),
        ("POST", "/worldwright/episodes/{}/act"), ("POST", "/worldwright/episodes/{}/finish"),
        ("GET", "/worldwright/episodes/{}/score"), ("GET", "/worldwright/episodes/{}/trajectory"), ("GET", "/metrics"),
    ],
)  # fmt: skip
def test_a_token_of_an_agent_opens_nothing_of_the_trainers(begun, trainer, method, path):
    made, agent = begun()
    place = path.format(made["episode"])
    assert agent.ask(method, place).status == 403
    assert agent.ask(method, place, token=None).status == 401
    assert agent.ask(method, place, token="ww1.x.y").status == 401
    assert trainer.ask("GET", f"/worldwright/episodes/{made['episode']}/score").json["over"] is False


def test_nothing_that_an_agent_is_told_holds_what_is_the_graders(begun):
    made, agent = begun("reroute")
    told = [
        agent.ask("GET", "/worldwright/episode"), agent.ask("GET", "/openapi.json"), agent.ask("GET", "/tickets/1"),
        agent.ask("POST", "/worldwright/act", {"tool": "list_tickets", "arguments": {}}),
        agent.ask("POST", "/worldwright/tools/finish"),
    ]  # fmt: skip
    for answer in told:
        shown = answer.content.decode() + json.dumps(answer.headers)
        assert not [word for word in HIDDEN if f'"{word}' in shown], shown
        assert made["task"] not in shown
        assert made["state_digest"] not in shown


def test_what_cannot_be_begun_is_told(trainer):
    for given, status in (
        ({"task": "w7/nonsense/1"}, 404), ({"task": 3}, 422), ({}, 422), ({"task": "x", "seed": -1}, 422),
        ({"task": "x", "seed": True}, 422), ({"task": "x", "agent": []}, 422), ({"task": "x", "more": 1}, 422),
        ([], 400),
    ):  # fmt: skip
        answer = trainer.ask("POST", "/worldwright/episodes", given)
        assert answer.status == status, given
        assert answer.json["kind"] == "server"
    assert trainer.ask("GET", "/worldwright/episodes/nonsense").status == 404
    assert trainer.ask("GET", "/worldwright/tasks?split=all").status == 422
    assert trainer.ask("GET", "/worldwright/tasks?limit=-1").status == 422


def test_health_is_open_to_all_and_numbers_to_trainers(trainer, begun):
    _, agent = begun()
    agent.ask("GET", "/tickets/99999")
    assert trainer.ask("GET", "/healthz", token=None).json == {"status": "ok"}
    assert trainer.ask("GET", "/readyz", token=None).json == {"status": "ready", "workers_ready": 2, "workers": 2}
    numbers = trainer.ask("GET", "/metrics")
    assert numbers.headers["content-type"].startswith("text/plain")
    lines = numbers.content.decode().splitlines()
    assert any(line.startswith('worldwright_requests_total{operation="get_ticket",status="404"}') for line in lines)
    assert "worldwright_workers_ready 2.0" in lines


def test_the_trainer_sees_the_document_of_any_role(trainer):
    assert "/worldwright/tools/run_sql" in trainer.ask("GET", "/openapi.json?role=clerk").json["paths"]
    assert "/worldwright/tools/run_sql" not in trainer.ask("GET", "/openapi.json").json["paths"]
    assert trainer.ask("GET", "/openapi.json?role=chief").status == 422
