"""MySQL's numbers: digits kept, quotients, rounding, and what is counted and averaged."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, no_such_function
from simulator.sql.dialects.ordering import no_such_operator
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.rules import aggregates
from simulator.sql.dialects.rules.arithmetic import numbers, scale_of
from simulator.sql.dialects.rules.of_mysql.texts import is_write
from simulator.sql.dialects.rules.of_mysql.times import moved
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import (
    FLOAT8,
    INT8,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value

SHOWN_CALL = "\u00b7shown"


def _operands(translator: Translator, node: exp.Expr, scope: Scope, symbol: str) -> tuple[Value, Value, Type]:
    only(node, "this", "expression", "typed", "safe")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    found = numbers(left, right, node)
    if found is None:
        if left.type.is_instant or right.type.is_instant:
            raise unsupported(
                f"`{symbol}` of times", node,
                "Use DATEDIFF(later, earlier), TIMESTAMPDIFF(unit, earlier, later) or x + INTERVAL 1 DAY.",
            )  # fmt: skip
        raise no_such_operator(symbol, left.type, right.type, node)
    return found


def _calculated(sql: str, left: Value, right: Value, kind: Type, scale: int | None) -> Value:
    if kind.is_integer:
        return Value(f"dx_int8({sql})", INT8)
    if kind.name == "float8":
        return Value(f"dx_finite({sql})", FLOAT8)
    if scale is None or _is_inexact(left) or _is_inexact(right):
        return Value(f"dx_finite({sql})", numeric(scale))
    return Value(f"round({sql}, {scale})", numeric(scale))


def _is_inexact(value: Value) -> bool:
    """Whether a quotient is in it, that keeps more digits than its type shows."""
    return "dx_divide" in value.sql


def _widest(left: Value, right: Value) -> int | None:
    first, second = scale_of(left.type), scale_of(right.type)
    return None if first is None or second is None else max(first, second)


def sum_of(sign: str) -> Rule:
    """A sum or difference."""

    def rule(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
        for first, second in ((node.this, node.expression), (node.expression, node.this)):
            if isinstance(second, exp.Interval) and (sign == "+" or second is node.expression):
                return moved(translator, first, second, scope, sign)
        left, right, kind = _operands(translator, node, scope, sign)
        return _calculated(f"{left.sql} {sign} {right.sql}", left, right, kind, _widest(left, right))

    return rule


def product(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``*``."""
    left, right, kind = _operands(translator, node, scope, "*")
    first, second = scale_of(left.type), scale_of(right.type)
    scale = None if first is None or second is None else first + second
    return _calculated(f"{left.sql} * {right.sql}", left, right, kind, scale)


def quotient(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``/``: a decimal with four digits more than the dividend; more are kept while it is calculated with."""
    left, right, kind = _operands(translator, node, scope, "/")
    function = "dx_divide" if is_write(node) else "dx_divide_or_null"
    sql = f"{function}({left.sql}, {right.sql})"
    if kind.name == "float8":
        return Value(sql, FLOAT8)
    scale = scale_of(left.type)
    kept = _digits_kept(left, right)
    if kept is not None:
        sql = f"dx_truncate({sql}, {kept})"
    return Value(sql, numeric(None if scale is None else scale + 4))


def _digits_kept(left: Value, right: Value) -> int | None:
    """The digits after the point that MySQL calculates on with: whole words of nine; None for more than a float has."""
    first, second = (9 if _is_inexact(value) else scale_of(value.type) for value in (left, right))
    if first is None or second is None:
        return None
    words = [-(-first // 9), -(-second // 9)]
    more = max(4 - (9 * words[0] - first) - (9 * words[1] - second), 0)
    digits = 9 * -(-(9 * sum(words) + more) // 9)
    return digits if digits <= 9 else None


def whole_quotient(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``DIV``."""
    left, right, _ = _operands(translator, node, scope, "DIV")
    return Value(f"dx_whole_quotient({left.sql}, {right.sql}, {int(is_write(node))})", INT8)


def remainder(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``%``, ``MOD``."""
    left, right, kind = _operands(translator, node, scope, "%")
    if kind.name == "float8":
        raise unsupported("`%` of a double", node, "Cast it: CAST(x AS DECIMAL(20,6)) % 2.")
    result = INT8 if kind.is_integer else numeric(_widest(left, right))
    return Value(f"dx_remainder({left.sql}, {right.sql}, {int(is_write(node))})", result)


def remainder_call(translator: Translator, call: Call, scope: Scope) -> Value:
    """``MOD(a, b)``."""
    if len(call.arguments) != 2:
        raise no_such_function(call, [])
    node = exp.Mod(this=call.arguments[0], expression=call.arguments[1])
    node.parent = call.node.parent
    return remainder(translator, node, scope)


def shown(translator: Translator, call: Call, scope: Scope) -> Value:
    """A result's column, rounded to the digits its type has."""
    value = translator.expression(call.arguments[0], scope)
    if value.type.name != "numeric" or value.type.scale is None or "dx_divide" not in value.sql:
        return value
    return Value(f"dx_round({value.sql}, {value.type.scale})", value.type)


def rounded(function: str) -> Body:
    """``ROUND`` and ``TRUNCATE``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        fewest = 1 if function == "dx_round" else 2
        if not fewest <= len(values) <= 2 or any(not value.type.is_number for value in values):
            raise no_such_function(call, values)
        digits = "0" if len(values) == 1 else values[1].constant
        if digits is None or not digits.lstrip("-").isdigit():
            raise unsupported("A number of digits that is no literal", call.node, "Write it: ROUND(x, 2).")
        number = values[0]
        if number.type.is_integer:
            return number if int(digits) >= 0 else Value(f"CAST({function}({number.sql}, {digits}) AS INTEGER)", INT8)
        if number.type.name == "float8" and function == "dx_round":
            raise unsupported("ROUND() of a double", call.node, "Cast it: ROUND(CAST(x AS DECIMAL(20,6)), 2).")
        scale = max(int(digits), 0)
        if number.type.scale is not None:
            scale = min(scale, number.type.scale)
        kind = FLOAT8 if number.type.name == "float8" else numeric(scale)
        return Value(f"{function}({number.sql}, {digits})", kind)

    return body


def whole(function: str) -> Body:
    """``FLOOR`` and ``CEILING``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 1 or not values[0].type.is_number:
            raise no_such_function(call, values)
        if values[0].type.name == "float8":
            return Value(f"{function}({values[0].sql})", FLOAT8)
        return Value(f"CAST({function}({values[0].sql}) AS INTEGER)", INT8)

    return body


def average(translator: Translator, call: Call, scope: Scope) -> Value:
    """``AVG``: a decimal with four digits more than its argument."""
    value = translator.expression(call.arguments[0], aggregates.rows_of(call, scope)) if call.arguments else None
    found = aggregates.average(translator, call, scope)
    scale = scale_of(value.type) if value is not None else None
    if found.type.name == "float8":
        return found
    if call.window is not None and scale is not None:
        return Value(f"dx_round({found.sql}, {scale + 4})", numeric(scale + 4))
    sql = f"dx_truncate({found.sql}, 9)" if scale is not None and scale <= 9 else found.sql
    return Value(sql, numeric(None if scale is None else scale + 4))


def count(translator: Translator, call: Call, scope: Scope) -> Value:
    """``COUNT``."""
    if call.distinct and len(call.arguments) > 1:
        raise unsupported(
            "COUNT(DISTINCT a, b)", call.node,
            "Count rows of a subquery: SELECT COUNT(*) FROM (SELECT DISTINCT a, b FROM …) AS x.",
        )  # fmt: skip
    return aggregates.count(translator, call, scope)
