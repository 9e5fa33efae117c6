"""A bundle served over HTTP: recorded actions by their real paths and by the one path for any action, many at once."""

from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import pytest

from simulator import generate_world
from tests.bundle.conformance import hold, recordings
from tests.serve.serving import as_request, serving


@pytest.fixture(scope="module")
def recorded(desk):
    return recordings(generate_world(desk, 7))


@pytest.fixture(scope="module")
def port(exported):
    with serving(exported.archive, workers=2) as server:
        yield server


def by_path(agent, document, action):
    """Do an action as a client that was made from the document would; whether it has a path of its own."""
    request = as_request(document, action)
    if request is None:
        agent.ask("POST", "/worldwright/act", action)
        return False
    method, path, body = request
    agent.ask(method, path, body)
    return True


def play(server, item, way):
    with server.client() as trainer:
        made, agent = trainer.begin(item["task"])
        document = agent.ask("GET", "/openapi.json").json
        took = [way(agent, document, action) for action in item["actions"]]
        place = f"/worldwright/episodes/{made['episode']}"
        score = trainer.ask("GET", f"{place}/score").json
        trainer.ask("DELETE", place)
        agent.close()
    assert score["over"]
    return {"reward": score["reward"], "digest": score["state_digest"], "success": score["success"]}, took


def all_played(server, recorded, way):
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda item: play(server, item, way), recorded))


def test_actions_by_their_own_paths_earn_what_they_earn_in_the_engine(port, recorded, record_property):
    played = all_played(port, recorded, by_path)
    hold(record_property, "http", f"starlette {version('starlette')}", recorded, [got for got, _ in played])
    took = [way for _, ways in played for way in ways]
    assert sum(took) / len(took) > 0.95


def test_actions_by_the_path_for_any_action_earn_the_same(port, recorded):
    played = all_played(port, recorded, lambda agent, _, action: agent.ask("POST", "/worldwright/act", action))
    hold(lambda *_: None, "http", "", recorded, [got for got, _ in played])


def test_steps_that_are_done_for_an_agent_pay_what_they_pay_in_the_engine(port, recorded):
    for item in recorded[:6]:
        with port.client() as trainer:
            made, agent = trainer.begin(item["task"])
            agent.close()
            place = f"/worldwright/episodes/{made['episode']}/act"
            paid = [trainer.ask("POST", place, action).json["reward"] for action in item["actions"]]
        assert paid == pytest.approx(item["rewards"], abs=1e-12)
