"""What an agent meets: the scenario's own API, over HTTP, with its statuses and failures."""

import json

from openapi_spec_validator import validate

from simulator.episode import render


def calls_until(agent, status, method, path, value=None, most=12):
    answers = [agent.ask(method, path, value)]
    while answers[-1].status != status and len(answers) < most:
        answers.append(agent.ask(method, path, value))
    assert answers[-1].status == status, [answer.status for answer in answers]
    return answers[-1]


def test_an_operation_answers_its_result_and_tells_time_and_steps_in_headers(begun):
    made, agent = begun()
    before = made["observation"]["steps_left"]
    answer = agent.ask("GET", "/tickets?status=open&page=1")
    assert answer.status in (200, 203)
    assert {item["status"] for item in answer.json["items"]} == {"open"}
    assert answer.headers["worldwright-now"] == made["observation"]["now"]
    assert int(answer.headers["worldwright-steps-left"]) == before - 1
    assert answer.headers["content-type"] == "application/json"


def test_a_failure_of_the_business_has_its_status_code_and_message(begun):
    _, agent = begun()
    answer = agent.ask("GET", "/tickets/99999")
    assert answer.status == 404
    assert answer.json == {"kind": "guard", "code": "no_ticket", "message": "There is no ticket 99999."}


def test_arguments_that_do_not_fit_are_the_business_to_refuse(begun):
    _, agent = begun()
    for method, path, body in (
        ("GET", "/tickets/seven", None), ("GET", "/tickets?status=lost", None), ("GET", "/tickets?page=1&page=2", None),
        ("GET", "/tickets?nonsense=1", None), ("PUT", "/tickets/1/status", {"status": 3}),
    ):  # fmt: skip
        answer = agent.ask(method, path, body)
        assert answer.status == 422, path
        assert answer.json["kind"] == "bad_arguments"


def test_a_rate_limit_says_when_to_try_again_in_the_worlds_time(begun):
    _, agent = begun("ask_and_close")
    refused = calls_until(agent, 429, "PUT", "/tickets/1/priority", {"priority": 1})
    assert refused.json["code"] == "rate_limited"
    assert refused.json["retryable"] is True
    assert refused.headers["retry-after"] == str(refused.json["retry_after"]) == "120"
    waited = agent.ask("POST", "/worldwright/tools/wait", {"duration": "2m"})
    assert waited.status == 200
    assert agent.ask("PUT", "/tickets/1/priority", {"priority": 1}).status == 200


def test_a_stale_read_is_203_and_says_of_when_it_is(begun):
    _, agent = begun("ask_and_close")
    for status in ("pending", "open", "pending", "open"):  # what has not changed is never stale
        agent.ask("PUT", "/tickets/1/status", {"status": status})
        stale = agent.ask("GET", "/tickets")
        if stale.status == 203:
            break
    assert stale.status == 203
    assert stale.headers["worldwright-as-of"] <= stale.headers["worldwright-now"]
    assert "not the latest" in json.loads(stale.headers["worldwright-message"])


def test_the_same_idempotency_key_gives_the_first_result_and_another_request_a_conflict(begun):
    _, agent = begun("pay_back")
    ticket = next(
        item["id"] for item in agent.ask("GET", "/tickets?page=2").json["items"] if item["status"] != "closed"
    )
    key = {"Idempotency-Key": "once"}
    first = agent.ask("POST", f"/tickets/{ticket}/refunds", {"amount": 1}, headers=key)
    again = agent.ask("POST", f"/tickets/{ticket}/refunds", {"amount": 1, "request": "once"})
    other = agent.ask("POST", f"/tickets/{ticket}/refunds", {"amount": 2}, headers=key)
    assert first.status == again.status == 200
    assert first.json == again.json
    assert other.status == 409
    assert other.json["code"] == "idempotency_conflict"


def test_a_list_in_a_body_and_a_delete_go_through(begun):
    _, agent = begun("ask_and_close")
    merged = agent.ask("POST", "/tickets/1/merge", {"others": [2]})
    assert merged.status in (200, 409)
    assert agent.ask("DELETE", "/notes/1").status == 200


def test_a_rule_that_tells_is_told(begun):
    _, agent = begun("ask_and_close")
    answer = agent.ask("DELETE", "/notes/1")
    assert json.loads(answer.headers["worldwright-notices"]) == ["Notes are kept."]


def test_sql_waiting_and_finishing_have_paths_of_their_own(begun):
    _, agent = begun()
    rows = agent.ask("POST", "/worldwright/tools/run_sql", {"sql": "select name from team order by id"})
    assert rows.status == 200, rows.content
    assert "Billing" in rows.content.decode()
    forbidden = agent.ask("POST", "/worldwright/tools/run_sql", {"sql": "select * from refund"})
    assert forbidden.status >= 400
    done = agent.ask("POST", "/worldwright/tools/finish", {"answer": "1"})
    assert done.headers["worldwright-over"] == "true"
    after = agent.ask("GET", "/tickets/1")
    assert after.status == 410
    assert after.json["code"] == "episode_over"


def test_any_action_can_be_done_by_one_path_and_is_told_as_an_observation(begun):
    _, agent = begun()
    told = agent.ask("POST", "/worldwright/act", {"tool": "get_ticket", "arguments": {"ticket_id": 99999}})
    assert told.status == 200
    assert told.json["over"] is False
    assert told.json["observation"]["code"] == "no_ticket"
    assert "no_ticket" in render(told.json["observation"])
    wrong = agent.ask("POST", "/worldwright/act", body=b"{")
    assert wrong.json["observation"]["kind"] == "malformed"


def test_the_document_is_valid_and_holds_the_tools_of_the_role(begun):
    _, clerk = begun("close")
    _, lead = begun("give_away")
    documents = [agent.ask("GET", "/openapi.json").json for agent in (clerk, lead)]
    for document in documents:
        validate(document)
    assert "/worldwright/tools/run_sql" in documents[0]["paths"]
    assert "/worldwright/tools/run_sql" not in documents[1]["paths"]
    assert "/tickets/{ticket_id}/hand_over" in documents[1]["paths"]
    assert "/tickets/{ticket_id}/hand_over" not in documents[0]["paths"]
    assert {"/worldwright/tools/finish", "/worldwright/tools/wait"} <= documents[0]["paths"].keys()


def test_an_operation_of_another_role_is_not_to_be_told_from_none(begun):
    _, clerk = begun("close")
    refused = [clerk.ask("POST", path, {}) for path in ("/tickets/1/hand_over", "/tickets/1/nonsense")]
    assert [answer.status for answer in refused] == [404, 404]
    assert refused[0].json == refused[1].json
    assert clerk.ask("GET", "/tickets/1/hand_over").json == refused[0].json


def test_looking_again_tells_what_was_told_and_costs_nothing(begun):
    made, agent = begun()
    agent.ask("GET", "/tickets/99999")
    seen = agent.ask("GET", "/worldwright/episode").json
    assert seen["observation"] == made["observation"]
    assert [message["role"] for message in seen["messages"]] == ["system", "user"]
    assert seen["last"]["code"] == "no_ticket"
    assert seen["over"] is False
    assert agent.ask("GET", "/worldwright/episode").json == seen
