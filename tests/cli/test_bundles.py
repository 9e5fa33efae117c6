"""``export`` and ``bundle check``, as they are typed."""

import json

import pytest

from simulator.cli.bundles import seeds_in
from simulator.errors import UsageError


def test_a_bundle_is_exported_and_checked(run, run_json, desk, tmp_path):
    out = tmp_path / "new" / "desk"
    told = run_json(
        "export", desk, "--target", "gymnasium", "--seeds", "1-2,10000", "--out", out, "--unverified", "--seeds-only"
    )
    assert told["archive"] == f"{out}.zip"
    assert told["manifest"]["unverified"] is True
    assert told["manifest"]["frozen"] is False
    assert [entry["seed"] for entry in told["manifest"]["worlds"]] == [1, 2, 10_000]
    assert "all is as it says" in run("bundle", "check", f"{out}.zip").stdout
    (out / "README.md").write_text("changed")
    shown = run("bundle", "check", out, exits=1).stdout
    assert "README.md" in shown
    assert "1 problem" in shown
    assert run_json("bundle", "check", out, exits=1)["problems"][0]["code"] == "wrong_size"


def test_an_unverified_scenario_needs_the_word(run, desk, tmp_path):
    result = run("export", desk, "--seeds", "1", "--out", tmp_path / "b", exits=2)
    assert "--unverified" in result.stderr
    assert not list(tmp_path.iterdir())


def test_the_report_of_another_scenario_is_refused(run, desk, tmp_path):
    report = tmp_path / "report.json"
    scenario = {"id": "desk", "version": "1.0.0", "title": "Desk", "digest": "sha256:0"}
    told = {"scenario": scenario, "engine": "0.1.0", "seeds": [1], "asked": 1, "tasks": {}, "checks": [], "parts": []}
    report.write_text(json.dumps({"format": "worldwright-verification", "schema": 1, **told}))
    for text, words in (
        (report.read_text(), "digest"),
        ('{"format": "other"}', "no verification report"),
        ("{", "JSON"),
    ):
        report.write_text(text)
        result = run("export", desk, "--seeds", "1", "--out", tmp_path / "b", "--verification", report, exits=2)
        assert words in result.stderr


def test_seeds_are_numbers_and_ranges():
    assert seeds_in("1-3, 10000") == [1, 2, 3, 10_000]
    for wrong in ("", "a", "3-1", "1-", "-1", "1,,2", "0-1000", "1-99999999999"):
        with pytest.raises(UsageError, match="--seeds"):
            seeds_in(wrong)
