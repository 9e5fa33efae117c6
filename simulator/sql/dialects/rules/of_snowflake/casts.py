"""Snowflake's casts, and texts of values by templates."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, no_such_function
from simulator.sql.dialects.conversions import cast, coerced, to_json_text, to_text
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules.warehouse import (
    constant_of,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    BOOLEAN,
    DATE,
    FLOAT8,
    INT4,
    INT8,
    JSON,
    NUMERIC,
    TEXT,
    TIME,
    TIMESTAMP,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value, text_literal

_INTEGERS = (exp.DType.INT, exp.DType.BIGINT, exp.DType.SMALLINT, exp.DType.TINYINT)


_TYPES: dict[exp.DType, Type] = {
    exp.DType.DOUBLE: FLOAT8, exp.DType.FLOAT: FLOAT8, exp.DType.TEXT: TEXT, exp.DType.VARCHAR: TEXT,
    exp.DType.BOOLEAN: BOOLEAN, exp.DType.DATE: DATE, exp.DType.TIME: TIME, exp.DType.TIMESTAMP: TIMESTAMP,
    exp.DType.TIMESTAMPNTZ: TIMESTAMP, exp.DType.DATETIME: TIMESTAMP, exp.DType.VARIANT: JSON,
    exp.DType.OBJECT: JSON, exp.DType.ARRAY: JSON,
}  # fmt: skip


_STAMP = "'YYYY-MM-DD HH24:MI:SS.MS'"


def _written(node: exp.Expr) -> tuple[Type, tuple[int, ...]]:
    """The type a cast names, an integer for NUMBER without digits after the point, and its numbers."""
    kind = node.this if isinstance(node, exp.DataType) else None
    names = [item.this.name for item in node.expressions if isinstance(item, exp.DataTypeParam)]
    if any(not name.isdigit() or len(name) > 4 for name in names):
        raise mistyped("invalid type modifier", node)
    sizes = tuple(map(int, names))
    if kind in _INTEGERS:
        return INT4, ()
    if kind == exp.DType.DECIMAL:
        if len(sizes) < 2 or sizes[1] == 0:
            return INT4, sizes[:1]
        if not sizes[1] <= min(sizes[0], 15):
            raise unsupported(f"NUMBER({sizes[0]},{sizes[1]})", node, "Use a scale from 0 to 15.")
        return numeric(sizes[1]), sizes
    if kind == exp.DType.CHAR:
        return TEXT, sizes or (1,)
    if kind in _TYPES:
        return _TYPES[kind], sizes
    raise unsupported(
        f"The type {node.sql(dialect='snowflake')}", node,
        "Use NUMBER(p,s), INT, FLOAT, VARCHAR, BOOLEAN, DATE, TIMESTAMP_NTZ or VARIANT.",
    )  # fmt: skip


def as_type(value: Value, kind: Type, sizes: tuple[int, ...], node: exp.Expr) -> Value:
    """A value cast to a type."""
    source = value.type.name
    if kind == INT4:
        if source in ("unknown", "text", "json") and not value.is_null:
            text = varchar(value, node)
            return Value(f"dx_to_integer(dx_read_number({text.sql}, 'numeric'), 64, 0)", INT4)
        if source == "float8":
            return Value(f"dx_to_integer({value.sql}, 64, 0)", INT4)
        return replace(cast(value, INT8 if source != "boolean" else INT4, node), type=INT4)
    if kind.name == "numeric":
        number = cast(varchar(value, node) if source == "json" else value, NUMERIC, node)
        if source == "boolean":
            raise mistyped("cannot cast type boolean to numeric", node)
        return Value(f"dx_fit_numeric({number.sql}, {sizes[0]}, {sizes[1]})", kind)
    if kind == TEXT:
        text = varchar(value, node)
        return Value(f"substr({text.sql}, 1, {sizes[0]})", TEXT) if sizes else text
    if kind == JSON:
        if source == "json":
            return value
        return Value(f"(CASE WHEN {value.sql} IS NOT NULL THEN {to_json_text(value, node)} END)", JSON)
    if source == "json":
        return cast(varchar(value, node), kind, node)
    if kind == TIMESTAMP and sizes not in ((), (9,), (6,)):
        raise unsupported("The precision of this type", node, "Write the type without it.")
    return cast(value, kind, node)


def varchar(value: Value, node: exp.Expr) -> Value:
    """A value as the VARCHAR that Snowflake makes of it by itself."""
    if value.type.name == "json":
        return Value(f"dx_json_as_text({value.sql})", TEXT)
    if value.type.name in ("timestamp", "timestamptz"):
        return Value(f"dx_time_to_char({value.sql}, {_STAMP})", TEXT)
    return to_text(value, node)


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``x::type``, ``CAST(x AS type)`` and ``DATE '…'``."""
    only(node, "this", "to")
    kind, sizes = _written(node.args["to"])
    return as_type(translator.expression(node.this, scope), kind, sizes, node)


def try_cast(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``TRY_CAST(text AS type)``."""
    only(node, "this", "to", "safe", "requires_string")
    kind, sizes = _written(node.args["to"])
    return _tried(translator.expression(node.this, scope), kind, sizes, node)


_READ = {"int4": "rounded", "numeric": "number", "float8": "number"}


def _tried(value: Value, kind: Type, sizes: tuple[int, ...], node: exp.Expr) -> Value:
    if value.type.name not in ("text", "unknown"):
        raise mistyped(f"TRY_CAST needs a text, not {value.type.label}", node, "Use CAST, or ::.")
    if kind == TEXT:
        return as_type(value, kind, sizes, node)
    sql = f"dx_try_read({to_text(value, node).sql}, '{_READ.get(kind.name, kind.name)}')"
    if kind.name == "numeric":
        sql = f"dx_try_fit({sql}, {sizes[0]}, {sizes[1]})"
    return Value(sql, kind)


def conversion(kind: Type, tried: bool = False) -> Body:
    """``TO_DATE(x, template)``, ``TO_NUMBER(x, precision, scale)`` and their like; with TRY_ NULL for what is none."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 1, 3)
        if kind == INT4:
            sizes = [constant_of(value, call.node, "The precision") for value in values[1:]]
            if any(not size.isdigit() for size in sizes):
                raise unsupported("A template for a number", call.node, "Cast it: REPLACE(x, ',', '')::NUMBER(12, 2).")
            wanted = numeric(int(sizes[1])) if len(sizes) == 2 and sizes[1] != "0" else INT4
            numbers_of = tuple(map(int, sizes))
            return (_tried if tried else as_type)(values[0], wanted, numbers_of, call.node)
        if len(values) == 1:
            if kind == TIMESTAMP and values[0].type.is_number and not tried:
                return Value(f"dx_from_epoch({values[0].sql})", TIMESTAMP)
            return (_tried if tried else as_type)(values[0], kind, (), call.node)
        if kind not in (DATE, TIMESTAMP) or len(values) > 2 or values[0].type.name not in ("text", "unknown"):
            raise no_such_function(call, values)
        template = text_literal(template_of(constant_of(values[1], call.node, "A template"), call.node))
        text = to_text(values[0], call.node).sql
        if tried:
            return Value(f"dx_try_template({text}, {template}, '{kind.name}')", kind)
        return Value(f"dx_to_{kind.name}({text}, {template})", kind)

    return body


_TEMPLATE = re.compile(
    r"(?P<name>YYYY|YY|MMMM|MON|MM|DD|DY|HH24|HH12|AM|PM|MI|SS|FF3|FF6)|(?P<text>\"[^\"]*\"|[^A-Z\"])", re.IGNORECASE
)


_PATTERNS = {"MMMM": "FMMonth", "MON": "Mon", "DY": "Dy", "FF3": "MS", "FF6": "US"}


def template_of(text: str, node: exp.Expr) -> str:
    """A template of Snowflake's as one of PostgreSQL's."""
    result = ""
    position = 0
    for match in _TEMPLATE.finditer(text):
        if match.start() != position:
            break
        name = (match["name"] or "").upper()
        result += _PATTERNS.get(name, name) if name else match["text"]
        position = match.end()
    if position != len(text):
        raise unsupported("This template", node, "Use YYYY, YY, MM, MON, MMMM, DD, DY, HH24, HH12, AM, MI, SS, FF3.")
    return result


def to_varchar(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TO_CHAR(x, template)``, ``TO_VARCHAR``."""
    values = values_of(translator, call, scope, 1, 2)
    if len(values) == 1:
        return varchar(values[0], call.node)
    if not values[0].type.is_instant:
        raise unsupported("TO_CHAR() of a number with a template", call.node, "Use ROUND(x, 2)::VARCHAR and LPAD().")
    template = template_of(constant_of(values[1], call.node, "A template"), call.node)
    start = coerced(values[0], TIMESTAMP, call.node)
    return Value(f"dx_time_to_char({start.sql}, {text_literal(template)})", TEXT)
