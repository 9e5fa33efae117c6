"""Whatever an agent sends is a call or a verdict; nothing it sends is an exception."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.tools import STATUSES, ToolCall, Verdict, request_fingerprint, result_text
from tests.tools.shop import toolbox

LINE = {"type": "object", "properties": {"a": {"type": "string"}}}
EMOJI = "👩‍🚀"

TOOLS = {
    "buy": {
        "summary": "Buy.",
        "parameters": {
            "item": {"type": "integer", "minimum": 1},
            "note": {"type": "string", "optional": True, "pattern": "[a-z ]*"},
            "due": {"type": "string", "format": "timestamp", "optional": True},
            "lines": {
                "type": "array",
                "optional": True,
                "items": {"type": "object", "properties": {"a": {"type": "string"}}},
            },
            "extra": {"type": "object", "optional": True},
        },
    },
    "close": {"summary": "Close.", "roles": ["lead"]},
    "look": {"summary": "Look.", "page": 5, "returns": {"many": "select id from item"}},
}
BOX = toolbox(TOOLS, roles={"lead": {}, "clerk": {}}, refusals=["not_allowed", "duplicate"])


def read(action, role=None):
    return BOX.read_call(action, role)


class Hostile:
    """An object whose every answer is an exception."""

    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __eq__(self, other):
        raise RuntimeError("eq")

    def __hash__(self):
        return 1


class HostileDict(dict):
    def __iter__(self):
        raise RuntimeError("iter")

    def items(self):
        raise RuntimeError("items")

    def __contains__(self, key):
        raise RuntimeError("contains")

    def get(self, key, default=None):
        raise RuntimeError("get")

    def __len__(self):
        raise RuntimeError("len")


class HostileText(str):
    __slots__ = ()

    def __str__(self):
        raise RuntimeError("str")

    def __len__(self):
        raise RuntimeError("len")

    def __eq__(self, other):
        raise RuntimeError("eq")

    def __hash__(self):
        raise RuntimeError("hash")


class HostileNumber(int):
    def __int__(self):
        raise RuntimeError("int")

    def __le__(self, other):
        raise RuntimeError("le")


def cyclic_list():
    loop = []
    loop.extend([loop] * 12)
    return loop


def cyclic_dict():
    loop = {}
    loop["a"] = loop
    return loop


def nested(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


def buy(**arguments):
    return {"tool": "buy", "arguments": {"item": 1, **arguments}}


BAD_ACTIONS = [
    (None, "malformed", "not_an_object"),
    (3, "malformed", "not_an_object"),
    ("buy", "malformed", "not_an_object"),
    ("x" * 5_000_000, "malformed", "not_an_object"),
    (b"\x00\xff", "malformed", "not_an_object"),
    ([{"tool": "buy"}], "malformed", "not_an_object"),
    (Hostile(), "malformed", "not_an_object"),
    ({}, "malformed", "missing_tool"),
    ({"arguments": {}}, "malformed", "missing_tool"),
    ({"tool": None}, "malformed", "bad_tool_name"),
    ({"tool": ""}, "malformed", "bad_tool_name"),
    ({"tool": ["buy"]}, "malformed", "bad_tool_name"),
    ({"tool": "x" * 5_000_000}, "malformed", "bad_tool_name"),
    ({"tool": "buy", "args": {}}, "malformed", "unknown_key"),
    ({"tool": "buy", 7: {}}, "malformed", "unknown_key"),
    ({"tool": "buy", Hostile(): 1}, "malformed", "unknown_key"),
    ({"tool": "bye"}, "unknown_tool", "unknown_tool"),
    ({"tool": "\ud800\x00"}, "unknown_tool", "unknown_tool"),
    ({"tool": "close"}, "unknown_tool", "unknown_tool"),
    ({"tool": "buy"}, "bad_arguments", "missing_argument"),
    ({"tool": "buy", "arguments": ""}, "bad_arguments", "missing_argument"),
    ({"tool": "buy", "arguments": 3}, "malformed", "not_an_object"),
    ({"tool": "buy", "arguments": [1]}, "malformed", "not_an_object"),
    ({"tool": "buy", "arguments": "[1]"}, "malformed", "not_an_object"),
    ({"tool": "buy", "arguments": '{"item": 1'}, "malformed", "bad_json"),
    ({"tool": "buy", "arguments": "{'item': 1}"}, "malformed", "bad_json"),
    ({"tool": "buy", "arguments": '{"item": 1, "item": 2}'}, "malformed", "duplicate_key"),
    ({"tool": "buy", "arguments": '{"item": 1, "extra": {"a": 1, "a": 2}}'}, "malformed", "duplicate_key"),
    ({"tool": "buy", "arguments": '{"item": NaN}'}, "bad_arguments", "bad_number"),
    ({"tool": "buy", "arguments": '{"item": 1e999}'}, "bad_arguments", "bad_number"),
    ({"tool": "buy", "arguments": '{"item": ' + "9" * 6_000 + "}"}, "bad_arguments", "bad_number"),
    ({"tool": "buy", "arguments": "[" * 90_000}, "bad_arguments", "too_deep"),
    ({"tool": "buy", "arguments": '{"item": 1, "note": "' + "x" * 100_000 + '"}'}, "bad_arguments", "too_large"),
    ({"tool": "buy", "arguments": '{"item": 1, "note": "\\ud800"}'}, "bad_arguments", "bad_text"),
    (buy(item=math.nan), "bad_arguments", "bad_number"),
    (buy(item=-math.inf), "bad_arguments", "bad_number"),
    (buy(item=2**63), "bad_arguments", "bad_number"),
    (buy(item=10**5_000), "bad_arguments", "bad_number"),
    (buy(note="a\x00b"), "bad_arguments", "bad_text"),
    (buy(note="\udc00"), "bad_arguments", "bad_text"),
    (buy(extra={"\ud800": 1}), "bad_arguments", "bad_text"),
    (buy(note="x" * 5_000_000), "bad_arguments", "too_large"),
    (buy(extra={"a": ["x" * 1_000] * 101}), "bad_arguments", "too_large"),
    (buy(extra={"a": nested(30)}), "bad_arguments", "too_deep"),
    (buy(extra=cyclic_dict()), "bad_arguments", "too_deep"),
    (buy(extra={"a": cyclic_list()}), "bad_arguments", "too_deep"),
    (buy(extra={1: 2}), "malformed", "not_json"),
    (buy(extra={"a": {1, 2}}), "malformed", "not_json"),
    (buy(extra={"a": Hostile()}), "malformed", "not_json"),
    (buy(note=b"x"), "malformed", "not_json"),
    (buy(due="soon"), "bad_time", "bad_time"),
    ({"tool": "look", "arguments": {"page": 0}}, "bad_arguments", "out_of_range"),
    ({"tool": "finish", "arguments": {"refusal": "bored"}}, "bad_arguments", "not_in_list"),
    ({"tool": "finish", "arguments": {"answer": 42}}, "bad_arguments", "wrong_type"),
    ({"tool": "wait", "arguments": {}}, "bad_arguments", "missing_argument"),
    ({"tool": "wait", "arguments": {"duration": "a while"}}, "bad_arguments", "bad_duration"),
    ({"tool": "wait", "arguments": {"duration": "0s"}}, "bad_arguments", "bad_duration"),
    ({"tool": "wait", "arguments": {"duration": "-2h"}}, "bad_arguments", "bad_duration"),
    ({"tool": "wait", "arguments": {"duration": "30d1s"}}, "bad_arguments", "bad_duration"),
]


@pytest.mark.parametrize("number", range(len(BAD_ACTIONS)), ids=lambda number: f"{number}-{BAD_ACTIONS[number][2]}")
def test_a_bad_action_gets_its_verdict(number):
    action, kind, code = BAD_ACTIONS[number]
    verdict = read(action)
    assert isinstance(verdict, Verdict)
    assert (verdict.kind, verdict.code, verdict.ok) == (kind, code, False)
    assert verdict.status == STATUSES[kind]
    assert 0 < len(verdict.message) < 2_000
    verdict.message.encode("utf-8")


@pytest.mark.parametrize(
    ("action", "call"),
    [
        ({"tool": "buy", "arguments": {"item": 3}}, ToolCall("buy", {"item": 3})),
        ({"tool": "buy", "arguments": '{"item": 3.0, "note": "a b"}'}, ToolCall("buy", {"item": 3, "note": "a b"})),
        (buy(due="2026-03-02T10:00Z"), ToolCall("buy", {"item": 1, "due": "2026-03-02 10:00:00"})),
        (buy(extra={"emoji": EMOJI, "zero": [0, None, True, ()]}),
         ToolCall("buy", {"item": 1, "extra": {"emoji": EMOJI, "zero": [0, None, True, []]}})),
        (HostileDict(tool="buy", arguments=HostileDict(item=1)), ToolCall("buy", {"item": 1})),
        (buy(item=HostileNumber(2), note=HostileText("a")), ToolCall("buy", {"item": 2, "note": "a"})),
        ({"tool": HostileText("look")}, ToolCall("look", {})),
        ({"tool": "look"}, ToolCall("look", {})),
        ({"tool": "look", "arguments": None}, ToolCall("look", {})),
        ({"tool": "look", "arguments": " "}, ToolCall("look", {})),
        ({"tool": "finish", "arguments": {}}, ToolCall("finish", {})),
        ({"tool": "finish", "arguments": {"answer": "[1, 2]"}}, ToolCall("finish", {"answer": "[1, 2]"})),
        ({"tool": "finish", "arguments": {"refusal": "duplicate"}}, ToolCall("finish", {"refusal": "duplicate"})),
        ({"tool": "wait", "arguments": {"duration": "30d"}}, ToolCall("wait", {"duration": "30d"})),
    ],
)  # fmt: skip
def test_a_good_action_is_a_call(action, call):
    assert read(action) == call


def test_the_call_shares_nothing_with_what_was_sent():
    sent = buy(extra={"a": [1]})
    call = read(sent)
    sent["arguments"]["extra"]["a"].append(2)
    assert call.arguments["extra"] == {"a": [1]}


def test_an_unknown_tool_suggests_the_nearest_of_ones_own():
    assert "Did you mean `look`?" in read({"tool": "lok"}).message
    assert "`close`" not in read({"tool": "closed"}, "clerk").message
    assert "Did you mean `close`?" in read({"tool": "closed"}, "lead").message


def test_an_operation_of_another_role_seems_not_to_exist():
    hidden, unknown = read({"tool": "close"}, "clerk"), read({"tool": "clove"}, "clerk")
    assert hidden.message.replace("close", "clove") == unknown.message
    assert read({"tool": "close"}, "lead") == ToolCall("close", {})


def test_equal_requests_have_equal_fingerprints():
    one = read({"tool": "buy", "arguments": {"item": 1, "note": "a"}})
    same = read({"tool": "buy", "arguments": '{"note": "a", "item": 1.0}'})
    other = read({"tool": "buy", "arguments": {"item": 2, "note": "a"}})
    assert request_fingerprint(one) == request_fingerprint(same) != request_fingerprint(other)


texts = st.text(st.characters(), max_size=20) | st.sampled_from(
    ["buy", "look", "finish", "wait", "tool", "arguments", "item"]
)
leaves = (
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.binary(max_size=5) | st.complex_numbers()
    | st.builds(Hostile) | st.builds(cyclic_list) | st.builds(cyclic_dict) | st.builds(HostileText, texts)
    | st.builds(HostileNumber, st.integers()) | st.datetimes()
)  # fmt: skip
objects = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(texts | st.integers() | st.none(), inner, max_size=4)
        | st.dictionaries(texts, inner, max_size=3).map(HostileDict)
        | st.frozensets(st.integers(), max_size=2)
    ),
    max_leaves=12,
)
arguments = objects | st.dictionaries(st.sampled_from(list(TOOLS["buy"]["parameters"])), objects) | texts
actions = objects | st.fixed_dictionaries(
    {"tool": st.sampled_from([*TOOLS, "finish", "wait"]) | texts, "arguments": arguments}
)


@settings(max_examples=300)
@given(action=actions, role=st.sampled_from([None, "lead", "clerk"]))
def test_anything_at_all_is_a_call_or_a_verdict(action, role):
    outcome = read(action, role)
    if isinstance(outcome, Verdict):
        assert not outcome.ok
        outcome.message.encode("utf-8")
    else:
        assert isinstance(outcome, ToolCall)
        assert read({"tool": outcome.tool, "arguments": outcome.arguments}, role) == outcome, (
            "reading again changes nothing"
        )
        result_text(outcome.arguments).encode("utf-8")


@settings(max_examples=200)
@given(text=st.text(alphabet='{}[]",:0123456789.eE+-\\untrealsfi tm', max_size=60))
def test_any_text_of_arguments_is_a_call_or_a_verdict(text):
    outcome = read({"tool": "buy", "arguments": text})
    assert isinstance(outcome, Verdict | ToolCall)


@given(value=st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9)))
def test_json_text_and_the_object_it_means_are_the_same_arguments(value):
    assert read({"tool": "buy", "arguments": json.dumps({"item": 1, "extra": value})}) == read(buy(extra=value))
