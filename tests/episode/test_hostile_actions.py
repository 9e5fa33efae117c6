"""Whatever an agent's side hands in, a verdict comes out, and the episode can be kept and replayed."""

import json
import math
from collections import OrderedDict, defaultdict
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Environment, Trajectory, replay
from simulator.tools import STATUSES
from tests.episode.desk import begin, call, task, world


def _raise(*_, **__):
    raise RuntimeError("this object's own code must not run")


class Meta(type):
    """A class whose every question raises."""

    __name__ = property(_raise)
    __instancecheck__ = __subclasscheck__ = __eq__ = __repr__ = _raise
    __hash__ = type.__hash__


class Evil(metaclass=Meta):
    __class__ = property(_raise)
    __repr__ = __str__ = __eq__ = __len__ = __iter__ = __bool__ = __getitem__ = __format__ = __reduce_ex__ = _raise
    __hash__ = object.__hash__


class EvilDict(dict):
    items = keys = values = get = __iter__ = __getitem__ = __contains__ = __len__ = __eq__ = __repr__ = _raise
    __hash__ = None


class EvilList(list):
    __iter__ = __getitem__ = __len__ = __eq__ = __repr__ = _raise
    __hash__ = None


class EvilText(str):
    __eq__ = __str__ = __repr__ = __len__ = __contains__ = encode = strip = isascii = __format__ = _raise
    __hash__ = str.__hash__


class Namesake(str):
    """A text that equals no other."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class EvilInteger(int):
    __eq__ = __str__ = __repr__ = __int__ = __index__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = _raise
    __hash__ = int.__hash__


class EvilFloat(float):
    __eq__ = __str__ = __repr__ = __float__ = __lt__ = is_integer = _raise
    __hash__ = float.__hash__


class Liar:
    """Says that it is a dict."""

    __class__ = dict
    tool = "finish"


def cycle():
    ring = {"tool": "get_ticket"}
    ring["arguments"] = ring
    return ring


def ring():
    value = []
    value.append(value)
    return value


def deep(levels, kind=list):
    value = 1
    for _ in range(levels):
        value = [value] if kind is list else {"a": value}
    return value


def bomb():
    """A small object of 2**64 leaves, to whoever walks it without counting."""
    value = ["x"]
    for _ in range(64):
        value = [value, value]
    return value


HOSTILE = {
    "nothing": None,
    "a number": 5,
    "not a number": math.nan,
    "bytes": b"\xff\xfe",
    "a set": {1, 2},
    "a generator": (n for n in ()),
    "a type": int,
    "a function": _raise,
    "a long text": "x" * 5_000_000,
    "a long text of half pairs": "\ud800" * 100_000,
    "emoji": "\U0001f600" * 1000,
    "an evil object": Evil(),
    "an evil class": Evil,
    "an evil dict": EvilDict(tool="get_ticket", arguments={"ticket_id": 1}),
    "an evil list": EvilList([1]),
    "an evil text": EvilText("get_ticket"),
    "an evil name": call(EvilText("get_ticket"), ticket_id=1),
    "an evil key": {EvilText("tool"): "get_ticket", EvilText("arguments"): {EvilText("ticket_id"): 1}},
    "a key twice": {Namesake("tool"): "get_ticket", "arguments": {"ticket_id": 1}, "tool": "list_tickets"},
    "an argument twice": {"tool": "get_ticket", "arguments": {Namesake("ticket_id"): 1, "ticket_id": 2}},
    "a name twice": {Namesake("tool"): "x", "tool": "list_tickets"},
    "evil arguments": call("get_ticket", ticket_id=EvilInteger(1)),
    "an evil amount": call("refund", ticket_id=1, amount=EvilFloat(1), request="r"),
    "evil arguments whole": {"tool": "get_ticket", "arguments": EvilDict(ticket_id=1)},
    "an evil object inside": call("get_ticket", ticket_id=Evil()),
    "an evil object as key": {"tool": "get_ticket", Evil(): 1},
    "a liar": Liar(),
    "a cycle": cycle(),
    "a list in itself": ring(),
    "a deep list": deep(100_000),
    "deep arguments": call("get_ticket", ticket_id=deep(5_000, dict)),
    "deep text": {"tool": "get_ticket", "arguments": "[" * 50_000},
    "a bomb": call("get_ticket", ticket_id=bomb()),
    "a huge number": call("get_ticket", ticket_id=10**5000),
    "a number of 65 bits": call("get_ticket", ticket_id=2**64),
    "huge digits in text": {"tool": "get_ticket", "arguments": '{"ticket_id": ' + "9" * 5000 + "}"},
    "infinity in text": {"tool": "get_ticket", "arguments": '{"ticket_id": 1e999}'},
    "nan in text": {"tool": "get_ticket", "arguments": '{"ticket_id": NaN}'},
    "nan inside": call("get_ticket", ticket_id=math.nan),
    "a long argument": call("write_note", ticket_id=1, text="x" * 5_000_000),
    "a long argument in text": {"tool": "write_note", "arguments": json.dumps({"text": "x" * 5_000_000})},
    "a long key": {"x" * 5_000_000: 1},
    "many keys": {str(number): number for number in range(100_000)},
    "many arguments": call("get_ticket", **{f"k{number}": number for number in range(100_000)}),
    "half a pair": call("write_note", ticket_id=1, text="\ud800"),
    "half a pair in a key": call("get_ticket", **{"\udfff": 1}),
    "half a pair in the name": {"tool": "\ud800"},
    "nul": call("write_note", ticket_id=1, text="a\x00b"),
    "line ends of unicode": call("write_note", ticket_id=1, text="a\u2028b\u2029c\x85d\x0be\x1cf"),
    "numbers as keys": {"tool": "get_ticket", "arguments": {1: 2}},
    "none as key": {"tool": "get_ticket", None: 1},
    "a tuple": ("tool", "get_ticket"),
    "a tuple inside": {"tool": "merge_tickets", "arguments": {"into": 1, "others": (2, 3)}},
    "an ordered dict": OrderedDict(tool="get_ticket", arguments=defaultdict(int, ticket_id=1)),
    "a name that is a list": {"tool": ["get_ticket"]},
    "an empty name": {"tool": ""},
    "a name of the machinery": {"tool": "__class__"},
    "extra keys": {"tool": "get_ticket", "arguments": {}, "id": "x"},
    "unreadable": {"unreadable": "x"},
    "unreadable with a tool": {"unreadable": "x", "tool": "get_ticket"},
    "unreadable with a wrong tool": {"unreadable": "x", "tool": "no_such_tool"},
    "an object of openai": {"type": "function", "function": {"name": "get_ticket", "arguments": "{}"}},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_anything_gets_a_verdict_and_can_be_kept_and_replayed(name, tmp_path):
    env = begin("close", 1)
    before = env.state_digest
    observation, reward, terminated, _, _ = env.step(HOSTILE[name])
    assert observation["kind"] in STATUSES
    assert observation["ok"] or observation["message"]
    assert len(json.dumps(observation)) < 20_000
    assert (reward, terminated) == (0.0, False)
    if not observation["ok"]:
        assert env.state_digest == before
    env.step(call("drop_note", note_id=1))
    env.stop("enough")
    env.trajectory.save(tmp_path / "one.jsonl")
    kept = Trajectory.load(tmp_path / "one.jsonl")
    assert len((tmp_path / "one.jsonl").read_bytes()) < 1_000_000
    report = replay(kept, world())
    assert report.same, report.difference
    assert report.trajectory.steps[0]["action"] == kept.steps[0]["action"]


def test_an_object_that_behaves_is_read_whatever_its_class():
    env = begin("close", 1)
    for name in ("an evil dict", "an evil name", "an evil key", "evil arguments", "an ordered dict", "a tuple inside"):
        observation, *_ = env.step(HOSTILE[name])
        assert observation["kind"] in ("ok", "guard"), name


def test_what_an_agent_cannot_say_does_not_become_something_it_could():
    env = begin("close", 1)
    for number, name in enumerate(("numbers as keys", "nan inside", "half a pair", "an evil object inside"), 1):
        env.step(HOSTILE[name])
        recorded = env.trajectory.steps[number - 1]["action"]
        assert recorded.keys() == {"unreadable", "tool"}
        assert recorded["tool"] == HOSTILE[name]["tool"]


def test_a_failed_action_is_told_by_its_tool_after_a_replay_too(tmp_path):
    env = begin("close", 1)
    env.step(HOSTILE["nan inside"])
    env.step(call("finish"))
    assert "get_ticket" in [line.name for line in env.score().lines if line.part == "failed_action"]
    report = replay(env.trajectory, world())
    assert report.same, report.difference


@dataclass(frozen=True)
class Odd:
    """Stands for an object that Hypothesis itself could not handle; ``made`` makes it."""

    number: int


def made(value):
    if isinstance(value, Odd):
        return (Evil, Liar, lambda: EvilText("tool"), lambda: EvilInteger(7), lambda: EvilFloat(0.5), ring, cycle)[
            value.number
        ]()
    if isinstance(value, dict):
        copy = {name: made(item) for name, item in value.items() if name != "evil"}
        return EvilDict(copy) if "evil" in value else copy
    if isinstance(value, list | tuple):
        kind = EvilList if "evil" in value else type(value)
        return kind([made(item) for item in value])
    return value


LEAVES = st.one_of(
    st.sampled_from([None, True, 0, -1, 2**64, 0.5, math.nan, -math.inf, b"x", 1j, int]),
    st.integers(0, 6).map(Odd),
    st.text(alphabet=st.characters(categories=["Cs", "Cc", "So", "Lu"]), max_size=5),
    st.sampled_from(["get_ticket", "write_note", "finish", "wait", "ticket_id", "text", "1h", "evil"]),
)
NAMES = st.sampled_from(
    ["tool", "arguments", "ticket_id", "text", "others", "into", "page", "note_id", "evil", 1, None, b""]
)
ANY = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(NAMES, inner, max_size=4)
    ),
    max_leaves=8,
)
TOOLS = st.sampled_from(["get_ticket", "write_note", "merge_tickets", "refund", "list_tickets", "wait", "drop_note"])
ALMOST = st.fixed_dictionaries({"tool": TOOLS, "arguments": ANY | st.dictionaries(NAMES, LEAVES, max_size=4)})


@settings(max_examples=150)
@given(actions=st.lists(ANY | ALMOST | ALMOST, min_size=1, max_size=6))
def test_no_object_of_python_raises(actions, tmp_path_factory):
    env = Environment(world())
    env.reset(task=task("close", 1))
    for action in actions:
        observation, _, terminated, _, _ = env.step(made(action))
        assert observation["kind"] in STATUSES
        json.dumps(observation).encode()
        if terminated:
            break
    env.stop("enough")
    path = tmp_path_factory.mktemp("kept") / "one.jsonl"
    env.trajectory.save(path)
    report = replay(Trajectory.load(path), world())
    assert report.same, report.difference


@settings(max_examples=60)
@given(text=st.text(alphabet=st.characters(categories=["Cs", "Zl", "Zp", "Cc", "Lu", "So"]), max_size=20))
def test_a_models_raw_output_is_kept_to_the_letter(text, tmp_path_factory):
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")  # JSON joins whole pairs
    env = begin("close", 1)
    env.step("x", raw=text, call_id=text, extras={"messages": [text], "tokens": [1], "logprobs": [-0.5]})
    env.stop(text)
    path = tmp_path_factory.mktemp("kept") / "one.jsonl"
    env.trajectory.save(path)
    assert Trajectory.load(path) == env.trajectory
