"""SQL Server's numbers: the digits of decimals, quotients, sums."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, no_such_function
from simulator.sql.dialects.conversions import written_parameters
from simulator.sql.dialects.ordering import no_such_operator
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.rules import aggregates
from simulator.sql.dialects.rules.arithmetic import numbers, scale_of
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import (
    FLOAT8,
    INT4,
    INT8,
    TEXT,
    numeric,
)
from simulator.sql.dialects.values import Value

Digits = tuple[int, int]


def digits_of(translator: Translator, node: exp.Expr) -> Digits | None:
    """Precision and scale of a number, by SQL Server's rules; None where they cannot be told."""
    if isinstance(node, exp.Paren | exp.Neg):
        return digits_of(translator, node.this)
    if isinstance(node, exp.Literal) and not node.args.get("is_string"):
        whole, _, fraction = node.name.partition(".")
        return (max(len(whole.lstrip("0") + fraction), 1), len(fraction)) if "e" not in node.name.lower() else None
    if isinstance(node, exp.Column):
        return _of_column(translator, node.name.lower())
    if isinstance(node, exp.Cast) and node.to.this == exp.DType.DECIMAL:
        precision, scale = (*written_parameters(node.to), 0, 0)[:2]
        return (precision or 18, scale)
    if isinstance(node, exp.Cast) and node.to.this in (exp.DType.INT, exp.DType.BIGINT):
        return (10 if node.to.this == exp.DType.INT else 19, 0)
    if isinstance(node, exp.Anonymous):
        return _of_call(translator, node)
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div):
        left, right = digits_of(translator, node.this), digits_of(translator, node.expression)
        return None if left is None or right is None else _combined(node, left, right)
    return None


def _of_column(translator: Translator, name: str) -> Digits | None:
    found: set[Digits | None] = set()
    for table in translator.catalogue.tables.values():
        column = table.column(name)
        if column is not None:
            whole = {"integer": (10, 0), "bigint": (19, 0), "decimal": (column.precision, column.scale)}
            found.add(whole.get(column.type))
    only_one = found.pop() if len(found) == 1 else None
    return only_one if only_one is not None and only_one[0] else None


def _of_call(translator: Translator, node: exp.Anonymous) -> Digits | None:
    name = node.name.lower()
    if name in ("count", "len", "datediff", "datepart", "year", "month", "day"):
        return 10, 0
    if name not in ("sum", "avg", "min", "max", "isnull", "coalesce", "round", "abs") or not node.expressions:
        return None
    inner = digits_of(translator, node.expressions[0])
    if inner is None or name not in ("sum", "avg"):
        return inner
    if not inner[1] and inner[0] in (10, 19):
        return inner
    return 38, inner[1] if name == "sum" else max(inner[1], 6)


def _combined(node: exp.Expr, left: Digits, right: Digits) -> Digits:
    (p1, s1), (p2, s2) = left, right
    if isinstance(node, exp.Mul):
        precision, scale = p1 + p2 + 1, s1 + s2
    elif isinstance(node, exp.Div):
        if not s1 and not s2:
            return max(p1, p2), 0
        scale = max(6, s1 + p2 + 1)
        precision = p1 - s1 + s2 + scale
    else:
        scale = max(s1, s2)
        precision = scale + max(p1 - s1, p2 - s2) + 1
    if precision > 38:
        scale = max(min(scale, 38 - (precision - scale)), min(scale, 6))
        precision = 38
    return precision, scale


def plus(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``+``: of numbers, or texts, where NULL makes NULL."""
    only(node, "this", "expression")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    kinds = {left.type.name, right.type.name}
    if kinds <= {"text", "unknown"}:
        return Value(f"({left.sql} || {right.sql})", TEXT)
    if "text" in kinds or (left.type.is_instant or right.type.is_instant):
        raise unsupported(
            f"{left.type.label} + {right.type.label}", node, "Use CONCAT(a, b), CAST(x AS varchar(20)) or DATEADD()."
        )
    return _calculated(translator, node, left, right, "+")


def arithmetic_of(sign: str) -> Rule:
    """A sum, difference or product of numbers."""

    def rule(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
        only(node, "this", "expression")
        left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
        if left.type.is_instant or right.type.is_instant:
            raise unsupported(f"`{sign}` of times", node, "Use DATEADD(day, 1, x) and DATEDIFF(day, a, b).")
        return _calculated(translator, node, left, right, sign)

    return rule


def _calculated(translator: Translator, node: exp.Expr, left: Value, right: Value, sign: str) -> Value:
    found = numbers(left, right, node)
    if found is None:
        raise no_such_operator(sign, left.type, right.type, node)
    left, right, kind = found
    sql = f"{left.sql} {sign} {right.sql}"
    if kind.is_integer:
        return Value(f"dx_{kind.name}({sql})", kind)
    if kind.name == "float8":
        return Value(f"dx_finite({sql})", FLOAT8)
    first, second = scale_of(left.type), scale_of(right.type)
    if first is None or second is None:
        return Value(f"dx_finite({sql})", numeric(None))
    scale = first + second if sign == "*" else max(first, second)
    return Value(f"round({sql}, {min(scale, 15)})", numeric(scale))


def quotient(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``/``: whole numbers as whole numbers; decimals cut to the digits that their precision gives."""
    only(node, "this", "expression", "typed", "safe")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    found = numbers(left, right, node)
    if found is None:
        raise no_such_operator("/", left.type, right.type, node)
    left, right, kind = found
    if kind.is_integer:
        sql = f"dx_integer_divide({left.sql}, {right.sql})"
        return Value(f"dx_int4({sql})" if kind == INT4 else sql, kind)
    if kind.name == "float8":
        return Value(f"dx_float_divide({left.sql}, {right.sql})", FLOAT8)
    digits = digits_of(translator, node)
    if digits is None:
        raise unsupported(
            "A quotient of decimals whose digits cannot be told", node,
            "Cast the operands: CAST(a AS decimal(18,4)) / CAST(b AS decimal(18,4)), or to float.",
        )  # fmt: skip
    return Value(f"dx_truncate(dx_divide({left.sql}, {right.sql}), {min(digits[1], 15)})", numeric(digits[1]))


def total(translator: Translator, call: Call, scope: Scope) -> Value:
    """``SUM``, within the type of what is added up."""
    found = aggregates.total(translator, call, scope)
    if found.type == INT8 and call.arguments:
        value = translator.expression(call.arguments[0], aggregates.rows_of(call, scope))
        if value.type == INT4:
            return Value(f"dx_int4({found.sql})", INT4)
    return Value(f"dx_int8({found.sql})", INT8) if found.type.scale == 0 else found


def average(translator: Translator, call: Call, scope: Scope) -> Value:
    """``AVG``: whole for whole numbers, else with the digits kept."""
    found = aggregates.average(translator, call, scope)
    value = translator.expression(call.arguments[0], aggregates.rows_of(call, scope))
    if found.type.name == "float8":
        return found
    if value.type.is_integer:
        return Value(f"CAST({found.sql} AS INTEGER)", value.type)
    scale = max(value.type.scale or 0, 6)
    return Value(f"dx_truncate({found.sql}, {scale})", numeric(scale))


def count(translator: Translator, call: Call, scope: Scope) -> Value:
    """``COUNT``, an int."""
    return Value(aggregates.count(translator, call, scope).sql, INT4)


def rounded(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ROUND``, with a third argument cut off."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) not in (2, 3) or any(not value.type.is_number for value in values):
        raise no_such_function(call, values)
    digits = values[1].constant
    if digits is None or (len(values) == 3 and values[2].constant not in ("0", "1")):
        raise unsupported("ROUND() with computed digits", call.node, "Write them: ROUND(x, 2).")
    if values[0].type.name == "float8":
        raise unsupported("ROUND() of a float", call.node, "Cast it: ROUND(CAST(x AS decimal(18,6)), 2).")
    function = "dx_truncate" if len(values) == 3 and values[2].constant == "1" else "dx_round"
    sql = f"{function}({values[0].sql}, {digits})"
    return Value(f"CAST({sql} AS INTEGER)" if values[0].type.is_integer else sql, values[0].type)


def whole_of(function: str) -> Body:
    """``FLOOR`` and ``CEILING``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 1 or not values[0].type.is_number:
            raise no_such_function(call, values)
        value = values[0]
        kind = numeric(0) if value.type.name == "numeric" else value.type
        return value if value.type.is_integer else Value(f"{function}({value.sql})", kind)

    return body
