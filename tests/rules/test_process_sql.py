"""Process rules that need SQL: `where`, and `never` over the actions."""

import json

import pytest

from simulator.errors import EngineFault


def judged(desk, rule, events, **bindings):
    """Steps found action by action, and at the end."""
    opened = desk({"process": {"rule": rule}})
    at_once = []
    for end in range(1, len(events) + 1):
        show(opened, events[:end])
        at_once += opened.rules.judge_process(events[:end], database=opened.database, bindings=bindings)
    (result,) = opened.rules.process_results(events, database=opened.database, bindings=bindings)
    return [violation.step for violation in at_once], result


def show(opened, events):
    opened.database.logs.actions = lambda: [
        (event.step, event.turn, event.tool, json.dumps(event.arguments), "ok" if event.ok else "error", event.code,
         event.result, event.at)
        for event in events
    ]  # fmt: skip


def steps(result):
    return [violation.step for violation in result.violations]


def test_where_picks_the_events_by_their_arguments(desk, actions):
    at_once, result = judged(desk, {"absence": "a", "where": ":k > 5"}, actions("a k=1", "a k=6", "x k=7", "a"))
    assert at_once == steps(result) == [2]


def test_a_missing_argument_is_null(desk, actions):
    at_once, _ = judged(desk, {"absence": "a", "where": ":k is null"}, actions("a k=1", "a"))
    assert at_once == [2]


def test_an_argument_that_was_left_out_is_not_the_tasks_parameter_of_that_name(desk, actions):
    at_once, _ = judged(desk, {"absence": "a", "where": ":k = 1"}, actions("a"), k=1)
    assert at_once == []


def test_who_acts_is_bound(desk, actions):
    at_once, _ = judged(desk, {"absence": "a", "where": ":k <> :actor"}, actions("a k=1", "a k=2"), actor=1)
    assert at_once == [2]


def test_where_is_asked_once_for_each_action(desk, actions):
    events = actions("a k=1", "a k=6", "b k=7")
    opened = desk({"process": {"rule": {"absence": "a", "where": ":k > 5"}}})
    (before,) = opened.rules.process_results(events, database=opened.database, bindings={})
    (after,) = opened.rules.process_results(events, database=None, bindings={})
    assert steps(before) == steps(after) == [2]


def test_where_can_differ_by_tool(desk, actions):
    rule = {"precedence": ["a", "b"], "where": {"b": ":k = 1"}}
    at_once, result = judged(desk, rule, actions("b k=2", "b k=1", "a k=9", "b k=1"))
    assert at_once == steps(result) == [2]
    assert result.activated


def test_lists_are_bound_as_json(desk, actions):
    rule = {"absence": "a", "where": "exists (select 1 from json_each(:k) where value = 3)"}
    at_once, _ = judged(desk, rule, actions("a k=[1,2]", "a k=[3]"))
    assert at_once == [2]


def test_never_is_judged_at_the_end(desk, actions):
    rule = {"never": "select step, tool from action where tool = 'a' and outcome = 'ok'"}
    at_once, result = judged(desk, rule, actions("a", "b", "a !", "a"))
    assert at_once == []
    assert (result.activated, steps(result)) == (True, [1, 4])
    assert result.violations[0].row == '{"step":1,"tool":"a"}'


def test_never_is_not_activated_while_no_row_comes(desk, actions):
    _, result = judged(desk, {"never": "select step from action where tool = 'a'"}, actions("b"))
    assert (result.activated, result.violations) == (False, ())


def test_never_that_denies_judges_the_action_at_hand_and_forgets_what_it_refused(desk, actions):
    rule = {"never": "select step from action where tool = 'a'", "deny": True}
    at_once, result = judged(desk, rule, actions("a !denied", "b", "a"))
    assert at_once == [1, 3]
    assert steps(result) == [3]


def test_never_without_a_step_blames_the_last_action(desk, actions):
    rule = {"never": "select count(*) as calls from action having count(*) > 1", "tell": True}
    at_once, result = judged(desk, rule, actions("a", "b"))
    assert at_once == steps(result) == [2]


def test_sql_needs_a_database(desk, actions):
    opened = desk({"process": {"rule": {"absence": "a", "where": ":k = 1"}}})
    with pytest.raises(EngineFault):
        opened.rules.judge_process(actions("a k=1"), bindings={})
