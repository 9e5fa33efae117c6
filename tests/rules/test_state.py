"""State rules: what the agent brought about, and nothing that was there before."""

import pytest

from simulator.errors import ScenarioError
from simulator.rules import RuleBook

RESOLVED = "select id from ticket where status = 'closed' and resolution is null"
CLOSE = "update ticket set status = 'closed' where id = 1"
BUSY = "select team_id, count(*) as tickets from ticket where status <> 'closed' group by team_id having count(*) > 1"
MOVE = "update ticket set team_id = 1 where id = 3"  # team 1 then has two open tickets


def with_rule(desk, never, **rule):
    views = rule.pop("views", None)
    return desk({"state": {"rule": {"never": never, **rule}}}, views=views)


def rows(violations):
    return [violation.row for violation in violations]


def test_a_row_that_comes_to_break_the_rule_is_found_at_once(desk):
    (violation,) = with_rule(desk, RESOLVED).act(CLOSE)
    assert (violation.rule, violation.row, violation.severity, violation.step) == (
        "state.rule", '["ticket",[1]]', "major", 1,
    )  # fmt: skip
    assert violation.sentence.endswith("Not kept: a row with id 1.")


def test_a_row_that_broke_it_before_is_not_the_agents(desk):
    opened = with_rule(desk, RESOLVED, deny=True)
    assert opened.act("update ticket set priority = 1 where id = 2") == []


def test_a_row_that_was_mended_and_broken_again_is(desk):
    opened = with_rule(desk, RESOLVED)
    assert opened.act("update ticket set resolution = 'x' where id = 2") == []
    assert rows(opened.act("update ticket set resolution = null where id = 2")) == ['["ticket",[2]]']


def test_a_new_row_is_judged_and_a_deleted_one_is_not(desk):
    opened = with_rule(desk, "select * from shift as s where s.hours > 8")
    assert rows(opened.act("insert into shift values (2, 'mon', 9)")) == ['["shift",[2,"mon"]]']
    assert opened.act("delete from shift") == []


def test_a_rule_by_row_compares_old_values_as_their_columns_do(desk):
    # A text column compared with a number: the number becomes text, in the table and in the old row alike.
    opened = with_rule(desk, "select id from ticket where resolution = 7")
    assert len(opened.act("update ticket set resolution = '7' where id = 1")) == 1
    assert opened.act("update ticket set priority = 9 where id = 1") == []


def test_a_table_that_did_not_change_is_not_looked_at(desk):
    opened = with_rule(desk, "select 1 as one from team where 1 / 0 is null", deny=True)
    assert opened.act(CLOSE) == []


def test_a_rule_over_many_rows_is_judged_at_the_end(desk):
    opened = with_rule(desk, BUSY)
    assert opened.act(MOVE) == []
    (violation,) = opened.at_the_end()
    assert violation.row == '{"team_id":1,"tickets":2}'


def test_a_rule_over_many_rows_that_denies_is_judged_at_each_step(desk):
    opened = with_rule(desk, BUSY, deny=True)
    (violation,) = opened.act(MOVE)
    assert violation.deny
    assert opened.at_the_end() == []


def test_a_rule_over_many_rows_that_tells_is_judged_at_each_step(desk):
    (violation,) = with_rule(desk, BUSY, tell=True).act(MOVE)
    assert (violation.deny, violation.tell) == (False, True)


@pytest.mark.parametrize(
    "never",
    [
        "select min(id) as first from ticket where status = 'closed'",
        "with t as (select * from ticket) select id from t where status = 'closed' and resolution is null",
        "select id from closed_ticket where resolution is null",
        "select t.id from ticket t join team m on m.id = t.team_id where t.resolution is null and t.status = 'closed'",
        "select distinct resolution from ticket",
        "select id from ticket where status in (select 'closed') and resolution is null",
        "select id from ticket where id in (select value from json_each('[2, 4]'))",
    ],
)
def test_what_a_query_returned_at_the_start_is_not_the_agents(desk, never):
    views = {"closed_ticket": "select * from ticket where status = 'closed'"}
    opened = with_rule(desk, never, views=views, deny=True)
    assert opened.act("update ticket set priority = 9 where id = 2") == []


@pytest.mark.parametrize(
    "never",
    [
        "select id from closed_ticket where resolution is null",
        "with ticket as (select * from closed_ticket) select id from ticket where resolution is null",
        "select t.id from ticket t join team m on m.id = t.team_id where t.resolution is null and t.status = 'closed'",
        "select t.id from ticket t join before.ticket b using (id) where t.status = 'closed' and b.status <> 'closed'",
    ],
)
def test_what_it_did_not_return_at_the_start_is(desk, never):
    views = {"closed_ticket": "select * from ticket where status = 'closed'"}
    opened = with_rule(desk, never, views=views, deny=True)
    assert rows(opened.act(CLOSE)) == ['{"id":1}']


def test_a_query_whose_tables_cannot_be_told_is_asked_at_the_start(desk):
    # `in ticket_id` reads a view by its name alone.
    views = {"unresolved": "select id from ticket where resolution is null and status = 'closed'"}
    opened = with_rule(desk, "select id from ticket where id in unresolved", views=views, deny=True)
    assert opened.act("update ticket set priority = 9 where id = 2") == []
    assert rows(opened.act(CLOSE)) == ['{"id":1}']


def test_what_the_world_did_is_not_the_agents(desk):
    opened = with_rule(desk, BUSY, deny=True)
    opened.world_acts(MOVE)
    assert opened.act("update ticket set priority = 9 where id = 3") == []


def test_a_single_row_broken_by_the_world_is_not_the_agents(desk):
    opened = with_rule(desk, RESOLVED, deny=True)
    opened.world_acts(CLOSE)
    assert opened.act("update ticket set priority = 9 where id = 1") == []


def test_a_baseline_can_be_shared_and_excuses_only_in_the_copy(desk):
    opened = with_rule(desk, BUSY, deny=True)
    shared = opened.baseline
    opened.world_acts(MOVE)
    assert shared.excused == frozenset()
    assert opened.baseline.excused


def test_a_rule_over_the_log_of_changes_is_judged_on_what_the_agent_did(desk):
    opened = with_rule(desk, "select step from change where table_name = 'ticket' and column_name = 'cost'")
    opened.database.logs.changes = lambda: [(1, "agent", "ticket", "[1]", "update", "cost", 10.5, 3)]
    assert rows(opened.at_the_end()) == ['{"step":1}']


def test_a_message_is_filled_from_the_row(desk):
    (violation,) = with_rule(desk, RESOLVED, message="Ticket {id} needs a resolution.", deny=True).act(CLOSE)
    assert violation.message == "Ticket 1 needs a resolution."


def test_rules_with_wrong_sql_are_all_the_authors_problem(desk):
    opened = desk()
    document = opened.database.world.scenario.document.model_copy(
        update={"rules": type(opened.database.world.scenario.document.rules).model_validate(
            {"state": {"rule": {"never": "select nothing from ticket"}}}
        )}
    )  # fmt: skip
    twin_analyse = opened.analyse
    with pytest.raises(ScenarioError) as error:
        RuleBook(document, opened.schema, twin_analyse)
    assert error.value.problems[0].path == "rules.state.rule.never"
