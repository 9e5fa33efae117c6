"""The repair desk, with systems that fail and an SQL tool, served by two workers to all tests that do it no harm."""

import pytest
import yaml

from simulator.bundle import export_bundle
from simulator.lint import load_scenario
from tests.episode.desk import document
from tests.serve.serving import serving

TROUBLE = {
    "busy": {"tools": ["set_priority"], "kind": "rate_limit", "retry_after": "2m", "share": 0.5},
    "replica": {"tools": ["list_tickets"], "kind": "stale_read", "behind": 1, "share": 0.5},
}
SQL = {"summary": "Run one SQL statement.", "roles": ["clerk"], "sql": {"grants": {"team": {"select": "*"}}}}


@pytest.fixture(scope="session")
def scenario_folder(tmp_path_factory):
    value = document()
    value["faults"] = TROUBLE
    value["tools"]["run_sql"] = SQL
    place = tmp_path_factory.mktemp("served") / "desk.yaml"
    place.write_text(yaml.safe_dump(value, sort_keys=False))
    return place


@pytest.fixture(scope="session")
def bundle(scenario_folder, tmp_path_factory):
    out = tmp_path_factory.mktemp("bundle") / "desk"
    scenario = load_scenario(scenario_folder)
    return export_bundle(scenario, seeds=(7, 10_000), targets=(), out=out, unverified=True).archive


@pytest.fixture(scope="session")
def server(bundle):
    with serving(bundle, workers=2) as running:
        yield running


@pytest.fixture
def trainer(server):
    with server.client() as client:
        yield client


@pytest.fixture
def begun(trainer):
    """Begins an episode of a template: what was answered, and its agent's client."""
    agents = []

    def begin(template="close", index=0, **options):
        made, agent = trainer.begin(trainer.tasks(template)[index], **options)
        agents.append(agent)
        return made, agent

    yield begin
    for agent in agents:
        agent.close()
