"""JSON documents and arrays."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function, plain, signature
from simulator.sql.dialects.conversions import coerced, implicit, literal, to_json_text
from simulator.sql.dialects.hiding import KEY_CALL
from simulator.sql.dialects.queries import query_in
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import BOOLEAN, INT4, JSON, TEXT, Type, array_of, meeting
from simulator.sql.dialects.values import Value, quoted


def _document(translator: Translator, node: exp.Expr, scope: Scope) -> str:
    value = translator.expression(node, scope)
    if value.type.name != "json":
        raise mistyped(f"operator does not exist: {value.type.label} -> unknown", node, "Cast it: x::jsonb.")
    return value.sql


def _key(translator: Translator, node: exp.Expr, scope: Scope) -> str | None:
    """The key or position in a call that stands for ``-> key``, as SQLite text; ``None`` for a path."""
    if not isinstance(node, exp.Anonymous) or node.name != KEY_CALL:
        return None
    key = node.expressions[0]
    if len(node.expressions) == 2:  # a negative position, written as text
        return f"({key.name})"
    return translator.expression(key, scope).sql


def field(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``doc -> key`` and ``doc ->> key`` for a computed key."""
    only(node, "this", "expression", "only_json_types")
    as_text = isinstance(node, exp.JSONExtractScalar)
    key = translator.expression(node.expression, scope)
    if key.type.name not in ("text", "int4"):
        raise mistyped(f"operator does not exist: jsonb -> {key.type.label}", node)
    document = _document(translator, node.this, scope)
    return Value(f"dx_json_get{'_text' if as_text else ''}({document}, {key.sql})", TEXT if as_text else JSON)


def path(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``doc #> '{a,b}'`` and ``doc #>> '{a,b}'``, and with a literal key ``doc -> 'key'``."""
    only(node, "this", "expression")
    as_text = isinstance(node, exp.JSONBExtractScalar)
    document = _document(translator, node.this, scope)
    kind = TEXT if as_text else JSON
    key = _key(translator, node.expression, scope)
    if key is not None:
        return Value(f"dx_json_get{'_text' if as_text else ''}({document}, {key})", kind)
    steps = implicit(translator.expression(node.expression, scope), array_of(TEXT), node, "path")
    return Value(f"dx_json_path{'_text' if as_text else ''}({document}, {steps.sql})", kind)


def has_key(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``doc ? 'key'``."""
    only(node, "this", "expression")
    key = implicit(translator.expression(node.expression, scope), TEXT, node, "argument of ?")
    return Value(f"dx_json_has_key({_document(translator, node.this, scope)}, {key.sql})", BOOLEAN)


def contains(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``@>`` and ``<@`` of documents or arrays."""
    only(node, "this", "expression")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    return _contained(left, right, node, "contains")


def overlaps(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``&&`` of arrays."""
    only(node, "this", "expression")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    return _contained(left, right, node, "overlaps")


def _contained(left: Value, right: Value, node: exp.Expr, word: str) -> Value:
    kind = meeting((left.type, right.type))
    if kind is None or kind.name not in ("json", "array") or (kind.name == "json" and word == "overlaps"):
        raise mistyped(f"operator does not exist: {left.type.label} @> {right.type.label}", node)
    first, second = coerced(left, kind, node), coerced(right, kind, node)
    return Value(f"dx_{kind.name}_{word}({first.sql}, {second.sql})", BOOLEAN)


def array(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``ARRAY[…]`` and ``ARRAY(SELECT …)``."""
    only(node, "expressions", "value_constructor", "bracket_notation")
    items = node.expressions
    if len(items) == 1 and isinstance(items[0], exp.Query):
        found = query_in(translator, items[0], scope)
        if len(found.columns) != 1:
            raise mistyped("subquery must return only one column", node)
        name = quoted(found.sql_names[0])
        return Value(f"(SELECT json_group_array({name}) FROM ({found.sql}))", array_of(found.columns[0].type))
    values = [translator.expression(item, scope) for item in items]
    kind = translator.meeting(values, node, "ARRAY")
    kind = TEXT if kind.name == "unknown" else kind
    if kind.name in ("json", "array"):
        raise unsupported(f"An array of {kind.label}", node, "Use jsonb_build_array().")
    texts = [coerced(value, kind, node).sql for value in values]
    return Value(f"json_array({', '.join(texts)})", array_of(kind))


def element(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``array[2]``; sqlglot counts from 0."""
    only(node, "this", "expressions", "offset", "safe", "returns_list_for_maps")
    value = translator.expression(node.this, scope)
    index = node.expressions[0] if len(node.expressions) == 1 else None
    if value.type.element is None or not isinstance(index, exp.Literal) or not index.name.isdigit():
        raise unsupported("This subscript", node, "Use one literal position of an array: a[1].")
    return Value(f"dx_array_element({value.sql}, {int(index.name) + 1})", value.type.element)


def array_length(translator: Translator, call: Call, scope: Scope) -> Value:
    """``array_length(a, 1)``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 2 or values[0].type.name != "array" or values[1].constant != "1":
        raise unsupported("This array_length()", call.node, "Use cardinality(a).")
    return Value(f"dx_array_length({values[0].sql})", INT4)


def cardinality(translator: Translator, call: Call, scope: Scope) -> Value:
    """``cardinality(a)``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 1 or values[0].type.name != "array":
        raise no_such_function(call, values)
    return Value(f"dx_array_size({values[0].sql})", INT4)


def array_to_string(translator: Translator, call: Call, scope: Scope) -> Value:
    """``array_to_string(a, separator)`` of texts and integers."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 2 or values[0].type.element is None:
        raise unsupported("This array_to_string()", call.node, "Use string_agg(), or two arguments.")
    if values[0].type.element.name not in ("text", "date", "timestamp", "int4", "int8"):
        raise unsupported("array_to_string() of these elements", call.node, "Use string_agg(x::text, ', ').")
    items = values[0].sql
    if values[0].type.element.is_integer:
        items = f'(SELECT json_group_array(CAST("value" AS TEXT)) FROM json_each({items}))'
    return Value(f"dx_array_joined({items}, {coerced(values[1], TEXT, call.node).sql})", TEXT)


def _of_array_and_item(sql: str, result: Type | None) -> Body:
    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 2 or values[0].type.element is None:
            raise no_such_function(call, values)
        item = implicit(values[1], values[0].type.element, call.node, f"argument of {call.name}")
        return Value(sql.format(values[0].sql, item.sql), result or values[0].type)

    return body


def build_object(translator: Translator, call: Call, scope: Scope) -> Value:
    """``jsonb_build_object('key', value, …)``."""
    if len(call.arguments) % 2:
        raise mistyped("argument list must have even number of elements", call.node)
    values = [translator.expression(argument, scope) for argument in call.arguments]
    parts = [
        to_json_text(value, call.node) if index % 2 else coerced(value, TEXT, call.node).sql
        for index, value in enumerate(values)
    ]
    return Value(f"dx_json_object({', '.join(parts)})", JSON)


def build_array(translator: Translator, call: Call, scope: Scope) -> Value:
    """``jsonb_build_array(value, …)``."""
    parts = [to_json_text(translator.expression(argument, scope), call.node) for argument in call.arguments]
    return Value(f"dx_json_array({', '.join(parts)})", JSON)


def to_json(translator: Translator, call: Call, scope: Scope) -> Value:
    """``to_jsonb(value)``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 1:
        raise no_such_function(call, values)
    return Value(f"CASE WHEN {values[0].sql} IS NOT NULL THEN {to_json_text(values[0], call.node)} END", JSON)


def json_set(translator: Translator, call: Call, scope: Scope) -> Value:
    """``jsonb_set(doc, '{key}', value)``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 3 or values[0].type.name != "json":
        raise unsupported("This jsonb_set()", call.node, "Use three arguments, or doc || jsonb_build_object(…).")
    steps = implicit(values[1], array_of(TEXT), call.node, "path")
    new = literal(values[2], JSON, call.node) if values[2].type.name == "unknown" else values[2]
    return Value(f"dx_json_with({values[0].sql}, {steps.sql}, {implicit(new, JSON, call.node, 'value').sql})", JSON)


RULES: dict[type[exp.Expr], Rule] = {
    exp.JSONExtract: field,
    exp.JSONExtractScalar: field,
    exp.JSONBExtract: path,
    exp.JSONBExtractScalar: path,
    exp.JSONBContainsTopKey: has_key,
    exp.ArrayContainsAll: contains,
    exp.ArrayOverlaps: overlaps,
    exp.Array: array,
    exp.Bracket: element,
}

FUNCTIONS: dict[str, FunctionRule] = {
    "array_length": FunctionRule(array_length),
    "cardinality": FunctionRule(cardinality),
    "array_to_string": FunctionRule(array_to_string),
    "string_to_array": plain(signature("dx_array_of_parts({0}, {1})", array_of(TEXT), TEXT, TEXT)),
    "array_position": FunctionRule(_of_array_and_item("dx_array_position({0}, {1})", INT4)),
    "array_append": FunctionRule(_of_array_and_item("dx_array_appended({0}, {1})", None)),
    "array_remove": FunctionRule(_of_array_and_item("dx_array_removed({0}, {1})", None)),
    "jsonb_build_object": FunctionRule(build_object),
    "json_build_object": FunctionRule(build_object),
    "jsonb_build_array": FunctionRule(build_array),
    "json_build_array": FunctionRule(build_array),
    "to_jsonb": FunctionRule(to_json),
    "to_json": FunctionRule(to_json),
    "jsonb_set": FunctionRule(json_set),
    "jsonb_array_length": plain(signature("dx_json_length({0})", INT4, JSON)),
    "json_array_length": plain(signature("dx_json_length({0})", INT4, JSON)),
    "jsonb_typeof": plain(signature("dx_json_kind({0})", TEXT, JSON)),
    "json_typeof": plain(signature("dx_json_kind({0})", TEXT, JSON)),
}
