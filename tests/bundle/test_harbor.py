"""A bundle as tasks of Harbor: what an agent's image holds, and rewards of attempts in two places without Docker."""

import json
import tomllib
from pathlib import Path

import pytest
import yaml

from simulator import Environment, generate_world
from simulator.agents import OracleAgent, play
from simulator.bundle import open_bundle
from tests.bundle.conformance import ask, hold, recordings
from tests.bundle.venvs import venv_with

SCRIPTS = Path(__file__).parent / "scripts"
TESTED = "0.26.0"
MISTAKES = [
    {"tool": "nonsense", "arguments": "{}"},
    {"tool": "list_tickets", "arguments": "{not JSON"},
    {"tool": "get_ticket", "arguments": "[1]"},
    {"tool": "get_ticket", "arguments": "{}"},
]
ELSEWHERE = """python3 - <<'X'
import os, urllib.error, urllib.request
for path in ("/outcome", "/world/grader.sock", "/../grader/scenario.json", "/call"):
    try:
        print("read", urllib.request.urlopen(os.environ["BUSINESS_URL"] + path).read())
    except urllib.error.HTTPError as error:
        print("refused", error.code)
X
ls /solution /tests /world 2>&1 | sed 's/^/there: /'"""


@pytest.fixture(scope="module")
def target(exported):
    return exported.folder / "targets" / "harbor"


@pytest.fixture(scope="module")
def recorded(desk):
    return recordings(generate_world(desk, 7))


def name_of(task):
    return task.replace("/", "-").replace("_", "-")


@pytest.fixture(scope="module")
def told(exported, target, recorded):
    """What Harbor made of the first task of each template: its linter, its oracle and nop, and recorded agents."""
    calls = {}
    for item in recorded:
        calls.setdefault(item["agent"], {})[name_of(item["task"])] = [
            {"tool": action["tool"], "arguments": json.dumps(action["arguments"])}
            for action in item["actions"]
            if isinstance(action, dict)
        ]
    tasks = list(calls["oracle"])
    calls["clumsy"] = {tasks[0]: MISTAKES, "more": [ELSEWHERE]}
    folders = [str(target / "tasks" / name) for name in tasks]
    asked = {"bundle": str(exported.folder), "folders": folders, "recorded": calls}
    python = venv_with(f"harbor=={TESTED}", python="3.12")
    return ask(python, SCRIPTS / "play_harbor.py", asked, SCRIPTS, timeout=900)


def test_there_is_a_folder_for_each_task_which_names_it(exported, target):
    tasks = {name_of(task["id"]): task for task in open_bundle(exported.folder).tasks()}
    assert sorted(folder.name for folder in (target / "tasks").iterdir()) == sorted(tasks)
    for name, task in tasks.items():
        folder = target / "tasks" / name
        configuration = tomllib.loads((folder / "task.toml").read_text())
        services = yaml.safe_load((folder / "environment" / "docker-compose.yaml").read_text())["services"]
        assert configuration["metadata"]["id"] == task["id"] == services["world"]["environment"]["WORLD_TASK"]
        assert task["instruction"] in (folder / "instruction.md").read_text()


def test_an_agents_side_holds_nothing_of_the_graders(exported, target):
    bundle = open_bundle(exported.folder)
    seen = set()
    for task in bundle.tasks():
        folder = target / "tasks" / name_of(task["id"])
        assert sorted(file.name for file in (folder / "environment").iterdir()) == [
            "Dockerfile", "business", "docker-compose.yaml",
        ]  # fmt: skip
        copied = [line for line in (folder / "environment" / "Dockerfile").read_text().splitlines() if "COPY" in line]
        assert copied == ["COPY business /opt/business/"]
        seen |= {(folder / "environment" / name).read_text() for name in ("Dockerfile", "business")}
        services = yaml.safe_load((folder / "environment" / "docker-compose.yaml").read_text())["services"]
        assert set(services["main"]) == {"environment", "depends_on"}
        assert set(services["world"]) == {"image", "environment", "healthcheck"}
        instruction = (folder / "instruction.md").read_text()
        assert "hidden" not in instruction
        assert "margin" not in instruction
    assert len(seen) == 2


def test_the_sidecars_image_holds_the_bundle_and_its_engine(exported, target):
    text = (target / "sidecar" / "Dockerfile").read_text()
    assert f"/bundle/{exported.manifest.engine.wheel}" in text
    assert f"/bundle/{exported.manifest.engine.requirements}" in text
    image = yaml.safe_load(next(target.glob("tasks/*/environment/docker-compose.yaml")).read_text())
    assert f"-t {image['services']['world']['image']} -f" in (target / "README.md").read_text()


@pytest.mark.slow
def test_recorded_actions_earn_what_they_earn_in_the_engine(record_property, recorded, told):
    played = []
    for item in recorded:
        trial = told["recorded"][item["agent"]][name_of(item["task"])]
        assert trial["error"] is None
        success = bool(trial["rewards"]["success"])
        digest = trial["outcome"]["state_digest"]
        played.append({"reward": trial["rewards"]["reward"], "success": success, "digest": digest})
    hold(record_property, "harbor", told["version"], recorded, played)


@pytest.mark.slow
def test_the_linter_finds_nothing(told):
    assert told["lint"] == []


@pytest.mark.slow
def test_harbors_oracle_earns_what_the_engines_does_and_nop_nothing(desk, told):
    tasks = {name_of(task.id): task for task in generate_world(desk, 7).tasks()}
    assert len(told["oracle"]) > 5
    for name, trial in told["oracle"].items():
        env = Environment(generate_world(desk, 7))
        env.reset(task=tasks[name].id)
        score = play(env, OracleAgent(), tasks[name], env.snapshot().seed).score
        assert trial["error"] is None, name
        assert trial["rewards"]["success"] == 1.0, name
        assert trial["rewards"]["reward"] == pytest.approx(score.total, abs=1e-9), name
    for trial in told["nop"].values():
        assert trial["error"] is None
        assert (trial["rewards"]["reward"], trial["outcome"]["ending"]) == (0.0, "stopped")


@pytest.mark.slow
def test_the_trajectory_is_among_the_artifacts(told):
    for trial in told["oracle"].values():
        assert {"outcome.json", "reward.json", "trajectory.jsonl"} <= set(trial["kept"])


@pytest.mark.slow
def test_mistakes_are_answered_and_nothing_else_can_be_reached(told):
    (trial,) = told["recorded"]["clumsy"].values()
    lines = trial["told"].splitlines()
    assert sum(line.startswith("Error 4") for line in lines) == len(MISTAKES), trial["told"]
    assert [line for line in lines if line.startswith(("read", "refused"))] == ["refused 404"] * 4
    there = [line for line in lines if line.startswith("there: ")]
    assert len(there) == 3
    assert all("cannot access" in line for line in there)
    assert trial["rewards"]["success"] == 0.0
