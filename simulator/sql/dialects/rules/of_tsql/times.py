"""SQL Server's dates and times."""

from __future__ import annotations

import re

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import coerced, literal
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.runtime import of_tsql
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    DATE,
    INT4,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    Type,
)
from simulator.sql.dialects.values import Value, text_literal
from simulator.sql.functions import FunctionProblem

_UNITS = {
    **dict.fromkeys(("year", "yyyy", "yy"), "year"), **dict.fromkeys(("quarter", "qq", "q"), "quarter"),
    **dict.fromkeys(("month", "mm", "m"), "month"), **dict.fromkeys(("day", "dd", "d"), "day"),
    **dict.fromkeys(("week", "wk", "ww"), "week"), **dict.fromkeys(("hour", "hh"), "hour"),
    **dict.fromkeys(("minute", "mi", "n"), "minute"), **dict.fromkeys(("second", "ss", "s"), "second"),
    **dict.fromkeys(("weekday", "dw"), "weekday"), **dict.fromkeys(("dayofyear", "dy", "y"), "dayofyear"),
    **dict.fromkeys(("iso_week", "isowk", "isoww"), "iso_week"),
}  # fmt: skip


_OF_DAYS = frozenset({"year", "quarter", "month", "day", "week"})


_DATE_TEXT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _instant(value: Value, node: exp.Expr) -> Value:
    if value.type.name == "unknown" and value.constant is not None:
        return literal(value, TIMESTAMP, node)
    if not value.type.is_instant:
        raise unsupported(f"A {value.type.label} as a time", node, "Cast it: CAST(x AS date).")
    return value


def _unit(call: Call, count: int) -> str:
    if len(call.arguments) != count:
        raise no_such_function(call, [])
    name = call.arguments[0].name.lower()
    if name not in _UNITS:
        raise unsupported(f"The unit {name[:20]}", call.node, "Use year, quarter, month, week, day, hour or minute.")
    return _UNITS[name]


def dateadd(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATEADD``."""
    unit = _unit(call, 3)
    number, at = translator.expression(call.arguments[1], scope), translator.expression(call.arguments[2], scope)
    at = _instant(at, call.node)
    if unit in ("weekday", "dayofyear"):
        unit = "day"
    if not number.type.is_integer or unit == "iso_week":
        raise unsupported("DATEADD() of this number", call.node, "Give a whole number: DATEADD(day, 1, x).")
    sql = f"dx_moved({text_literal(unit)}, {number.sql}, {coerced(at, TIMESTAMP, call.node).sql})"
    if at.type.name == "date":
        if unit not in _OF_DAYS:
            raise unsupported("Hours added to a date", call.node, "Cast it: DATEADD(hour, 1, CAST(x AS datetime2)).")
        return Value(f"substr({sql}, 1, 10)", DATE)
    return Value(sql, at.type)


def datediff(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATEDIFF``: the boundaries between two times."""
    unit = _unit(call, 3)
    unit = {"week": "week:6", "dayofyear": "day", "weekday": "day"}.get(unit, unit)
    first, second = (_instant(translator.expression(item, scope), call.node) for item in call.arguments[1:])
    parts = (coerced(value, TIMESTAMP, call.node).sql for value in (first, second))
    return Value(f"dx_boundaries({text_literal(unit)}, {', '.join(parts)})", INT4)


def _part(unit: str, at: str) -> Value:
    fields = {"dayofyear": "doy", "iso_week": "week", "weekday": "dow"}
    if unit == "week":
        return Value(f"dx_week_of_year({at})", INT4)
    sql = f"CAST(dx_timestamp_extract({text_literal(fields.get(unit, unit))}, {at}) AS INTEGER)"
    return Value(f"({sql} + 1)" if unit == "weekday" else sql, INT4)


def datepart(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATEPART``."""
    unit = _unit(call, 2)
    at = _instant(translator.expression(call.arguments[1], scope), call.node)
    return _part(unit, coerced(at, TIMESTAMP, call.node).sql)


def named_part(unit: str) -> FunctionRule:
    """``YEAR``, ``MONTH`` and ``DAY``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        if len(call.arguments) != 1:
            raise no_such_function(call, [])
        at = _instant(translator.expression(call.arguments[0], scope), call.node)
        return _part(unit, coerced(at, TIMESTAMP, call.node).sql)

    return FunctionRule(body)


def datename(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATENAME``."""
    unit = _unit(call, 2)
    at = coerced(_instant(translator.expression(call.arguments[1], scope), call.node), TIMESTAMP, call.node).sql
    if unit in ("month", "weekday"):
        return Value(f"dx_name_of_part({text_literal(unit)}, {at})", TEXT)
    return Value(f"CAST({_part(unit, at).sql} AS TEXT)", TEXT)


def datetrunc(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATETRUNC``."""
    unit = _unit(call, 2)
    unit = {"week": "week:6", "iso_week": "week", "dayofyear": "day", "weekday": "day"}.get(unit, unit)
    at = _instant(translator.expression(call.arguments[1], scope), call.node)
    sql = f"dx_start_of({text_literal(unit)}, {coerced(at, TIMESTAMP, call.node).sql})"
    return Value(f"substr({sql}, 1, 10)", DATE) if at.type.name == "date" else Value(sql, at.type)


def month_end(translator: Translator, call: Call, scope: Scope) -> Value:
    """``EOMONTH``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) not in (1, 2):
        raise no_such_function(call, values)
    at = coerced(_instant(values[0], call.node), TIMESTAMP, call.node).sql
    if len(values) == 2:
        at = f"dx_moved('month', {values[1].sql}, {at})"
    return Value(f"dx_last_day({at})", DATE)


def formatted(translator: Translator, call: Call, scope: Scope) -> Value:
    """``FORMAT`` of a time or a number."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 2 or values[1].constant is None:
        raise unsupported("FORMAT() without a literal format", call.node, "Write it: FORMAT(x, 'yyyy-MM-dd').")
    is_time = values[0].type.is_instant
    if not is_time and not values[0].type.is_number:
        raise no_such_function(call, values)
    try:
        (of_tsql.check_format if is_time else of_tsql.check_number_format)(values[1].constant)
    except FunctionProblem as problem:
        raise unsupported("This format", call.node, f"{problem}.") from problem
    if is_time:
        return Value(f"dx_net_time({coerced(values[0], TIMESTAMP, call.node).sql}, {values[1].sql})", TEXT)
    return Value(f"dx_net_number({values[0].sql}, {values[1].sql})", TEXT)


def clock(kind: Type) -> FunctionRule:
    """The world's time: ``GETDATE()`` and its like."""

    def body(_: Translator, call: Call, __: Scope) -> Value:
        if call.arguments:
            raise no_such_function(call, [])
        return Value("now()", kind)

    return FunctionRule(body)


def now_word(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """``CURRENT_TIMESTAMP``: a datetime."""
    only(node)
    return Value("now()", TIMESTAMPTZ)
