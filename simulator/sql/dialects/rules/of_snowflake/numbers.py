"""Snowflake's numbers and aggregates of them."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, no_such_function
from simulator.sql.dialects.conversions import implicit
from simulator.sql.dialects.refusals import unsupported
from simulator.sql.dialects.rules import arithmetic
from simulator.sql.dialects.rules.aggregates import arguments_of, average, filtered, total
from simulator.sql.dialects.rules.arithmetic import numbers, scale_of
from simulator.sql.dialects.rules.of_snowflake.times import date_trunc
from simulator.sql.dialects.rules.warehouse import (
    constant_of,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    FLOAT8,
    numeric,
)
from simulator.sql.dialects.values import NULL, Value


def divided(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``/``: of NUMBERs a NUMBER with six digits more than the dividend, twelve at most; rounded half up."""
    found = numbers(left, right, node)
    if found is None:
        return None
    left, right, kind = found
    if kind.name == "float8":
        return Value(f"dx_float_divide({left.sql}, {right.sql})", FLOAT8)
    scale = scale_of(left.type)
    if scale is None:
        raise unsupported("Dividing a number whose scale is not known", node, "Cast it: x::NUMBER(12, 2) / y.")
    wanted = max(scale, min(scale + 6, 12))
    return Value(f"dx_round(dx_divide({left.sql}, {right.sql}), {wanted})", numeric(wanted))


def product(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``*`` of NUMBERs: with the digits of both, twelve at most unless one has more."""
    found = numbers(left, right, node)
    if found is None or found[2].name == "float8" or found[2].is_integer:
        return None
    left, right, _ = found
    first, second = scale_of(left.type), scale_of(right.type)
    if first is None or second is None:
        return None
    wanted = min(first + second, max(first, second, 12))
    return Value(f"round({left.sql} * {right.sql}, {wanted})", numeric(wanted))


def div0(or_null: bool) -> Body:
    """``DIV0(a, b)``: 0 where b is 0; ``DIV0NULL`` also where it is NULL."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        left, right = values_of(translator, call, scope, 2)
        result = divided(left, replace(right, sql=f"nullif({right.sql}, 0)"), call.node)
        if result is None:
            raise no_such_function(call, [left, right])
        test = f"coalesce({right.sql}, 0) = 0" if or_null else f"{right.sql} = 0 AND {left.sql} IS NOT NULL"
        return Value(f"(CASE WHEN {test} THEN 0 ELSE {result.sql} END)", result.type)

    return body


def mean(translator: Translator, call: Call, scope: Scope) -> Value:
    """``AVG(x)``: of NUMBERs a NUMBER with the scale of a division."""
    value = average(translator, call, scope)
    (argument,) = arguments_of(translator, call, scope, 1)
    if not argument.type.is_number or argument.type.name == "float8":
        return value
    scale = scale_of(argument.type)
    if scale is None:
        raise unsupported("AVG() of a number whose scale is not known", call.node, "Cast it: x::NUMBER(12, 2).")
    wanted = max(scale, min(scale + 6, 12))
    return Value(f"dx_round({value.sql}, {wanted})", numeric(wanted))


def median(translator: Translator, call: Call, scope: Scope) -> Value:
    """``MEDIAN(x)``."""
    (value,) = arguments_of(translator, call, scope, 1)
    if not value.type.is_number or call.window is not None or call.distinct:
        raise unsupported("This MEDIAN()", call.node, "Use MEDIAN(number) with GROUP BY.")
    return Value(filtered(translator, call, scope, f"dx_percentile_cont({value.sql}, 0.5, 0)"), FLOAT8)


def mode(translator: Translator, call: Call, scope: Scope) -> Value:
    """``MODE(x)``: of several the smallest."""
    (value,) = arguments_of(translator, call, scope, 1)
    if call.window is not None or call.distinct or value.type.name in ("interval", "json", "array", "unknown"):
        raise unsupported("This MODE()", call.node, "Use GROUP BY, ORDER BY COUNT(*) DESC and LIMIT 1.")
    return Value(filtered(translator, call, scope, f"dx_mode({value.sql})"), value.type)


def ratio(translator: Translator, call: Call, scope: Scope) -> Value:
    """``RATIO_TO_REPORT(x) OVER (…)``."""
    (value,) = arguments_of(translator, call, scope, 1)
    whole = total(translator, call, scope)
    result = divided(value, replace(whole, sql=f"nullif({whole.sql}, 0)"), call.node)
    if result is None:
        raise no_such_function(call, [value])
    return result


def power(translator: Translator, call: Call, scope: Scope) -> Value:
    """``POWER(x, n)``: a FLOAT."""
    left, right = values_of(translator, call, scope, 2)
    result = arithmetic.power(left, right, call.node)
    if result is None:
        raise no_such_function(call, [left, right])
    return replace(result, type=FLOAT8)


def square(translator: Translator, call: Call, scope: Scope) -> Value:
    """``SQRT(x)``: a FLOAT."""
    (value,) = values_of(translator, call, scope, 1)
    return Value(f"dx_square_root({implicit(value, FLOAT8, call.node, 'argument of SQRT').sql})", FLOAT8)


def rounding(function: str) -> Body:
    """``ROUND(x, digits)`` and ``TRUNC``: halves away from zero, FLOATs too."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 1, 2)
        if not values[0].type.is_number:
            raise no_such_function(call, values)
        digits = constant_of(values[1], call.node, "The number of digits") if len(values) == 2 else "0"
        if not digits.lstrip("-").isdigit():
            raise no_such_function(call, values)
        scale = int(digits)
        if values[0].type.is_integer and scale >= 0:
            return values[0]
        kind = FLOAT8 if values[0].type.name == "float8" else numeric(max(scale, 0))
        known = scale_of(values[0].type)
        if kind.name == "numeric" and known is not None and scale >= known:
            return values[0]
        return Value(f"{function}({values[0].sql}, {scale})", kind)

    return body


def truncated(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TRUNC(x, digits)`` of a number, ``TRUNC(x, unit)`` of a time."""
    first = translator.expression(call.arguments[0], scope) if call.arguments else NULL
    if first.type.is_instant and len(call.arguments) == 2:
        return date_trunc(translator, replace(call, arguments=call.arguments[::-1]), scope)
    return rounding("dx_truncate")(translator, call, scope)
