"""Snowflake's dates and times."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import coerced
from simulator.sql.dialects.ordering import no_such_operator
from simulator.sql.dialects.refusals import only
from simulator.sql.dialects.rules.warehouse import (
    as_instant,
    field_of_time,
    moved,
    unit_of,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    DATE,
    INT4,
    TEXT,
    TIMESTAMP,
)
from simulator.sql.dialects.values import Value, text_literal

UNITS = {
    name: unit
    for unit, names in {
        "year": "year y yy yyy yyyy yr years yrs",
        "quarter": "quarter q qtr qtrs quarters",
        "month": "month mm mon mons months",
        "week": "week w wk weekofyear woy wy weeks iso_week weekiso",
        "day": "day d dd days dayofmonth",
        "hour": "hour h hh hr hours hrs",
        "minute": "minute m mi min minutes mins",
        "second": "second s sec seconds secs",
        "millisecond": "millisecond ms msec milliseconds",
    }.items()
    for name in names.split()
}


_FIELDS = {
    **{name: unit for name, unit in UNITS.items() if unit != "millisecond"},
    **dict.fromkeys(("dayofweek", "weekday", "dow", "dw"), "dow"),
    **dict.fromkeys(("dayofweekiso", "weekday_iso", "dow_iso", "dayofweek_iso", "dw_iso"), "isodow"),
    **dict.fromkeys(("dayofyear", "yearday", "doy", "dy"), "doy"),
    **dict.fromkeys(("yearofweek", "yearofweekiso"), "isoyear"),
    **dict.fromkeys(("epoch_second", "epoch", "epoch_seconds"), "epoch"),
}


def date_add(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATEADD(unit, count, x)``."""
    unit, count, start = _unit_and_two(translator, call, scope)
    if count.type.name in ("numeric", "float8"):
        count = Value(f"dx_to_integer({count.sql}, 64, 0)", INT4)
    return moved(unit, count, as_instant(start, call.node), "", call.node, of_day=True)


def _unit_and_two(translator: Translator, call: Call, scope: Scope) -> tuple[str, Value, Value]:
    if len(call.arguments) != 3:
        raise no_such_function(call, [])
    first, second = (translator.expression(item, scope) for item in call.arguments[1:])
    return unit_of(call.arguments[0], UNITS), first, second


def date_diff(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATEDIFF(unit, a, b)``: the boundaries between a and b."""
    unit, first, second = _unit_and_two(translator, call, scope)
    texts = [coerced(as_instant(value, call.node), TIMESTAMP, call.node).sql for value in (first, second)]
    return Value(f"dx_boundaries({text_literal(unit)}, {texts[0]}, {texts[1]})", INT4)


def date_trunc(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATE_TRUNC(unit, x)``, also ``TRUNC(x, unit)``: a date stays a date."""
    if len(call.arguments) != 2:
        raise no_such_function(call, [])
    unit = unit_of(call.arguments[0], UNITS)
    start = as_instant(translator.expression(call.arguments[1], scope), call.node)
    sql = f"dx_start_of({text_literal(unit)}, {start.sql})"
    return Value(f"substr({sql}, 1, 10)" if start.type.name == "date" else sql, start.type)


def last_day(translator: Translator, call: Call, scope: Scope) -> Value:
    """``LAST_DAY(x, unit)``."""
    if not 1 <= len(call.arguments) <= 2:
        raise no_such_function(call, [])
    unit = unit_of(call.arguments[1], UNITS) if len(call.arguments) == 2 else "month"
    start = as_instant(translator.expression(call.arguments[0], scope), call.node)
    return Value(f"dx_last_of({text_literal(unit)}, {start.sql})", DATE)


def extract(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``EXTRACT(field FROM x)``."""
    only(node, "this", "expression")
    return _field(unit_of(node.this, _FIELDS), translator.expression(node.expression, scope), node)


def date_part(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATE_PART(field, x)``."""
    if len(call.arguments) != 2:
        raise no_such_function(call, [])
    return _field(unit_of(call.arguments[0], _FIELDS), translator.expression(call.arguments[1], scope), call.node)


def _field(field: str, value: Value, node: exp.Expr) -> Value:
    if value.type.name == "time" and field in ("hour", "minute", "second"):
        return Value(f"CAST(dx_time_extract({text_literal(field)}, {value.sql}) AS INTEGER)", INT4)
    return field_of_time(as_instant(value, node).sql, field)


def part(field: str) -> FunctionRule:
    """``YEAR(x)`` and its like."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        (value,) = values_of(translator, call, scope, 1)
        return _field(field, value, call.node)

    return FunctionRule(body)


def named(template: str) -> FunctionRule:
    """``MONTHNAME(x)`` and ``DAYNAME``: three letters."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        (value,) = values_of(translator, call, scope, 1)
        return Value(f"dx_time_to_char({as_instant(value, call.node).sql}, '{template}')", TEXT)

    return FunctionRule(body)


def _in_days(value: Value) -> bool:
    return value.type.name == "interval" and value.constant is not None and ":" not in value.sql


def later_date(left: Value, right: Value, _: exp.Expr) -> Value | None:
    """A date and an interval of whole days is a date."""
    for first, second in ((left, right), (right, left)):
        if first.type.name == "date" and _in_days(second):
            return Value(f"substr(dx_timestamp_add({first.sql} || ' 00:00:00', {second.sql}), 1, 10)", DATE)
    return None


def earlier_date(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """A date less an interval of whole days is a date; points in time are not subtracted from each other."""
    if left.type.name == "date" and _in_days(right):
        return Value(f"substr(dx_timestamp_subtract({left.sql} || ' 00:00:00', {right.sql}), 1, 10)", DATE)
    kinds = {left.type.name, right.type.name}
    if kinds <= {"date", "timestamp", "timestamptz"} and kinds != {"date"}:
        raise no_such_operator("-", left.type, right.type, node)
    return None
