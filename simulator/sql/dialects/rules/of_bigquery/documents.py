"""GoogleSQL's JSON documents and arrays."""

from __future__ import annotations

import json
import re

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import coerced, implicit, to_json_text
from simulator.sql.dialects.queries import query_in
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules.warehouse import (
    constant_of,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    INT4,
    JSON,
    TEXT,
    Type,
    array_of,
)
from simulator.sql.dialects.values import Value, quoted, text_literal

AS_SCALAR = "Its value as a scalar: JSON_VALUE(doc, '$.field')."


_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]"']+)|\.?"(?P<quoted>[^"]+)"|\[(?P<index>[0-9]+)\]|\[(['"])(?P<key>[^'"]+)\4\]"""
)


def _steps(path: str, node: exp.Expr) -> str:
    """A JSONPath as an array of keys and positions."""
    steps = []
    position = 1
    while path.startswith("$") and position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            break
        steps.append(match["name"] or match["quoted"] or match["index"] or match["key"])
        position = match.end()
    if not path.startswith("$") or position != len(path):
        raise unsupported(f"The path {path[:40]}", node, "Write keys and positions: '$.field.inner[0]'.")
    return text_literal(json.dumps(steps, ensure_ascii=False))


def json_path(function: str, result: Type) -> FunctionRule:
    """``JSON_VALUE(doc, path)`` and its like."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 1, 2)
        if values[0].type.name != "json":
            raise unsupported(f"{call.name.upper()}() of a STRING", call.node, "Parse it first: PARSE_JSON(x).")
        path = constant_of(values[1], call.node, "A path") if len(values) == 2 else "$"
        return Value(f"{function}({values[0].sql}, {_steps(path, call.node)})", result)

    return FunctionRule(body)


def parse_json(translator: Translator, call: Call, scope: Scope) -> Value:
    """``PARSE_JSON(text)``."""
    (value,) = values_of(translator, call, scope, 1)
    return Value(f"dx_read_json({implicit(value, TEXT, call.node, 'argument of PARSE_JSON').sql})", JSON)


def to_json_string(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TO_JSON_STRING(x)``."""
    (value,) = values_of(translator, call, scope, 1)
    return Value(f"dx_json_compact({to_json_text(value, call.node)})", TEXT)


def array(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``[1, 2]`` and ``ARRAY(SELECT …)``."""
    only(node, "expressions", "value_constructor", "bracket_notation", "struct_name_inheritance")
    items = node.expressions
    if len(items) == 1 and isinstance(items[0], exp.Query):
        found = query_in(translator, items[0], scope)
        if len(found.columns) != 1:
            raise mistyped("ARRAY subquery cannot have more than one column", node)
        name, kind = quoted(found.sql_names[0]), found.columns[0].type
        if kind.name in ("json", "array", "interval"):
            raise unsupported(f"An array of {kind.label}", node, "Collect a part of it as STRING.")
        kind = TEXT if kind.name == "unknown" else kind
        return Value(f"(SELECT json_group_array({name}) FROM ({found.sql}))", array_of(kind))
    values = [translator.expression(item, scope) for item in items]
    kind = translator.meeting(values, node, "ARRAY")
    kind = TEXT if kind.name == "unknown" else kind
    if kind.name in ("json", "array", "interval"):
        raise unsupported(f"An array of {kind.label}", node, "Collect a part of it as STRING.")
    return Value(f"json_array({', '.join(coerced(value, kind, node).sql for value in values)})", array_of(kind))


def element(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``a[OFFSET(0)]``, ``a[SAFE_ORDINAL(1)]``, ``doc['key']``."""
    only(node, "this", "expressions", "offset", "safe", "returns_list_for_maps")
    if len(node.expressions) != 1:
        raise unsupported("This subscript", node, "Use one position.")
    value = translator.expression(node.this, scope)
    key = translator.expression(node.expressions[0], scope)
    if value.type.name == "json" and key.type.name in ("int4", "unknown", "text"):
        return Value(f"dx_json_get({value.sql}, {key.sql})", JSON)
    if value.type.name != "array" or value.type.element is None or not key.type.is_integer:
        raise mistyped(f"cannot take an element of {value.type.label}", node, "Use a[OFFSET(0)] on an array.")
    index = key.sql if not node.args.get("offset") else f"{key.sql} - 1"
    return Value(f"dx_array_slot({value.sql}, {index}, {int(bool(node.args.get('safe')))})", value.type.element)


def _array_argument(translator: Translator, call: Call, scope: Scope, count: int) -> list[Value]:
    values = values_of(translator, call, scope, count)
    if values[0].type.name != "array":
        raise no_such_function(call, values)
    return values


def array_length(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_LENGTH(a)``."""
    (value,) = _array_argument(translator, call, scope, 1)
    return Value(f"dx_array_size({value.sql})", INT4)


def array_to_string(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_TO_STRING(a, separator)``."""
    value, separator = _array_argument(translator, call, scope, 2)
    if value.type.element is None or value.type.element.name != "text":
        raise no_such_function(call, [value, separator])
    return Value(f"dx_array_joined({value.sql}, {implicit(separator, TEXT, call.node, 'separator').sql})", TEXT)


def array_concat(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_CONCAT(a, b)``."""
    first, second = _array_argument(translator, call, scope, 2)
    if first.type != second.type:
        raise no_such_function(call, [first, second])
    return Value(f"dx_array_concat({first.sql}, {second.sql})", first.type)
