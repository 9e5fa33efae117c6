"""GoogleSQL's comparisons and operators."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.conversions import coerced, implicit
from simulator.sql.dialects.ordering import comparable, compared, no_such_operator
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules import comparison
from simulator.sql.dialects.rules.arithmetic import numbers
from simulator.sql.dialects.rules.warehouse import (
    choice,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    FLOAT8,
    TEXT,
    numeric,
)
from simulator.sql.dialects.values import Value, truth

DIGITS = 9


def comparison_of(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``= <> < <= > >=``: a DATE is not compared with a TIMESTAMP."""
    if any(isinstance(side, exp.Tuple | exp.Any | exp.All) for side in (node.this, node.expression)):
        return comparison.comparison(translator, node, scope)
    only(node, "this", "expression")
    symbol = comparison.SYMBOLS[type(node)]
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    _check_comparable(left, right, symbol, node)
    return compared(left, symbol, right, node)


def _check_comparable(left: Value, right: Value, symbol: str, node: exp.Expr) -> None:
    if {left.type.name, right.type.name} == {"date", "timestamptz"}:
        raise no_such_operator(symbol, left.type, right.type, node)


def between(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """BETWEEN."""
    only(node, "this", "low", "high")
    value, low, high = (translator.expression(item, scope) for item in (node.this, node.args["low"], node.args["high"]))
    for bound in (low, high):
        _check_comparable(value, bound, "BETWEEN", node)
    first, bottom = comparable(value, low, "BETWEEN", node)
    second, top = comparable(value, high, "BETWEEN", node)
    if first == second:
        return truth(f"{first} BETWEEN {bottom} AND {top}")
    return truth(f"{first} >= {bottom} AND {second} <= {top}")


def in_list(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """IN a list, a subquery, or ``UNNEST(array)``."""
    unnest = node.args.get("unnest")
    if unnest is None:
        return comparison.in_list(translator, node, scope)
    only(node, "this", "unnest")
    if len(unnest.expressions) != 1:
        raise unsupported("This UNNEST", unnest, "Unnest one array.")
    array = translator.expression(unnest.expressions[0], scope)
    if array.type.name != "array" or array.type.element is None:
        raise mistyped(f"UNNEST needs an array, not {array.type.label}", unnest)
    value = implicit(translator.expression(node.this, scope), array.type.element, node, "operand of IN")
    return truth(f'{value.sql} IN (SELECT "value" FROM json_each({array.sql}))')


def divided(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``/``: a FLOAT64, but of a NUMERIC a NUMERIC of nine digits."""
    found = numbers(left, right, node)
    if found is None:
        return None
    left, right, kind = found
    if kind.name == "numeric":
        return Value(f"dx_round(dx_divide({left.sql}, {right.sql}), {DIGITS})", numeric(DIGITS))
    return Value(f"dx_divide({left.sql}, {right.sql})", FLOAT8)


def product(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``*`` of NUMERICs: nine digits."""
    found = numbers(left, right, node)
    if found is None or found[2].name != "numeric":
        return None
    left, right, _ = found
    scales = [0 if side.type.is_integer else side.type.scale for side in (left, right)]
    known = [scale for scale in scales if scale is not None]
    wanted = min(sum(known), DIGITS) if len(known) == 2 else DIGITS
    return Value(f"round({left.sql} * {right.sql}, {wanted})", numeric(wanted))


def no_datetime(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """What would be a DATETIME or an INTERVAL is refused with the function that is none."""
    kinds = (left.type.name, right.type.name)
    if kinds in (("date", "interval"), ("interval", "date")):
        word = "DATE_SUB" if isinstance(node, exp.Sub) else "DATE_ADD"
        raise unsupported("A DATE with an INTERVAL, which is a DATETIME,", node, f"Use {word}(x, INTERVAL 1 DAY).")
    if isinstance(node, exp.Sub) and left.type.is_instant and right.type.is_instant:
        word = "DATE_DIFF" if kinds == ("date", "date") else "TIMESTAMP_DIFF"
        raise unsupported("A difference of times, which is an INTERVAL,", node, f"Use {word}(a, b, DAY).")
    return None


def joined(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``||`` of STRINGs or arrays."""
    if left.type.name == right.type.name == "array" and left.type.element == right.type.element:
        return Value(f"dx_array_concat({left.sql}, {right.sql})", left.type)
    if {left.type.name, right.type.name} <= {"text", "unknown"}:
        return Value(f"({coerced(left, TEXT, node).sql} || {coerced(right, TEXT, node).sql})", TEXT)
    return None


def if_of(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``IF(condition, a, b)``."""
    only(node, "this", "true", "false")
    return choice(translator, node, scope, (node.this, node.args["true"], node.args.get("false") or exp.Null()))
