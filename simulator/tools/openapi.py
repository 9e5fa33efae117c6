"""The operations as an OpenAPI 3.1 document with real paths and methods (https://spec.openapis.org/oas/v3.1.0)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import JsonValue

from simulator.errors import Problem
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import Operation, ScenarioDocument
from simulator.scenario.paths import render_path
from simulator.tools.fault_verdicts import FAULT_REPLIES, fault_body, fault_verdict
from simulator.tools.parameters import ArgumentsSchema, Schema
from simulator.tools.toolbox import Toolbox

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_QUERY_METHODS = ("GET", "DELETE")
_FAILURE: JsonValue = {"$ref": "#/components/schemas/Failure"}


def openapi_document(document: ScenarioDocument, toolbox: Toolbox) -> Schema:
    """The document of every operation, whatever its roles. An operation without `api` is `POST /operations/{name}`.

    GET and DELETE take the parameters that are not in the path from the query, other methods from a JSON body.
    Assumes that :func:`api_problems` found nothing.
    """
    methods: dict[str, Schema] = {}
    for name, operation in _operations(document):
        method, path = _method_and_path(name, operation)
        described = _operation(name, operation, method, path, toolbox.arguments(name))
        responses = _responses(operation, toolbox.arguments(name))
        _add_faults(responses, document, name, operation)
        described["responses"] = responses
        methods.setdefault(path, {})[method.lower()] = described
    paths: Schema = dict(methods)
    info: Schema = {"title": document.title, "version": document.version}
    if document.summary:
        info["description"] = document.summary
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": {"Failure": _failure_schema()}}}


def api_problems(document: ScenarioDocument) -> list[Problem]:
    """What is wrong with the methods and paths that operations give."""
    problems: list[Problem] = []
    taken: dict[tuple[str, str], str] = {}
    spelled: dict[str, str] = {}
    for name, operation in _operations(document):
        where = render_path(("tools", name, "api"))
        method, path = _method_and_path(name, operation)
        shape = _PLACEHOLDER.sub("{}", path)
        other = taken.setdefault((method, shape), name)
        if other != name:
            problems.append(Problem("duplicate_api", f"{method} {path} is also the operation `{other}`.", where))
        elif spelled.setdefault(shape, path) != path:
            message = f"{path} and {spelled[shape]} are the same path; call its parameters by the same names."
            problems.append(Problem("ambiguous_path", message, where))
        problems += (Problem(code, message, where) for code, message in _placeholder_problems(operation, path))
    return problems


def _placeholder_problems(operation: Operation, path: str) -> Iterator[tuple[str, str]]:
    names = _PLACEHOLDER.findall(path)
    for name in dict.fromkeys(names):
        parameter = operation.parameters.get(name)
        if parameter is None:
            yield "unknown_parameter", f"`{{{name}}}` in the path is not a parameter of the operation."
        elif parameter.optional:
            yield "optional_in_path", f"`{{{name}}}` in the path is optional; a path needs all its parts."
        elif parameter.type in ("array", "object"):
            yield "structure_in_path", f"`{{{name}}}` in the path is of type {parameter.type}, no single value."
        if names.count(name) > 1:
            yield "duplicate_in_path", f"`{{{name}}}` stands in the path more than once."


def _operations(document: ScenarioDocument) -> Iterator[tuple[str, Operation]]:
    return ((name, tool) for name, tool in document.tools.items() if isinstance(tool, Operation))


def _method_and_path(name: str, operation: Operation) -> tuple[str, str]:
    method, _, path = (operation.api or f"POST /operations/{name}").partition(" ")
    return method, path


def _operation(name: str, operation: Operation, method: str, path: str, arguments: ArgumentsSchema) -> Schema:
    properties, required = arguments.properties, arguments.required
    in_path = _PLACEHOLDER.findall(path)
    rest: Schema = {item: part for item, part in properties.items() if item not in in_path}
    parameters = [_parameter(item, properties[item], "path", required=True) for item in in_path]
    description: Schema = {"operationId": name, "summary": operation.summary}
    if method in _QUERY_METHODS:
        parameters += [_parameter(item, properties[item], "query", required=item in required) for item in rest]
    elif rest:
        needed: list[JsonValue] = [item for item in required if item in rest]
        body: JsonValue = {"type": "object", "properties": rest, "required": needed, "additionalProperties": False}
        description["requestBody"] = {"required": bool(needed), "content": {"application/json": {"schema": body}}}
    if parameters:
        description["parameters"] = parameters
    return description


def _parameter(name: str, schema: Schema, place: str, *, required: bool) -> JsonValue:
    """One parameter; a list or object in the query is written as JSON text."""
    parameter: Schema = {"name": name, "in": place, "required": required}
    if schema.get("type") in ("array", "object"):
        return {**parameter, "content": {"application/json": {"schema": schema}}}
    return {**parameter, "schema": schema}


def _add_faults(responses: dict[str, Any], document: ScenarioDocument, name: str, operation: Operation) -> None:
    """Add what the faults that may strike an operation give; a status that a guard gives too has both examples."""
    for fault in document.faults.values():
        if name not in fault.names:
            continue
        if fault.kind == "stale_read":
            result = {"application/json": {"schema": _result_schema(operation)}}
            response = {"description": "The result, of an earlier moment.", "content": result}
            responses[str(FAULT_REPLIES[fault.kind].status)] = response
            continue
        seconds = parse_duration(fault.retry_after)
        verdict, body = fault_verdict(fault.kind, seconds), fault_body(fault.kind, seconds)
        response = responses.setdefault(
            str(verdict.status),
            {"description": f"Failed: {verdict.code}.", "content": {"application/json": {"schema": _FAILURE}}},
        )
        value = {"kind": verdict.kind, "code": verdict.code, "message": verdict.message, **body}
        response["content"]["application/json"].setdefault("examples", {})[verdict.code] = {"value": value}
        if fault.kind == "rate_limit":
            about = "Seconds of the world's time after which to try again."
            response["headers"] = {"Retry-After": {"description": about, "schema": {"type": "integer"}}}


def _responses(operation: Operation, arguments: ArgumentsSchema) -> Schema:
    """200, then each status a guard gives with its codes as examples, in the order of the guards."""
    result: Schema = {"application/json": {"schema": _result_schema(operation)}}
    responses: Schema = {"200": {"description": "The result.", "content": result}}
    by_status: dict[str, Schema] = {}
    for guard in operation.guards:
        failure = guard.else_
        value: JsonValue = {"kind": "guard", "code": failure.code, "message": failure.message}
        by_status.setdefault(str(failure.status), {}).setdefault(failure.code, {"value": value})
    if arguments.properties:
        by_status.setdefault("422", {})
    for status, examples in by_status.items():
        body: Schema = {"schema": _FAILURE, **({"examples": dict(examples)} if examples else {})}
        described = "Refused: " + ", ".join(examples) + "." if examples else "The arguments do not fit."
        responses[status] = {"description": described, "content": {"application/json": body}}
    return responses


def _result_schema(operation: Operation) -> Schema:
    returns = operation.returns
    if returns is None:
        return {"type": "object", "properties": {"ok": {"const": True}}, "required": ["ok"]}
    if returns.text is not None:
        return {"type": "string"}
    if returns.value is not None:
        return {}
    if returns.values is not None:
        return {"type": "array"}
    if returns.one is not None:
        return {"type": ["object", "null"]}
    if returns.many is None:
        return {"type": "object", "required": list(returns.nest)}
    if returns.by is not None:
        return {"type": "object"}
    rows: Schema = {"type": "array", "items": {"type": "object"}}
    if operation.page is None:
        return rows
    return {
        "type": "object",
        "properties": {
            "items": rows,
            "page": {"type": "integer"},
            "total": {"type": "integer"},
            "next_page": {"type": ["integer", "null"]},
        },
        "required": ["items", "page", "total", "next_page"],
    }


def _failure_schema() -> Schema:
    return {
        "type": "object",
        "properties": {
            "kind": {"type": "string"},
            "code": {"type": "string"},
            "message": {"type": "string"},
            "retryable": {"type": "boolean"},
            "retry_after": {"type": "integer"},
        },
        "required": ["kind", "code", "message"],
    }
