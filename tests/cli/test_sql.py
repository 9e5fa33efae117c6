"""`sql`: a statement explained, in any dialect, for any role, and nothing of it kept."""

import json

import pytest
from typer.testing import CliRunner

from simulator.cli.application import app

ONE = """tools:
  run_sql:
    sql:
      dialect: sqlite
      grants:
        team: {select: "*", update: [topic], roles: [clerk]}
        ticket: {select: [id, team_id, urgent], update: [team_id], where: "team_id = 2 or :actor = 1", roles: [clerk]}
"""
TWO = """  ask:
    sql:
      dialect: postgres
      grants:
        team: {select: [id, name]}
"""


@pytest.fixture
def sql_desk(own_desk):
    """A desk with one SQL tool that is open to one role."""
    own_desk("clerk: {summary: Routes tickets.}", "clerk: {summary: Routes tickets., actor: 'select 1'}")
    return own_desk("tools:\n", ONE)


def test_a_query_shows_verdict_reads_work_and_rows(run, sql_desk):
    lines = run("sql", sql_desk, "select name, id from team order by id").stdout.splitlines()
    assert lines[0] == "ok"
    facts = dict(line.split(maxsplit=1) for line in lines[2:5])
    assert facts == {
        "asked": "run_sql in SQLite, as clerk, :actor 1",
        "reads": "team.id, team.name",
        "work": "under 1,000 of 2,000,000 steps of the database",
    }
    assert [line.split() for line in lines[-5:]] == [
        ["Billing", "1"], ["Network", "2"], ["Accounts", "3"], [], ["3", "rows"],
    ]  # fmt: skip


def test_work_is_told_in_full_when_it_is_much(run_json, sql_desk):
    told = run_json("sql", sql_desk, "select count(*) from ticket a, ticket b, ticket c")
    assert 64_000 < told["work"]["used"] < told["work"]["limit"] == 2_000_000


def test_a_write_shows_every_change_before_and_after_and_keeps_none(run, run_json, sql_desk):
    statement = "update team set topic = 'x' where id < 3"
    lines = [line.split() for line in run("sql", sql_desk, statement).stdout.splitlines()]
    assert ["writes", "update", "team.topic"] in lines
    assert lines[-4:-2] == [
        ["team", "1", "update", "topic", "invoice", "x"],
        ["team", "2", "update", "topic", "outage", "x"],
    ]
    assert " ".join(lines[-1]) == "2 rows would change; nothing was kept"
    told = run_json("sql", sql_desk, statement)
    assert told["changes"][0] == {
        "table": "team", "op": "update", "key": [1], "old": {"topic": "invoice"}, "new": {"topic": "x"},
    }  # fmt: skip
    assert told["writes"] == ["update team.topic"]
    topics = run_json("sql", sql_desk, "select topic from team order by id")["result"]["rows"]
    assert topics == [["invoice"], ["outage"], ["login"]]


def test_a_wrong_column_is_shown_in_its_place_with_what_was_meant(run, sql_desk):
    shown = run("sql", sql_desk, "select id,\n\tnmae\nfrom team", exits=1).stdout
    lines = shown.splitlines()
    assert lines[0].startswith("sql_unknown_name (400)")
    assert "Did you mean `name`?" in lines[0]
    place = next(index for index, line in enumerate(lines) if "nmae" in line and index)
    assert lines[place + 1].index("^") == lines[place].index("nmae")


def test_the_page_shows_what_is_printed(run, sql_desk, root):
    shown = run("sql", sql_desk, "select id, nmae from team", exits=1).stdout
    assert f"```\n{shown}```" in (root / "docs/cli.md").read_text()


def test_a_refusal_is_an_exit_code_and_a_verdict_in_json(run_json, sql_desk):
    told = run_json("sql", sql_desk, "delete from team", exits=1)
    assert told["verdict"]["kind"] == "sql_forbidden"
    assert told["result"] is None
    assert told["changes"] == []


def test_a_statement_in_another_dialect_shows_its_translation(run, run_json, sql_desk):
    statement = "select name from team where name ilike 'b%' and id = any(array[1, 2])"
    assert run_json("sql", sql_desk, statement, exits=1)["dialect"] == "sqlite"
    told = run_json("sql", sql_desk, statement, "--dialect", "postgres")
    assert told["result"]["rows"] == [["Billing"]]
    assert told["translated"] != statement
    assert "for SQLite" in run("sql", sql_desk, statement, "--dialect", "postgres").stdout
    assert "Did you mean `postgres`?" in run("sql", sql_desk, "select 1", "--dialect", "postgre", exits=2).stderr


def test_the_statement_can_come_from_standard_input(sql_desk, monkeypatch):
    result = CliRunner().invoke(app, ["sql", str(sql_desk), "-", "--json"], input="select count(*) from team;\n")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["result"]["rows"] == [[3]]


def test_a_task_gives_role_actor_and_state(run_json, sql_desk):
    task = run_json("tasks", sql_desk)["tasks"][0]
    told = run_json("sql", sql_desk, "select count(*) from ticket", "--task", task["id"])
    assert (told["role"], told["actor"], told["task"]) == ("clerk", 1, task["id"])
    assert told["result"]["rows"] == [[40]]


def test_tools_and_roles_must_be_chosen_where_there_are_several(run, run_json, sql_desk, own_desk):
    own_desk("  clerk: {", "  boss: {summary: Leads.}\n  clerk: {")
    own_desk("tools:\n", f"tools:\n{TWO}")
    assert "--tool: ask, run_sql" in run("sql", sql_desk, "select 1", exits=2).stderr
    assert "--role: boss, clerk" in run("sql", sql_desk, "select 1", "--tool", "ask", exits=2).stderr
    told = run_json("sql", sql_desk, "select 1 as one", "--tool", "ask", "--role", "boss")
    assert (told["tool"], told["dialect"], told["role"]) == ("ask", "postgres", "boss")
    assert "open to clerk" in run("sql", sql_desk, "select 1", "--tool", "run_sql", "--role", "boss", exits=2).stderr
    assert "Did you mean `run_sql`?" in run("sql", sql_desk, "select 1", "--tool", "run_sq", exits=2).stderr


def test_a_scenario_without_an_sql_tool_is_told_what_to_declare(run, desk):
    told = run("sql", desk, "select 1", exits=2).stderr
    assert "no SQL tool" in told
    assert 'team: {select: "*"}' in told


def test_control_characters_of_a_statement_do_not_reach_the_terminal(run, sql_desk):
    shown = run("sql", sql_desk, "select '\x1b[31m' as \"a\x1bb\", nmae from team", exits=1).stdout
    assert "\x1b" not in shown
