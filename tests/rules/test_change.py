"""Change rules see the whole row before and after each change."""

LOWER = {"when": {"update": "ticket.priority"}, "require": "new.priority <= old.priority", "severity": "critical"}
MOVE = "update ticket set priority = priority + 1 where id = 1"


def changes_judged(desk, rule, *statements):
    return desk({"change": {"rule": rule}}).act(*statements)


def test_a_change_that_meets_the_condition_is_fine(desk):
    assert changes_judged(desk, LOWER, "update ticket set priority = 1 where id = 1") == []


def test_a_change_that_does_not_is_a_violation_of_that_row(desk):
    (violation,) = changes_judged(desk, LOWER, MOVE)
    assert (violation.rule, violation.row, violation.severity) == ("change.rule", '["ticket",[1]]', "critical")
    assert "ticket 1, priority from 2 to 3" in violation.sentence


def test_each_row_is_judged(desk):
    found = changes_judged(desk, LOWER, "update ticket set priority = priority + 1 where id in (1, 3)")
    assert [violation.row for violation in found] == ['["ticket",[1]]', '["ticket",[3]]']


def test_an_update_of_another_column_does_not_trigger_it(desk):
    assert changes_judged(desk, LOWER, "update ticket set cost = 1 where id = 1") == []


def test_an_update_to_the_same_value_does_not_trigger_it(desk):
    never = {"when": {"update": "ticket.priority"}, "require": "false"}
    assert changes_judged(desk, never, "update ticket set priority = priority, cost = 1 where id = 1") == []


def test_a_table_watched_as_a_whole_is_triggered_by_any_column(desk):
    never = {"when": {"update": "ticket"}, "require": "false"}
    assert len(changes_judged(desk, never, "update ticket set cost = 1 where id = 1")) == 1


def test_columns_that_did_not_change_can_be_read(desk):
    rule = {"when": {"update": "ticket.priority"}, "require": "old.team_id = new.team_id and new.team_id = 2"}
    assert len(changes_judged(desk, rule, MOVE)) == 1
    assert changes_judged(desk, rule, "update ticket set priority = 7 where id = 3") == []


def test_a_new_row_has_no_old_values(desk):
    rule = {"when": {"insert": "shift"}, "require": "old.hours is null and new.hours <= 8"}
    assert changes_judged(desk, rule, "insert into shift values (1, 'tue', 8)") == []
    (violation,) = changes_judged(desk, rule, "insert into shift values (1, 'tue', 9)")
    assert violation.row == '["shift",[1,"tue"]]'


def test_a_deleted_row_has_no_new_values(desk):
    rule = {"when": {"delete": "shift"}, "require": "new.hours is null and old.hours = 0"}
    assert len(changes_judged(desk, rule, "delete from shift")) == 1


def test_replacing_a_row_is_an_update(desk):
    rule = {"when": {"update": "shift.hours"}, "require": "new.hours <= old.hours"}
    assert len(changes_judged(desk, rule, "insert or replace into shift values (1, 'mon', 12)")) == 1


def test_null_does_not_hold(desk):
    rule = {"when": {"update": "ticket.priority"}, "require": "new.resolution <> 'x'"}
    assert len(changes_judged(desk, rule, MOVE)) == 1


def test_a_message_names_old_and_new_values(desk):
    rule = {**LOWER, "message": "Ticket {id} must not go from {old_priority} to {priority}."}
    (violation,) = changes_judged(desk, rule, MOVE)
    assert violation.message == "Ticket 1 must not go from 2 to 3."


def test_a_rule_without_words_tells_the_agent_its_name_and_no_sql(desk):
    (violation,) = changes_judged(desk, LOWER, MOVE)
    assert violation.message == "That is against the rule `rule`."


def test_a_parameter_of_another_task_is_null(desk):
    rule = {"when": {"update": "ticket.priority"}, "require": ":manager is not null"}
    assert len(changes_judged(desk, rule, MOVE)) == 1
