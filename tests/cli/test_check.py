"""`check`: every problem with its place, or what the scenario holds."""

import pytest


def test_a_scenario_without_problems_shows_what_it_holds(run, desk):
    shown = run("check", desk, "--no-world").stdout
    assert "no problems" in shown
    assert "A small desk (small-desk 1.2.0)" in shown
    for line in ("2   tables", "3   operations", "1   state rule ", "1   process rule ", "2   task templates"):
        assert line in shown
    assert "get_ticket, list_teams, assign_ticket" in shown


def test_what_only_a_world_shows_is_told_too(run, own_desk):
    shown = run("check", own_desk()).stdout
    assert "broken_at_start" in shown, "the desk's data break a rule before anything is done"
    folder = own_desk("where t.team_id is null", "where t.team_id = 0")
    shown = run("check", folder, exits=2).stdout
    assert "draw_is_empty" in shown


def test_all_problems_are_told_with_place_path_and_suggestion(run, own_desk):
    own_desk('"select id, name, topic from team order by id"', '"select id, nam from team"')
    folder = own_desk("where id = :ticket_id", "where id = :tickt_id")
    shown = run("check", folder, exits=2).stdout
    text = (folder / "scenario.yaml").read_text().splitlines()
    line = next(number for number, words in enumerate(text, 1) if "select id, nam from" in words)
    assert f"{folder}/scenario.yaml:{line}:" in shown
    assert "tools.list_teams.returns.many" in shown
    assert "`name`" in shown, "the nearest name is suggested"
    assert "tickt_id" in shown
    assert "errors" in shown.splitlines()[-1]


def test_json_holds_the_same_problems(run_json, own_desk):
    folder = own_desk('"select id, name, topic from team order by id"', '"select id, nam from team"')
    report = run_json("check", folder, exits=2)
    (problem,) = report["problems"]
    assert (report["errors"], report["warnings"]) == (1, 0)
    assert problem["path"] == "tools.list_teams.returns.many"
    assert problem["file"].endswith("scenario.yaml")
    assert problem["line"] > 1
    assert problem["column"] > 1
    assert report["scenario"]["id"] == "small-desk"


def test_json_of_a_good_scenario_names_its_parts(run_json, desk):
    report = run_json("check", desk, "--no-world")
    assert report["problems"] == []
    assert report["parts"]["tables"] == ["team", "ticket"]
    assert report["scenario"]["digest"].startswith("sha256:")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just text",
        "a: [1, 2",
        "a: &x [*x]",
        "worldwright: 1\nid: x",
        "\x00\x01",
        "[" * 5000,
        "a: &a [l,l]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]",
        "worldwright: 1\nid: a\ntitle: t\nworld: {now: 5, tables: 7}\ntools: []\nrules: x",
    ],
)
def test_whatever_the_text_is_it_ends_in_problems_not_in_a_traceback(run, run_json, tmp_path, text):
    (tmp_path / "scenario.yaml").write_text(text)
    shown = run("check", tmp_path, exits=2).output
    assert "error" in shown
    assert "Traceback" not in shown
    assert run_json("check", tmp_path, exits=2)["scenario"] is None


def test_a_place_that_is_no_scenario_is_told(run, tmp_path):
    assert "ready scenario 'nowhere'" in run("check", "nowhere", exits=2).stderr
    assert "scenario.yaml" in run("check", tmp_path, exits=2).stdout
    (tmp_path / "notes.txt").write_text("x")
    assert "folder" in run("check", tmp_path / "notes.txt", exits=2).stdout
