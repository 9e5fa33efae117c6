"""What becomes of one action: verdicts, rollback, rules, idempotency, results."""

import json

import pytest

from tests.episode.desk import altered, begin, call, do, open_tickets, task, trace, world

OPEN, OTHER = open_tickets()[-2:]


def outcome(env, tool, **arguments):
    observation, *_ = env.step(call(tool, **arguments))
    return observation["kind"], observation["code"]


def silent(env):
    """What must be as before when an action was rolled back: data, changes, keys, clock, history."""
    state = env.snapshot()
    return env.state_digest, env.changes(), dict(state.issued), state.now, state.changes, state.replies


@pytest.mark.parametrize(
    ("action", "kind", "code"),
    [
        (call("write_note", ticket_id=9999, text="x"), "guard", "no_ticket"),
        (call("refund", ticket_id=OPEN, amount=499, request="r"), "guard", "more_than_paid"),
        (call("set_priority", ticket_id=OPEN, priority=3), "rule_denied", "change.priority_is_not_lowered"),
        (call("set_status", ticket_id=OPEN, status="closed"), "rule_denied", "state.closed_has_resolution"),
        (call("set_status", ticket_id=OPEN, status="new"), "rule_denied", "lifecycle.ticket"),
        (call("write_note", ticket_id=OPEN), "bad_arguments", None),
        (call("write_notes", ticket_id=OPEN, text="x"), "unknown_tool", "unknown_tool"),
        (call("merge_tickets", into=OPEN, others=["1"]), "bad_arguments", None),
        (call("wait", duration="never"), "bad_arguments", "bad_duration"),
        ({"tool": "write_note", "arguments": "{"}, "malformed", "bad_json"),
        ("write a note", "malformed", "not_an_object"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_action_that_fails_leaves_no_trace_but_itself(action, kind, code):
    env = begin("close", 1)
    do(env, "set_priority", ticket_id=OPEN, priority=1)
    do(env, "write_note", ticket_id=OTHER, text="before")
    before = silent(env)
    observation, reward, _, _, info = env.step(action)
    assert (observation["kind"], observation["result"], reward) == (kind, None, 0.0)
    assert code in (None, observation["code"])
    assert info["changes"] == []
    assert silent(env) == before
    other = begin("close", 1)
    do(other, "set_priority", ticket_id=OPEN, priority=1)
    do(other, "write_note", ticket_id=OTHER, text="before")
    for one in (env, other):
        do(one, "write_note", ticket_id=OTHER, text="after")
    later = [{**item, "step": item["step"] - (item["step"] == 4)} for item in env.changes()]
    assert later == other.changes()
    assert env.state_digest == other.state_digest


def test_messages_name_what_went_wrong_with_the_agents_values():
    env = begin("close", 1)
    assert do(env, "get_ticket", ticket_id=9999)["message"] == "There is no ticket 9999."
    refused = do(env, "refund", ticket_id=OPEN, amount=499, request="r")
    assert refused["message"].startswith("Only ")
    assert refused["message"].endswith(f"was paid for ticket {OPEN}.")
    closed = do(env, "list_tickets", status="closed")["result"]["items"][0]["id"]
    told = do(env, "write_note", ticket_id=closed, text="x" * 4000)
    assert (told["status"], told["code"]) == (409, "closed")
    assert len(told["message"]) < 300
    assert do(env, "merge_tickets", into=OPEN, others=[OTHER, closed])["message"] == f"Ticket {closed} is closed."


def test_effects_with_conditions_and_repetitions_are_one_change():
    env = begin("close", 1)
    first = do(env, "write_note", ticket_id=OPEN, text="one")["result"]["id"]
    second = do(env, "write_note", ticket_id=OTHER, text="two")["result"]["id"]
    assert do(env, "get_ticket", ticket_id=OPEN)["result"]["status"] == "pending"
    observation, _, _, _, info = env.step(call("merge_tickets", into=1, others=[OTHER, OPEN, 1, 9999]))
    assert observation["ok"]
    moved = {(item["table"], item["key"][0]) for item in info["changes"]}
    assert {("note", first), ("note", second)} <= moved
    assert all(item["source"] == "agent" for item in info["changes"])


def test_pages_go_on_where_the_last_one_ended():
    env = begin("close", 1)
    seen, page = [], 1
    while page is not None:
        result = do(env, "list_tickets", page=page)["result"]
        seen += [item["id"] for item in result["items"]]
        assert len(result["items"]) <= 10
        page = result["next_page"]
    assert seen == list(range(1, 49))


def test_moving_through_the_lifecycle_writes_history_at_the_worlds_time():
    env = begin("close", 1)
    do(env, "wait", duration="10m")
    _, _, _, _, info = env.step(call("set_status", ticket_id=OPEN, status="closed", resolution="fixed"))
    (row,) = [item["new"] for item in info["changes"] if item["table"] == "ticket_event"]
    assert (row["ticket_id"], row["from_state"], row["to_state"], row["at"]) == (
        OPEN, "open", "closed", "2026-03-02 09:10:00",
    )  # fmt: skip


def test_a_rule_that_tells_is_a_notice_and_others_stay_with_the_trainer():
    env = begin("close", 1)
    found = [do(env.fork(), "get_ticket", ticket_id=number)["result"] for number in open_tickets()]
    outage = next(ticket["id"] for ticket in found if ticket["topic"] == "outage" and ticket["team"] == "Billing")
    observation, _, _, _, info = env.step(call("assign_ticket", ticket_id=outage, team="Field"))
    assert observation["notices"] == ["Outages stay where they are."]
    assert [item["rule"] for item in info["violations"]] == [
        "change.outages_stay", "process.look_before_assigning",
    ]  # fmt: skip
    observation, _, _, _, info = env.step(call("drop_note", note_id=1))
    assert observation["notices"] == ["Notes are kept."]
    _, _, _, _, info = env.step(call("assign_ticket", ticket_id=outage, team="Network"))
    assert "change.outages_stay" not in [item["rule"] for item in info["violations"]], "one row is told once"


def test_a_denied_process_rule_counts_what_succeeded():
    def rich(value):
        value["tools"]["refund"]["guards"] = []

    env = begin("close", 1, of=altered(rich))
    assert outcome(env, "refund", ticket_id=OPEN, amount=1, request="a")[0] == "ok"
    assert outcome(env, "refund", ticket_id=9999, amount=1, request="b") == ("constraint", "foreign_key")
    assert outcome(env, "refund", ticket_id=OPEN, amount=1, request="b")[0] == "ok"
    assert outcome(env, "refund", ticket_id=OPEN, amount=1, request="c") == ("rule_denied", "process.two_refunds")
    assert outcome(env, "refund", ticket_id=OPEN, amount=1, request="c") == ("rule_denied", "process.two_refunds")


def test_the_same_key_gives_the_first_result_and_does_nothing_more():
    env = begin("close", 1)
    first = do(env, "write_note", ticket_id=OPEN, text="once", request="k")
    do(env, "set_status", ticket_id=OPEN, status="closed", resolution="fixed")
    before = silent(env)
    observation, _, _, _, info = env.step(call("write_note", ticket_id=OPEN, text="once", request="k"))
    assert (observation["ok"], observation["result"]) == (True, first["result"])
    assert (info["changes"], info["flags"]) == ([], ["replayed"])
    assert silent(env) == before
    assert outcome(env, "write_note", ticket_id=OTHER, text="once", request="k") == ("guard", "idempotency_conflict")
    assert silent(env) == before


def test_a_key_belongs_to_its_tool_and_a_failed_call_does_not_use_it_up():
    env = begin("close", 1)
    assert outcome(env, "write_note", ticket_id=9999, text="x", request="k") == ("guard", "no_ticket")
    assert outcome(env, "write_note", ticket_id=OPEN, text="x", request="k")[0] == "ok"
    assert outcome(env, "refund", ticket_id=OPEN, amount=1, request="k")[0] == "ok"
    assert [outcome(env, "write_note", ticket_id=OPEN, text="y")[0] for _ in range(2)] == ["ok", "ok"]


def test_keys_are_known_in_forks_and_forgotten_by_going_back():
    env = begin("close", 1)
    start = env.snapshot()
    do(env, "write_note", ticket_id=OPEN, text="x", request="k")
    branch = env.fork()
    assert branch.step(call("write_note", ticket_id=OPEN, text="x", request="k"))[4]["flags"] == ["replayed"]
    do(branch, "write_note", ticket_id=OTHER, text="y", request="branch")
    assert env.step(call("write_note", ticket_id=OTHER, text="y", request="branch"))[4]["flags"] == []
    env.restore(start)
    assert env.step(call("write_note", ticket_id=OTHER, text="z", request="k"))[4]["flags"] == []


def test_repeating_a_request_under_its_key_is_not_doing_it_again():
    env = begin("pay_back")
    number = env.task.parameters["ticket_id"]
    for _ in range(3):
        assert outcome(env, "refund", ticket_id=number, amount=20, request="pay")[0] == "ok"
    assert outcome(env, "refund", ticket_id=number, amount=1, request="more")[0] == "ok"
    assert outcome(env, "refund", ticket_id=number, amount=1, request="third") == ("rule_denied", "process.two_refunds")
    (line,) = [line for line in env.score().lines if line.name == "process.two_refunds"]
    assert line.text.startswith("kept")


def test_checks_and_rules_see_the_world_as_the_task_began():
    env = begin("reroute")
    number = env.task.parameters["ticket_id"]
    do(env, "get_ticket", ticket_id=number)
    do(env, "assign_ticket", ticket_id=number, team="Billing")
    assert env.score().completion == 1.0
    kept = [line for line in env.score().lines if line.name == "urgency_kept"]
    do(env, "set_priority", ticket_id=number, priority=1)
    lost = [line for line in env.score().lines if line.name == "urgency_kept"]
    assert len(kept) == len(lost) == 1
    before = do(begin("reroute"), "get_ticket", ticket_id=number)["result"]["priority"]
    assert (kept == lost) == (before == 1)


def test_what_an_agent_wrote_cannot_break_the_tools_that_read_it():
    env = begin("close", 1)
    for text in ("{", "[1,", "\U0001f600", "a\u2028b", "'; drop table note; --", "{ticket_id}", "%s%n"):
        note = do(env, "write_note", ticket_id=OPEN, text=text)["result"]
        assert note["text"] == text
        told = do(env, "read_extra", note_id=note["id"])
        assert told["kind"] in ("ok", "constraint")


def test_a_rule_that_cannot_be_checked_refuses_the_action():
    def alter(value):
        value["rules"]["change"]["extra_is_small"] = {
            "when": {"insert": "note"}, "require": "coalesce(json_extract(new.text, '$.n'), 0) < 5", "deny": True,
        }  # fmt: skip

    env = begin("close", 1, of=altered(alter))
    before = silent(env)
    assert outcome(env, "write_note", ticket_id=OPEN, text="{")[0] == "constraint"
    assert silent(env) == before
    assert outcome(env, "write_note", ticket_id=OPEN, text='{"n": 9}') == ("rule_denied", "change.extra_is_small")
    assert outcome(env, "write_note", ticket_id=OPEN, text='{"n": 4}')[0] == "ok"


def test_finish_takes_only_the_refusals_there_are():
    env = begin("close", 1)
    assert outcome(env, "finish", refusal="tired")[0] == "bad_arguments"
    assert outcome(env, "finish", answer=5)[0] == "bad_arguments"
    assert outcome(env, "finish", refusal="not_ours", answer="no")[0] == "bad_arguments"
    observation, _, terminated, _, info = env.step(call("finish", refusal="not_ours"))
    assert (terminated, info["ending"]) == (True, "finished")
    assert json.dumps(observation)


def test_all_tasks_of_other_worlds_begin_and_take_a_step():
    for item in world(8).tasks():
        env = begin(of=world(8))
        env.reset(task=item)
        assert do(env, "list_tickets")["ok"]
    assert {item.id for item in world(8).tasks()}.isdisjoint({task("close").id})
    assert trace(env)


def test_all_statements_of_an_action_share_one_limit_on_work():
    def alter(value):
        rows = "with recursive n(i) as (select 1 union all select i + 1 from n where i < {}) select i from n"
        value["tools"]["grind"] = {
            "summary": "Works through many rows.",
            "let": {"numbers": {"rows": rows.format(5000)}},
            "effects": [{
                "each": "numbers",
                "do": f"update ticket set topic = topic where (select count(*) from ({rows.format(100000)})) = :i",
            }],
        }  # fmt: skip

    env = begin("close", 1, of=altered(alter))
    before = env.state_digest
    assert outcome(env, "grind") == ("sql_limit", "too_much_work")
    assert env.state_digest == before
    assert do(env, "get_ticket", ticket_id=OPEN)["ok"]
