"""The operations as an OpenAPI 3.1 document that others can read."""

import json

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from simulator.tools import api_problems, openapi_document
from tests.tools.shop import document, toolbox

TOOLS = {
    "get_purchase": {
        "api": "GET /purchases/{purchase_id}",
        "summary": "One purchase.",
        "parameters": {
            "purchase_id": {"type": "integer"},
            "fields": {"type": "array", "items": {"type": "string"}, "optional": True},
            "since": {"type": "string", "format": "timestamp", "optional": True},
        },
        "guards": [
            {
                "require": "1",
                "else": {"status": 404, "code": "no_purchase", "message": "There is none: {purchase_id}."},
            },
            {"require": "1", "else": {"status": 409, "code": "closed", "message": "Closed."}},
            {"require": "1", "else": {"status": 409, "code": "locked", "message": "Locked."}},
        ],
        "returns": {"one": "select * from purchase where id = :purchase_id"},
    },
    "cancel_purchase": {
        "api": "DELETE /purchases/{purchase_id}",
        "summary": "Cancel it.",
        "parameters": {"purchase_id": {"type": "integer"}, "reason": {"type": "string"}},
        "effects": ["delete from line where purchase_id = :purchase_id"],
    },
    "add_lines": {
        "api": "POST /purchases/{purchase_id}/lines",
        "summary": "Add lines.",
        "parameters": {
            "purchase_id": {"type": "integer"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"item": {"type": "integer"}}}},
            "note": {"type": "string", "optional": True, "pattern": "[a-z]+"},
        },
        "returns": {"nest": {"lines": {"many": "select * from line where purchase_id = :purchase_id"}}},
    },
    "list_items": {"summary": "Items.", "page": 5, "returns": {"many": "select * from item order by id"}},
    "count": {"api": "GET /count", "summary": "Count.", "returns": {"value": "select count(*) from item"}},
    "greet": {"api": "PUT /greeting", "summary": "Greet.", "returns": {"text": "Hello."}, "roles": ["lead"]},
}


@pytest.fixture(scope="module")
def published():
    of = document(TOOLS, roles={"lead": {}}, summary="A shop.")
    return openapi_document(of, toolbox(TOOLS, roles={"lead": {}}))


def test_the_document_is_valid_openapi_3_1(published):
    validate(published, cls=OpenAPIV31SpecValidator)
    assert json.loads(json.dumps(published)) == published
    assert published["info"] == {"title": "Shop", "version": "0.1.0", "description": "A shop."}


def test_operations_stand_under_their_real_paths_and_methods(published):
    found = {
        (method, path): operation["operationId"]
        for path, item in published["paths"].items()
        for method, operation in item.items()
    }
    assert found == {
        ("get", "/purchases/{purchase_id}"): "get_purchase",
        ("delete", "/purchases/{purchase_id}"): "cancel_purchase",
        ("post", "/purchases/{purchase_id}/lines"): "add_lines",
        ("post", "/operations/list_items"): "list_items",
        ("get", "/count"): "count",
        ("put", "/greeting"): "greet",
    }


def test_parameters_come_from_path_query_or_body(published):
    get = published["paths"]["/purchases/{purchase_id}"]["get"]
    assert [(item["name"], item["in"], item["required"]) for item in get["parameters"]] == [
        ("purchase_id", "path", True),
        ("fields", "query", False),
        ("since", "query", False),
    ]
    assert "requestBody" not in get
    post = published["paths"]["/purchases/{purchase_id}/lines"]["post"]
    assert [item["name"] for item in post["parameters"]] == ["purchase_id"]
    body = post["requestBody"]["content"]["application/json"]["schema"]
    assert (list(body["properties"]), body["required"]) == (["lines", "note"], ["lines"])
    paged = published["paths"]["/operations/list_items"]["post"]["requestBody"]
    assert paged["required"] is False
    assert list(paged["content"]["application/json"]["schema"]["properties"]) == ["page"]


def test_each_status_of_a_guard_shows_its_codes(published):
    responses = published["paths"]["/purchases/{purchase_id}"]["get"]["responses"]
    assert list(responses) == ["200", "404", "409", "422"]
    examples = responses["409"]["content"]["application/json"]["examples"]
    assert {name: example["value"]["code"] for name, example in examples.items()} == {
        "closed": "closed",
        "locked": "locked",
    }


@pytest.mark.parametrize(
    ("apis", "problems"),
    [
        (["GET /a/{x}", "POST /a/{x}"], []),
        (["GET /a/{x}", "GET /a/{x}"], ["duplicate_api"]),
        (["GET /a/{x}", "GET /a/{z}"], ["duplicate_api"]),
        (["GET /a/{x}", "POST /a/{z}"], ["ambiguous_path"]),
        (["POST /operations/t3", None, None, None], ["duplicate_api"]),
        (["GET /a/{nobody}"], ["unknown_parameter"]),
        (["GET /a/{maybe}"], ["optional_in_path"]),
        (["GET /a/{many}"], ["structure_in_path"]),
        (["GET /a/{x}/{x}"], ["duplicate_in_path"]),
    ],
)
def test_paths_that_cannot_be_served_are_reported(apis, problems):
    parameters = {
        "x": {"type": "integer"},
        "z": {"type": "integer"},
        "maybe": {"type": "integer", "optional": True},
        "many": {"type": "array"},
    }
    tools = {
        f"t{number}": {"summary": "T.", "parameters": parameters, **({"api": api} if api else {})}
        for number, api in enumerate(apis)
    }
    found = api_problems(document(tools))
    assert [problem.code for problem in found] == problems
    assert all(problem.path.endswith(".api") for problem in found)


def test_faults_are_told_as_an_api_tells_them():
    faults = {
        "slow": {"tools": ["count", "get_purchase"], "kind": "timeout"},
        "busy": {"tools": ["count"], "kind": "rate_limit", "retry_after": "2m"},
        "broken": {"tools": ["count"], "kind": "server_error"},
        "down": {"tools": ["count"], "kind": "outage", "from_step": 1, "to_step": 2},
        "old": {"tools": ["count"], "kind": "stale_read"},
    }
    of = document(TOOLS, roles={"lead": {}}, faults=faults)
    published = openapi_document(of, toolbox(TOOLS, roles={"lead": {}}, faults=faults))
    validate(published, cls=OpenAPIV31SpecValidator)
    responses = published["paths"]["/count"]["get"]["responses"]
    assert list(responses) == ["200", "504", "429", "500", "503", "203"]
    assert list(responses["429"]["headers"]) == ["Retry-After"]
    assert responses["429"]["content"]["application/json"]["examples"]["rate_limited"]["value"] == {
        "kind": "fault",
        "code": "rate_limited",
        "message": "Too many requests. Nothing was done; try again in 2m.",
        "retryable": True,
        "retry_after": 120,
    }
    assert list(published["paths"]["/purchases/{purchase_id}"]["get"]["responses"]) == [
        "200", "404", "409", "422", "504",
    ]  # fmt: skip


def test_a_status_that_a_guard_and_a_fault_give_shows_both():
    tools = {"try": {"api": "GET /try", "summary": "Try.", "returns": {"value": "select 1"}}}
    tools["try"]["guards"] = [{"require": "1", "else": {"status": 503, "code": "closed", "message": "Closed."}}]
    faults = {"down": {"tools": "try", "kind": "outage", "from_step": 1, "to_step": 2}}
    published = openapi_document(document(tools, faults=faults), toolbox(tools, faults=faults))
    content = published["paths"]["/try"]["get"]["responses"]["503"]["content"]["application/json"]
    assert list(content["examples"]) == ["closed", "unavailable"]
