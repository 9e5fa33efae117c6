"""Processes that are killed, stopped and filled: what their episodes and clients are told."""

import os
import signal
import socket
import threading
from pathlib import Path

import pytest

from simulator.serve.tokens import Tokens
from tests.serve.serving import KEY, eventually, serving, start


@pytest.fixture(scope="module")
def own(bundle):
    """A server of this module's own, with two workers, for tests that kill them."""
    with serving(bundle, workers=2) as running:
        yield running


def test_a_killed_worker_loses_only_its_own_episodes_and_is_started_again(own):
    with own.client() as trainer:
        task = trainer.tasks("close")[0]
        begun = [trainer.begin(task) for _ in range(6)]
        first, second = trainer.workers()
        assert first["episodes"] == second["episodes"] == 3
        os.kill(first["pid"], signal.SIGKILL)
        eventually(lambda: trainer.workers()[0]["lives"] == 2, own)
        answers = [agent.ask("GET", "/tickets/99999") for _, agent in begun]
        assert sorted(answer.status for answer in answers) == [404, 404, 404, 410, 410, 410]
        for (made, _), answer in zip(begun, answers, strict=True):
            score = trainer.ask("GET", f"/worldwright/episodes/{made['episode']}/score")
            assert score.status == (200 if answer.status == 404 else 410)
            if answer.status == 410:
                assert answer.json["code"] == score.json["code"] == "episode_lost"
                assert "process" in answer.json["message"]
        own.wait_until_ready(2)
        assert {worker["episodes"] for worker in trainer.workers()} == {0, 3}
        made, agent = trainer.begin(task)
        assert agent.ask("GET", "/tickets/99999").status == 404
        assert trainer.workers()[0]["episodes"] == 1
        lost = trainer.ask("GET", "/metrics").content.decode()
        assert 'worldwright_episodes_gone_total{reason="worker_lost"} 3.0' in lost
        for _, client in [*begun, (made, agent)]:
            client.close()


def test_calls_under_way_when_a_worker_is_killed_are_answered(own):
    """Many agents call without pause while both workers are killed in turn: each call gets an answer."""
    with own.client() as trainer:
        task = trainer.tasks("close")[0]
        agents = [trainer.begin(task)[1] for _ in range(8)]
        seen = [set() for _ in agents]

        def call(number):
            while 410 not in seen[number]:
                seen[number].add(agents[number].ask("GET", "/worldwright/episode").status)

        threads = [threading.Thread(target=call, args=(number,)) for number in range(len(agents))]
        for thread in threads:
            thread.start()
        for worker in trainer.workers():
            os.kill(worker["pid"], signal.SIGKILL)
        for thread in threads:
            thread.join(60)
        assert all(410 in statuses and statuses <= {200, 410} for statuses in seen), seen
        own.wait_until_ready(2)
        for agent in agents:
            agent.close()


def test_a_server_that_is_told_to_stop_ends_what_runs_and_takes_nothing_new(bundle):
    with serving(bundle) as server, server.client() as trainer:
        made, agent = trainer.begin(trainer.tasks("close")[0])
        [worker] = trainer.workers()
        body = b'{"tool": "get_ticket", "arguments": {"ticket_id": 99999}}'
        head = f"POST /worldwright/act HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {agent.token}\r\n"
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as running:
            running.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:10])
            with server.client() as later:  # a connection made later is answered: the half request was read before it
                assert later.ask("GET", "/readyz").status == 200
            server.process.send_signal(signal.SIGTERM)
            eventually(lambda: trainer.ask("GET", "/readyz").status == 503)
            assert trainer.ask("GET", "/readyz").json["status"] == "stopping"
            refused = agent.ask("GET", "/tickets/99999")
            assert refused.status == 503
            assert refused.json["code"] == "stopping"
            assert int(refused.headers["retry-after"]) > 0
            with server.client() as late:
                assert late.ask("POST", "/worldwright/episodes", {"task": made["task"]}).status == 503
            running.sendall(body[10:])
            assert running.recv(65_536).startswith(b"HTTP/1.1 200 ")
        agent.close()
        shown, told = server.process.communicate(timeout=60)
        assert server.process.returncode == 0
        assert not alive(worker["pid"])
        assert b'"url"' in shown
        assert KEY.encode() not in shown + told


def test_workers_end_when_the_server_is_killed(own):
    with own.client() as trainer:
        pids = [worker["pid"] for worker in trainer.workers()]
    own.process.kill()
    eventually(lambda: not any(alive(pid) for pid in pids))


def alive(pid):
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return told.rpartition(")")[2].split()[0] != "Z"  # one that ended and was not waited for


def test_episodes_are_bounded_in_number_in_age_and_in_time_without_a_touch(scenario_folder):
    bounds = ("--max-episodes", 2, "--max-idle", 2, "--max-age", 8, "--seeds", "7")
    with serving(scenario_folder, *bounds) as server, server.client() as trainer:
        task = trainer.tasks("close")[0]
        (_, one), (_, other) = trainer.begin(task), trainer.begin(task)
        refused = trainer.ask("POST", "/worldwright/episodes", {"task": task})
        assert refused.status == 429
        assert refused.json["code"] == "too_many_episodes"

        def freed():
            one.ask("GET", "/worldwright/episode")
            return trainer.ask("POST", "/worldwright/episodes", {"task": task}).status == 201

        eventually(freed, server)
        untouched = other.ask("GET", "/worldwright/episode")
        assert untouched.status == 410
        assert untouched.json["code"] == "episode_gone"
        assert "touched" in untouched.json["message"]
        eventually(lambda: one.ask("GET", "/worldwright/episode").status == 410, server)
        assert "age" in one.ask("GET", "/worldwright/episode").json["message"]
        one.close()
        other.close()


def test_a_token_from_before_a_restart_is_told_as_gone(server):
    with server.client(Tokens(KEY).sign("0badcafe-1")) as late:
        answer = late.ask("GET", "/tickets/1")
    assert answer.status == 410
    assert answer.json["code"] == "episode_gone"


def test_what_cannot_be_served_is_told_and_exits_with_2(bundle, scenario_folder, tmp_path):
    place = tmp_path / "desk.yaml"
    place.write_text(
        scenario_folder.read_text().replace("GET /tickets/{ticket_id}\n", "GET /worldwright/{ticket_id}\n")
    )
    asked = (
        (start(tmp_path / "nothing"), b"nothing"),
        (start(bundle, "--seeds", "8"), b"10000"),
        (start(place), b"get_ticket"),
    )
    for server, word in asked:
        _, told = server.process.communicate(timeout=60)
        assert server.process.returncode == 2
        assert word in told
