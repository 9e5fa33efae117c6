"""Ways out of the score that agents have tried: each is closed."""

import pytest

from tests.episode.desk import altered, begin, call, do, task


def test_answering_and_refusing_at_once_is_a_mistake_that_can_be_mended():
    env = begin("pay_too_much")
    both = do(env, "finish", answer="1", refusal="over_limit")
    assert (both["kind"], both["code"]) == ("bad_arguments", "answer_and_refusal")
    assert do(env, "finish", refusal="over_limit")["ok"]
    assert env.score().success


def test_refusing_loses_a_task_that_is_to_be_done_even_when_it_was_done():
    env = begin("close")
    ticket = task("close").parameters["ticket_id"]
    do(env, "get_ticket", ticket_id=ticket)
    branch = env.fork()
    for episode, how in ((env, {}), (branch, {"refusal": "over_limit"})):
        do(episode, "set_status", ticket_id=ticket, status="closed", resolution="fixed")
        do(episode, "finish", **how)
    assert not branch.score().success
    assert branch.score().total < env.score().total


PART = "json_extract(:text, '$.a') = 1"
LOGGED = "json_extract(json_extract(arguments, '$.text'), '$.a') = 1"


@pytest.mark.parametrize(
    "rule",
    [
        {"existence": "write_note", "where": PART},
        {"response": ["write_note", "get_ticket"], "where": {"write_note": PART}},
        {"never": f"select step from action where tool = 'write_note' and {LOGGED}"},
    ],
)
def test_an_argument_on_which_a_rule_fails_is_no_way_out_of_the_rule(rule):
    def alter(value):
        value["rules"]["process"]["strict"] = {**rule, "severity": "major"}

    made = altered(alter)
    env = begin("close", of=made)
    do(env, "write_note", ticket_id=task("close", of=made).parameters["ticket_id"], text="{bad")
    observation = env.step(call("finish"))[0]
    assert observation["ok"]
    lines = [line for line in env.score().lines if line.name == "process.strict" and line.part == "violation"]
    assert lines
    assert lines[0].points < 0
    assert env.trajectory.footer["ending"] == "finished"


def test_a_call_on_which_a_denying_rule_fails_blocks_nothing_after_it():
    def alter(value):
        never = f"select step from action where tool = 'write_note' and {LOGGED}"
        value["rules"]["process"]["strict"] = {"never": never, "deny": True}

    made = altered(alter)
    env = begin("close", of=made)
    ticket = task("close", of=made).parameters["ticket_id"]
    refused = do(env, "write_note", ticket_id=ticket, text="{bad")
    assert (refused["kind"], refused["code"]) == ("constraint", "not_checkable")
    assert do(env, "get_ticket", ticket_id=ticket)["ok"]
    assert do(env, "finish")["ok"]


def test_waiting_buys_no_other_day_than_the_one_asked_for():
    def alter(value):
        value["tools"]["book"] = {
            "summary": "Book a day.",
            "parameters": {"ticket_id": {"type": "integer"}, "at": {"type": "string", "format": "timestamp"}},
            "effects": ["update ticket set opened_at = :at where id = :ticket_id"],
            "takes": "1m",
        }
        value["tasks"]["book"] = {
            "instruction": "Move ticket {ticket_id} to 10 March, 10 o'clock.",
            "draw": "select id as ticket_id from ticket where status = 'open'",
            "solution": [{"book": {"ticket_id": "{ticket_id}", "at": "2026-03-10 10:00:00"}}],
        }

    made = altered(alter)
    ticket = task("book", of=made).parameters["ticket_id"]
    results = {}
    for at in ("2026-03-10 10:00:00", "2026-03-10T10:00:00Z", "2026-03-10 10:01:00", "2026-03-11 10:00:00"):
        env = begin("book", of=made)
        do(env, "wait", duration="30d")
        do(env, "book", ticket_id=ticket, at=at)
        do(env, "finish")
        results[at] = env.score().success
    assert list(results.values()) == [True, True, False, False], results
