"""GoogleSQL's own meanings: literals that are STRINGs, FLOAT64 quotients, its casts, times, JSON and arrays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import cast, coerced, implicit, literal, to_json_text
from simulator.sql.dialects.ordering import comparable, compared, no_such_operator
from simulator.sql.dialects.queries import query_in
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules import comparison, literals
from simulator.sql.dialects.rules.aggregates import arguments_of, average, finished, order_of, rows_of
from simulator.sql.dialects.rules.arithmetic import numbers
from simulator.sql.dialects.rules.warehouse import (
    as_instant,
    by_value,
    choice,
    constant_of,
    field_of_time,
    items_of,
    moved,
    pattern,
    unit_of,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    BOOLEAN,
    DATE,
    FLOAT8,
    INT4,
    INTERVAL,
    JSON,
    NUMERIC,
    TEXT,
    TEXT_LITERAL,
    TIME,
    TIMESTAMPTZ,
    Type,
    array_of,
    numeric,
)
from simulator.sql.dialects.values import Value, quoted, text_literal, truth

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
_DIGITS = 9
_AS_SCALAR = "Its value as a scalar: JSON_VALUE(doc, '$.field')."


# -- Literals, columns and casts ---------------------------------------------------------------------------------------


def constant(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A number, or a STRING, which is a date or timestamp where one is wanted, but no number."""
    value = literals.constant(translator, node, scope)
    return replace(value, type=TEXT_LITERAL) if value.type.name == "unknown" else value


def raw_text(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``r'…'``."""
    return replace(literals.text_constant(translator, node, scope), type=TEXT_LITERAL)


def column(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A column; the world's timestamps are TIMESTAMPs, which have a zone."""
    if node.args.get("db") is not None:
        raise unsupported("A field of a column", node, "Use JSON_VALUE(doc, '$.field').")
    value = literals.column(translator, node, scope)
    return replace(value, type=TIMESTAMPTZ) if value.type.name == "timestamp" else value


_TYPES: dict[exp.DType, Type] = {
    exp.DType.BIGINT: INT4, exp.DType.INT: INT4, exp.DType.SMALLINT: INT4, exp.DType.TINYINT: INT4,
    exp.DType.DOUBLE: FLOAT8, exp.DType.FLOAT: FLOAT8, exp.DType.DECIMAL: numeric(_DIGITS), exp.DType.TEXT: TEXT,
    exp.DType.VARCHAR: TEXT, exp.DType.BOOLEAN: BOOLEAN, exp.DType.DATE: DATE, exp.DType.TIME: TIME,
    exp.DType.TIMESTAMPTZ: TIMESTAMPTZ, exp.DType.JSON: JSON,
}  # fmt: skip


def _written(node: exp.Expr) -> Type:
    kind = _TYPES.get(node.this) if isinstance(node, exp.DataType) else None
    if kind is None or node.expressions:
        name = node.sql(dialect="bigquery")
        raise unsupported(
            f"The type {name}", node, "Use INT64, NUMERIC, FLOAT64, STRING, BOOL, DATE, TIMESTAMP or JSON."
        )
    return kind


def as_type(value: Value, kind: Type, node: exp.Expr) -> Value:
    """A value cast to a type."""
    source = value.type.name
    if kind == INT4 and source in ("numeric", "float8") and not value.is_null:
        return Value(f"dx_to_integer({value.sql}, 64, 0)", INT4)
    if kind == INT4 and source in ("text", "unknown") and not value.is_null:
        return Value(f"dx_read_integer({value.sql}, 64)", INT4)
    if kind == TEXT and source in ("numeric", "float8"):
        return Value(f"dx_float_text({value.sql})", TEXT)
    if source == "json" or (kind == JSON and not value.is_null):
        raise unsupported(f"A cast of {value.type.label} to {kind.label}", node, _AS_SCALAR)
    if kind.name == "numeric" and source not in ("numeric", "int4"):
        return Value(f"dx_round({cast(value, NUMERIC, node).sql}, {_DIGITS})", kind)
    return replace(cast(value, kind, node), type=kind)


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``CAST(x AS type)``, ``DATE '…'``."""
    only(node, "this", "to")
    return as_type(translator.expression(node.this, scope), _written(node.args["to"]), node)


_READ = {"int4": "integer", "numeric": "number", "float8": "number", "timestamptz": "timestamp"}


def safe_cast(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``SAFE_CAST(x AS type)``."""
    only(node, "this", "to", "safe")
    value, kind = translator.expression(node.this, scope), _written(node.args["to"])
    if value.type.name not in ("text", "unknown") or kind == TEXT:
        return as_type(value, kind, node)
    sql = f"dx_try_read({value.sql}, '{_READ.get(kind.name, kind.name)}')"
    return Value(f"dx_round({sql}, {_DIGITS})" if kind.name == "numeric" else sql, kind)


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


# -- Operators ---------------------------------------------------------------------------------------------------------


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
        return Value(f"dx_round(dx_divide({left.sql}, {right.sql}), {_DIGITS})", numeric(_DIGITS))
    return Value(f"dx_divide({left.sql}, {right.sql})", FLOAT8)


def product(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``*`` of NUMERICs: nine digits."""
    found = numbers(left, right, node)
    if found is None or found[2].name != "numeric":
        return None
    left, right, _ = found
    scales = [0 if side.type.is_integer else side.type.scale for side in (left, right)]
    known = [scale for scale in scales if scale is not None]
    wanted = min(sum(known), _DIGITS) if len(known) == 2 else _DIGITS
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


# -- Numbers -----------------------------------------------------------------------------------------------------------


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
        return Value(f"dx_round({value.sql}, {_DIGITS})", numeric(_DIGITS))
    return replace(value, type=FLOAT8) if argument.type.is_number else value


# -- Times -------------------------------------------------------------------------------------------------------------


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


# -- Texts -------------------------------------------------------------------------------------------------------------


def substring(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``SUBSTRING(x, start, length)``."""
    only(node, "this", "start", "length", "zero_start")
    items = [node.this, *(node.args[name] for name in ("start", "length") if node.args.get(name) is not None)]
    return _part([translator.expression(item, scope) for item in items], node)


def substr(translator: Translator, call: Call, scope: Scope) -> Value:
    """``SUBSTR(x, start, length)``."""
    return _part(values_of(translator, call, scope, 2, 3), call.node)


def _part(values: list[Value], node: exp.Expr) -> Value:
    if len(values) < 2:
        raise mistyped("SUBSTR needs a start", node)
    text = implicit(values[0], TEXT, node, "argument of SUBSTR").sql
    start = implicit(values[1], INT4, node, "argument of SUBSTR").sql
    length = implicit(values[2], INT4, node, "argument of SUBSTR").sql if len(values) == 3 else f"length({text})"
    return Value(f"dx_part({text}, {start}, {length})", TEXT)


def concatenated(translator: Translator, call: Call, scope: Scope) -> Value:
    """``CONCAT(a, b)`` of STRINGs: NULL if one is."""
    values = values_of(translator, call, scope, 1, 50)
    if any(value.type.name not in ("text", "unknown") for value in values):
        raise no_such_function(call, values)
    return Value(f"({' || '.join(coerced(value, TEXT, call.node).sql for value in values)})", TEXT)


def regexp(sql: str, result: Type, texts_after: int = 0) -> FunctionRule:
    """A function of a STRING and a regular expression of RE2's."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 2 + texts_after)
        wanted = pattern(values[1], "", call.node)
        others = [implicit(value, TEXT, call.node, f"argument of {call.name}").sql for value in values[2:]]
        text = implicit(values[0], TEXT, call.node, f"argument of {call.name}")
        return Value(sql.format(text.sql, wanted.sql, *others), result)

    return FunctionRule(body)


# -- JSON and arrays ---------------------------------------------------------------------------------------------------

_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]"']+)|\.?"(?P<quoted>[^"]+)"|\[(?P<index>[0-9]+)\]|\[(['"])(?P<key>[^'"]+)\4\]"""
)


def _steps(path: str, node: exp.Expr) -> str:
    """A JSONPath as an array of keys and positions."""
    steps = []
    position = 1
    while path.startswith("$") and position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            break
        steps.append(match["name"] or match["quoted"] or match["index"] or match["key"])
        position = match.end()
    if not path.startswith("$") or position != len(path):
        raise unsupported(f"The path {path[:40]}", node, "Write keys and positions: '$.field.inner[0]'.")
    return text_literal(json.dumps(steps, ensure_ascii=False))


def json_path(function: str, result: Type) -> FunctionRule:
    """``JSON_VALUE(doc, path)`` and its like."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 1, 2)
        if values[0].type.name != "json":
            raise unsupported(f"{call.name.upper()}() of a STRING", call.node, "Parse it first: PARSE_JSON(x).")
        path = constant_of(values[1], call.node, "A path") if len(values) == 2 else "$"
        return Value(f"{function}({values[0].sql}, {_steps(path, call.node)})", result)

    return FunctionRule(body)


def parse_json(translator: Translator, call: Call, scope: Scope) -> Value:
    """``PARSE_JSON(text)``."""
    (value,) = values_of(translator, call, scope, 1)
    return Value(f"dx_read_json({implicit(value, TEXT, call.node, 'argument of PARSE_JSON').sql})", JSON)


def to_json_string(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TO_JSON_STRING(x)``."""
    (value,) = values_of(translator, call, scope, 1)
    return Value(f"dx_json_compact({to_json_text(value, call.node)})", TEXT)


def array(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``[1, 2]`` and ``ARRAY(SELECT …)``."""
    only(node, "expressions", "value_constructor", "bracket_notation", "struct_name_inheritance")
    items = node.expressions
    if len(items) == 1 and isinstance(items[0], exp.Query):
        found = query_in(translator, items[0], scope)
        if len(found.columns) != 1:
            raise mistyped("ARRAY subquery cannot have more than one column", node)
        name, kind = quoted(found.sql_names[0]), found.columns[0].type
        if kind.name in ("json", "array", "interval"):
            raise unsupported(f"An array of {kind.label}", node, "Collect a part of it as STRING.")
        kind = TEXT if kind.name == "unknown" else kind
        return Value(f"(SELECT json_group_array({name}) FROM ({found.sql}))", array_of(kind))
    values = [translator.expression(item, scope) for item in items]
    kind = translator.meeting(values, node, "ARRAY")
    kind = TEXT if kind.name == "unknown" else kind
    if kind.name in ("json", "array", "interval"):
        raise unsupported(f"An array of {kind.label}", node, "Collect a part of it as STRING.")
    return Value(f"json_array({', '.join(coerced(value, kind, node).sql for value in values)})", array_of(kind))


def element(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``a[OFFSET(0)]``, ``a[SAFE_ORDINAL(1)]``, ``doc['key']``."""
    only(node, "this", "expressions", "offset", "safe", "returns_list_for_maps")
    if len(node.expressions) != 1:
        raise unsupported("This subscript", node, "Use one position.")
    value = translator.expression(node.this, scope)
    key = translator.expression(node.expressions[0], scope)
    if value.type.name == "json" and key.type.name in ("int4", "unknown", "text"):
        return Value(f"dx_json_get({value.sql}, {key.sql})", JSON)
    if value.type.name != "array" or value.type.element is None or not key.type.is_integer:
        raise mistyped(f"cannot take an element of {value.type.label}", node, "Use a[OFFSET(0)] on an array.")
    index = key.sql if not node.args.get("offset") else f"{key.sql} - 1"
    return Value(f"dx_array_slot({value.sql}, {index}, {int(bool(node.args.get('safe')))})", value.type.element)


def _array_argument(translator: Translator, call: Call, scope: Scope, count: int) -> list[Value]:
    values = values_of(translator, call, scope, count)
    if values[0].type.name != "array":
        raise no_such_function(call, values)
    return values


def array_length(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_LENGTH(a)``."""
    (value,) = _array_argument(translator, call, scope, 1)
    return Value(f"dx_array_size({value.sql})", INT4)


def array_to_string(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_TO_STRING(a, separator)``."""
    value, separator = _array_argument(translator, call, scope, 2)
    if value.type.element is None or value.type.element.name != "text":
        raise no_such_function(call, [value, separator])
    return Value(f"dx_array_joined({value.sql}, {implicit(separator, TEXT, call.node, 'separator').sql})", TEXT)


def array_concat(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_CONCAT(a, b)``."""
    first, second = _array_argument(translator, call, scope, 2)
    if first.type != second.type:
        raise no_such_function(call, [first, second])
    return Value(f"dx_array_concat({first.sql}, {second.sql})", first.type)


# -- Aggregates --------------------------------------------------------------------------------------------------------


def _unwrapped(call: Call) -> tuple[Call, str | None, bool]:
    """A call whose ORDER BY, LIMIT and IGNORE NULLS, which hang around its arguments, are taken off: with the LIMIT,
    and whether NULLs are ignored.
    """
    limit = None
    ignores = False
    arguments = list(call.arguments)
    if arguments and isinstance(arguments[-1], exp.Limit):
        item = arguments[-1]
        only(item, "this", "expression")
        if not isinstance(item.expression, exp.Literal) or not item.expression.name.isdigit():
            raise unsupported("A computed LIMIT", item, "Write a number.")
        limit, arguments[-1] = item.expression.name, item.this
    if arguments and isinstance(arguments[-1], exp.Order):
        call = replace(call, order=tuple(arguments[-1].expressions))
        arguments[-1] = arguments[-1].this
    if arguments and isinstance(arguments[0], exp.Distinct):
        call = replace(call, distinct=True)
        arguments[0:1] = arguments[0].expressions
    if arguments and isinstance(arguments[0], exp.IgnoreNulls):
        ignores, arguments[0] = True, arguments[0].this
    if arguments and isinstance(arguments[0], exp.RespectNulls):
        arguments[0] = arguments[0].this
    if arguments and isinstance(arguments[0], exp.Distinct):
        call = replace(call, distinct=True)
        arguments[0:1] = arguments[0].expressions
    return replace(call, arguments=tuple(arguments)), limit, ignores


def _collected(translator: Translator, call: Call, scope: Scope, value: Value, limit: str | None, nulls: bool) -> str:
    """SQLite text of an array of the values, in the call's order."""
    if call.window is not None:
        raise unsupported(f"{call.name.upper()}() with OVER", call.node, "Use GROUP BY in a subquery.")
    for item in call.order if call.distinct else ():
        if translator.expression(item.this, rows_of(call, scope)).sql != value.sql:
            raise mistyped("An aggregate function that has both DISTINCT and ORDER BY arguments can only ORDER BY "
                           "expressions that are arguments to the function", call.node)  # fmt: skip
    order = order_of(translator, call, scope)
    if call.distinct and not order:
        order = f" ORDER BY {value.sql}"
    distinct = "DISTINCT " if call.distinct else ""
    sql = f"json_group_array({distinct}{value.sql}{order})"
    if not nulls:
        sql += f" FILTER (WHERE {value.sql} IS NOT NULL)"
    return sql if limit is None else f"dx_array_head({sql}, {limit})"


def string_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``STRING_AGG(DISTINCT x, separator ORDER BY y LIMIT n)``."""
    call, limit, _ = _unwrapped(call)
    values = arguments_of(translator, call, scope, 2 if len(call.arguments) == 2 else 1)
    separator = implicit(values[1], TEXT, call.node, "separator") if len(values) == 2 else Value("','", TEXT, ",")
    if values[0].type.name not in ("text", "unknown"):
        raise no_such_function(call, values)
    items = _collected(translator, call, scope, values[0], limit, nulls=False)
    return Value(f"dx_array_joined(nullif({items}, '[]'), {separator.sql})", TEXT)


def array_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_AGG(DISTINCT x IGNORE NULLS ORDER BY y LIMIT n)``; an array with NULL in it is an error."""
    call, limit, ignores = _unwrapped(call)
    (value,) = arguments_of(translator, call, scope, 1)
    kind = items_of(value.type, call)
    items = _collected(translator, call, scope, value, limit, nulls=not ignores)
    return Value(f"dx_array_without_null(nullif({items}, '[]'))", kind)


def any_value(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ANY_VALUE(x HAVING MAX y)``; without HAVING any is right, so the smallest."""
    if len(call.arguments) == 1 and isinstance(call.arguments[0], exp.HavingMax):
        chosen = call.arguments[0]
        rows = rows_of(call, scope)
        value, by = translator.expression(chosen.this, rows), translator.expression(chosen.expression, rows)
        function = "dx_largest_by" if chosen.args.get("max") else "dx_smallest_by"
        return by_value(translator, call, scope, function, value, by)
    (value,) = arguments_of(translator, call, scope, 1)
    if value.type.name in ("interval", "json", "array"):
        raise unsupported(f"{call.name.upper()}() of {value.type.label}", call.node, "Use MIN() of a part of it.")
    kind = TEXT if value.type.name == "unknown" else value.type
    return Value(finished(translator, call, scope, f"min({value.sql})"), kind)
