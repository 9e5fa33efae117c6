"""GoogleSQL's dates and times."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, no_such_function
from simulator.sql.dialects.conversions import coerced, implicit, literal
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules.of_bigquery.casts import as_type
from simulator.sql.dialects.rules.warehouse import (
    as_instant,
    constant_of,
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
    INTERVAL,
    TEXT,
    TIMESTAMPTZ,
    Type,
    array_of,
)
from simulator.sql.dialects.values import Value, text_literal

_SHORT_UNITS = {unit: unit for unit in ("hour", "minute", "second", "millisecond", "microsecond")}


_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


DATE_UNITS = {
    "day": "day", "week": "week:6", "isoweek": "week", "month": "month", "quarter": "quarter", "year": "year",
    "isoyear": "isoyear", **{f"week({name})": f"week:{index}" for index, name in enumerate(_WEEKDAYS)},
}  # fmt: skip


TIME_UNITS = {**DATE_UNITS, **_SHORT_UNITS}


_FIXED_UNITS = {"day": "day", **_SHORT_UNITS}


_FIELDS = {
    **{name: name for name in ("year", "quarter", "month", "day", "hour", "minute", "second", "isoyear", "week")},
    "isoweek": "isoweek", "dayofweek": "dayofweek", "dayofyear": "doy", "date": "date",
}  # fmt: skip


def interval(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``INTERVAL 3 DAY`` beside ``+`` and ``-``."""
    unit, count = _interval(translator, node, scope, TIME_UNITS)
    if count.constant is None:
        raise unsupported("A computed INTERVAL", node, "Use TIMESTAMP_ADD(x, INTERVAL n DAY).")
    word = {"week:6": "week"}.get(unit, unit)
    return literal(Value(text_literal(f"{count.constant} {word}"), Type("unknown"), f"{count.constant} {word}"),
                   INTERVAL, node)  # fmt: skip


def _interval(translator: Translator, node: exp.Expr, scope: Scope, units: dict[str, str]) -> tuple[str, Value]:
    """The unit and the number of an INTERVAL."""
    if not isinstance(node, exp.Interval) or node.args.get("unit") is None:
        raise unsupported("This argument", node, "Write INTERVAL 3 DAY.")
    only(node, "this", "unit")
    number = node.this.name
    if isinstance(node.this, exp.Literal) and re.fullmatch("-?[0-9]{1,9}", number):  # made a text by sqlglot
        return unit_of(node.args["unit"], units), Value(f"({number})", INT4, constant=number)
    return unit_of(node.args["unit"], units), translator.expression(node.this, scope)


def _date(value: Value, node: exp.Expr) -> Value:
    """A DATE; a literal is read as one."""
    if value.type.name == "unknown":
        return coerced(value, DATE, node)
    if value.type.name != "date":
        raise mistyped(f"argument must be type date, not type {value.type.label}", node, "Write DATE(x).")
    return value


def _timestamp(value: Value, node: exp.Expr) -> Value:
    if value.type.name == "unknown":
        return coerced(value, TIMESTAMPTZ, node)
    if value.type.name != "timestamptz":
        raise mistyped(f"argument must be type timestamp with time zone, not type {value.type.label}", node,
                       "Write TIMESTAMP(x).")  # fmt: skip
    return value


def added(of_date: bool, sign: str) -> Body:
    """``DATE_ADD(x, INTERVAL n unit)``, ``TIMESTAMP_SUB`` and their like."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        if len(call.arguments) != 2:
            raise no_such_function(call, [])
        start = translator.expression(call.arguments[0], scope)
        start = _date(start, call.node) if of_date else _timestamp(start, call.node)
        unit, count = _interval(translator, call.arguments[1], scope, DATE_UNITS if of_date else _FIXED_UNITS)
        return moved(unit, count, start, sign, call.node, of_day=False)

    return body


def difference(of_date: bool) -> Body:
    """``DATE_DIFF(a, b, unit)`` counts boundaries, ``TIMESTAMP_DIFF`` whole units."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        if len(call.arguments) != 3:
            raise no_such_function(call, [])
        later, earlier = (translator.expression(item, scope) for item in call.arguments[:2])
        if of_date:
            unit = text_literal(unit_of(call.arguments[2], DATE_UNITS))
            later, earlier = _date(later, call.node), _date(earlier, call.node)
            return Value(f"dx_boundaries({unit}, {earlier.sql}, {later.sql})", INT4)
        unit = text_literal(unit_of(call.arguments[2], _FIXED_UNITS))
        later, earlier = _timestamp(later, call.node), _timestamp(earlier, call.node)
        return Value(f"dx_whole_units({unit}, {later.sql}, {earlier.sql})", INT4)

    return body


def truncated(of_date: bool) -> Body:
    """``DATE_TRUNC(x, unit)`` and ``TIMESTAMP_TRUNC``; either takes both."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        if len(call.arguments) != 2:
            raise unsupported("A time zone here", call.node, "The world's times are UTC; leave it out.")
        start = as_instant(translator.expression(call.arguments[0], scope), call.node, DATE if of_date else TIMESTAMPTZ)
        unit = unit_of(call.arguments[1], DATE_UNITS if start.type.name == "date" else TIME_UNITS)
        sql = f"dx_start_of({text_literal(unit)}, {start.sql})"
        return Value(f"substr({sql}, 1, 10)" if start.type.name == "date" else sql, start.type)

    return body


def last_day(translator: Translator, call: Call, scope: Scope) -> Value:
    """``LAST_DAY(x, unit)``."""
    if not 1 <= len(call.arguments) <= 2:
        raise no_such_function(call, [])
    unit = unit_of(call.arguments[1], DATE_UNITS) if len(call.arguments) == 2 else "month"
    start = _date(translator.expression(call.arguments[0], scope), call.node)
    return Value(f"dx_last_of({text_literal(unit)}, {start.sql})", DATE)


def extract(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``EXTRACT(field FROM x)``: a week begins on Sunday and is 0 before the first one."""
    only(node, "this", "expression")
    field = unit_of(node.this, _FIELDS)
    value = as_instant(translator.expression(node.expression, scope), node, TIMESTAMPTZ)
    if value.type.name == "date" and field in ("hour", "minute", "second", "date"):
        raise mistyped(f"EXTRACT from DATE does not support the {field.upper()} date part", node)
    if field == "date":
        return Value(f"substr({value.sql}, 1, 10)", DATE)
    if field == "dayofweek":
        return Value(f"(dx_timestamp_extract('dow', {value.sql}) + 1)", INT4)
    if field == "week":
        day, weekday = (f"dx_timestamp_extract('{name}', {value.sql})" for name in ("doy", "dow"))
        return Value(f"(({day} + 6 - {weekday}) / 7)", INT4)
    return field_of_time(value.sql, "week" if field == "isoweek" else field)


_ELEMENTS = {
    "Y": "YYYY", "y": "YY", "m": "MM", "d": "DD", "b": "Mon", "h": "Mon", "B": "FMMonth", "a": "Dy", "A": "FMDay",
    "H": "HH24", "I": "HH12", "M": "MI", "S": "SS", "p": "AM", "j": "DDD", "F": "YYYY-MM-DD", "T": "HH24:MI:SS",
    "R": "HH24:MI", "Q": "Q", "V": "IW", "G": "IYYY", "u": "ID", "D": "MM/DD/YY", "%": '"%"',
}  # fmt: skip


_ELEMENT = re.compile(r"%(?P<element>.)|(?P<text>[^%]+)", re.DOTALL)


def template_of(text: str, node: exp.Expr) -> str:
    """A format string of GoogleSQL's as a template of PostgreSQL's."""
    result = ""
    for match in _ELEMENT.finditer(text):
        element = match["element"]
        if (element is not None and element not in _ELEMENTS) or '"' in (match["text"] or ""):
            raise unsupported("This format string", node, "Use %Y %m %d %H %M %S %b %B %a %A %j %Q %F %T.")
        plain = match["text"]
        result += _ELEMENTS[element] if element is not None else f'"{plain}"' if re.search("[A-Za-z]", plain) else plain
    return result


def formatted(read: Callable[[Value, exp.Expr], Value]) -> Body:
    """``FORMAT_DATE(format, x)`` and ``FORMAT_TIMESTAMP``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        template, value = values_of(translator, call, scope, 2)
        text = template_of(constant_of(template, call.node, "A format string"), call.node)
        return Value(f"dx_time_to_char({read(value, call.node).sql}, {text_literal(text)})", TEXT)

    return body


format_date = formatted(_date)


format_timestamp = formatted(_timestamp)


def parsed(kind: Type) -> Body:
    """``PARSE_DATE(format, text)`` and ``PARSE_TIMESTAMP``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        template, value = values_of(translator, call, scope, 2)
        text = template_of(constant_of(template, call.node, "A format string"), call.node)
        source = implicit(value, TEXT, call.node, f"argument of {call.name}")
        name = "dx_to_date" if kind == DATE else "dx_to_timestamp"
        return Value(f"{name}({source.sql}, {text_literal(text)})", kind)

    return body


def as_date(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DATE(x)``, ``DATE(year, month, day)``."""
    values = values_of(translator, call, scope, 1, 3)
    if len(values) == 3:
        parts = ", ".join(implicit(value, INT4, call.node, "argument of DATE").sql for value in values)
        return Value(f"dx_make_date({parts})", DATE)
    if len(values) != 1:
        raise unsupported("A time zone here", call.node, "The world's times are UTC; leave it out.")
    return as_type(values[0], DATE, call.node)


def as_timestamp(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TIMESTAMP(x)``."""
    (value,) = values_of(translator, call, scope, 1)
    return as_type(value, TIMESTAMPTZ, call.node)


def date_array(translator: Translator, call: Call, scope: Scope) -> Value:
    """``GENERATE_DATE_ARRAY(start, stop, INTERVAL n unit)``."""
    if not 2 <= len(call.arguments) <= 3:
        raise no_such_function(call, [])
    start, stop = (_date(translator.expression(item, scope), call.node) for item in call.arguments[:2])
    unit, count = "day", Value("1", INT4)
    if len(call.arguments) == 3:
        unit, count = _interval(translator, call.arguments[2], scope, DATE_UNITS)
    return Value(f"dx_dates({start.sql}, {stop.sql}, {count.sql}, {text_literal(unit)})", array_of(DATE))


def number_array(translator: Translator, call: Call, scope: Scope) -> Value:
    """``GENERATE_ARRAY(start, stop, step)`` of INT64s."""
    values = values_of(translator, call, scope, 2, 3)
    if any(not value.type.is_integer for value in values):
        raise unsupported("GENERATE_ARRAY() of these", call.node, "Use INT64s, and divide them.")
    step = values[2].sql if len(values) == 3 else "1"
    return Value(f"dx_integer_series({values[0].sql}, {values[1].sql}, {step})", array_of(INT4))
