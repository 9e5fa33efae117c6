"""`verify`: exit codes, the summary, and evidence that can be replayed."""

import json

import pytest

from simulator.evaluation.verification import VerificationReport

FEW = ("--seeds", "1", "--tasks", "1", "--workers", "1")
SOLUTION = '      - assign_ticket: {ticket_id: "{ticket_id}", team_id: "{team_id}"}\n'


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """No test reads or writes the user's own cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def broken(own_desk):
    """A scenario in which answering `done` is enough."""
    return own_desk(SOLUTION, SOLUTION + "    checks: {said: {answer: {pattern: done}}}\n")


def test_a_sound_scenario_passes(run, desk, tmp_path):
    shown = run("verify", desk, *FEW, "--out", tmp_path / "report.json", "--html", tmp_path / "report.html").stdout
    assert "passed: " in shown
    assert "2 tasks of 2 templates in 1 world" in shown
    report = VerificationReport.from_json(json.loads((tmp_path / "report.json").read_text()))
    assert report.passed
    assert (tmp_path / "report.html").read_text().lower().startswith("<!doctype html>")


def test_a_broken_one_does_not_and_its_evidence_replays(run, broken, tmp_path):
    shown = run("verify", broken, *FEW, "--evidence", tmp_path / "evidence", exits=1).stdout
    assert "not passed: " in shown
    assert "tasks.route" in shown
    assert "floor.anything" in shown
    files = sorted((tmp_path / "evidence").iterdir())
    file = next(file for file in files if "floor.anything" in file.name)
    assert "The same again" in run("replay", file, broken).stdout


def test_json_is_the_report(run_json, broken):
    report = run_json("verify", broken, *FEW, exits=1)
    assert not report["passed"]
    assert VerificationReport.from_json(report).to_json() == report


def test_results_are_kept_unless_told_otherwise(run, desk, cache):
    run("verify", desk, *FEW, "--no-cache")
    assert not cache.exists()
    run("verify", desk, *FEW)
    assert any(cache.rglob("*.json"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--tasks", "some"), "--tasks"),
        (("--tasks", "0"), "--tasks"),
        (("--seeds", "1,x"), "--seeds"),
        (("--seeds", ","), "--seeds"),
        (("--workers", "0"), "--workers"),
    ],
)
def test_a_mistake_in_the_command_has_another_exit_code(run, desk, words, told):
    assert told in run("verify", desk, *words, exits=2).stderr
