"""GoogleSQL's numbers."""

from __future__ import annotations

from dataclasses import replace

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function
from simulator.sql.dialects.rules.aggregates import arguments_of, average
from simulator.sql.dialects.rules.of_bigquery.operators import DIGITS, divided
from simulator.sql.dialects.rules.warehouse import (
    constant_of,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    FLOAT8,
    INT4,
    numeric,
)
from simulator.sql.dialects.values import Value


def safe_divide(translator: Translator, call: Call, scope: Scope) -> Value:
    """``SAFE_DIVIDE(a, b)``: NULL where b is 0."""
    left, right = values_of(translator, call, scope, 2)
    result = divided(left, replace(right, sql=f"nullif({right.sql}, 0)", constant=None), call.node)
    if result is None:
        raise no_such_function(call, [left, right])
    return result


def whole_quotient(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DIV(a, b)`` of INT64s."""
    left, right = values_of(translator, call, scope, 2)
    if not (left.type.is_integer and right.type.is_integer):
        raise no_such_function(call, [left, right])
    return Value(f"dx_integer_divide({left.sql}, {right.sql})", INT4)


def rounding(function: str) -> Body:
    """``ROUND(x, digits)`` and ``TRUNC``: halves away from zero."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 1, 2)
        if not values[0].type.is_number:
            raise no_such_function(call, values)
        digits = constant_of(values[1], call.node, "The number of digits") if len(values) == 2 else "0"
        if not digits.lstrip("-").isdigit():
            raise no_such_function(call, values)
        kind = numeric(max(int(digits), 0)) if values[0].type.name == "numeric" else FLOAT8
        return Value(f"{function}({values[0].sql}, {int(digits)})", kind)

    return body


def of_number(sql: str) -> FunctionRule:
    """A function whose result is a FLOAT64, but of a NUMERIC a NUMERIC."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        (value,) = values_of(translator, call, scope, 1)
        if not value.type.is_number:
            raise no_such_function(call, [value])
        return Value(sql.format(value.sql), numeric(0) if value.type.name == "numeric" else FLOAT8)

    return FunctionRule(body)


def mean(translator: Translator, call: Call, scope: Scope) -> Value:
    """``AVG(x)``: a FLOAT64, but of a NUMERIC a NUMERIC of nine digits."""
    value = average(translator, call, scope)
    (argument,) = arguments_of(translator, call, scope, 1)
    if argument.type.name == "numeric":
        return Value(f"dx_round({value.sql}, {DIGITS})", numeric(DIGITS))
    return replace(value, type=FLOAT8) if argument.type.is_number else value
