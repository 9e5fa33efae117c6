"""MySQL's dates and times."""

from __future__ import annotations

import re

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import coerced
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules.of_mysql.texts import as_instant, as_text, is_write
from simulator.sql.dialects.rules.times import field_of
from simulator.sql.dialects.runtime import of_mysql
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    DATE,
    INT8,
    INTERVAL,
    TEXT,
    TIMESTAMP,
)
from simulator.sql.dialects.values import Value, text_literal
from simulator.sql.functions import FunctionProblem

_SPANS = {
    "SECOND": "1 second", "MINUTE": "1 minute", "HOUR": "1 hour", "DAY": "1 day", "WEEK": "7 days", "MONTH": "1 month",
    "QUARTER": "3 months", "YEAR": "1 year",
}  # fmt: skip


_OF_DAYS = frozenset({"DAY", "WEEK", "MONTH", "QUARTER", "YEAR"})


def interval(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``INTERVAL 3 DAY``, of a whole number."""
    only(node, "this", "unit")
    unit = node.args["unit"].name.upper() if node.args.get("unit") is not None else ""
    if unit not in _SPANS:
        raise unsupported(f"The unit {unit or '(none)'} of an interval", node, f"Units are {', '.join(_SPANS)}.")
    amount = node.this
    if isinstance(amount, exp.Literal):
        if re.fullmatch(r"-?[0-9]{1,9}", str(amount.this)) is None:
            raise unsupported("This number of an interval", node, "Write a whole number: INTERVAL 90 MINUTE.")
        number = str(amount.this)
    else:
        value = translator.expression(amount, scope)
        if not value.type.is_integer:
            raise unsupported("An interval of a number that is not whole", node, "Use ROUND() or a smaller unit.")
        number = value.sql
    return Value(f"dx_interval_multiply('{_SPANS[unit]}', {number})", INTERVAL)


def moved(translator: Translator, start: exp.Expr, span: exp.Expr, scope: Scope, sign: str) -> Value:
    """A time and an interval: a date stays one unless hours are added."""
    at = as_instant(translator.expression(start, scope), start)
    function = "dx_timestamp_add" if sign == "+" else "dx_timestamp_subtract"
    sql = f"{function}({coerced(at, TIMESTAMP, start).sql}, {translator.expression(span, scope).sql})"
    unit = span.args["unit"].name.upper() if span.args.get("unit") is not None else ""
    if at.type.name == "date" and unit in _OF_DAYS:
        return Value(f"substr({sql}, 1, 10)", DATE)
    return Value(sql, TIMESTAMP)


def move_call(sign: str) -> FunctionRule:
    """``DATE_ADD`` and ``DATE_SUB``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        if len(call.arguments) != 2:
            raise no_such_function(call, [])
        start, span = call.arguments
        if not isinstance(span, exp.Interval):
            if call.name in ("date_add", "date_sub"):
                raise mistyped('syntax error at or near ")"', call.node, "Write DATE_ADD(x, INTERVAL 1 DAY).")
            span = exp.Interval(this=span.copy(), unit=exp.Var(this="DAY"))
        return moved(translator, start, span, scope, sign)

    return FunctionRule(body)


def _unit(call: Call) -> str:
    name = call.arguments[0].name.upper().removeprefix("SQL_TSI_") if call.arguments else ""
    if name not in _SPANS and name != "MICROSECOND":
        raise unsupported(f"The unit {name[:20]}", call.node, f"Units are {', '.join(_SPANS)}.")
    return name


def timestampdiff(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TIMESTAMPDIFF(unit, earlier, later)``: whole units."""
    if len(call.arguments) != 3:
        raise no_such_function(call, [])
    unit = _unit(call)
    earlier, later = (as_instant(translator.expression(item, scope), item) for item in call.arguments[1:])
    first, second = (coerced(value, TIMESTAMP, call.node).sql for value in (earlier, later))
    return Value(f"dx_units_between({text_literal(unit.lower())}, {first}, {second})", INT8)


def timestampadd(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TIMESTAMPADD(unit, count, time)``."""
    if len(call.arguments) != 3:
        raise no_such_function(call, [])
    span = exp.Interval(this=call.arguments[1].copy(), unit=exp.Var(this=_unit(call)))
    return moved(translator, call.arguments[2], span, scope, "+")


def extract(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``EXTRACT(YEAR FROM x)``; ``YEAR_MONTH`` too."""
    only(node, "this", "expression")
    field = node.name.lower()
    value = as_instant(translator.expression(node.expression, scope), node)
    if field == "year_month":
        return Value(f"CAST(substr({value.sql}, 1, 4) || substr({value.sql}, 6, 2) AS INTEGER)", INT8)
    if field not in ("year", "quarter", "month", "day", "hour", "minute", "second"):
        raise unsupported(f"The field {field}", node, "Use YEAR, QUARTER, MONTH, DAY, HOUR, MINUTE or SECOND.")
    return _field(value, field, node)


def _field(value: Value, field: str, node: exp.Expr) -> Value:
    found = field_of(coerced(value, TIMESTAMP, node), field, node)
    return Value(f"CAST({found.sql} AS INTEGER)", INT8)


def part(field: str) -> FunctionRule:
    """``YEAR(x)`` and its like."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        if len(call.arguments) != 1:
            raise no_such_function(call, [])
        return _field(as_instant(translator.expression(call.arguments[0], scope), call.node), field, call.node)

    return FunctionRule(body)


def with_format(function: str) -> Body:
    """A time and a literal format."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 2 or values[1].constant is None:
            raise unsupported(f"{call.name.upper()}() without a literal format", call.node, "Write it: '%Y-%m-%d'.")
        try:
            check = of_mysql.check_format if function == "dx_format_time" else of_mysql.parts_of_format
            parts = check(values[1].constant)
        except FunctionProblem as problem:
            raise unsupported("This format", call.node, f"{str(problem).capitalize()}.") from problem
        template = text_literal(values[1].constant)
        if function == "dx_format_time":
            at = coerced(as_instant(values[0], call.node), TIMESTAMP, call.node)
            return Value(f"{function}({at.sql}, {template})", TEXT)
        if parts is None or "date" not in parts:
            raise unsupported("A time of day", call.node, "Read a date: '%Y-%m-%d'.")
        text = as_text(values[0], call.node)
        return Value(
            f"{function}({text}, {template}, {int(is_write(call.node))})", TIMESTAMP if "time" in parts else DATE
        )

    return body


def now(_: Translator, call: Call, __: Scope) -> Value:
    """``NOW()``."""
    if call.arguments:
        raise unsupported(f"{call.name.upper()}() with an argument", call.node, "Write NOW().")
    return Value("now()", TIMESTAMP)


def now_word(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """``CURRENT_TIMESTAMP``."""
    only(node, "sysdate")
    return Value("now()", TIMESTAMP)


def today(_: Translator, call: Call, __: Scope) -> Value:
    """``CURDATE()``."""
    if call.arguments:
        raise no_such_function(call, [])
    return Value("substr(now(), 1, 10)", DATE)


def as_date(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATE(x)``."""
    if len(call.arguments) != 1:
        raise no_such_function(call, [])
    value = as_instant(translator.expression(call.arguments[0], scope), call.node)
    return Value(f"substr({value.sql}, 1, 10)", DATE)
