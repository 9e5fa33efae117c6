"""The toolbox describes to each role what it may call."""

import json

import jsonschema
import pytest

from simulator.tools import tool_problems
from tests.tools.shop import document, toolbox

TOOLS = {
    "look": {
        "summary": "The items.",
        "parameters": {"name": {"type": "string", "description": "Part of the name.", "optional": True}},
        "page": 5,
        "returns": {"many": "select id from item where :name is null or name like '%' || :name || '%' order by id"},
    },
    "run_sql": {"sql": {"grants": {"item": {"select": "*"}}}},
    "buy": {
        "summary": "Buy one.",
        "parameters": {"item": {"type": "integer"}, "request": {"type": "string", "optional": True}},
        "effects": ["update item set stock = stock - 1 where id = :item"],
        "takes": "1h30m",
        "cost": 2.5,
        "idempotency": "request",
    },
    "hand_over": {"summary": "Hand over to a person.", "ends": True, "roles": ["clerk", "lead"]},
}
PARTS = {"roles": {"clerk": {}, "lead": {}}, "refusals": ["not_allowed", "duplicate"]}
BOX = toolbox(TOOLS, **PARTS)


def described(role=None, box=BOX, refusals=("not_allowed", "duplicate")):
    return {item["function"]["name"]: item["function"] for item in box.descriptions(role, refusals)}


def test_tools_are_described_in_document_order_then_finish_and_wait():
    assert list(described("lead")) == ["look", "run_sql", "buy", "hand_over", "finish", "wait"]
    assert BOX.names("lead") == ("look", "run_sql", "buy", "hand_over", "finish", "wait")


def test_a_tool_of_other_roles_is_not_described():
    assert "hand_over" not in described(None)
    assert "hand_over" in described("clerk")


def test_a_description_tells_what_a_call_means():
    tools = described("lead")
    assert tools["look"]["description"] == "The items. Reads only. Returns pages of 5 items."
    assert tools["buy"]["description"] == (
        "Buy one. The same `request` again returns the first result and does nothing more. Takes 1h30m. Costs 2.5."
    )
    assert tools["hand_over"]["description"] == "Hand over to a person. Reads only. Ends the task."
    assert tools["look"]["parameters"]["properties"]["name"]["description"] == "Part of the name."


def test_finish_offers_every_refusal_and_none_where_there_is_none():
    assert described()["finish"]["parameters"]["properties"]["refusal"]["enum"] == ["not_allowed", "duplicate"]
    assert list(
        described(box=toolbox(TOOLS, roles=PARTS["roles"]), refusals=())["finish"]["parameters"]["properties"]
    ) == ["answer"]


def test_descriptions_are_openai_functions():
    for item in BOX.descriptions("lead", ["not_allowed"]):
        assert item["type"] == "function"
        assert set(item["function"]) == {"name", "description", "parameters"}
        jsonschema.Draft202012Validator.check_schema(item["function"]["parameters"])
        assert json.loads(json.dumps(item)) == item


def test_descriptions_are_the_callers_own():
    first = BOX.descriptions("lead", ["not_allowed"])
    first[0]["function"]["parameters"]["properties"].clear()
    assert "name" in described("lead")["look"]["parameters"]["properties"]


def test_sql_tools_and_built_in_tools_are_no_operations():
    assert [BOX.operation(name) for name in ("run_sql", "finish", "wait", "nothing")] == [None] * 4


@pytest.mark.parametrize("name", ["look", "buy", "hand_over"])
def test_operations_are_found_by_name(name):
    assert BOX.operation(name).name == name


def test_problems_of_all_tools_are_told_without_reading_their_sql():
    tools = {
        "a": {"summary": "A.", "page": 3, "let": {"x": "not sql at all"}},
        "b": {"summary": "B.", "idempotency": "key"},
    }
    assert [problem.path for problem in tool_problems(document(tools))] == ["tools.a.page", "tools.b.idempotency"]
    assert tool_problems(document(TOOLS, **PARTS)) == []
