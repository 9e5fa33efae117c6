"""Snowflake's own meanings: division, conditionals, casts, its functions of texts and times."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import cast, coerced, implicit, to_json_text, to_text
from simulator.sql.dialects.ordering import comparable, no_such_operator
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules import arithmetic, literals, patterns
from simulator.sql.dialects.rules.aggregates import arguments_of, average, filtered, total
from simulator.sql.dialects.rules.arithmetic import numbers, scale_of
from simulator.sql.dialects.rules.warehouse import (
    as_instant,
    choice,
    constant_of,
    field_of_time,
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
    INT8,
    JSON,
    NUMERIC,
    TEXT,
    TIME,
    TIMESTAMP,
    Type,
    numeric,
)
from simulator.sql.dialects.values import NULL, Value, text_literal, truth

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


# -- Numbers -----------------------------------------------------------------------------------------------------------


def divided(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``/``: of NUMBERs a NUMBER with six digits more than the dividend, twelve at most; rounded half up."""
    found = numbers(left, right, node)
    if found is None:
        return None
    left, right, kind = found
    if kind.name == "float8":
        return Value(f"dx_float_divide({left.sql}, {right.sql})", FLOAT8)
    scale = scale_of(left.type)
    if scale is None:
        raise unsupported("Dividing a number whose scale is not known", node, "Cast it: x::NUMBER(12, 2) / y.")
    wanted = max(scale, min(scale + 6, 12))
    return Value(f"dx_round(dx_divide({left.sql}, {right.sql}), {wanted})", numeric(wanted))


def product(left: Value, right: Value, node: exp.Expr) -> Value | None:
    """``*`` of NUMBERs: with the digits of both, twelve at most unless one has more."""
    found = numbers(left, right, node)
    if found is None or found[2].name == "float8" or found[2].is_integer:
        return None
    left, right, _ = found
    first, second = scale_of(left.type), scale_of(right.type)
    if first is None or second is None:
        return None
    wanted = min(first + second, max(first, second, 12))
    return Value(f"round({left.sql} * {right.sql}, {wanted})", numeric(wanted))


def div0(or_null: bool) -> Body:
    """``DIV0(a, b)``: 0 where b is 0; ``DIV0NULL`` also where it is NULL."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        left, right = values_of(translator, call, scope, 2)
        result = divided(left, replace(right, sql=f"nullif({right.sql}, 0)"), call.node)
        if result is None:
            raise no_such_function(call, [left, right])
        test = f"coalesce({right.sql}, 0) = 0" if or_null else f"{right.sql} = 0 AND {left.sql} IS NOT NULL"
        return Value(f"(CASE WHEN {test} THEN 0 ELSE {result.sql} END)", result.type)

    return body


def mean(translator: Translator, call: Call, scope: Scope) -> Value:
    """``AVG(x)``: of NUMBERs a NUMBER with the scale of a division."""
    value = average(translator, call, scope)
    (argument,) = arguments_of(translator, call, scope, 1)
    if not argument.type.is_number or argument.type.name == "float8":
        return value
    scale = scale_of(argument.type)
    if scale is None:
        raise unsupported("AVG() of a number whose scale is not known", call.node, "Cast it: x::NUMBER(12, 2).")
    wanted = max(scale, min(scale + 6, 12))
    return Value(f"dx_round({value.sql}, {wanted})", numeric(wanted))


def median(translator: Translator, call: Call, scope: Scope) -> Value:
    """``MEDIAN(x)``."""
    (value,) = arguments_of(translator, call, scope, 1)
    if not value.type.is_number or call.window is not None or call.distinct:
        raise unsupported("This MEDIAN()", call.node, "Use MEDIAN(number) with GROUP BY.")
    return Value(filtered(translator, call, scope, f"dx_percentile_cont({value.sql}, 0.5, 0)"), FLOAT8)


def mode(translator: Translator, call: Call, scope: Scope) -> Value:
    """``MODE(x)``: of several the smallest."""
    (value,) = arguments_of(translator, call, scope, 1)
    if call.window is not None or call.distinct or value.type.name in ("interval", "json", "array", "unknown"):
        raise unsupported("This MODE()", call.node, "Use GROUP BY, ORDER BY COUNT(*) DESC and LIMIT 1.")
    return Value(filtered(translator, call, scope, f"dx_mode({value.sql})"), value.type)


def ratio(translator: Translator, call: Call, scope: Scope) -> Value:
    """``RATIO_TO_REPORT(x) OVER (…)``."""
    (value,) = arguments_of(translator, call, scope, 1)
    whole = total(translator, call, scope)
    result = divided(value, replace(whole, sql=f"nullif({whole.sql}, 0)"), call.node)
    if result is None:
        raise no_such_function(call, [value])
    return result


def power(translator: Translator, call: Call, scope: Scope) -> Value:
    """``POWER(x, n)``: a FLOAT."""
    left, right = values_of(translator, call, scope, 2)
    result = arithmetic.power(left, right, call.node)
    if result is None:
        raise no_such_function(call, [left, right])
    return replace(result, type=FLOAT8)


def square(translator: Translator, call: Call, scope: Scope) -> Value:
    """``SQRT(x)``: a FLOAT."""
    (value,) = values_of(translator, call, scope, 1)
    return Value(f"dx_square_root({implicit(value, FLOAT8, call.node, 'argument of SQRT').sql})", FLOAT8)


def rounding(function: str) -> Body:
    """``ROUND(x, digits)`` and ``TRUNC``: halves away from zero, FLOATs too."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 1, 2)
        if not values[0].type.is_number:
            raise no_such_function(call, values)
        digits = constant_of(values[1], call.node, "The number of digits") if len(values) == 2 else "0"
        if not digits.lstrip("-").isdigit():
            raise no_such_function(call, values)
        scale = int(digits)
        if values[0].type.is_integer and scale >= 0:
            return values[0]
        kind = FLOAT8 if values[0].type.name == "float8" else numeric(max(scale, 0))
        known = scale_of(values[0].type)
        if kind.name == "numeric" and known is not None and scale >= known:
            return values[0]
        return Value(f"{function}({values[0].sql}, {scale})", kind)

    return body


def truncated(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TRUNC(x, digits)`` of a number, ``TRUNC(x, unit)`` of a time."""
    first = translator.expression(call.arguments[0], scope) if call.arguments else NULL
    if first.type.is_instant and len(call.arguments) == 2:
        return date_trunc(translator, replace(call, arguments=call.arguments[::-1]), scope)
    return rounding("dx_truncate")(translator, call, scope)


# -- Conditionals ------------------------------------------------------------------------------------------------------


def iff(translator: Translator, call: Call, scope: Scope) -> Value:
    """``IFF(condition, a, b)``."""
    if len(call.arguments) != 3:
        raise no_such_function(call, [])
    return choice(translator, call.node, scope, call.arguments)


def nvl2(translator: Translator, call: Call, scope: Scope) -> Value:
    """``NVL2(x, if not null, if null)``."""
    test, first, second = values_of(translator, call, scope, 3)
    kind = translator.meeting([first, second], call.node, "NVL2")
    kind = TEXT if kind.name == "unknown" else kind
    texts = [coerced(value, kind, call.node).sql for value in (first, second)]
    return Value(f"(CASE WHEN {test.sql} IS NOT NULL THEN {texts[0]} ELSE {texts[1]} END)", kind)


def null_if_zero(translator: Translator, call: Call, scope: Scope) -> Value:
    """``NULLIFZERO(x)``."""
    (value,) = values_of(translator, call, scope, 1)
    if not value.type.is_number:
        raise no_such_function(call, [value])
    return Value(f"nullif({value.sql}, 0)", value.type)


def zero_if_null(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ZEROIFNULL(x)``."""
    (value,) = values_of(translator, call, scope, 1)
    if not value.type.is_number:
        raise no_such_function(call, [value])
    return Value(f"coalesce({value.sql}, 0)", value.type)


def decode(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DECODE(x, search, result, …, default)``, where NULL is like NULL."""
    values = values_of(translator, call, scope, 3, 100)
    searched, *others = values
    default = others.pop() if len(others) % 2 else NULL
    results = [*others[1::2], default]
    kind = translator.meeting(results, call.node, "DECODE")
    kind = TEXT if kind.name == "unknown" else kind
    branches = []
    for search, result in zip(others[::2], others[1::2], strict=True):
        left, right = comparable(searched, search, "=", call.node)
        branches.append(f"WHEN {left} IS {right} THEN {coerced(result, kind, call.node).sql}")
    return Value(f"(CASE {' '.join(branches)} ELSE {coerced(default, kind, call.node).sql} END)", kind)


def equal_null(translator: Translator, call: Call, scope: Scope) -> Value:
    """``EQUAL_NULL(a, b)``."""
    left, right = values_of(translator, call, scope, 2)
    first, second = comparable(left, right, "=", call.node)
    return truth(f"{first} IS {second}")


# -- Casts -------------------------------------------------------------------------------------------------------------

_INTEGERS = (exp.DType.INT, exp.DType.BIGINT, exp.DType.SMALLINT, exp.DType.TINYINT)
_TYPES: dict[exp.DType, Type] = {
    exp.DType.DOUBLE: FLOAT8, exp.DType.FLOAT: FLOAT8, exp.DType.TEXT: TEXT, exp.DType.VARCHAR: TEXT,
    exp.DType.BOOLEAN: BOOLEAN, exp.DType.DATE: DATE, exp.DType.TIME: TIME, exp.DType.TIMESTAMP: TIMESTAMP,
    exp.DType.TIMESTAMPNTZ: TIMESTAMP, exp.DType.DATETIME: TIMESTAMP, exp.DType.VARIANT: JSON,
    exp.DType.OBJECT: JSON, exp.DType.ARRAY: JSON,
}  # fmt: skip
_STAMP = "'YYYY-MM-DD HH24:MI:SS.MS'"


def _written(node: exp.Expr) -> tuple[Type, tuple[int, ...]]:
    """The type a cast names, an integer for NUMBER without digits after the point, and its numbers."""
    kind = node.this if isinstance(node, exp.DataType) else None
    names = [item.this.name for item in node.expressions if isinstance(item, exp.DataTypeParam)]
    if any(not name.isdigit() or len(name) > 4 for name in names):
        raise mistyped("invalid type modifier", node)
    sizes = tuple(map(int, names))
    if kind in _INTEGERS:
        return INT4, ()
    if kind == exp.DType.DECIMAL:
        if len(sizes) < 2 or sizes[1] == 0:
            return INT4, sizes[:1]
        if not sizes[1] <= min(sizes[0], 15):
            raise unsupported(f"NUMBER({sizes[0]},{sizes[1]})", node, "Use a scale from 0 to 15.")
        return numeric(sizes[1]), sizes
    if kind == exp.DType.CHAR:
        return TEXT, sizes or (1,)
    if kind in _TYPES:
        return _TYPES[kind], sizes
    raise unsupported(
        f"The type {node.sql(dialect='snowflake')}", node,
        "Use NUMBER(p,s), INT, FLOAT, VARCHAR, BOOLEAN, DATE, TIMESTAMP_NTZ or VARIANT.",
    )  # fmt: skip


def as_type(value: Value, kind: Type, sizes: tuple[int, ...], node: exp.Expr) -> Value:
    """A value cast to a type."""
    source = value.type.name
    if kind == INT4:
        if source in ("unknown", "text", "json") and not value.is_null:
            text = varchar(value, node)
            return Value(f"dx_to_integer(dx_read_number({text.sql}, 'numeric'), 64, 0)", INT4)
        if source == "float8":
            return Value(f"dx_to_integer({value.sql}, 64, 0)", INT4)
        return replace(cast(value, INT8 if source != "boolean" else INT4, node), type=INT4)
    if kind.name == "numeric":
        number = cast(varchar(value, node) if source == "json" else value, NUMERIC, node)
        if source == "boolean":
            raise mistyped("cannot cast type boolean to numeric", node)
        return Value(f"dx_fit_numeric({number.sql}, {sizes[0]}, {sizes[1]})", kind)
    if kind == TEXT:
        text = varchar(value, node)
        return Value(f"substr({text.sql}, 1, {sizes[0]})", TEXT) if sizes else text
    if kind == JSON:
        if source == "json":
            return value
        return Value(f"(CASE WHEN {value.sql} IS NOT NULL THEN {to_json_text(value, node)} END)", JSON)
    if source == "json":
        return cast(varchar(value, node), kind, node)
    if kind == TIMESTAMP and sizes not in ((), (9,), (6,)):
        raise unsupported("The precision of this type", node, "Write the type without it.")
    return cast(value, kind, node)


def varchar(value: Value, node: exp.Expr) -> Value:
    """A value as the VARCHAR that Snowflake makes of it by itself."""
    if value.type.name == "json":
        return Value(f"dx_json_as_text({value.sql})", TEXT)
    if value.type.name in ("timestamp", "timestamptz"):
        return Value(f"dx_time_to_char({value.sql}, {_STAMP})", TEXT)
    return to_text(value, node)


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``x::type``, ``CAST(x AS type)`` and ``DATE '…'``."""
    only(node, "this", "to")
    kind, sizes = _written(node.args["to"])
    return as_type(translator.expression(node.this, scope), kind, sizes, node)


def try_cast(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``TRY_CAST(text AS type)``."""
    only(node, "this", "to", "safe", "requires_string")
    kind, sizes = _written(node.args["to"])
    return _tried(translator.expression(node.this, scope), kind, sizes, node)


_READ = {"int4": "rounded", "numeric": "number", "float8": "number"}


def _tried(value: Value, kind: Type, sizes: tuple[int, ...], node: exp.Expr) -> Value:
    if value.type.name not in ("text", "unknown"):
        raise mistyped(f"TRY_CAST needs a text, not {value.type.label}", node, "Use CAST, or ::.")
    if kind == TEXT:
        return as_type(value, kind, sizes, node)
    sql = f"dx_try_read({to_text(value, node).sql}, '{_READ.get(kind.name, kind.name)}')"
    if kind.name == "numeric":
        sql = f"dx_try_fit({sql}, {sizes[0]}, {sizes[1]})"
    return Value(sql, kind)


def conversion(kind: Type, tried: bool = False) -> Body:
    """``TO_DATE(x, template)``, ``TO_NUMBER(x, precision, scale)`` and their like; with TRY_ NULL for what is none."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 1, 3)
        if kind == INT4:
            sizes = [constant_of(value, call.node, "The precision") for value in values[1:]]
            if any(not size.isdigit() for size in sizes):
                raise unsupported("A template for a number", call.node, "Cast it: REPLACE(x, ',', '')::NUMBER(12, 2).")
            wanted = numeric(int(sizes[1])) if len(sizes) == 2 and sizes[1] != "0" else INT4
            numbers_of = tuple(map(int, sizes))
            return (_tried if tried else as_type)(values[0], wanted, numbers_of, call.node)
        if len(values) == 1:
            if kind == TIMESTAMP and values[0].type.is_number and not tried:
                return Value(f"dx_from_epoch({values[0].sql})", TIMESTAMP)
            return (_tried if tried else as_type)(values[0], kind, (), call.node)
        if kind not in (DATE, TIMESTAMP) or len(values) > 2 or values[0].type.name not in ("text", "unknown"):
            raise no_such_function(call, values)
        template = text_literal(template_of(constant_of(values[1], call.node, "A template"), call.node))
        text = to_text(values[0], call.node).sql
        if tried:
            return Value(f"dx_try_template({text}, {template}, '{kind.name}')", kind)
        return Value(f"dx_to_{kind.name}({text}, {template})", kind)

    return body


_TEMPLATE = re.compile(
    r"(?P<name>YYYY|YY|MMMM|MON|MM|DD|DY|HH24|HH12|AM|PM|MI|SS|FF3|FF6)|(?P<text>\"[^\"]*\"|[^A-Z\"])", re.IGNORECASE
)
_PATTERNS = {"MMMM": "FMMonth", "MON": "Mon", "DY": "Dy", "FF3": "MS", "FF6": "US"}


def template_of(text: str, node: exp.Expr) -> str:
    """A template of Snowflake's as one of PostgreSQL's."""
    result = ""
    position = 0
    for match in _TEMPLATE.finditer(text):
        if match.start() != position:
            break
        name = (match["name"] or "").upper()
        result += _PATTERNS.get(name, name) if name else match["text"]
        position = match.end()
    if position != len(text):
        raise unsupported("This template", node, "Use YYYY, YY, MM, MON, MMMM, DD, DY, HH24, HH12, AM, MI, SS, FF3.")
    return result


def to_varchar(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TO_CHAR(x, template)``, ``TO_VARCHAR``."""
    values = values_of(translator, call, scope, 1, 2)
    if len(values) == 1:
        return varchar(values[0], call.node)
    if not values[0].type.is_instant:
        raise unsupported("TO_CHAR() of a number with a template", call.node, "Use ROUND(x, 2)::VARCHAR and LPAD().")
    template = template_of(constant_of(values[1], call.node, "A template"), call.node)
    start = coerced(values[0], TIMESTAMP, call.node)
    return Value(f"dx_time_to_char({start.sql}, {text_literal(template)})", TEXT)


# -- Times -------------------------------------------------------------------------------------------------------------


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


# -- Texts -------------------------------------------------------------------------------------------------------------


def joined(translator: Translator, call: Call, scope: Scope) -> Value:
    """``CONCAT(a, b)``: NULL if one is."""
    values = values_of(translator, call, scope, 1, 50)
    return Value(f"({' || '.join(varchar(value, call.node).sql for value in values)})", TEXT)


def like(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """LIKE, ILIKE, also with ANY and ALL; nothing escapes but what ESCAPE names."""
    choices = node.expression
    if not isinstance(choices, exp.Any | exp.All):
        return patterns.like_with(translator, node, scope, "")
    only(node, "this", "expression", "negate")
    listed = choices.this
    items = listed.expressions if isinstance(listed, exp.Tuple) else [listed.unnest()]
    word = " OR " if isinstance(choices, exp.Any) else " AND "
    parts = []
    for item in items:
        one = type(node)(this=node.this, expression=item)
        parts.append(patterns.like_with(translator, one, scope, "").sql)
    return truth(word.join(parts))


def matches(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``RLIKE`` and ``REGEXP``: the pattern takes the whole text."""
    only(node, "this", "expression", "full_match")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of RLIKE")
    wanted = pattern(translator.expression(node.expression, scope), "", node)
    return truth(f"dx_re_whole({text.sql}, {wanted.sql}, '')")


def regexp(function: str, defaults: tuple[str, ...], result: Type) -> FunctionRule:
    """A function of a text, a pattern and more, with defaults for those left out; flags are the letters among them.

    ``defaults`` are, in order, SQLite texts of the arguments after the pattern; ``flags`` stands for the flags.
    """

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 2, 2 + len(defaults))
        given: list[str] = []
        flags = ""
        for index, value in enumerate(values[2:]):
            if defaults[index] == "flags":
                flags = constant_of(value, call.node, "The parameters of a regular expression")
                given.append("")
            elif defaults[index].startswith("'"):
                given.append(implicit(value, TEXT, call.node, f"argument of {call.name}").sql)
            else:
                given.append(implicit(value, INT4, call.node, f"argument of {call.name}").sql)
        others = [given[index] if index < len(given) else default for index, default in enumerate(defaults)]
        kept = [text for name, text in zip(defaults, others, strict=True) if name != "flags"]
        text = implicit(values[0], TEXT, call.node, f"argument of {call.name}")
        wanted = pattern(values[1], flags, call.node)
        # `e` asks for the first group where none is named.
        group = "1" if "e" in flags and len(values) < 2 + len(defaults) else "0"
        sql = function.format(text.sql, wanted.sql, text_literal(flags), *kept, group=group)
        return Value(sql, result)

    return FunctionRule(body)


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
    return Value(f"dx_part({text}, {start}, max({length}, 0))", TEXT)


def position(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``POSITION(part IN text)``, ``POSITION(part, text)``."""
    only(node, "this", "substr", "clamp_position")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of POSITION")
    wanted = implicit(translator.expression(node.args["substr"], scope), TEXT, node, "argument of POSITION")
    return Value(f"dx_position({text.sql}, {wanted.sql})", INT4)


def column(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A column; ``$1`` is none here."""
    if isinstance(node.this, exp.Parameter):
        raise unsupported("A column by its number", node, "Name the column.")
    return literals.column(translator, node, scope)


def numbered(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """``$1``."""
    raise unsupported("`$`, a column by its number or a session variable,", node, "Name the column, write the value.")
