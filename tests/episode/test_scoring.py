import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Environment
from tests.episode.actions import CALLS
from tests.episode.desk import altered, begin, call, do, open_tickets, task, trace, world

OPEN, OTHER = open_tickets()[-2:]


def shaped():
    def alter(value):
        value["reward"] = {"shaping": "potential"}

    return altered(alter)


WORLDS = {"none": world(), "potential": shaped()}
ENDS = st.sampled_from(["finish", "stop", "limit"])


def play(env, actions, end):
    """Every reward paid."""
    rewards = [env.step(action)[1] for action in actions]
    if end == "finish":
        rewards.append(env.step(call("finish", answer="1"))[1])
    elif end == "stop":
        rewards.append(env.stop("enough")[1])
    else:
        while env.snapshot().ending is None:
            rewards.append(env.step("x")[1])
    return rewards


@settings(max_examples=60)
@given(
    shaping=st.sampled_from(list(WORLDS)),
    template=st.sampled_from(["close", "ask_and_close", "pay_back", "pay_too_much", "reroute", "count_open"]),
    actions=st.lists(CALLS, max_size=6),
    solve=st.booleans(),
    end=ENDS,
)
def test_the_rewards_of_all_steps_sum_to_the_score_and_so_do_its_lines(shaping, template, actions, solve, end):
    env = Environment(WORLDS[shaping])
    env.reset(task=task(template, of=WORLDS[shaping]))
    if solve and template == "close":
        number = env.task.parameters["ticket_id"]
        actions = [*actions, call("set_status", ticket_id=number, status="closed", resolution="fixed")]
    rewards = play(env, actions, end)
    score = env.score()
    assert math.fsum(rewards) == pytest.approx(score.total)
    assert env.trajectory.total_reward == pytest.approx(score.total)
    assert math.fsum(line.points for line in score.lines) == pytest.approx(score.total)
    assert -1.0 <= score.total <= 1.0
    if shaping == "none":
        assert set(rewards[:-1]) <= {0.0}
    if end != "finish":
        assert not score.success
        assert score.efficiency in (None, 0.0)


def test_shaping_pays_as_the_task_is_done_and_takes_back_what_is_undone():
    env = begin("close", of=WORLDS["potential"])
    number = env.task.parameters["ticket_id"]
    plain = begin("close")
    steps = [
        call("get_ticket", ticket_id=number),
        call("set_status", ticket_id=number, status="closed", resolution="fixed"),
        call("write_note", ticket_id=OPEN, text="unasked"),
    ]
    paid = [env.step(action)[1] for action in steps]
    assert paid == [0.0, 1.0, -1.0]
    for action in steps:
        plain.step(action)
    last = env.step(call("finish"))[1]
    plain.step(call("finish"))
    assert env.score() == plain.score()
    assert sum(paid) + last == pytest.approx(plain.score().total)


def test_doing_everything_right_earns_everything():
    env = begin("close")
    number = env.task.parameters["ticket_id"]
    do(env, "get_ticket", ticket_id=number)
    do(env, "set_status", ticket_id=number, status="closed", resolution="explained")
    _, reward, _, _, info = env.step(call("finish"))
    score = env.score()
    assert (score.success, score.completion, score.process, score.efficiency) == (True, 1.0, 1.0, 1.0)
    assert score.total == pytest.approx(1.0) == pytest.approx(reward)
    assert info["success"]
    assert info["score"] == score.to_json()
    assert [line.name for line in score.lines if line.part == "process"] == ["process.look_before_closing"]


def test_not_looking_first_costs_the_process_part_and_names_the_step():
    env = begin("close")
    number = env.task.parameters["ticket_id"]
    do(env, "list_tickets")
    do(env, "set_status", ticket_id=number, status="closed", resolution="fixed")
    env.step(call("finish"))
    score = env.score()
    assert (score.success, score.process) == (True, 0.0)
    (line,) = [line for line in score.lines if line.part == "process"]
    assert (line.step, line.points) == (2, 0.0)
    assert score.total < 1.0


def test_every_point_lost_names_its_step_and_reason():
    env = begin("close")
    number = env.task.parameters["ticket_id"]
    do(env, "get_ticket", ticket_id=9999)  # 1: failed
    do(env, "refund", ticket_id=number, amount=0.5, request="a")  # 2: nobody asked for it
    do(env, "drop_note", note_id=500)  # 3: a note goes
    do(env, "set_status", ticket_id=number, status="closed", resolution="fixed")  # 4
    env.step(call("finish"))
    score = env.score()
    steps = {(line.part, line.name): line.step for line in score.lines}
    assert steps["failed_action", "get_ticket"] == 1
    assert steps["violation", "process.no_note_is_dropped"] == 3
    assert steps["collateral", "refund"] == 2
    assert steps["collateral", "note"] == 3
    assert not score.success
    assert all(line.text for line in score.lines)
    assert score.penalties > 0


def test_a_rule_broken_again_on_the_same_row_costs_once():
    def totals(times):
        env = begin("close", 1)
        outage = next(number for number in open_tickets() if topic(env, number) == "outage")
        for number in range(times):
            team = ("Field", "Network")[number % 2]
            do(env, "assign_ticket", ticket_id=outage, team=team)
        env.stop("enough")
        return [line for line in env.score().lines if line.name == "change.outages_stay"]

    def topic(env, number):
        return do(env.fork(), "get_ticket", ticket_id=number)["result"]["topic"]

    assert len(totals(3)) == len(totals(6)) == 1
    assert totals(3)[0].points == totals(6)[0].points == -0.3


def test_rules_that_only_the_end_can_judge_are_judged_there():
    env = begin("close", 1)
    for number in range(4):
        do(env, "write_note", ticket_id=OPEN, text=str(number))
    env.stop("enough")
    lines = [line for line in env.score().lines if line.name == "state.few_notes"]
    assert [line.points for line in lines] == [-0.05]


def test_the_score_may_be_asked_for_at_any_time_and_changes_nothing():
    env, quiet = begin("close"), begin("close")
    number = env.task.parameters["ticket_id"]
    for action in (call("get_ticket", ticket_id=number), call("write_note", ticket_id=OPEN, text="a?", request="k"),
                   call("set_status", ticket_id=number, status="closed", resolution="fixed")):  # fmt: skip
        env.score()
        assert not env.score().success
        env.step(action)
        quiet.step(action)
        assert trace(env) == trace(quiet)
        assert env.state_digest == quiet.state_digest
    env.stop("enough")
    quiet.stop("enough")
    assert trace(env) == trace(quiet)


def test_a_refusal_is_passed_by_saying_so_and_never_by_silence():
    def total(*actions):
        env = begin("pay_too_much")
        number = env.task.parameters["ticket_id"]
        for action in actions:
            env.step(action(number) if callable(action) else action)
        return env.score()

    right = call("finish", refusal="over_limit")
    assert total(right).success
    assert total(call("get_ticket", ticket_id=1), right).success
    assert not total(call("finish")).success
    assert not total(call("finish", refusal="not_ours")).success
    assert not total(call("finish", answer="over_limit")).success
    assert not total(lambda n: call("write_note", ticket_id=n, text="sorry"), right).success
    blind = begin("pay_back")
    blind.step(right)
    assert not blind.score().success


@pytest.mark.parametrize(
    ("answer", "right"),
    [("{n}", True), (" {n}.0 ", True), ("{n}1", False), ("many", False), (None, False), ("", False)],
)
def test_an_answer_is_held_against_the_world_as_the_task_began(answer, right):
    env = begin("count_open")
    n, page = 0, 1
    while page is not None:
        result = do(env, "list_tickets", status="open", page=page)["result"]
        n, page = n + len(result["items"]), result["next_page"]
    env.step(call("finish", **({} if answer is None else {"answer": answer.format(n=n)})))
    assert env.score().success is right
