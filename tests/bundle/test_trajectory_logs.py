"""Trajectories as logs of other tools: what was played and paid is in them, and their own readers open them."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from simulator import Environment
from simulator.agents import NoisyAgent, NullAgent, OracleAgent, play
from simulator.bundle.datasets import read_attempts
from simulator.bundle.trajectory_logs import atif_of, inspect_log_of, write_logs
from simulator.errors import TrajectoryError, UsageError
from tests.bundle.conformance import ask
from tests.bundle.venvs import venv_with
from tests.episode.desk import world

SCRIPT = Path(__file__).parent / "scripts" / "read_logs.py"
ROOT = Path(__file__).parents[2]
AGENTS = {"oracle": OracleAgent, "noisy": lambda: NoisyAgent(2), "null": NullAgent}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three agents at some tasks, the first task twice, and an attempt by hand whose actions are mistakes."""
    folder = tmp_path_factory.mktemp("runs")
    tasks = world().tasks()[::5]
    for number, task in enumerate([*tasks, tasks[0]]):
        for name, make in AGENTS.items():
            env = Environment(world(), agent={"name": name})
            play(env, make(), task, number)
            env.trajectory.save(folder / f"{number:03}-{name}.jsonl")
    env = Environment(world(), agent={"name": "clumsy"})
    env.reset(task=tasks[0].id, seed=1)
    for action in ("no call \ud800", {"tool": "list_tickets", "arguments": "{"}, {"tool": "nothing", "arguments": {}}):
        env.step(action, raw=action if isinstance(action, str) else None)
    env.stop("tired of it")
    env.trajectory.save(folder / "999-clumsy.jsonl")
    return folder


@pytest.fixture(scope="module")
def attempts(runs):
    return read_attempts(runs).scored


def means(attempts):
    rewards = {}
    for attempt in attempts:
        rewards.setdefault(attempt.trajectory.header["agent"]["name"], []).append(attempt.reward)
    return {name: pytest.approx(sum(values) / len(values)) for name, values in rewards.items()}


def test_the_same_attempts_give_the_same_bytes(attempts, tmp_path):
    for form in ("inspect", "atif"):
        written = [write_logs(attempts, tmp_path / f"{form}{turn}", form) for turn in (1, 2)]
        assert written[0] == written[1]
        for name in written[0]:
            assert (tmp_path / f"{form}1" / name).read_bytes() == (tmp_path / f"{form}2" / name).read_bytes()


def test_there_is_a_log_of_inspect_for_each_agent_with_an_epoch_for_each_attempt(attempts, tmp_path):
    names = write_logs(attempts, tmp_path / "logs", "inspect")
    found = {}
    for name in names:
        with zipfile.ZipFile(tmp_path / "logs" / name) as archive:
            header = json.loads(archive.read("header.json"))
            found[header["eval"]["model"]] = header["results"]["scores"][0]["metrics"]["mean"]["value"]
            if header["eval"]["model"] == "oracle":
                first = header["eval"]["dataset"]["sample_ids"][0]
                assert {f"samples/{first}_epoch_1.json", f"samples/{first}_epoch_2.json"} <= set(archive.namelist())
    assert found == means(attempts)
    assert len(set(found)) == 4


def test_a_document_of_atif_tells_calls_answers_and_reward(attempts):
    for attempt in attempts:
        told = atif_of(attempt)
        assert [step["step_id"] for step in told["steps"]] == list(range(1, len(told["steps"]) + 1))
        assert told["extra"]["reward"] == attempt.reward
        calls = [call["function_name"] for step in told["steps"] for call in step.get("tool_calls", ())]
        assert calls == [line["action"]["tool"] for line in attempt.trajectory.steps if "tool" in line["action"]]
        for step in told["steps"]:
            answered = [item["source_call_id"] for item in step.get("observation", {"results": ()})["results"]]
            assert answered == [call["tool_call_id"] for call in step.get("tool_calls", ())]


@pytest.mark.parametrize("task", ["../../etc", "a b", "", "x" * 300, "/root", "a//b"])
def test_an_id_that_could_not_be_a_tasks_is_refused(runs, tmp_path, task):
    lines = (runs / "000-oracle.jsonl").read_text().splitlines()
    header = json.loads(lines[0])
    header["task"]["id"] = task
    (tmp_path / "played.jsonl").write_text("\n".join([json.dumps(header), *lines[1:]]))
    (attempt,) = read_attempts(tmp_path).scored
    for write in (atif_of, lambda item: inspect_log_of([item])):
        with pytest.raises(TrajectoryError, match="is no id of a task"):
            write(attempt)


def test_nothing_to_write_is_told(tmp_path):
    with pytest.raises(UsageError, match="no scored attempt"):
        write_logs((), tmp_path / "logs", "atif")


def test_the_command_writes_a_folder_and_refuses_one_that_is_there(runs, tmp_path):
    command = [sys.executable, "-m", "simulator.bundle.trajectory_logs", str(runs), "--out", str(tmp_path / "logs")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == sorted(str(file) for file in (tmp_path / "logs").iterdir())
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "not an empty folder" in again.stderr


@pytest.mark.slow
def test_inspect_reads_its_logs_and_shows_them(attempts, tmp_path):
    names = write_logs(attempts, tmp_path / "logs", "inspect")
    asked = {"format": "inspect", "folder": str(tmp_path / "logs")}
    told = ask(venv_with("inspect-ai==0.3.285"), SCRIPT, asked)
    assert told["viewer"] == sorted(names)
    assert {log["task"] for log in told["logs"]} == {"repair-desk"}
    assert {log["status"] for log in told["logs"]} == {"success"}
    assert {log["model"]: log["means"]["reward"] for log in told["logs"]} == means(attempts)
    oracle = next(log for log in told["logs"] if log["model"] == "oracle")
    played = [item for item in attempts if item.trajectory.header["agent"]["name"] == "oracle"]
    samples = {(sample["task"], sample["epoch"]): sample for sample in oracle["samples"]}
    assert len(samples) == len(played)
    for number, attempt in enumerate(played):
        sample = samples[attempt.task, 1 + [item.task for item in played[:number]].count(attempt.task)]
        actions = [line["action"] for line in attempt.trajectory.steps]
        assert sample["input"] == attempt.trajectory.header["task"]["instruction"]
        assert sample["calls"] == [[action["tool"], action["arguments"]] for action in actions]
        assert sample["tools"] == [action["tool"] for action in actions]
        assert sample["roles"][:2] == ["system", "user"]
        assert sample["reward"] == attempt.reward
    clumsy = next(log for log in told["logs"] if log["model"] == "clumsy")
    assert clumsy["samples"][0]["calls"] == [["list_tickets", {"text": "{"}], ["nothing", {}]]


@pytest.mark.slow
def test_harbors_validator_accepts_every_document(attempts, tmp_path):
    names = write_logs(attempts, tmp_path / "logs", "atif")
    asked = {"format": "atif", "folder": str(tmp_path / "logs")}
    told = ask(venv_with("harbor==0.26.0", python="3.12"), SCRIPT, asked)
    assert told["valid"] == dict.fromkeys(sorted(names), True)
