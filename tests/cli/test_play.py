"""`play`: agents play tasks; what they achieved does not depend on how many processes played."""

import json

import pytest

from simulator import Trajectory


def test_the_table_tells_what_each_agent_achieved(run, desk, tmp_path):
    shown = run("play", desk, "--agent", "oracle,null", "--agent", "random", "--episodes", "8").stdout
    head, _, oracle, interval, null = shown.splitlines()[:5]
    assert head.split() == [
        "agent", "success", "reward", "completion", "process", "efficiency", "penalties", "steps",
    ]  # fmt: skip
    assert oracle.split()[:3] == ["oracle", "100%", "1.00"]
    assert "68–100" in interval, "Wilson's interval of 8 of 8"
    assert null.split()[:2] == ["null", "0%"]
    assert "finished 8" in shown
    assert "\x1b" not in shown


def test_results_and_trajectories_are_equal_for_any_number_of_workers(run_json, desk, tmp_path):
    reports, files = [], []
    for workers in ("1", "2"):
        words = ("--agent", "noisy,random", "--episodes", "40", "--seed", "5")
        report = run_json("play", desk, *words, "--workers", workers, "--out", tmp_path / workers)
        for episode in report["episodes"]:
            episode["trajectory"] = episode["trajectory"].removeprefix(str(tmp_path / workers))
        reports.append(report)
        files.append(
            {file.relative_to(tmp_path / workers): steps_of(file) for file in trajectories(tmp_path / workers)}
        )
    assert reports[0] == reports[1]
    assert files[0] == files[1]
    assert len(files[0]) == 80, "one trajectory an episode, also when a task is played twice"


def test_another_seed_plays_other_episodes(run_json, desk):
    words = ("play", desk, "--agent", "random", "--episodes", "4")
    assert run_json(*words, "--seed", "1")["episodes"] != run_json(*words, "--seed", "2")["episodes"]


def test_few_episodes_see_every_template(run_json, desk):
    report = run_json("play", desk, "--agent", "null", "--episodes", "2")
    assert {episode["template"] for episode in report["episodes"]} == {"route", "count_urgent"}
    assert set(report["agents"][0]["templates"]) == {"route", "count_urgent"}


def test_the_scripted_agent_plays_its_file_on_the_task_asked_for(run, run_json, desk, tmp_path):
    task = next(task for task in run_json("tasks", desk)["tasks"] if task["template"] == "route")
    script = tmp_path / "actions.json"
    script.write_text(json.dumps([{"tool": "list_teams", "arguments": {}}, {"tool": "no_such_tool"}, "nonsense"]))
    words = ("--agent", "scripted", "--script", script, "--task", task["id"], "--episodes", "1", "--out", tmp_path)
    (episode,) = run_json("play", desk, *words)["episodes"]
    assert (episode["task"], episode["ending"]) == (task["id"], "stopped")
    assert episode["verdicts"] == ["ok", "unknown_tool", "malformed"]
    (file,) = trajectories(tmp_path)
    assert str(file) == episode["trajectory"]
    assert Trajectory.load(file).header["agent"]["name"] == "scripted"


def test_mistakes_of_the_kinds_named_are_made(run_json, desk):
    def steps(*words):
        report = run_json("play", desk, "--agent", "oracle,noisy", "--episodes", "6", *words)
        by_agent = {"oracle": [], "noisy": []}
        for episode in report["episodes"]:
            by_agent[episode["agent"]].append(episode["steps"])
        return by_agent

    more = steps("--kinds", "repeat_call", "--mistakes", "2")
    assert more["noisy"] == [number + 2 for number in more["oracle"]]
    none = steps("--mistakes", "0")
    assert none["noisy"] == none["oracle"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--agent", "orcale"), "Did you mean `oracle`?"),
        (("--agent", ","), "oracle, noisy"),
        (("--agent", "scripted"), "--script"),
        (("--agent", "scripted", "--script", "/no/such/file"), "/no/such/file"),
        (("--agent", "noisy", "--kinds", "sabotage"), "skip_read"),
        (("--agent", "null", "--task", "w7/route/0"), "no task"),
        (("--agent", "null", "--task", "w7/route/0", "--split", "test"), "not both"),
        (("--agent", "null", "--episodes", "0"), "--episodes"),
        (("--agent", "null", "--out", "/dev/null/x"), "/dev/null/x"),
        ((), "--agent"),
    ],
)
def test_what_cannot_be_played_is_told(run, desk, words, told):
    assert told in " ".join(run("play", desk, *words, exits=2).stderr.split())


def test_a_scenario_without_tasks_is_told(run):
    tiny = "tests/scenario/fixtures/tiny.yaml"
    assert "no task" in run("play", tiny, "--agent", "null", exits=2).stderr


def trajectories(folder):
    return sorted(folder.rglob("*.jsonl"))


def steps_of(file):
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "wall_ms"} for line in lines]
