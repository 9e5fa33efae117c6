import copy
import gc
import json
import os
import pickle
import threading
import weakref

import pytest

from simulator import EngineFault, Environment, UsageError, generate_world
from simulator.episode import render, workplace_of
from tests.episode.desk import altered, begin, call, do, elsewhere, open_tickets, scenario, task, trace, world

OPEN, OTHER = open_tickets()[-2:]


def test_reset_and_step_have_the_shape_of_gymnasium():
    env = Environment(world())
    observation, info = env.reset(task=task("close").id, seed=0)
    assert set(observation) == {"policy", "instruction", "role", "now", "tools", "steps_left"}
    assert info["task"]["id"] == task("close").id
    assert info["state_digest"] == env.state_digest
    observation, reward, terminated, truncated, info = env.step(call("list_tickets"))
    assert set(observation) == {"ok", "kind", "code", "status", "message", "result", "now", "steps_left"}
    assert (type(reward), terminated, truncated) == (float, False, False)
    assert info["state_digest"] == env.state_digest
    assert json.loads(json.dumps([observation, info])) == [observation, info]
    assert all(isinstance(render(told), str) for told in (observation, env.reset()[0]))


def test_reset_tells_the_agent_its_task_role_time_and_tools():
    observation, _ = Environment(world()).reset(task=task("give_away"))
    assert observation["policy"].startswith("Look at a ticket")
    assert observation["role"] == {"name": "lead", "summary": "May hand tickets over."}
    assert observation["now"] == "2026-03-02 09:00:00"
    assert observation["steps_left"] == 30
    names = [tool["function"]["name"] for tool in observation["tools"]]
    assert "hand_over" in names
    assert names[-2:] == ["finish", "wait"]
    clerk, _ = Environment(world()).reset(task=task("close"))
    assert "hand_over" not in [tool["function"]["name"] for tool in clerk["tools"]]


def test_a_tool_of_another_role_is_an_unknown_tool():
    env = begin("close")
    assert do(env, "hand_over", ticket_id=1)["kind"] == "unknown_tool"
    assert "hand_over" not in json.dumps(do(env, "hand_ove", ticket_id=1)["message"]).replace("`hand_ove`", "")


def test_without_a_task_the_seed_chooses_one_of_the_train_split():
    env = Environment(world())
    chosen = [env.reset(seed=seed)[1]["task"] for seed in range(40)]
    assert {item["split"] for item in chosen} == {"train"}
    assert len({item["id"] for item in chosen}) > 10
    assert [env.reset(seed=seed)[1]["task"] for seed in range(40)] == chosen


def test_equal_seeds_and_actions_make_equal_episodes():
    actions = [call("list_tickets"), call("write_note", ticket_id=OPEN, text="w?"), call("wait", duration="2h"), "x"]
    traces = []
    for _ in range(2):
        env = begin("ask_and_close", seed=5)
        for action in actions:
            env.step(action)
        env.stop("enough")
        traces.append(trace(env))
    assert traces[0] == traces[1]


def test_reset_begins_anew_whatever_was_done_before():
    env = begin("close")
    first = (env.state_digest, trace(env))
    number = task("close").parameters["ticket_id"]
    do(env, "set_status", ticket_id=number, status="closed", resolution="fixed")
    do(env, "write_note", ticket_id=1, text="hello")
    assert env.state_digest != first[0]
    env.reset(task=task("close"))
    assert (env.state_digest, trace(env)) == first
    assert env.changes() == []


@pytest.mark.parametrize(
    "wrong",
    [{"task": "w7/close/nonsense"}, {"task": 5}, {"seed": -1}, {"seed": 2**63}, {"seed": "7"}, {"seed": 1.5},
     {"options": {"speed": 1}}, {"options": {"agent": {"x": object()}}}, {"options": {"agent": 5}}],
)  # fmt: skip
def test_a_wrong_reset_is_the_callers_mistake_and_leaves_the_episode(wrong):
    env = begin("close")
    do(env, "list_tickets")
    before = trace(env)
    with pytest.raises(UsageError):
        env.reset(**wrong)
    assert trace(env) == before


def test_nothing_can_be_done_before_reset():
    env = Environment(world())
    for use in (lambda: env.step(call("finish")), env.fork, env.score, env.changes, env.snapshot, lambda: env.stop("x"),
                lambda: env.trajectory, lambda: env.state_digest):  # fmt: skip
        with pytest.raises(UsageError, match="reset"):
            use()


def test_two_episodes_of_one_world_never_see_each_other():
    first, second = begin("close", 0), begin("close", 1)
    quiet = trace(second)
    number = do(first, "write_note", ticket_id=OPEN, text="only here")["result"]["id"]
    assert trace(second) == quiet
    assert do(second, "write_note", ticket_id=OTHER, text="and only here")["result"]["id"] == number
    assert "only here" not in json.dumps(do(second, "get_ticket", ticket_id=OPEN))
    assert "and only here" not in json.dumps(do(first, "get_ticket", ticket_id=OTHER))


def test_the_image_of_the_world_is_never_altered():
    own = generate_world(scenario(), seed=11)
    content = bytes(own.image.image.buffer)
    env = begin("ask_and_close", of=own)
    for number in range(1, 9):
        do(env, "write_note", ticket_id=number, text="new?")
        do(env, "assign_ticket", ticket_id=number, team="Field")
        do(env, "drop_note", note_id=number)
    env.stop("enough")
    assert len(env.changes()) > 8
    assert bytes(own.image.image.buffer) == content


def test_what_a_caller_does_to_an_observation_touches_no_episode():
    env = begin("close")
    twin = env.fork()
    told = do(env, "write_note", ticket_id=OPEN, text="hello", request="k")
    do(twin, "write_note", ticket_id=OPEN, text="hello", request="k")
    told["result"]["text"] = "altered"
    told["ok"] = "altered"
    page = do(env, "list_tickets")
    do(twin, "list_tickets")
    page["result"]["items"].clear()
    env.trajectory.steps[0]["observation"]["result"]["text"] = "altered"
    env.trajectory.header["tools"].clear()
    assert do(env, "write_note", ticket_id=OPEN, text="hello", request="k")["result"]["text"] == "hello"
    do(twin, "write_note", ticket_id=OPEN, text="hello", request="k")
    assert trace(env) == trace(twin)


def test_shared_tool_descriptions_cannot_be_altered_but_copied():
    tools = Environment(world()).reset(task=task("close"))[0]["tools"]
    function = tools[0]["function"]
    for alter in (lambda: function.update(name="x"), lambda: function.__setitem__("name", "x"), function.clear,
                  lambda: function["parameters"]["required"].append("x"), lambda: function.pop("name")):  # fmt: skip
        with pytest.raises(TypeError, match="copy"):
            alter()
    for made in (copy.deepcopy(tools), pickle.loads(pickle.dumps(tools)), json.loads(json.dumps(tools))):
        assert made == tools
        made[0]["function"]["parameters"]["required"].append("x")
        assert type(made[0]["function"]) is dict
    assert Environment(world()).reset(task=task("close"))[0]["tools"] == tools
    assert "x" not in function["parameters"]["required"]


def test_a_digest_depends_on_the_data_and_not_on_the_way_to_it():
    one, other = begin("close"), begin("close")
    start = one.state_digest
    do(one, "set_priority", ticket_id=1, priority=1)
    do(one, "assign_ticket", ticket_id=OPEN, team="Field")
    do(other, "assign_ticket", ticket_id=OPEN, team="Network")
    do(other, "assign_ticket", ticket_id=OPEN, team="Field")
    do(other, "list_tickets")
    do(other, "set_priority", ticket_id=1, priority=1)
    assert one.state_digest == other.state_digest
    note = do(one, "write_note", ticket_id=OPEN, text="gone soon")["result"]["id"]
    assert one.state_digest != other.state_digest
    back = begin("close")
    do(back, "drop_note", note_id=note)
    assert back.state_digest == start


def test_changes_are_net_and_say_who_made_them():
    env = begin("ask_and_close")
    number = task("ask_and_close").parameters["ticket_id"]
    do(env, "assign_ticket", ticket_id=number, team="Field")
    do(env, "assign_ticket", ticket_id=number, team="Network")
    note = do(env, "write_note", ticket_id=number, text="works?")["result"]["id"]
    do(env, "drop_note", note_id=note)
    do(env, "wait", duration="1h")
    made = {(item["source"], item["table"], item["op"]): item for item in env.changes()}
    assert ("agent", "note", "insert") not in made
    assert made["timeline", "mail", "insert"]["new"]["body"] == "answer to works?"
    assert made["timeline", "mail", "insert"]["new"]["sent_at"] == "2026-03-02 09:20:00"
    assert made["agent", "ticket", "update"]["key"] == [number]
    assert made["agent", "ticket", "update"]["new"]["status"] == "pending"
    assert made["timeline", "ticket", "update"]["new"] == {"status": "open"}


def test_the_clock_moves_by_what_actions_take_and_by_waiting_only():
    env = begin("close")
    moves = [
        (call("list_tickets"), "09:00:00"), (call("get_ticket", ticket_id=1), "09:01:00"),
        (call("get_ticket", ticket_id=999), "09:01:00"), (call("write_note", ticket_id=OPEN, text="a"), "09:06:00"),
        ("nonsense", "09:06:00"), (call("wait", duration="90s"), "09:07:30"),
        (call("wait", duration="-1h"), "09:07:30"),
        (call("wait", duration="31d"), "09:07:30"),
    ]  # fmt: skip
    for action, at in moves:
        observation, *_ = env.step(action)
        assert observation["now"] == f"2026-03-02 {at}"
    noted = do(env, "get_ticket", ticket_id=OPEN)["result"]["notes"][-1]
    assert noted["written_at"] == "2026-03-02 09:01:00"


def test_steps_count_down_and_the_limit_truncates():
    env = begin("reroute")
    for left in range(7, 0, -1):
        observation, _, terminated, truncated, _ = env.step({"nonsense": left})
        assert (observation["steps_left"], terminated, truncated) == (left, False, False)
    observation, reward, terminated, truncated, info = env.step(call("list_tickets"))
    assert (observation["ok"], observation["steps_left"], terminated, truncated) == (True, 0, False, True)
    assert info["ending"] == "truncated"
    assert not info["success"]
    assert reward == pytest.approx(env.score().total)


def test_finishing_with_the_last_step_is_finishing():
    env = begin("reroute")
    for _ in range(7):
        do(env, "list_tickets")
    _, _, terminated, truncated, info = env.step(call("finish"))
    assert (terminated, truncated, info["ending"]) == (True, False, "finished")


@pytest.mark.parametrize("end", ["finish", "stop", "limit", "ends"])
def test_after_the_end_nothing_changes_any_more(end):
    env = begin("give_away" if end == "ends" else "reroute")
    if end == "finish":
        env.step(call("finish"))
    elif end == "stop":
        observation, reward, terminated, truncated, info = env.stop("the context is full")
        assert (observation["kind"], terminated, truncated) == ("episode_over", True, False)
        assert (info["ending"], info["success"]) == ("stopped", False)
        assert reward == pytest.approx(env.score().total)
    elif end == "ends":
        number = env.task.parameters["ticket_id"]
        _, reward, terminated, _, info = env.step(call("hand_over", ticket_id=number))
        assert (terminated, info["ending"], info["success"]) == (True, "ended", True)
        assert reward == pytest.approx(env.score().total)
    else:
        for _ in range(8):
            do(env, "list_tickets")
    before = (trace(env), env.state_digest, env.score())
    for action in (call("set_priority", ticket_id=1, priority=1), call("finish"), "x", call("wait", duration="1h")):
        observation, reward, terminated, truncated, _ = env.step(action)
        assert (observation["ok"], observation["kind"], reward) == (False, "episode_over", 0.0)
        assert (terminated, truncated) == (end != "limit", end == "limit")
    assert env.stop("again")[1] == 0.0
    assert (trace(env), env.state_digest, env.score()) == before


def test_an_engine_fault_makes_the_episode_invalid_and_unscored(tmp_path):
    own = generate_world(scenario(), seed=12)
    env = begin("close", of=own)
    do(env, "list_tickets")
    workplace_of(own).engine.database.close()  # the connection dies under the episode
    with pytest.raises(EngineFault):
        env.step(call("list_tickets"))
    observation, reward, terminated, _, info = env.step(call("list_tickets"))
    assert (observation["kind"], reward, terminated, info["ending"]) == ("episode_over", 0.0, True, "invalid")
    with pytest.raises(UsageError, match="invalid"):
        env.score()
    footer = env.trajectory.footer
    assert (footer["ending"], footer["success"], footer["score"], footer["reward"]) == ("invalid", None, None, 0.0)
    assert footer["invalid"]
    assert footer["steps"] == len(env.trajectory.steps) == 1
    env.trajectory.save(tmp_path / "one.jsonl")


def test_stopping_with_a_broken_engine_is_a_fault_too():
    own = generate_world(scenario(), seed=12)
    env = begin("close", of=own)
    workplace_of(own).engine.database.close()
    with pytest.raises(EngineFault):
        env.stop("enough")
    assert env.trajectory.footer["ending"] == "invalid"


def test_a_moment_of_another_world_is_refused():
    env = begin("close")
    larger = generate_world(scenario(), seed=7, scale=2.0)
    for other in (world(8), larger):
        foreign = Environment(other)
        foreign.reset()
        with pytest.raises(UsageError, match="another world"):
            env.restore(foreign.snapshot())
    assert do(env, "list_tickets")["ok"]


@pytest.mark.parametrize(
    "extras", [{"reward": 5}, {"logprobs": float("-inf")}, {"messages": object()}, {"tokens": b"x"}]
)
def test_extras_a_trajectory_cannot_hold_are_refused_before_anything_happens(extras):
    env = begin("close")
    with pytest.raises(UsageError, match="extras"):
        env.step(call("list_tickets"), extras=extras)
    assert env.trajectory.steps == ()


def test_threads_playing_in_one_world_do_not_disturb_each_other():
    def play(index, out):
        env = begin("close", index % 3)
        for number in range(1, 13):
            do(env, "write_note", ticket_id=number, text=f"note {index} works?")
            do(env, "get_ticket", ticket_id=number)
            do(env, "assign_ticket", ticket_id=number, team=("Field", "Network")[index % 2])
        env.step(call("finish"))
        out[index] = trace(env)

    alone, together = {}, {}
    for index in range(4):
        play(index, alone)
    threads = [threading.Thread(target=play, args=(index, together)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_an_episode_goes_on_in_a_forked_process():
    env = begin("close")
    do(env, "write_note", ticket_id=OPEN, text="before")
    reader, writer = os.pipe()
    with workplace_of(world()).engine.database.store.lock:  # as if another thread were at work while the process forks
        child = os.fork()
        if child == 0:
            status = 1
            try:
                do(env, "write_note", ticket_id=OPEN, text="after")
                env.step(call("finish"))
                os.write(writer, env.state_digest.encode())
                status = 0
            finally:
                os._exit(status)
    os.close(writer)
    told = os.read(reader, 1000).decode()
    os.close(reader)
    assert os.waitpid(child, 0)[1] == 0
    do(env, "write_note", ticket_id=OPEN, text="after")
    env.step(call("finish"))
    assert told == env.state_digest


def test_a_world_nobody_holds_is_let_go():
    own = generate_world(scenario(), seed=13)
    env = begin("close", of=own)
    do(env, "list_tickets")
    watched = weakref.ref(own), weakref.ref(workplace_of(own).engine)
    del own, env
    gc.collect()
    assert [found() for found in watched] == [None, None]


def test_new_keys_do_not_depend_on_which_episode_was_played_first():
    def keys(order):
        own = generate_world(scenario(), seed=7)
        made = {}
        for template in order:
            env = begin(template, of=own)
            made[template] = do(env, "write_note", ticket_id=OPEN, text="x")["result"]["id"]
        return made

    assert keys(["close", "ask_and_close"]) == keys(["ask_and_close", "close"])


def reference():
    """One whole episode, as text."""
    env = begin("ask_and_close", seed=3)
    number = env.task.parameters["ticket_id"]
    for action in (
        call("get_ticket", ticket_id=number),
        call("write_note", ticket_id=number, text="works?"),
        call("merge_tickets", into=number, others=[1, 2, 3]),
        call("wait", duration="2h"),
        call("set_status", ticket_id=number, status="closed", resolution="fixed"),
        call("finish", answer="1"),
    ):
        env.step(action)
    return json.dumps(trace(env))


def test_episodes_are_equal_across_processes_and_hash_seeds():
    assert '"ending": "finished"' in reference()
    assert elsewhere("tests.episode.test_environment") == reference()


def test_a_setup_is_the_start_and_not_a_change():
    env = begin("close")
    number = env.task.parameters["ticket_id"]
    assert env.changes() == []
    assert do(env, "get_ticket", ticket_id=number)["result"]["status"] == "open"
    assert "it works now" in json.dumps(do(env, "get_ticket", ticket_id=number))


def test_a_setup_that_cannot_be_carried_out_is_a_world_error():
    def alter(value):
        value["tasks"]["close"]["setup"] = ["insert into board (id, line) values (1, 'there is one already')"]

    own = altered(alter)
    with pytest.raises(Exception, match="setup") as caught:
        begin("close", of=own)
    assert type(caught.value).__name__ == "WorldError"
