"""SQL Server's CAST, CONVERT and TRY_CAST."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Call, no_such_function
from simulator.sql.dialects.conversions import cast, coerced, written_parameters
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.rules.of_tsql.texts import as_text
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    DATE,
    FLOAT8,
    INT4,
    INT8,
    TEXT,
    TIMESTAMP,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value, text_literal

_STYLES = {
    23: "yyyy-MM-dd", 101: "MM/dd/yyyy", 102: "yyyy.MM.dd", 103: "dd/MM/yyyy", 104: "dd.MM.yyyy", 105: "dd-MM-yyyy",
    108: "HH:mm:ss", 111: "yyyy/MM/dd", 112: "yyyy''MM''dd", 120: "yyyy-MM-dd HH:mm:ss", 126: "yyyy-MM-dd'T'HH:mm:ss",
}  # fmt: skip


def if_null(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ISNULL(x, y)``: of the type of ``x``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 2:
        raise no_such_function(call, values)
    first, second = values
    if first.type.name == "unknown":
        kind = TEXT if second.type.name == "unknown" else second.type
        return Value(f"coalesce({coerced(first, kind, call.node).sql}, {coerced(second, kind, call.node).sql})", kind)
    if first.type.name == "text" and second.type.name not in ("text", "unknown"):
        return Value(f"coalesce({first.sql}, {as_text(second, call.node)})", TEXT)
    return Value(f"coalesce({first.sql}, {_cast(second, first.type, (), call.node).sql})", first.type)


_TEXTS = (exp.DType.VARCHAR, exp.DType.NVARCHAR, exp.DType.CHAR, exp.DType.NCHAR, exp.DType.TEXT)


_TYPES: dict[exp.DType, Type] = {
    exp.DType.INT: INT4, exp.DType.BIGINT: INT8, exp.DType.DECIMAL: numeric(0), exp.DType.FLOAT: FLOAT8,
    exp.DType.DOUBLE: FLOAT8, exp.DType.DATE: DATE, exp.DType.DATETIME: TIMESTAMP, exp.DType.DATETIME2: TIMESTAMP,
    exp.DType.SMALLDATETIME: TIMESTAMP, exp.DType.TIMESTAMP: TIMESTAMP,
}  # fmt: skip


def _type_of(node: exp.Expr) -> tuple[Type, tuple[int, ...]]:
    if isinstance(node, exp.DataType) and node.this in _TEXTS:
        lengths = [item.this.name for item in node.expressions if isinstance(item, exp.DataTypeParam)]
        if lengths and lengths[0].lower() == "max":
            return TEXT, ()
        if node.this in (exp.DType.CHAR, exp.DType.NCHAR):
            raise unsupported("The type char", node, "Use varchar(n).")
        return TEXT, tuple(map(int, lengths)) if all(item.isdigit() for item in lengths) and lengths else (30,)
    if isinstance(node, exp.DataType) and node.this in _TYPES:
        return _TYPES[node.this], written_parameters(node)
    raise unsupported(
        "This type of a cast", node, "Use int, bigint, decimal(10,2), float, varchar(n), date or datetime2."
    )


def _cast(value: Value, target: Type, parameters: tuple[int, ...], node: exp.Expr) -> Value:
    if target.name == "text":
        sql = as_text(value, node)
        return Value(f"substr({sql}, 1, {parameters[0]})" if parameters else sql, TEXT)
    if target.name == "numeric" and (parameters or target.scale is None):
        precision, scale = (*parameters, 0, 0)[:2] if parameters else (38, value.type.scale or 0)
        if not 0 <= scale <= min(precision, 15):
            raise unsupported(f"decimal({precision},{scale})", node, "Use a scale from 0 to 15.")
        number = cast(value, numeric(None), node)
        return Value(f"dx_fit_numeric({number.sql}, {precision}, {scale})", numeric(scale))
    if target.is_integer and value.type.name in ("numeric", "float8"):
        return Value(f"dx_{target.name}(CAST(dx_truncate({value.sql}, 0) AS INTEGER))", target)
    if target.is_instant and value.type.is_number:
        raise unsupported("A number as a time", node, "Write times as '2024-01-31 09:30:00'.")
    return cast(value, target, node)


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``CAST(x AS type)``."""
    only(node, "this", "to")
    kind, parameters = _type_of(node.args["to"])
    if kind == numeric(0) and not parameters:
        parameters = (18, 0)
    return _cast(translator.expression(node.this, scope), kind, () if kind.is_instant else parameters, node)


def convert(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``CONVERT(type, x, style)``."""
    only(node, "this", "expression", "style", "safe")
    style = node.args.get("style")
    if node.args.get("safe"):
        if style is not None:
            raise unsupported("TRY_CONVERT() with a style", node, "Use TRY_CAST(x AS date).")
        return _tried(translator.expression(node.expression, scope), node.this, node)
    kind, parameters = _type_of(node.this)
    value = translator.expression(node.expression, scope)
    if style is None:
        parameters = (18, 0) if kind == numeric(0) and not parameters else parameters
        return _cast(value, kind, () if kind.is_instant else parameters, node)
    number = int(style.name) if isinstance(style, exp.Literal) and style.name.isdigit() else -1
    if number not in _STYLES or kind != TEXT or not value.type.is_instant:
        listed = ", ".join(map(str, _STYLES))
        raise unsupported("This style of CONVERT()", node, f"Make a text of a time, with a style of {listed}.")
    at = coerced(value, TIMESTAMP, node)
    sql = f"dx_net_time({at.sql}, {text_literal(_STYLES[number])})"
    return Value(f"substr({sql}, 1, {parameters[0]})" if parameters else sql, TEXT)


def try_cast(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``TRY_CAST(x AS type)``: NULL for a text that is no such value."""
    only(node, "this", "to", "safe", "requires_string")
    return _tried(translator.expression(node.this, scope), node.args["to"], node)


def _tried(value: Value, written: exp.Expr, node: exp.Expr) -> Value:
    kind, parameters = _type_of(written)
    if value.type.name not in ("text", "unknown"):
        return _cast(value, kind, parameters, node)
    names = {"int4": "integer", "int8": "integer", "numeric": "number", "float8": "number", "date": "date"}
    name = "timestamp" if kind.is_instant and kind.name != "date" else names.get(kind.name, "")
    if not name:
        return _cast(value, kind, parameters, node)
    sql = f"dx_try_read({value.sql}, {text_literal(name)})"
    if kind.name == "numeric":
        precision, scale = (*parameters, 0, 0)[:2] if parameters else (18, 0)
        return Value(f"dx_try_fit({sql}, {precision}, {scale})", numeric(scale))
    return Value(sql, kind)
