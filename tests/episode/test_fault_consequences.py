"""What faults mean to rules, logs, checks and agents' own SQL, and one struck episode from beginning to end."""

from pathlib import Path

import pytest

from simulator import Environment
from simulator.agents import OracleAgent, play
from simulator.episode import render
from tests.episode.desk import altered, begin, call, do, open_tickets
from tests.episode.test_faults import WORLD, failures

OPEN, OTHER = open_tickets()[-2:]
GOLDEN = Path(__file__).parent / "golden" / "struck_episode.txt"


def desk(faults, **rules):
    """A world with faults, and process rules beside those of the desk."""

    def alter(value):
        value["faults"] = {name: {"share": 1, **fault} for name, fault in faults.items()}
        value["rules"]["process"].update(rules)
        value["tools"]["run_sql"] = {
            "sql": {"grants": {"ticket": {"select": "*", "update": ["resolution"]}, "note": {"select": "*"}}},
            "takes": "2m",
        }

    return altered(alter)


def broken(env):
    return {line.name for line in env.score().lines if line.text.startswith("broken")}


AFTER = {"slow": {"tools": ["write_note", "assign_ticket", "drop_note"], "kind": "timeout", "effect": "after"}}


def test_to_rules_a_write_that_timed_out_after_its_effect_has_happened():
    env = begin(
        "close",
        1,
        of=desk(
            AFTER,
            notes_come_once={"at_most": ["write_note", 1]},
            few_notes={"at_most": [{"writes": "note"}, 1]},
            errors_are_none={"absence": "write_note", "outcome": "error"},
            no_timeouts_in_the_log={"never": "select step from action where tool = 'write_note' and outcome <> 'ok'"},
        ),
    )
    for _ in range(2):
        assert do(env, "write_note", ticket_id=OPEN, text="hm")["code"] == "timeout"
    assert broken(env) == {"process.notes_come_once", "process.few_notes"}


def test_a_retry_under_its_key_is_no_second_write_to_rules():
    env = begin("close", 1, of=desk(AFTER, notes_come_once={"at_most": ["write_note", 1]}))
    for _ in range(3):
        told = do(env, "write_note", ticket_id=OPEN, text="hm", request="a")
    assert told["ok"]
    assert broken(env) == set()


def test_to_rules_a_call_that_a_fault_prevented_has_not_been_made():
    env = begin(
        "reroute",
        of=desk(
            {"slow": {"tools": ["get_ticket"], "kind": "timeout"}},
            tries={"at_most": ["get_ticket", 1], "outcome": "any"},
            log={"never": "select step from action where outcome = 'fault'"},
        ),
    )
    number = env.task.parameters["ticket_id"]
    for _ in range(2):
        do(env, "get_ticket", ticket_id=number)
    do(env, "assign_ticket", ticket_id=number, team="Billing")
    assert broken(env) == {"process.look_before_assigning", "process.log"}, "a look that timed out is no look"


def test_waiting_out_a_rate_limit_breaks_no_chain():
    chain = {"chain_response": ["set_priority", "get_ticket"]}
    busy = {"busy": {"tools": ["get_ticket"], "kind": "rate_limit"}}
    env = begin("close", 1, of=desk(busy, look_at_once=chain))
    do(env, "set_priority", ticket_id=OPEN, priority=1)
    while not do(env, "get_ticket", ticket_id=OPEN)["ok"]:
        do(env, "wait", duration="30s")
    assert broken(env) == set()
    env = begin("close", 1, of=desk({}, look_at_once=chain))
    do(env, "set_priority", ticket_id=OPEN, priority=1)
    do(env, "wait", duration="30s")
    assert broken(env) == {"process.look_at_once"}, "waiting for nothing is an action"


def test_what_a_timed_out_call_changed_is_collateral_damage_like_any_change():
    env = begin("close", 1, of=desk(AFTER))
    number = env.task.parameters["ticket_id"]
    do(env, "drop_note", note_id=1)
    do(env, "get_ticket", ticket_id=number)
    do(env, "set_status", ticket_id=number, status="closed", resolution="fixed")
    do(env, "finish")
    score = env.score()
    assert not score.success
    assert [line.name for line in score.lines if line.part == "collateral"] == ["note"]
    assert env.trajectory.steps[0]["violations"][0]["rule"] == "process.no_note_is_dropped"
    assert "notices" not in env.trajectory.steps[0]["observation"], "a rule that tells gives nothing away"
    assert failures(env) == []


def test_a_call_that_a_rule_refuses_is_undone_behind_a_timeout_too():
    env = begin("close", 1, of=desk({"slow": {"tools": "set_status", "kind": "timeout", "effect": "after"}}))
    before = env.state_digest
    assert [do(env, "set_status", ticket_id=OPEN, status="new")["kind"] for _ in range(3)] == [
        "fault", "fault", "rule_denied",
    ]  # fmt: skip
    assert env.state_digest == before
    assert [step["flags"] for step in env.trajectory.steps[:2]] == [["fault:slow"], ["fault:slow"]]


def test_an_operation_that_ends_the_episode_ends_it_behind_a_timeout():
    env = begin("give_away", of=desk({"slow": {"tools": "hand_over", "kind": "timeout", "effect": "after"}}))
    _, _, terminated, _, info = env.step(call("hand_over", ticket_id=env.task.parameters["ticket_id"]))
    assert (terminated, info["ending"], info["success"]) == (True, "ended", True)


@pytest.mark.parametrize("kind", ["timeout", "server_error", "rate_limit"])
def test_agents_own_sql_is_struck_before_anything_is_done(kind):
    env = begin("close", 1, of=desk({"it": {"tools": "run_sql", "kind": kind}}))
    before = env.state_digest
    told = do(env, "run_sql", sql=f"update ticket set resolution = 'one' where id = {OPEN}")
    assert told["kind"] == "fault"
    assert env.state_digest == before
    assert told["now"] == ("2026-03-02 09:02:00" if kind == "timeout" else "2026-03-02 09:00:00")


def test_a_stale_read_strikes_queries_and_lets_writes_through():
    env = begin("close", 1, of=desk({"it": {"tools": "run_sql", "kind": "stale_read", "behind": 1}}))
    for text in ("one", "two"):
        assert do(env, "run_sql", sql=f"update ticket set resolution = '{text}' where id = {OPEN}")["code"] == "ok"
    stale, fresh = (do(env, "run_sql", sql=f"select resolution from ticket where id = {OPEN}") for _ in range(2))
    assert (stale["code"], stale["result"]["rows"], stale["as_of"]) == ("stale_read", [["one"]], "2026-03-02 09:02:00")
    assert (fresh["code"], fresh["result"]["rows"]) == ("ok", [["two"]])


def test_mistakes_that_the_call_itself_shows_are_told_before_any_fault():
    env = begin("close", 1, of=desk({"it": {"tools": "get_ticket", "kind": "server_error"}}))
    assert do(env, "get_ticket", ticket_id="x")["kind"] == "bad_arguments"
    assert [line.name for line in failures(env)] == ["get_ticket"]


def test_a_solution_is_measured_without_faults():
    calm, wild = begin("reroute"), begin("reroute", of=desk({"it": {"tools": "get_ticket", "kind": "server_error"}}))
    runs = [env._shared.solutions.runs(env.task) for env in (calm, wild)]
    assert [run.steps for run in runs[0]] == [run.steps for run in runs[1]] == [3]


def told_of(env):
    """An episode as a reader sees it: each call, what was told, and the trainer's flags."""
    lines = []
    for step in env.trajectory.steps:
        action = step["action"]
        arguments = ", ".join(f"{name}={value}" for name, value in action["arguments"].items())
        lines.append(f"{step['step']}. {action['tool']}({arguments})  {' '.join(step['flags'])}".rstrip())
        lines += [f"   {line}" for line in render(step["observation"]).splitlines()]
    lines += [f"{line.points:+.3f} {line.part} {line.name}: {line.text}" for line in env.score().lines]
    return "\n".join(lines) + "\n"


def test_a_struck_episode_is_this_one():
    env = Environment(WORLD)
    task = next(task for task in WORLD.tasks() if task.template == "ask_and_close")
    play(env, OracleAgent(), task, 9)
    assert told_of(env) == GOLDEN.read_text("utf-8")
