"""``+ - * / % ^`` and ``||``, by the types of their operands."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from simulator.sql.dialects.conversions import coerced, literal, to_text
from simulator.sql.dialects.ordering import no_such_operator
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import (
    FLOAT8,
    INT4,
    INT8,
    INTERVAL,
    JSON,
    NUMERIC,
    TEXT,
    TIMESTAMP,
    Type,
    fits,
    meeting,
    numeric,
)
from simulator.sql.dialects.values import Value

Operator = Callable[[Value, Value, exp.Expr], Value | None]


def operator_rule(symbol: str, *operators: Operator) -> Rule:
    """The rule of an operator: the first of the operators that takes operands of these types."""

    def rule(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
        only(node, "this", "expression", "typed", "safe")
        left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
        for operator in operators:
            if (result := operator(left, right, node)) is not None:
                return result
        raise no_such_operator(symbol, left.type, right.type, node)

    return rule


def typed_like(value: Value, other: Type, node: exp.Expr) -> Value:
    """A literal in quotes takes the type of the operand at its side."""
    return literal(value, other, node) if value.type.name == "unknown" and fits(value.type, other) else value


def numbers(left: Value, right: Value, node: exp.Expr) -> tuple[Value, Value, Type] | None:
    """Both operands as numbers, and the type they meet in; ``None`` if one is none."""
    if left.type.is_number or right.type.is_number:
        left, right = typed_like(left, right.type, node), typed_like(right, left.type, node)
    if not (left.type.is_number and right.type.is_number):
        return None
    found = meeting((left.type, right.type))
    return None if found is None else (left, right, found)


def scale_of(kind: Type) -> int | None:
    """The digits after the point, 0 for an integer, ``None`` if unknown."""
    return 0 if kind.is_integer else kind.scale


def _numeric(sql: str, scale: int | None) -> Value:
    """A sum or product of decimals, brought back to the decimal it is."""
    kind = numeric(scale)
    return Value(f"round({sql}, {kind.scale})" if kind.scale is not None else f"dx_finite({sql})", kind)


def _within(sql: str, kind: Type) -> Value:
    return Value(f"dx_{kind.name}({sql})", kind)


def _sum_of_numbers(sign: str) -> Operator:
    def operator(left: Value, right: Value, node: exp.Expr) -> Value | None:
        found = numbers(left, right, node)
        if found is None:
            return None
        left, right, kind = found
        sql = f"{left.sql} {sign} {right.sql}"
        if kind.is_integer:
            return _within(sql, kind)
        if kind.name == "float8":
            return Value(f"dx_finite({sql})", FLOAT8)
        scales = (scale_of(left.type), scale_of(right.type))
        return _numeric(sql, None if None in scales else max(scale for scale in scales if scale is not None))

    return operator


def _product_of_numbers(left: Value, right: Value, node: exp.Expr) -> Value | None:
    found = numbers(left, right, node)
    if found is None:
        return None
    left, right, kind = found
    sql = f"{left.sql} * {right.sql}"
    if kind.is_integer:
        return _within(sql, kind)
    if kind.name == "float8":
        return Value(f"dx_finite({sql})", FLOAT8)
    first, second = scale_of(left.type), scale_of(right.type)
    return _numeric(sql, None if first is None or second is None else first + second)


def quotient(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """Integers are divided as integers; division by zero is an error."""
    found = numbers(left, right, node)
    if found is None:
        return None
    left, right, kind = found
    if kind.is_integer:
        divided = f"dx_integer_divide({left.sql}, {right.sql})"
        return Value(f"dx_int4({divided})" if kind == INT4 else divided, kind)
    if kind.name == "float8":
        return Value(f"dx_float_divide({left.sql}, {right.sql})", FLOAT8)
    return Value(f"dx_divide({left.sql}, {right.sql})", NUMERIC)


def remainder(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """The remainder, with the sign of the dividend; floats have none."""
    found = numbers(left, right, node)
    if found is None or found[2].name == "float8":
        return None
    left, right, kind = found
    if kind.is_integer:
        return Value(f"dx_integer_modulo({left.sql}, {right.sql})", kind)
    scales = (scale_of(left.type), scale_of(right.type))
    scale = None if None in scales else max(item for item in scales if item is not None)
    return Value(f"dx_numeric_modulo({left.sql}, {right.sql})", numeric(scale))


def power(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``power`` and ``^``: numeric where one operand is numeric, else float."""
    found = numbers(left, right, node)
    if found is None:
        return None
    left, right, kind = found
    if right.constant is not None and not right.constant.lstrip("-").isdigit():
        raise unsupported(
            "A power with a fraction", node, "Its last digits differ between machines; use sqrt(), or a whole exponent."
        )
    return Value(f"dx_power({left.sql}, {right.sql})", NUMERIC if kind.name == "numeric" else FLOAT8)


def _later(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """Date plus days, time plus interval, in both orders."""
    for first, second in ((left, right), (right, left)):
        if first.type.name == "date" and second.type.name == "int4":
            return Value(f"dx_date_add({first.sql}, {second.sql})", first.type)
        if first.type.name == "date" and second.type.name == "time":
            return Value(f"({first.sql} || ' ' || {second.sql})", TIMESTAMP)
        if first.type.is_instant and second.type.name == "interval":
            start = coerced(first, TIMESTAMP, node)
            kind = TIMESTAMP if first.type.name == "date" else first.type
            return Value(f"dx_timestamp_add({start.sql}, {second.sql})", kind)
        if first.type.is_instant and second.type.name == "unknown":
            raise unsupported("A literal without type beside a date", node, "Write interval '1 day' or an integer.")
    return None


def _earlier(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """Date minus days, time minus interval, and the difference of two."""
    if left.type.name == "date" and right.type.name == "int4":
        return Value(f"dx_date_add({left.sql}, -({right.sql}))", left.type)
    if left.type.is_instant and right.type.name == "interval":
        start = coerced(left, TIMESTAMP, node)
        kind = TIMESTAMP if left.type.name == "date" else left.type
        return Value(f"dx_timestamp_subtract({start.sql}, {right.sql})", kind)
    if left.type.is_instant or right.type.is_instant:
        left, right = typed_like(left, right.type, node), typed_like(right, left.type, node)
    if left.type.name == right.type.name == "date":
        return Value(f"dx_date_difference({left.sql}, {right.sql})", INT4)
    if left.type.is_instant and right.type.is_instant:
        first, second = coerced(left, TIMESTAMP, node), coerced(right, TIMESTAMP, node)
        return Value(f"dx_timestamp_difference({first.sql}, {second.sql})", INTERVAL)
    return None


def _interval_sum(left: Value, right: Value, node: exp.Expr) -> Value | None:
    if "interval" not in (left.type.name, right.type.name):
        return None
    left, right = typed_like(left, INTERVAL, node), typed_like(right, INTERVAL, node)
    if left.type.name == right.type.name == "interval":
        return Value(f"dx_interval_add({left.sql}, {right.sql})", INTERVAL)
    return None


def _interval_difference(left: Value, right: Value, node: exp.Expr) -> Value | None:
    if left.type.name == right.type.name == "interval":
        return Value(f"dx_interval_add({left.sql}, dx_interval_multiply({right.sql}, -1))", INTERVAL)
    return None


def _interval_product(left: Value, right: Value, _: exp.Expr) -> Value | None:
    for first, second in ((left, right), (right, left)):
        if first.type.name == "interval" and second.type.is_number:
            return Value(f"dx_interval_multiply({first.sql}, {second.sql})", INTERVAL)
    return None


def _interval_quotient(left: Value, right: Value, _: exp.Expr) -> Value | None:
    if left.type.name == "interval" and right.type.is_number:
        return Value(f"dx_interval_divide({left.sql}, {right.sql})", INTERVAL)
    return None


def _json_without(left: Value, right: Value, node: exp.Expr) -> Value | None:
    if left.type.name == "json" and right.type.name in ("text", "unknown"):
        return Value(f"dx_json_without({left.sql}, {typed_like(right, TEXT, node).sql})", JSON)
    return None


def _joined(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``||`` of texts, arrays or documents."""
    if left.type.name == "array" or right.type.name == "array":
        return _arrays_joined(left, right, node)
    if left.type.name == "json" or right.type.name == "json":
        left, right = typed_like(left, JSON, node), typed_like(right, JSON, node)
        if left.type.name == right.type.name == "json":
            return Value(f"dx_json_concat({left.sql}, {right.sql})", JSON)
    if not {left.type.name, right.type.name} & {"text", "unknown"}:
        return None
    return Value(f"({to_text(left, node).sql} || {to_text(right, node).sql})", TEXT)


def _arrays_joined(left: Value, right: Value, node: exp.Expr) -> Value | None:
    if left.type.name == right.type.name == "array":
        found = meeting((left.type, right.type))
        return None if found is None else Value(f"dx_array_concat({left.sql}, {right.sql})", found)
    if left.type.element is not None and left.type.element.name == right.type.name:
        return Value(f"dx_array_appended({left.sql}, {right.sql})", left.type)
    if left.type.name == "array" and right.type.name == "unknown":
        return Value(f"dx_array_concat({left.sql}, {literal(right, left.type, node).sql})", left.type)
    return None


def _written_integer(node: exp.Expr) -> int | None:
    """An integer literal with its signs, which PostgreSQL takes for one constant: so -2147483648 is an integer."""
    if isinstance(node, exp.Paren):
        return _written_integer(node.this)
    if isinstance(node, exp.Neg):
        number = _written_integer(node.this)
        return None if number is None else -number
    is_integer = isinstance(node, exp.Literal) and not node.args.get("is_string") and node.name.isdigit()
    return int(node.name) if is_integer and int(node.name) < 2**63 else None


def negated(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A sign."""
    only(node, "this")
    value = translator.expression(node.this, scope)
    number = _written_integer(node)
    if number is not None:
        return Value(f"({number})", INT4 if -(2**31) <= number < 2**31 else INT8, constant=str(number))
    if value.constant is not None and value.type.is_number and not value.constant.startswith("-"):
        return Value(f"(-{value.sql})", value.type, constant=f"-{value.constant}")
    if value.type.is_integer:
        return _within(f"-{value.sql}", value.type)
    if value.type.is_number:
        return Value(f"(-{value.sql})", value.type)
    if value.type.name == "interval":
        return Value(f"dx_interval_multiply({value.sql}, -1)", INTERVAL)
    raise mistyped(f"operator does not exist: - {value.type.label}", node)


ADDITION: tuple[Operator, ...] = (_sum_of_numbers("+"), _later, _interval_sum)
SUBTRACTION: tuple[Operator, ...] = (_sum_of_numbers("-"), _interval_difference, _earlier, _json_without)
MULTIPLICATION: tuple[Operator, ...] = (_product_of_numbers, _interval_product)

RULES: dict[type[exp.Expr], Rule] = {
    exp.Add: operator_rule("+", *ADDITION),
    exp.Sub: operator_rule("-", *SUBTRACTION),
    exp.Mul: operator_rule("*", *MULTIPLICATION),
    exp.Div: operator_rule("/", quotient, _interval_quotient),
    exp.Mod: operator_rule("%", remainder),
    exp.Pow: operator_rule("^", power),
    exp.DPipe: operator_rule("||", _joined),
    exp.Neg: negated,
}

__all__ = ["RULES", "numbers", "power", "quotient", "remainder", "scale_of", "typed_like"]
