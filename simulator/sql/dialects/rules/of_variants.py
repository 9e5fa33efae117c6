"""Snowflake's semi-structured data, and its aggregates that collect values."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, no_such_function
from simulator.sql.dialects.conversions import implicit, literal, to_json_text, to_text
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules.aggregates import arguments_of, filtered, order_of, rows_of
from simulator.sql.dialects.rules.of_snowflake import as_type, varchar
from simulator.sql.dialects.rules.warehouse import (
    items_of,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    BOOLEAN,
    INT4,
    JSON,
    TEXT,
)
from simulator.sql.dialects.values import Value, text_literal

# -- Semi-structured data ----------------------------------------------------------------------------------------------


def path(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``doc:field.inner[0]``."""
    only(node, "this", "expression", "variant_extract", "requires_json")
    document = translator.expression(node.this, scope)
    if document.type.name != "json":
        raise mistyped(f"cannot take a path of {document.type.label}", node, "Parse it first: PARSE_JSON(x):field.")
    steps = []
    for step in node.expression.expressions:
        if isinstance(step, exp.JSONPathKey) and isinstance(step.this, str):
            steps.append(step.this)
        elif isinstance(step, exp.JSONPathSubscript) and isinstance(step.this, int):
            steps.append(str(step.this))
        elif not isinstance(step, exp.JSONPathRoot):
            raise unsupported("This path", node, "Write keys and positions: doc:field.inner[0].")
    array = "[" + ",".join('"' + step.replace("\\", "\\\\").replace('"', '\\"') + '"' for step in steps) + "]"
    return Value(f"dx_json_path({document.sql}, {text_literal(array)})", JSON)


def bracket(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``doc['key']`` and ``array[0]``."""
    only(node, "this", "expressions", "offset", "safe", "returns_list_for_maps")
    if len(node.expressions) != 1:
        raise unsupported("This subscript", node, "Use one key or position.")
    value = translator.expression(node.this, scope)
    return _got(value, translator.expression(node.expressions[0], scope), node)


def _got(value: Value, key: Value, node: exp.Expr) -> Value:
    if value.type.element is not None:
        return Value(f"dx_array_slot({value.sql}, {implicit(key, INT4, node, 'position').sql}, 1)", value.type.element)
    if value.type.name != "json" or key.type.name not in ("int4", "text", "unknown"):
        raise mistyped(f"cannot take an element of {value.type.label}", node, "Parse it first: PARSE_JSON(x)['key'].")
    key = literal(key, TEXT, node) if key.type.name == "unknown" else key
    return Value(f"dx_json_get({value.sql}, {key.sql})", JSON)


def get(translator: Translator, call: Call, scope: Scope) -> Value:
    """``GET(doc, key)``."""
    value, key = values_of(translator, call, scope, 2)
    return _got(value, key, call.node)


def keyword(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``name => value``, which only FLATTEN takes here."""
    parent = node.parent
    is_flatten = isinstance(parent, exp.Anonymous) and parent.name.lower() == "flatten"
    if not is_flatten or node.this.name.lower() not in ("input", "outer"):
        raise unsupported(f"The argument {node.this.name} =>", node, "FLATTEN takes input => and outer =>.")
    return translator.expression(node.expression, scope)


def build_object(keeps_null: bool) -> Body:
    """``OBJECT_CONSTRUCT('key', value, …)``: pairs with NULL are left out, unless they are to be kept."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        if len(call.arguments) % 2:
            raise mistyped("OBJECT_CONSTRUCT needs keys and values in turns", call.node)
        values = [translator.expression(argument, scope) for argument in call.arguments]
        parts = []
        for index, value in enumerate(values):
            if index % 2 == 0:
                parts.append(to_text(value, call.node).sql)
            elif keeps_null:
                parts.append(to_json_text(value, call.node))
            else:
                parts.append(f"CASE WHEN {value.sql} IS NOT NULL THEN {to_json_text(value, call.node)} END")
        return Value(f"dx_json_{'object' if keeps_null else 'present'}({', '.join(parts)})", JSON)

    return body


def array_literal(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``[1, 2]``."""
    only(node, "expressions", "value_constructor", "bracket_notation")
    parts = [to_json_text(translator.expression(item, scope), node) for item in node.expressions]
    return Value(f"dx_json_array({', '.join(parts)})", JSON)


def parse_json(translator: Translator, call: Call, scope: Scope) -> Value:
    """``PARSE_JSON(text)``; a document stays."""
    (value,) = values_of(translator, call, scope, 1)
    if value.type.name == "json":
        return value
    return Value(f"dx_read_json({implicit(value, TEXT, call.node, 'argument of PARSE_JSON').sql})", JSON)


def to_json(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TO_JSON(variant)``: a text."""
    (value,) = values_of(translator, call, scope, 1)
    return Value(f"dx_json_compact({as_type(value, JSON, (), call.node).sql})", TEXT)


def array_size(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_SIZE(x)``."""
    (value,) = values_of(translator, call, scope, 1)
    if value.type.name not in ("json", "array"):
        raise no_such_function(call, [value])
    function = "dx_json_elements_count" if value.type.name == "json" else "dx_array_size"
    return Value(f"{function}({value.sql})", INT4)


def array_contains(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_CONTAINS(value::VARIANT, array)``."""
    item, array = values_of(translator, call, scope, 2)
    if array.type.element is not None:
        found = implicit(item if item.type.name != "json" else varchar(item, call.node), array.type.element,
                         call.node, "argument of ARRAY_CONTAINS")  # fmt: skip
        return Value(f"(dx_array_position({array.sql}, {found.sql}) IS NOT NULL)", BOOLEAN)
    if array.type.name != "json" or item.type.name != "json":
        raise mistyped(
            "ARRAY_CONTAINS needs a VARIANT and an array", call.node, "Write ARRAY_CONTAINS('x'::VARIANT, a)."
        )
    return Value(f"dx_json_contains({array.sql}, dx_json_array({item.sql}))", BOOLEAN)


def array_to_string(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_TO_STRING(array, separator)``."""
    array, separator = values_of(translator, call, scope, 2)
    if array.type.element is None or array.type.element.name != "text":
        raise unsupported("ARRAY_TO_STRING() of these elements", call.node, "Use LISTAGG().")
    return Value(f"dx_array_joined({array.sql}, {implicit(separator, TEXT, call.node, 'separator').sql})", TEXT)


# -- Aggregates --------------------------------------------------------------------------------------------------------


def _within(call: Call) -> Call:
    """A call whose order is written behind it, as if it stood in its brackets."""
    return replace(call, order=call.within, within=()) if call.within else call


def list_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``LISTAGG(x, separator) WITHIN GROUP (ORDER BY y)``: an empty text for no values."""
    call = _within(call)
    values = arguments_of(translator, call, scope, 2 if len(call.arguments) == 2 else 1)
    text = varchar(values[0], call.node).sql
    separator = implicit(values[1], TEXT, call.node, "separator").sql if len(values) == 2 else "''"
    if call.window is not None:
        raise unsupported("LISTAGG() with OVER", call.node, "Use GROUP BY in a subquery.")
    if not call.distinct:
        order = order_of(translator, call, scope)
        sql = filtered(translator, call, scope, f"group_concat({text}, {separator}{order})")
        return Value(f"coalesce({sql}, '')", TEXT)
    for item in call.order:
        if translator.expression(item.this, rows_of(call, scope)).sql != values[0].sql:
            raise unsupported("LISTAGG(DISTINCT) in another order", call.node, "Order by the listed value.")
    order = order_of(translator, call, scope) or f" ORDER BY {text}"
    items = f"json_group_array(DISTINCT {text}{order}) FILTER (WHERE {text} IS NOT NULL)"
    return Value(f"dx_array_joined({items}, {separator})", TEXT)


def array_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_AGG(x) WITHIN GROUP (ORDER BY y)``: NULLs are left out."""
    call = _within(call)
    (value,) = arguments_of(translator, call, scope, 1)
    kind = items_of(value.type, call)
    if call.window is not None:
        raise unsupported("ARRAY_AGG() with OVER", call.node, "Use GROUP BY in a subquery.")
    order = order_of(translator, call, scope)
    if call.distinct:
        order = order or f" ORDER BY {value.sql}"
    distinct = "DISTINCT " if call.distinct else ""
    return Value(f"json_group_array({distinct}{value.sql}{order}) FILTER (WHERE {value.sql} IS NOT NULL)", kind)


def over_all(body: Body) -> Body:
    """FIRST_VALUE, LAST_VALUE and NTH_VALUE: without a frame they see the whole partition."""

    def whole(translator: Translator, call: Call, scope: Scope) -> Value:
        if call.window is not None and call.window.args.get("spec") is None:
            window = call.window.copy()
            window.parent = call.window.parent
            bounds = {"start": "UNBOUNDED", "start_side": "PRECEDING", "end": "UNBOUNDED", "end_side": "FOLLOWING"}
            window.set("spec", exp.WindowSpec(kind="ROWS", **bounds))
            call = replace(call, window=window)
        return body(translator, call, scope)

    return whole
