"""Lifecycles bind what an agent does to a row."""

from simulator.rules import history_rows


def test_a_step_of_the_lifecycle_is_legal(desk):
    assert desk().act("update ticket set status = 'pending' where id = 1") == []


def test_any_other_step_is_denied_and_the_message_names_what_may_follow(desk):
    (violation,) = desk().act("update ticket set status = 'closed' where id = 3")
    assert (violation.rule, violation.deny, violation.row) == ("lifecycle.ticket", True, '["ticket",[3]]')
    assert violation.message == "A ticket cannot go from `new` to `closed`: from there it can only become `open`."
    assert "A ticket begins as `new`" in violation.sentence


def test_nothing_follows_a_last_state(desk):
    (violation,) = desk().act("update ticket set status = 'open' where id = 2")
    assert violation.message == "A ticket cannot go from `closed` to `open`: nothing follows that state."


def test_a_state_that_is_none_is_no_step(desk):
    (violation,) = desk().act("update ticket set status = 'gone' where id = 1")
    assert violation.message.endswith("it can only become `pending` or `closed`.")


def test_an_illegal_step_can_be_recorded_at_a_price(desk):
    (violation,) = desk(lifecycle={"illegal": "record", "severity": "critical"}).act(
        "update ticket set status = 'closed' where id = 3"
    )
    assert (violation.deny, violation.severity) == (False, "critical")


def test_a_new_row_begins_in_the_start_state(desk):
    columns = "insert into ticket (id, team_id, status, priority, cost)"
    assert desk().act(f"{columns} values (9, 1, 'new', 1, 0)") == []
    (violation,) = desk().act(f"{columns} values (9, 1, 'open', 1, 0)")
    assert violation.message == "A new ticket must begin as `new`, not as `open`."


def test_other_columns_and_deletions_are_free(desk):
    opened = desk()
    assert opened.act("update ticket set priority = 5 where id = 2", "delete from ticket where id = 4") == []


def test_two_updates_in_one_action_are_one_step(desk):
    # What counts is what the action changed in the end: closing by way of `open` is a leap from `new`.
    (violation,) = desk().act(
        "update ticket set status = 'open' where id = 3", "update ticket set status = 'closed' where id = 3"
    )
    assert violation.message.startswith("A ticket cannot go from `new` to `closed`")


def test_history_has_a_row_for_each_transition(desk):
    opened = desk()
    with opened.database.store.record() as recorder:
        changes = opened.write(
            recorder,
            [
                "update ticket set status = 'closed', priority = 1 where id = 1",
                "update ticket set priority = 9 where id = 2",
                "update ticket set status = 'open' where id = 3",
                "insert into ticket (id, team_id, status, priority, cost) values (9, 1, 'new', 1, 0)",
                "delete from ticket where id = 4",
            ],
        )
    assert history_rows(opened.schema, changes) == (
        ("ticket_event", 1, "open", "closed"),
        ("ticket_event", 3, "new", "open"),
    )


def test_a_table_without_a_lifecycle_has_no_history(desk):
    opened = desk()
    with opened.database.store.record() as recorder:
        changes = opened.write(recorder, ["update team set name = 'Sales' where id = 1"])
    assert history_rows(opened.schema, changes) == ()
