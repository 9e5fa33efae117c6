"""`replay`: the same again, or the first thing that is not."""

import json
import os

import pytest


@pytest.fixture
def recorded(run, desk, tmp_path):
    """A trajectory's file, and a way to tamper with its lines."""
    run("play", desk, "--agent", "oracle", "--episodes", "1", "--out", tmp_path / "played")
    (file,) = (tmp_path / "played").rglob("*.jsonl")

    def tampered(change=lambda lines: None):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        change(lines)
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return file

    return tampered


def test_an_untouched_trajectory_comes_out_the_same(run, run_json, desk, recorded):
    assert "The same again: 4 steps" in run("replay", recorded(), desk).stdout
    assert run_json("replay", recorded(), desk) == {
        "same": True,
        "steps": 4,
        "unfinished": None,
        "drift": [],
        "difference": None,
    }


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines.pop(), "cut off after step 4"),
        (lambda lines: lines.__delitem__(slice(3, None)), "cut off after step 2"),
        (lambda lines: lines.__delitem__(slice(1, None)), "cut off before the first step"),
        (lambda lines: (lines.pop(-2), lines[-1].update(ending="invalid", reason="it broke")), "it broke"),
    ],
)
def test_a_record_that_breaks_off_is_not_the_same(run, run_json, desk, recorded, change, told):
    file = recorded(change)
    shown = " ".join(run("replay", file, desk, exits=1).stdout.split())
    assert told in shown
    assert "The same again" not in shown
    found = run_json("replay", file, desk, exits=1)
    assert not found["same"]
    assert told in found["unfinished"]
    assert found["difference"] is None


def test_a_footer_made_invalid_after_the_end_differs(run_json, desk, recorded):
    found = run_json("replay", recorded(lambda lines: lines[-1].update(ending="invalid")), desk, exits=1)
    assert found["difference"]["place"] == "ending"


@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "missing", "loop"])
def test_only_a_regular_file_is_read(run, desk, tmp_path, kind):
    path = tmp_path / "odd.jsonl"
    if kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    for words in (
        ("replay", path, desk),
        ("play", desk, "--agent", "scripted", "--script", path),
        ("import-rows", desk, "extra", path),
    ):
        told = run(*words, exits=2)
        assert "odd.jsonl" in told.stdout + told.stderr


def test_the_first_differing_step_is_told(run, run_json, desk, recorded):
    def change(lines):
        lines[2]["observation"]["result"] = "\x1b[31m other \u202e \ud800"
        lines[3]["reward"] = 17

    shown = run("replay", recorded(change), desk, exits=1).stdout
    assert "at step 2, observation.result" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert run_json("replay", recorded(), desk, exits=1)["difference"]["step"] == 2


def test_another_version_of_the_scenario_is_drift(run, run_json, own_desk, recorded):
    own_desk("version: 1.2.0", "version: 1.3.0")
    folder = own_desk("summary: All teams.", "summary: Every team.")
    shown = run("replay", recorded(), folder, exits=1).stdout
    assert "drift: scenario small-desk 1.2.0 is now small-desk 1.3.0" in shown
    assert "may come from there" in shown
    report = run_json("replay", recorded(), folder, exits=1)
    assert report["drift"]
    assert report["difference"]["place"].startswith("tools")


def test_without_a_scenario_the_ready_ones_are_searched(run, recorded):
    assert "'small-desk'" in run("replay", recorded(), exits=2).stderr


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[0].update(world=[1]),
        lambda lines: lines[0].update(world={"seed": 7, "scale": 1e300}),
        lambda lines: lines[0].update(world={"seed": 7, "scale": 10**400}),
        lambda lines: lines[0].update(world={"seed": True, "scale": 1.0}),
        lambda lines: lines[0].update(world={"seed": -1, "scale": 1.0}),
        lambda lines: lines[0].update(world={"seed": 7, "scale": 90_000.0}),
        lambda lines: lines[0].update(scenario={"id": None}),
        lambda lines: lines[0].update(task="x"),
        lambda lines: lines[0].update(task={"id": "../../etc/passwd"}),
        lambda lines: lines[0].update(reset_seed="many"),
        lambda lines: lines[0].update(schema=99),
        lambda lines: lines[1].pop("action"),
        lambda lines: lines[1].update(turn="x", verdict=7, call_id=[1], raw={}),
        lambda lines: lines.pop(0),
        lambda lines: lines.clear(),
    ],
)
def test_a_file_that_says_nothing_sensible_is_told(run, own_desk, recorded, change):
    folder = own_desk("rows: 40", "rows: 40000")
    result = run("replay", recorded(change), folder, exits=2)
    assert result.stdout == ""
    assert "bug" not in result.stderr


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{}", b"[" * 100_000, b'{"type": NaN}', b"\n\n\n"])
def test_a_file_that_is_no_trajectory_is_told_by_its_name(run, tmp_path, content):
    file = tmp_path / "odd.jsonl"
    file.write_bytes(content)
    told = "".join(run("replay", file, exits=2).stderr.split())
    assert "odd.jsonl" in told
    assert "bug" not in told


def test_a_step_that_contradicts_itself_is_told(run, desk, recorded):
    def change(lines):
        lines[1].update(action={"unreadable": 1, "tool": {}}, observation={"a": [[[]]]})

    assert "step 1" in run("replay", recorded(change), desk, exits=2).stderr
