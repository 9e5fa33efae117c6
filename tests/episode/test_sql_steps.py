"""Steps that run the agent's own SQL: rules, lifecycles, histories and time hold for them as for operations."""

from functools import cache

import pytest

from simulator import Environment, replay
from tests.episode.desk import altered, begin, call, do, task

GRANTS = {
    "ticket": {"select": "*", "update": ["status", "resolution", "priority", "team_id"]},
    "team": {"select": "*"},
    "note": {"select": "*", "insert": "*", "delete": True, "roles": ["clerk"]},
    "ticket_event": {"select": "*"},
    "ticket_view": {"select": ["id", "customer"]},
}


def with_sql(value):
    value["tools"]["run_sql"] = {"sql": {"grants": GRANTS, "limits": {"affected": 60}}, "takes": "2m"}
    value["rules"]["process"]["teams_are_read_before_tickets_change"] = {
        "precedence": [{"reads": "team"}, {"writes": "ticket.resolution"}], "deny": True, "message": "Look first.",
    }  # fmt: skip
    value["rules"]["process"]["teams_are_not_touched"] = {"absence": {"writes": "ticket.team_id"}, "tell": True}
    value["tasks"]["close"]["limits"] = {"steps": 12}


@cache
def world():
    return altered(with_sql)


@pytest.fixture
def env():
    return begin("close", of=world())


def sql(env, text):
    return do(env, "run_sql", sql=text)


def number(env):
    """The ticket of the task."""
    return sql(env, "select id from ticket where status = 'open' order by id limit 1")["result"]["rows"][0][0]


def test_a_query_gives_columns_and_rows_and_takes_its_time(env):
    seen = sql(env, "select id, status from ticket where id = 1")
    assert seen["ok"]
    assert seen["result"]["columns"] == ["id", "status"]
    assert seen["now"] == "2026-03-02 09:02:00"
    assert len(env.trajectory.steps) == 1


def test_a_write_is_seen_by_operations_and_kept_in_the_history(env):
    ticket = number(env)
    sql(env, "select * from team")
    seen = sql(env, f"update ticket set status = 'closed', resolution = 'fixed' where id = {ticket} returning status")
    assert seen["result"] == {"changed": 1, "columns": ["status"], "rows": [["closed"]]}
    assert do(env, "get_ticket", ticket_id=ticket)["result"]["status"] == "closed"
    events = sql(env, f"select from_state, to_state, at from ticket_event where ticket_id = {ticket} order by id desc")
    assert events["result"]["rows"][0] == ["open", "closed", "2026-03-02 09:04:00"]


def test_a_state_rule_a_change_rule_and_a_lifecycle_deny_sql(env):
    ticket = number(env)
    before = env.state_digest
    closing = sql(env, f"update ticket set status = 'closed', resolution = null where id = {ticket}")
    assert (closing["kind"], closing["code"]) == ("rule_denied", "state.closed_has_resolution")
    jumping = sql(env, f"update ticket set status = 'new' where id = {ticket}")
    assert (jumping["kind"], jumping["code"]) == ("rule_denied", "lifecycle.ticket")
    lowering = sql(env, f"update ticket set priority = priority + 1 where id = {ticket}")
    assert (lowering["kind"], lowering["code"]) == ("rule_denied", "change.priority_is_not_lowered")
    assert env.state_digest == before


def test_a_process_rule_sees_what_sql_reads_and_writes(env):
    ticket = number(env)
    change = f"update ticket set resolution = 'explained' where id = {ticket}"
    blind = sql(env, change)
    assert (blind["kind"], blind["code"]) == ("rule_denied", "process.teams_are_read_before_tickets_change")
    assert sql(env, "select count(*) from team")["ok"]
    assert sql(env, change)["ok"]
    assert sql(env, f"update ticket set team_id = team_id % 3 + 1 where id = {ticket}")["ok"]
    rules = [item["rule"] for item in env.trajectory.steps[-1]["violations"]]
    assert "process.teams_are_not_touched" in rules


def test_an_error_changes_nothing_and_takes_no_time(env):
    before = env.state_digest
    for text in ("update tickets set status = 'x'", "drop table ticket", "selct", "insert into team values (9, 'x')"):
        assert not sql(env, text)["ok"]
    assert env.state_digest == before
    assert sql(env, "select 1")["now"] == "2026-03-02 09:02:00"


def test_sql_beyond_the_task_is_collateral_damage(env):
    ticket = number(env)
    do(env, "get_ticket", ticket_id=ticket)
    sql(env, "delete from note where id <> 500")
    target = env.trajectory.header["task"]["instruction"].split("ticket ")[1].split(":")[0]
    sql(env, f"update ticket set status = 'closed', resolution = 'fixed' where id = {target}")
    env.step(call("finish"))
    score = env.score()
    assert not score.success
    assert any("note" in line.text for line in score.lines if line.part == "collateral" or "collateral" in line.name)


def test_flags_tell_of_a_write_without_a_where(env):
    number(env)
    *_, information = env.step(call("run_sql", sql="update ticket set priority = 1"))
    assert "no_where" in env.trajectory.steps[-1]["flags"]
    assert information["step"] == 2


def test_a_role_sees_its_own_grants():
    clerk = begin("close", of=world())
    assert sql(clerk, "select count(*) from note")["ok"]
    nobody = Environment(world())
    observation, _ = nobody.reset(task=task("pay_back", of=world()))
    described = next(tool for tool in observation["tools"] if tool["function"]["name"] == "run_sql")
    assert "note(" not in described["function"]["description"]
    assert do(nobody, "run_sql", sql="select count(*) from note")["kind"] == "sql_unknown_name"


def test_arguments_are_read_as_those_of_any_tool(env):
    assert do(env, "run_sql")["kind"] == "bad_arguments"
    assert do(env, "run_sql", sql=5)["kind"] == "bad_arguments"
    assert do(env, "run_sql", query="select 1")["kind"] == "bad_arguments"
    assert do(env, "run_sql", sql="")["kind"] == "sql_syntax"


def test_forks_do_not_see_each_others_writes(env):
    ticket = number(env)
    fork = env.fork()
    sql(env, f"update ticket set status = 'pending' where id = {ticket}")
    assert sql(fork, f"select status from ticket where id = {ticket}")["result"]["rows"] == [["open"]]
    assert sql(env, f"select status from ticket where id = {ticket}")["result"]["rows"] == [["pending"]]


def test_a_long_result_is_cut_to_an_observation(env):
    seen = sql(env, "select a.*, b.* from ticket a, ticket b")
    assert seen["ok"]
    assert seen["result"]["truncated"] is True
    assert len(seen["result"]["rows"]) < 200


def test_an_episode_of_sql_replays():
    env = begin("close", of=world())
    ticket = number(env)
    sql(env, f"update ticket set status = 'pending' where id = {ticket}")
    sql(env, "update ticket set priority = 1")
    sql(env, "select * from ticket where opened_at > '2026-02-01T00:00Z'")
    sql(env, "select * from nowhere")
    env.step(call("finish"))
    assert replay(env.trajectory, world()).same


def test_a_row_filter_shows_and_lends_an_actor_only_the_rows_that_are_its_own():
    def alter(value):
        grant = {"select": "*", "update": ["priority", "team_id"], "where": "team_id = :actor"}
        value["tools"]["run_sql"] = {"sql": {"grants": {"ticket": grant}}}
        value["tasks"]["close"]["as"] = {"role": "clerk", "actor": 2}

    env = begin("close", of=altered(alter))
    assert sql(env, "select distinct team_id from ticket")["result"]["rows"] == [[2]]
    changed = sql(env, "update ticket set priority = 1")
    touched = {tuple(item["key"]) for item in env.changes()}
    own = {(row[0],) for row in sql(env, "select id from ticket")["result"]["rows"]}
    assert changed["ok"]
    assert touched
    assert touched <= own
    before = env.state_digest
    assert sql(env, "update ticket set team_id = 1")["code"] == "row_not_granted", "a row cannot be given away"
    assert env.state_digest == before
