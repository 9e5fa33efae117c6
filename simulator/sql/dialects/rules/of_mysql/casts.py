"""MySQL's CAST."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.conversions import cast, written_parameters
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.rules.of_mysql.texts import as_text, by_code_point, is_write
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    DATE,
    FLOAT8,
    INT8,
    JSON,
    TEXT,
    TIMESTAMP,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:  # one line for each type
    """``CAST(x AS SIGNED)`` and its like; a text becomes the number it begins with."""
    only(node, "this", "to")
    kind = node.args["to"].this
    if kind == exp.DType.CHARACTER_SET:
        return translator.expression(node.this, scope)
    value = translator.expression(node.this, scope)
    parameters = written_parameters(node.args["to"])
    if kind in (exp.DType.CHAR, exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.NCHAR):
        sql = as_text(value, node)
        return Value(f"substr({sql}, 1, {parameters[0]})" if parameters else sql, TEXT)
    if kind == exp.DType.BINARY and not parameters:
        return by_code_point(Value(as_text(value, node), TEXT))
    if kind in (exp.DType.BIGINT, exp.DType.UBIGINT):
        return _as_integer(value, node, is_unsigned=kind == exp.DType.UBIGINT)
    if kind == exp.DType.DECIMAL:
        precision, scale = (*parameters, 0)[:2] if parameters else (10, 0)
        if not 0 <= scale <= min(precision, 15):
            raise unsupported(f"DECIMAL({precision},{scale})", node, "Use a scale from 0 to 15.")
        return Value(f"dx_fit_numeric({_as_number(value, node)}, {precision}, {scale})", numeric(scale))
    if kind in (exp.DType.DOUBLE, exp.DType.FLOAT) and not parameters:
        return Value(_as_number(value, node), FLOAT8)
    if kind in (exp.DType.DATETIME, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ) and not parameters:
        return _as_time(value, TIMESTAMP, node)
    if kind == exp.DType.DATE:
        return _as_time(value, DATE, node)
    if kind == exp.DType.JSON:
        return cast(value, JSON, node)
    raise unsupported("This type of a cast", node, "Use SIGNED, DECIMAL(10,2), CHAR, DATE, DATETIME, DOUBLE or JSON.")


def _as_time(value: Value, kind: Type, node: exp.Expr) -> Value:
    if value.type.is_number:
        raise unsupported("A number as a time", node, "Write times as '2024-01-31 09:30:00'.")
    return cast(value, kind, node)


def _as_number(value: Value, node: exp.Expr) -> str:
    if value.type.is_number or value.is_null:
        return value.sql
    if value.type.name in ("text", "unknown"):
        return f"dx_number_of({value.sql}, {int(is_write(node))})"
    if value.type.name == "json":
        return f"dx_number_of(dx_json_unquoted({value.sql}), {int(is_write(node))})"
    raise unsupported(f"A {value.type.label} as a number", node, "Use YEAR(), DATEDIFF() or UNIX_TIMESTAMP().")


def _as_integer(value: Value, node: exp.Expr, *, is_unsigned: bool) -> Value:
    if value.type.is_integer or value.is_null:
        sql = value.sql
    elif value.type.is_number:
        sql = f"dx_to_integer({value.sql}, 64, {int(value.type.name == 'float8')})"
    elif value.type.name in ("text", "unknown"):
        sql = f"dx_integer_of({value.sql}, {int(is_write(node))})"
    elif value.type.name == "json":
        sql = f"dx_integer_of(dx_json_unquoted({value.sql}), {int(is_write(node))})"
    else:
        raise unsupported(f"A {value.type.label} as a number", node, "Use YEAR(), DATEDIFF() or UNIX_TIMESTAMP().")
    return Value(f"dx_unsigned({sql})" if is_unsigned else sql, INT8)
