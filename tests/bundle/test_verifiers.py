"""A bundle in verifiers itself: its validation, and its evaluation of scripted models by the null harness."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from simulator import generate_world
from simulator.bundle import open_bundle
from simulator.bundle.tool_episode import ToolEpisode
from tests.bundle.conformance import AGENTS, ask, hold, recordings
from tests.bundle.scripted_model import Calls, scripted_model
from tests.bundle.venvs import environment, venv_with

pytestmark = pytest.mark.slow

COMMANDS = {"vf-validate": "verifiers.v1.cli.validate", "vf-eval": "verifiers.v1.cli.eval.main"}  # as their scripts do
SCRIPT = Path(__file__).parent / "scripts" / "serve_verifiers.py"
ID = "repair-desk-verifiers"
CONFIG = """
model = "{model}"
push = false
max_concurrent = 4
output_dir = "{out}"
[run]
dir = "{model}"
[client]
base_url = "{url}"
api_key_var = "SCRIPTED_KEY"
[select.include]
ids = {ids}
[env.taskset]
id = "{id}"
[env.agent.harness]
id = "null"
[env.agent.runtime]
type = "subprocess"
"""
HOSTILE = (
    Calls(("no_such_tool", "{}")),
    Calls(("get_ticket", "{not json")),
    Calls(("get_ticket", "[1]")),
    Calls(("get_ticket", '{"ticket_id": "nine"}')),
    Calls(("get_ticket", json.dumps({"ticket_id": "9" * 250_000}))),
    Calls(("list_tickets", "{}"), ("get_ticket", '{"ticket_id": 9}')),
)


@pytest.fixture(scope="module")
def python():
    return venv_with("verifiers==0.4.0", "uv")


@pytest.fixture(scope="module")
def run(python, exported, tmp_path_factory):
    """Runs a command of verifiers, which finds the package in a folder."""
    home = tmp_path_factory.mktemp("home")

    def command(name, *arguments, folder=exported.folder / "targets" / "verifiers"):
        variables = environment(folder)
        path = f"{python.parent}:{variables['PATH']}"
        done = subprocess.run(
            [python, "-c", f"from {COMMANDS[name]} import main; main()", *map(str, arguments)],
            cwd=home,
            env={**variables, "PATH": path, "SCRIPTED_KEY": "none"},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-8_000:]

    return command


@pytest.fixture(scope="module")
def recorded(desk):
    return recordings(generate_world(desk, 7))


@pytest.fixture(scope="module")
def evaluated(run, recorded, exported, tmp_path_factory):
    """The trace of each task, by model and task, and the requests that the models were sent."""
    bundle = open_bundle(exported.folder)
    users = {item["task"]: ToolEpisode(bundle, item["task"]).messages[-1]["content"] for item in recorded}
    scripts = {
        (item["agent"], users[item["task"]]): [
            Calls((action["tool"], json.dumps(action["arguments"]))) for action in item["actions"]
        ]
        for item in recorded
    }
    out = tmp_path_factory.mktemp("evaluated")
    traces = {}
    with scripted_model(lambda model, user: scripts.get((model, user), HOSTILE)) as (url, requests):
        for model in (*AGENTS, "hostile"):
            ids = json.dumps(list(users) if model != "hostile" else list(users)[:1])
            config = out / f"{model}.toml"
            config.write_text(CONFIG.format(model=model, out=out, url=url, ids=ids, id=ID))
            run("vf-eval", "@", config, "--no-rich")
            for line in (out / model / "traces.jsonl").read_text().splitlines():
                (trace,) = json.loads(line)["traces"]
                traces[model, trace["task"]["key"]] = trace
    return traces, requests


def test_its_validation_finds_every_task_solvable_and_none_solved_by_doing_nothing(run, exported, tmp_path):
    run("vf-validate", ID, "--runtime.type", "subprocess", "--no-rich", "-o", tmp_path, "--run.dir", "validation")
    summary = json.loads((tmp_path / "validation" / "summary.json").read_text())
    tasks = open_bundle(exported.folder).manifest.splits["train"].tasks
    assert summary["outcomes"]["valid"] == summary["total"] == tasks > 3
    assert summary["checks"]["noop"]["valid"] == tasks


def test_recorded_actions_earn_what_they_earn_in_the_engine(evaluated, recorded, record_property):
    traces, _ = evaluated
    played = [traces[item["agent"], item["task"]] for item in recorded]
    assert all(trace["ok"] and not trace["errors"] for trace in played)
    hold(
        record_property,
        "verifiers",
        "0.4.0",
        recorded,
        [
            {
                "reward": trace["rewards"]["score_total"]["score"],
                "digest": trace["info"]["worldwright"]["state_digest"],
                "success": trace["info"]["worldwright"]["success"],
            }
            for trace in played
        ],
    )
    assert all({"completion", "success"} <= set(trace["metrics"]) for trace in played)


def test_after_the_end_the_model_is_not_asked_again(evaluated, recorded):
    traces, _ = evaluated
    for item in recorded:
        trace = traces[item["agent"], item["task"]]
        assert trace["stop_condition"] == "episode_over"
        assert len(trace["calls"]) == len(item["actions"])


def test_a_models_mistakes_are_answered(evaluated):
    traces, requests = evaluated
    (trace,) = [trace for (model, _), trace in traces.items() if model == "hostile"]
    assert trace["ok"]
    assert trace["info"]["worldwright"]["ending"] == "stopped"
    last = [request for request in requests if request["model"] == "hostile"][-1]
    answers = [str(message["content"]) for message in last["messages"] if message["role"] == "tool"]
    assert len(answers) == 7
    assert "Error 4" in answers[3]
    assert "longer than 100,000 characters" in answers[4]
    assert "steps left" in answers[5]


def test_the_model_is_shown_the_tools_and_texts_of_the_agents_side(evaluated, exported):
    _, requests = evaluated
    tools = {
        tool["function"]["name"]: tool["function"]
        for role in json.loads((exported.folder / "agent" / "tools.json").read_text()).values()
        for tool in role
    }
    policy = (exported.folder / "agent" / "policy.md").read_text().strip()
    for request in requests:
        assert request["messages"][0] == {"role": "system", "content": policy}
        for tool in request["tools"]:
            known = tools[tool["function"]["name"]]
            assert tool["function"]["description"] == known["description"]
            assert tool["function"]["parameters"] == known["parameters"]


@pytest.fixture(scope="module")
def served(python, recorded, exported):
    """What the server of the tools told of several calls at once, and the task, asked without a harness."""
    task = next(item["task"] for item in recorded if "/close/" in item["task"])
    asked = {"module": "repair_desk_verifiers", "task": task}
    return task, ask(python, SCRIPT, asked, exported.folder / "targets" / "verifiers")


def test_calls_at_once_are_all_kept(served):
    _, answer = served
    played = answer["played"]
    numbers = [json.loads(arguments)["ticket_id"] for _, arguments in played["calls"]]
    assert sorted(numbers) == [1, 2, 3, 4, 5, 6]
    assert all(f'"id": {number}' in told for number, told in enumerate(played["at_once"], 1))


def test_a_call_whose_record_was_lost_was_not_made(served, exported):
    task, answer = served
    played = answer["played"]
    assert played["again"] == played["kept"]
    episode = ToolEpisode(open_bundle(exported.folder), task)
    for tool, arguments in played["calls"]:
        episode.call(tool, arguments)
    episode.call("write_note", {"ticket_id": 1, "text": "hello"})
    assert played["digest"] == episode.state_digest


def test_what_follows_the_end_is_not_kept_and_the_reward_is_the_engines(served, exported):
    task, answer = served
    played = answer["played"]
    assert played["over"]
    assert played["last"] == ["finish", "{}"]
    episode = ToolEpisode(open_bundle(exported.folder), task)
    for tool, arguments in played["record"]["calls"]:
        episode.call(tool, arguments)
    assert played["reward"] == episode.outcome().reward
    assert played["record"]["ending"] == episode.outcome().ending


def test_an_attempt_in_which_the_engine_failed_stops_and_is_an_error(served):
    _, answer = served
    faulty = answer["faulty"]
    assert faulty["answers"] == ["The environment failed. This attempt does not count."] * 2
    assert faulty["fault"]
    assert faulty["stops"]
    assert faulty["raised"] == "EngineFault"


def test_the_package_built_into_a_wheel_carries_the_bundle(run, copied, tmp_path):
    pytest.importorskip("hatchling", reason="hatchling, of requirements/dev.lock, is not installed: make setup")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "wheel"],
                   cwd=copied / "targets" / "verifiers", check=True, capture_output=True)  # fmt: skip
    (wheel,) = (tmp_path / "wheel").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    shutil.rmtree(copied)
    options = ("--only-gold", "-n", "1", "--runtime.type", "subprocess", "--no-rich", "--run.dir", "wheel")
    run("vf-validate", ID, *options, "-o", tmp_path, folder=tmp_path / "installed")
    summary = json.loads((tmp_path / "wheel" / "summary.json").read_text())
    assert summary["outcomes"]["valid"] == 1
