"""Parts, beginnings and differences of times."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function, plain, signature
from simulator.sql.dialects.conversions import cast, coerced
from simulator.sql.dialects.refusals import bad_value, mistyped, only, unsupported
from simulator.sql.dialects.runtime import formats
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import (
    DATE,
    FLOAT8,
    INT4,
    INTERVAL,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value, text_literal
from simulator.sql.functions import FunctionProblem

_UNITS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade", "century")
_TIMESTAMP_FIELDS = {
    "year": 0, "month": 0, "day": 0, "hour": 0, "minute": 0, "second": 6, "milliseconds": 3, "microseconds": 0,
    "quarter": 0, "dow": 0, "isodow": 0, "doy": 0, "week": 0, "isoyear": 0, "decade": 0, "century": 0, "millennium": 0,
    "epoch": 6,
}  # fmt: skip
_INTERVAL_FIELDS = {"year": 0, "month": 0, "day": 0, "hour": 0, "minute": 0, "second": 6, "quarter": 0, "epoch": 6}
_TIME_FIELDS = {"hour": 0, "minute": 0, "second": 6, "milliseconds": 3, "microseconds": 0, "epoch": 6}
_SPELLINGS = {
    "years": "year", "months": "month", "days": "day", "hours": "hour", "minutes": "minute", "seconds": "second",
    "weeks": "week", "quarters": "quarter", "decades": "decade", "centuries": "century",
}  # fmt: skip


def _constant_text(translator: Translator, node: exp.Expr, scope: Scope, what: str) -> str:
    value = translator.expression(node, scope)
    if value.constant is None or value.type.name not in ("unknown", "text"):
        raise unsupported(f"{what} that is no literal", node, "Write it in quotes.")
    return value.constant


def field_of(value: Value, field: str, node: exp.Expr) -> Value:
    """A field of a time, numeric."""
    field = _SPELLINGS.get(field.lower(), field.lower())
    if value.type.name == "unknown":
        raise mistyped("function pg_catalog.extract(unknown, unknown) is not unique", node, "Cast it: x::timestamp.")
    fields = {"interval": _INTERVAL_FIELDS, "time": _TIME_FIELDS}.get(value.type.name, _TIMESTAMP_FIELDS)
    if value.type.name == "date" and field in _TIME_FIELDS and field != "epoch":
        raise mistyped(f'unit "{field}" not supported for type date', node)
    if not (value.type.is_instant or value.type.name in ("interval", "time")):
        raise mistyped(f"function pg_catalog.extract(unknown, {value.type.label}) does not exist", node)
    if field not in fields:
        raise unsupported(f"The field {field} of a {value.type.label}", node, f"Fields are {', '.join(fields)}.")
    function = {"interval": "dx_interval_extract", "time": "dx_time_extract"}.get(
        value.type.name, "dx_timestamp_extract"
    )
    scale = 0 if value.type.name == "date" else fields[field]
    return Value(f"{function}({text_literal(field)}, {value.sql})", numeric(scale))


def extract(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``extract(field from x)``."""
    only(node, "this", "expression")
    return field_of(translator.expression(node.expression, scope), node.name, node)


def date_part(translator: Translator, call: Call, scope: Scope) -> Value:
    """``date_part('field', x)``: the same as a float."""
    if len(call.arguments) != 2:
        raise mistyped("date_part() needs a field and a time", call.node)
    field = _constant_text(translator, call.arguments[0], scope, "A field")
    return Value(field_of(translator.expression(call.arguments[1], scope), field, call.node).sql, FLOAT8)


def date_trunc(translator: Translator, call: Call, scope: Scope) -> Value:
    """``date_trunc('month', x)``."""
    if len(call.arguments) != 2:
        raise unsupported("date_trunc() with a time zone", call.node, "The world's times are UTC; leave it out.")
    unit = _constant_text(translator, call.arguments[0], scope, "A unit").lower()
    unit = _SPELLINGS.get(unit, unit)
    value = translator.expression(call.arguments[1], scope)
    if not value.type.is_instant:
        if value.type.name in ("interval", "time"):
            raise unsupported(f"date_trunc() of a {value.type.label}", call.node, "Use extract().")
        raise no_such_function(call, [Value("", Type("unknown")), value])
    if unit not in _UNITS:
        raise unsupported(f"The unit {unit!r}", call.node, f"Units are {', '.join(_UNITS)}.")
    kind = TIMESTAMP if value.type.name == "timestamp" else TIMESTAMPTZ
    return Value(f"dx_timestamp_truncate({text_literal(unit)}, {coerced(value, kind, call.node).sql})", kind)


def age(translator: Translator, call: Call, scope: Scope) -> Value:
    """``age(later, earlier)``, and ``age(x)`` until today's midnight."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) not in (1, 2) or any(
        not (value.type.is_instant or value.type.name == "unknown") for value in values
    ):
        raise no_such_function(call, values)
    texts = [coerced(value, TIMESTAMP, call.node).sql for value in values]
    if len(texts) == 1:
        texts.insert(0, "(substr(now(), 1, 10) || ' 00:00:00')")
    return Value(f"dx_age({texts[0]}, {texts[1]})", INTERVAL)


def to_char(translator: Translator, call: Call, scope: Scope) -> Value:
    """``to_char(time or number, template)``."""
    if len(call.arguments) != 2:
        raise mistyped("to_char() needs a value and a template", call.node)
    value, template = (translator.expression(argument, scope) for argument in call.arguments)
    if not (value.type.is_instant or value.type.is_number):
        if value.type.name in ("interval", "time"):
            raise unsupported(f"to_char() of a {value.type.label}", call.node, "Use extract().")
        raise no_such_function(call, [value, template])
    is_time = value.type.is_instant
    if template.constant is not None:
        try:
            check = formats.check_time_template if is_time else formats.check_number_template
            check(template.constant)
        except FunctionProblem as problem:
            alternative = (
                "Use YYYY, MM, DD, HH24, MI, SS, Mon, Month, Dy, Day, Q, IW." if is_time else "Use FM999,990.00."
            )
            raise unsupported("This template of to_char()", call.node, alternative) from problem
    if is_time:
        return Value(f"dx_time_to_char({coerced(value, TIMESTAMP, call.node).sql}, {template.sql})", TEXT)
    if value.type.name == "float8":
        raise unsupported("to_char() of a double precision", call.node, "Cast it: to_char(x::numeric, 'FM990.00').")
    return Value(f"dx_number_to_char({value.sql}, {template.sql})", TEXT)


def now_as(kind: Type) -> Body:
    """``now()`` and its other names."""

    def body(_: Translator, call: Call, __: Scope) -> Value:
        if call.arguments:
            raise mistyped(f"{call.name}() takes no arguments", call.node)
        return Value("now()", kind)

    return body


now = now_as(TIMESTAMPTZ)


def today(_: Translator, call: Call, __: Scope) -> Value:
    """``current_date()``."""
    if call.arguments:
        raise mistyped(f"{call.name}() takes no arguments", call.node)
    return Value("substr(now(), 1, 10)", DATE)


def make_interval(translator: Translator, call: Call, scope: Scope) -> Value:
    """``make_interval(days => 3)``."""
    names = ("years", "months", "weeks", "days", "hours", "mins", "secs")
    parts = dict.fromkeys(names, "0")
    for index, argument in enumerate(call.arguments):
        name, item = names[min(index, 6)], argument
        if isinstance(argument, exp.Kwarg | exp.PropertyEQ):
            name, item = argument.this.name.lower(), argument.expression
        if name not in parts:
            raise mistyped(f'make_interval() has no argument "{name}"', call.node)
        value = translator.expression(item, scope)
        wanted = FLOAT8 if name == "secs" else INT4
        if value.type.name == "unknown" or (name != "secs" and value.type.name != "int4") or not value.type.is_number:
            raise no_such_function(call, [value])
        parts[name] = coerced(value, wanted, argument).sql
    return Value(f"dx_interval_make({', '.join(parts.values())})", INTERVAL)


def as_date(translator: Translator, call: Call, scope: Scope) -> Value:
    """``date(x)``: a cast in the form of a function."""
    if len(call.arguments) != 1:
        raise mistyped("date() takes one argument", call.node)
    return cast(translator.expression(call.arguments[0], scope), DATE, call.node)


def template_reader(function: str, result: Type) -> FunctionRule:
    """``to_date`` and ``to_timestamp`` with a template."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) == 1 and values[0].type.is_number and result == TIMESTAMPTZ:
            return Value(f"dx_from_epoch({values[0].sql})", result)
        if len(values) != 2 or any(value.type.name not in ("text", "unknown") for value in values):
            raise no_such_function(call, values)
        if values[1].constant is not None:
            try:
                formats.check_time_template(values[1].constant)
            except FunctionProblem as problem:
                raise bad_value(str(problem), call.node) from problem
        return Value(f"{function}({values[0].sql}, {values[1].sql})", result)

    return FunctionRule(body)


RULES: dict[type[exp.Expr], Rule] = {exp.Extract: extract}

FUNCTIONS: dict[str, FunctionRule] = {
    "date_part": FunctionRule(date_part),
    "date_trunc": FunctionRule(date_trunc),
    "age": FunctionRule(age),
    "to_char": FunctionRule(to_char),
    "now": FunctionRule(now),
    "transaction_timestamp": FunctionRule(now),
    "statement_timestamp": FunctionRule(now),
    "date": FunctionRule(as_date),
    "make_interval": FunctionRule(make_interval),
    "to_date": template_reader("dx_to_date", DATE),
    "to_timestamp": template_reader("dx_to_timestamp", TIMESTAMPTZ),
    "make_date": plain(signature("dx_make_date({0}, {1}, {2})", DATE, INT4, INT4, INT4)),
    "make_timestamp": plain(
        signature("dx_make_timestamp({0}, {1}, {2}, {3}, {4}, {5})", TIMESTAMP, INT4, INT4, INT4, INT4, INT4, FLOAT8)
    ),
    "justify_days": plain(signature("dx_justify({0}, 1, 0)", INTERVAL, INTERVAL)),
    "justify_hours": plain(signature("dx_justify({0}, 0, 1)", INTERVAL, INTERVAL)),
    "justify_interval": plain(signature("dx_justify({0}, 1, 1)", INTERVAL, INTERVAL)),
}

__all__ = ["FUNCTIONS", "RULES", "field_of"]
