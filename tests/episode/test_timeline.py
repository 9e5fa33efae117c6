import pytest

from tests.episode.desk import altered, begin, call, do, open_tickets

OPEN, OTHER = open_tickets()[-2:]


def lines(env):
    return [item["new"]["line"] for item in env.changes() if item["table"] == "board"]


def test_events_take_effect_in_the_order_of_time_and_then_of_declaration():
    env = begin("close", 1)
    _, _, _, _, info = env.step(call("wait", duration="3h"))
    assert [item["new"]["line"] for item in info["changes"]] == [
        "half past nine", "ten, 2026-03-02 10:00:00", "ten again, 2026-03-02 10:00:00",
    ]  # fmt: skip
    assert {item["source"] for item in info["changes"]} == {"timeline"}


def test_an_event_comes_when_its_time_has_and_before_the_observation():
    env = begin("close", 1)
    do(env, "wait", duration="29m")
    assert lines(env) == []
    _, _, _, _, info = env.step(call("get_ticket", ticket_id=OPEN))  # takes a minute
    assert [item["new"]["line"] for item in info["changes"]] == ["half past nine"]
    do(env, "wait", duration="1m")
    assert lines(env) == ["half past nine"]


def test_an_agents_action_sets_off_what_answers_it_and_that_sets_off_more():
    env = begin("close", 1)
    do(env, "write_note", ticket_id=OPEN, text="no question")
    do(env, "write_note", ticket_id=OTHER, text="works?")  # at 09:05; the answer comes 20 minutes later
    do(env, "wait", duration="14m")
    assert do(env.fork(), "get_ticket", ticket_id=OTHER)["result"]["mails"] == []
    do(env, "wait", duration="1m")
    found = do(env, "get_ticket", ticket_id=OTHER)["result"]
    assert [(mail["body"], mail["sent_at"]) for mail in found["mails"]] == [("answer to works?", "2026-03-02 09:25:00")]
    assert found["status"] == "open", "the mail's arrival reopened the ticket"
    assert do(env, "get_ticket", ticket_id=OPEN)["result"]["status"] == "pending"
    moves = [item["new"] for item in env.changes() if item["table"] == "ticket_event" and item["source"] == "timeline"]
    assert [(move["from_state"], move["to_state"]) for move in moves] == [("pending", "open")]


def test_what_was_rolled_back_sets_off_nothing():
    env = begin("close", 1)
    do(env, "write_note", ticket_id=9999, text="works?")
    do(env, "wait", duration="1h")
    assert not [item for item in env.changes() if item["table"] == "mail"]


def test_an_endless_chain_stops_and_says_so():
    def alter(value):
        value["world"]["timeline"]["echoes"] = {
            "when": {"insert": "board"},
            "where": "new.line <> 'half past nine'",
            "effects": ["insert into board (id, line) values (new_id('board'), 'echo')"],
        }

    env = begin("close", 1, of=altered(alter))
    observation, _, _, _, info = env.step(call("wait", duration="59m"))
    assert (info["flags"], lines(env)) == ([], ["half past nine"])
    observation, _, _, _, info = env.step(call("wait", duration="1m"))
    assert observation["ok"]
    assert info["flags"] == ["timeline_limit"]
    assert len(info["changes"]) == 1000
    assert do(env, "get_ticket", ticket_id=OPEN)["ok"]


def test_a_forked_episode_has_events_of_its_own():
    env = begin("close", 1)
    do(env, "write_note", ticket_id=OPEN, text="works?")
    branch = env.fork()
    do(branch, "wait", duration="1h")
    assert [item for item in branch.changes() if item["table"] == "mail"]
    assert not [item for item in env.changes() if item["table"] == "mail"]
    do(env, "wait", duration="1h")
    assert env.changes() == branch.changes()
    assert env.state_digest == branch.state_digest


@pytest.mark.parametrize("text", ["{", "[", '{"hour": 1}', "plain"])
def test_an_event_whose_condition_cannot_be_computed_on_what_was_written_does_not_come(text):
    def alter(value):
        event = value["world"]["timeline"]["customer_answers"]
        event["where"] = "coalesce(json_extract(new.text, '$.hour'), 0) = 1"

    env = begin("close", 1, of=altered(alter))
    observation, _, _, _, info = env.step(call("write_note", ticket_id=OPEN, text=text))
    assert observation["ok"]
    assert info["flags"] == ([] if text == '{"hour": 1}' else ["timeline_failed:customer_answers"])
    do(env, "wait", duration="1h")
    assert bool([item for item in env.changes() if item["table"] == "mail"]) == (text == '{"hour": 1}')


@pytest.mark.parametrize("body", ["json_extract(:new_text, '$.x')", "cast(unhex(:new_text) as text)"])
@pytest.mark.parametrize("text", ["?", "ff"])
def test_an_event_that_cannot_be_carried_out_leaves_no_trace(body, text):
    def alter(value):
        event = value["world"]["timeline"]["customer_answers"]
        del event["where"]
        event["effects"] = [
            "insert into board (id, line) values (new_id('board'), 'x')",
            f"insert into mail (id, ticket_id, body, sent_at) values (1, :new_ticket_id, {body}, now())",
        ]

    env = begin("close", 1, of=altered(alter))
    do(env, "write_note", ticket_id=OPEN, text=text)
    before = env.state_digest
    _, _, _, _, info = env.step(call("wait", duration="20m"))
    assert info["flags"] == ["timeline_failed:customer_answers"]
    assert env.state_digest == before
    do(env, "wait", duration="2h")
    assert "x" not in lines(env)
    assert [item["key"] for item in env.changes() if item["table"] == "board"] == [[2], [3], [4]]


def test_what_the_world_does_by_itself_is_not_the_agents():
    def alter(value):
        value["world"]["timeline"]["ten"]["effects"] = [
            "update ticket set status = 'closed', resolution = null where id = 1",
            "update ticket set priority = 3",
        ]

    env = begin("close", 1, of=altered(alter))
    number = env.task.parameters["ticket_id"]
    do(env, "wait", duration="2h")
    for tool, arguments in (("get_ticket", {}), ("set_status", {"status": "closed", "resolution": "fixed"})):
        assert do(env, tool, ticket_id=number, **arguments)["ok"]
    env.step(call("finish"))
    score = env.score()
    assert score.success
    assert not [line for line in score.lines if line.part in ("violation", "collateral")]


def test_the_agent_and_the_world_may_make_and_remove_the_same_row_in_turn():
    def alter(value):
        value["world"]["timeline"]["ten"] = {"at": "1h", "effects": ["delete from note where id in (1, 6)"]}
        value["world"]["timeline"]["ten_again"] = {
            "at": "2h", "effects": ["insert into note (id, ticket_id, text, written_at) values (1, 1, 'back', now())"],
        }  # fmt: skip
        value["tools"]["put_note"] = {
            "summary": "Write a note under a number.",
            "parameters": {"note_id": {"type": "integer"}},
            "effects": ["replace into note (id, ticket_id, text, written_at) values (:note_id, 1, 'put', now())"],
        }

    env = begin("close", 1, of=altered(alter))
    assert do(env, "put_note", note_id=6)["ok"]
    assert do(env, "put_note", note_id=1)["ok"]
    do(env, "wait", duration="61m")  # both are gone
    assert do(env, "put_note", note_id=6)["ok"]
    assert do(env, "put_note", note_id=1)["ok"]
    assert do(env, "drop_note", note_id=1)["ok"]
    do(env, "wait", duration="1h")  # 1 is back
    assert do(env, "drop_note", note_id=1)["ok"]
    made = {(item["source"], item["table"], *item["key"]): item["op"] for item in env.changes()}
    assert made["agent", "note", 6] == "insert"
    assert made["agent", "note", 1] == "delete"
    assert made["timeline", "note", 1] == "update", "deleted, and then inserted with other values"


def test_events_that_multiply_stop_within_bounds():
    def alter(value):
        rows = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 100) "
        value["world"]["timeline"]["floods"] = {
            "when": {"insert": "board"},
            "effects": [f"insert into board (id, line) {rows} select 100000 + :new_id * 200 + i, 'flood' from n"],
        }

    env = begin("close", 1, of=altered(alter))
    info = env.step(call("wait", duration="3h"))[4]
    assert "timeline_limit" in info["flags"]
    assert len(set(info["flags"])) == len(info["flags"])
    for _ in range(3):
        assert do(env, "wait", duration="1m")["ok"]
    branch = env.fork()
    do(env, "wait", duration="1m")
    do(branch, "wait", duration="1m")
    assert env.state_digest == branch.state_digest


def test_rows_that_set_off_nothing_are_looked_at_within_bounds():
    def alter(value):
        numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < {}) "
        endless = f"(select count(*) from ({numbers.format(100_000)} select i from n))"
        rows = numbers.format(2000)
        value["world"]["timeline"]["fills"] = {
            "at": "30m", "effects": [f"insert into board (id, line) {rows} select 100000 + i, 'row' from n"],
        }  # fmt: skip
        value["world"]["timeline"]["never"] = {
            "when": {"insert": "board"}, "where": f"{endless} = 1", "effects": ["delete from board"],
        }  # fmt: skip

    env = begin("close", 1, of=altered(alter))
    info = env.step(call("wait", duration="59m"))[4]
    assert "timeline_limit" in info["flags"]
    assert do(env, "get_ticket", ticket_id=OPEN)["ok"]
