"""Oracle's own rules: dates that carry a time, an empty text that is NULL, numbers that never divide as integers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import cast, coerced, literal, to_text, written_parameters
from simulator.sql.dialects.ordering import comparable, no_such_operator
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules import aggregates, literals, patterns, times
from simulator.sql.dialects.rules.arithmetic import numbers, scale_of
from simulator.sql.dialects.rules.of_mysql import called, extreme, interval, moved
from simulator.sql.dialects.runtime import formats
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import BOOLEAN, DATE, FLOAT8, INT8, NUMERIC, TEXT, TIMESTAMP, Type, numeric
from simulator.sql.dialects.values import NULL, Value, text_literal
from simulator.sql.functions import FunctionProblem

_NAMES = r"YYYY|MONTH|MON|DDD|DAY|DY|DD|MM|HH24|HH12|HH|MI|SS|IW|WW|Q|W|D"


def constant(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A literal; the empty text is NULL."""
    if node.args.get("is_string") and not str(node.this):
        return NULL
    return literals.constant(translator, node, scope)


def raw_text(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """``q'[…]'``."""
    text = str(node.this)
    return Value(text_literal(text), Type("unknown"), constant=text) if text else NULL


def as_text(value: Value, node: exp.Expr) -> str:
    """SQLite text of a value as TO_CHAR() without a template writes it."""
    if value.type.is_number:
        if value.type.name == "float8":
            raise unsupported("A float as a text", node, "Use TO_CHAR(ROUND(x, 2), 'FM999990.00').")
        return f"CAST({value.sql} AS TEXT)" if value.type.is_integer else f"dx_short_number({value.sql})"
    if value.type.name == "date":
        return f"({value.sql} || ' 00:00:00')"
    if value.type.name in ("json", "boolean"):
        raise unsupported(f"A {value.type.label} as a text", node, "Use CASE WHEN … THEN … END.")
    return to_text(value, node).sql


def joined(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``||``: NULL counts as empty."""
    only(node, "this", "expression", "safe")
    parts = [as_text(translator.expression(side, scope), node) for side in (node.this, node.expression)]
    return Value(f"dx_concatenated('', {', '.join(parts)})", TEXT)


def _instant(value: Value, node: exp.Expr) -> Value:
    if value.type.name == "unknown":
        is_day = re.fullmatch(r"\s*[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\s*", value.constant or "") is not None
        return literal(value, DATE if is_day else TIMESTAMP, node)
    if not value.type.is_instant:
        raise unsupported(f"A {value.type.label} as a date", node, "Use TO_DATE(x, 'YYYY-MM-DD').")
    return value


def _plus(sign: str) -> Rule:
    def rule(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
        only(node, "this", "expression")
        if isinstance(node.expression, exp.Interval):
            return moved(translator, node.this, node.expression, scope, sign)
        left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
        if left.type.is_instant and right.type.is_instant and sign == "-":
            if left.type.name == right.type.name == "date":
                return Value(f"dx_date_difference({left.sql}, {right.sql})", INT8)
            first, second = (coerced(value, TIMESTAMP, node).sql for value in (left, right))
            return Value(f"dx_days_between({first}, {second})", NUMERIC)
        if right.type.is_instant and left.type.is_number and sign == "+":
            left, right = right, left
        if left.type.is_instant and right.type.is_number:
            number = right.sql if sign == "+" else f"-({right.sql})"
            if left.type.name == "date" and right.type.is_integer:
                return Value(f"dx_date_add({left.sql}, {number})", DATE)
            return Value(f"dx_days_added({coerced(left, TIMESTAMP, node).sql}, {number})", TIMESTAMP)
        return _calculated(left, right, sign, node)

    return rule


def _product(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    only(node, "this", "expression")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    return _calculated(left, right, "*", node)


def _calculated(left: Value, right: Value, sign: str, node: exp.Expr) -> Value:
    found = numbers(left, right, node)
    if found is None:
        raise no_such_operator(sign, left.type, right.type, node)
    left, right, kind = found
    sql = f"{left.sql} {sign} {right.sql}"
    if kind.is_integer:
        return Value(f"dx_int8({sql})", INT8)
    first, second = scale_of(left.type), scale_of(right.type)
    if kind.name == "float8" or first is None or second is None:
        return Value(f"dx_finite({sql})", FLOAT8 if kind.name == "float8" else NUMERIC)
    scale = first + second if sign == "*" else max(first, second)
    return Value(f"round({sql}, {min(scale, 15)})", numeric(scale))


def quotient(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``/``: never cut to a whole number."""
    only(node, "this", "expression", "typed", "safe")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    found = numbers(left, right, node)
    if found is None:
        raise no_such_operator("/", left.type, right.type, node)
    left, right, kind = found
    if kind.name == "float8":
        return Value(f"dx_float_divide({left.sql}, {right.sql})", FLOAT8)
    return Value(f"dx_divide({left.sql}, {right.sql})", NUMERIC)


def like(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """LIKE: nothing escapes unless ESCAPE says so."""
    return patterns.like_with(translator, node, scope, "")


def _null_value(translator: Translator, call: Call, scope: Scope) -> Value:
    """``NVL`` and ``COALESCE``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) < 2 or (call.name == "nvl" and len(values) != 2):
        raise no_such_function(call, values)
    kind = translator.meeting(values, call.node, call.name.upper())
    kind = TEXT if kind.name == "unknown" else kind
    return Value(f"coalesce({', '.join(coerced(value, kind, call.node).sql for value in values)})", kind)


def _null_choice(translator: Translator, call: Call, scope: Scope) -> Value:
    """``NVL2(x, if not null, if null)``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 3:
        raise no_such_function(call, values)
    kind = translator.meeting(values[1:], call.node, "NVL2")
    kind = TEXT if kind.name == "unknown" else kind
    first, second = (coerced(value, kind, call.node).sql for value in values[1:])
    return Value(f"(CASE WHEN {values[0].sql} IS NOT NULL THEN {first} ELSE {second} END)", kind)


def _decode(translator: Translator, call: Call, scope: Scope) -> Value:
    """``DECODE(x, a, first, b, second, other)``: NULL is the same as NULL."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) < 3:
        raise no_such_function(call, values)
    subject, others = values[0], values[1:]
    default = others.pop() if len(others) % 2 else NULL
    results = [*others[1::2], default]
    kind = translator.meeting(results, call.node, "DECODE")
    kind = TEXT if kind.name == "unknown" else kind
    branches = ""
    for wanted, result in zip(others[::2], others[1::2], strict=True):
        left, right = comparable(subject, wanted, "=", call.node)
        branches += f" WHEN {left} IS {right} THEN {coerced(result, kind, call.node).sql}"
    return Value(f"(CASE{branches} ELSE {coerced(default, kind, call.node).sql} END)", kind)


# -- Times -------------------------------------------------------------------------------------------------------------


def now_word(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """``SYSDATE``, ``SYSTIMESTAMP``, ``CURRENT_TIMESTAMP`` and ``CURRENT_DATE``, which has a time too."""
    only(node, "sysdate")
    return Value("now()", TIMESTAMP)


def _months_added(translator: Translator, call: Call, scope: Scope) -> Value:
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 2 or not values[1].type.is_integer:
        raise no_such_function(call, values)
    return _like_first(values[0], lambda at: f"dx_months_added({at}, {values[1].sql})", call.node)


def _last_day(translator: Translator, call: Call, scope: Scope) -> Value:
    if len(call.arguments) != 1:
        raise no_such_function(call, [])
    value = translator.expression(call.arguments[0], scope)
    return _like_first(value, lambda at: f"(dx_last_day({at}) || substr({at}, 11))", call.node)


def _like_first(value: Value, sql: Callable[[str], str], node: exp.Expr) -> Value:
    """A function of a time: a date stays one."""
    at = _instant(value, node)
    found = sql(coerced(at, TIMESTAMP, node).sql)
    return Value(f"substr({found}, 1, 10)", DATE) if at.type.name == "date" else Value(found, TIMESTAMP)


_STARTS = {
    **dict.fromkeys(("YYYY", "YEAR", "YY", "SYYYY"), "year"), **dict.fromkeys(("MM", "MONTH", "MON"), "month"),
    "Q": "quarter", **dict.fromkeys(("DD", "DDD", "J"), "day"), "IW": "week",
    **dict.fromkeys(("DAY", "DY", "D"), "week:6"), **dict.fromkeys(("HH", "HH24", "HH12"), "hour"), "MI": "minute",
}  # fmt: skip


def _truncated(translator: Translator, call: Call, scope: Scope) -> Value:
    """``TRUNC`` of a number or a date."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if not 1 <= len(values) <= 2:
        raise no_such_function(call, values)
    if values[0].type.is_number:
        return _rounding("dx_truncate", values, call)
    at = _instant(values[0], call.node)
    if len(values) == 1:
        return Value(f"substr({at.sql}, 1, 10)", DATE)
    unit = _STARTS.get((values[1].constant or "").upper())
    if unit is None:
        raise unsupported("This unit of TRUNC()", call.node, "Use 'YYYY', 'Q', 'MM', 'IW', 'DD', 'HH24' or 'MI'.")
    sql = f"dx_start_of({text_literal(unit)}, {coerced(at, TIMESTAMP, call.node).sql})"
    return Value(sql, TIMESTAMP) if unit in ("hour", "minute") else Value(f"substr({sql}, 1, 10)", DATE)


def _rounded(translator: Translator, call: Call, scope: Scope) -> Value:
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if not 1 <= len(values) <= 2 or not values[0].type.is_number:
        raise unsupported("ROUND() of this", call.node, "Round a number, or use TRUNC(date, 'MM').")
    return _rounding("dx_round", values, call)


def _rounding(function: str, values: list[Value], call: Call) -> Value:
    digits = values[1].constant if len(values) == 2 else "0"
    if digits is None or not digits.lstrip("-").isdigit():
        raise unsupported("A number of digits that is no literal", call.node, "Write it: ROUND(x, 2).")
    sql = f"{function}({values[0].sql}, {digits})"
    if values[0].type.is_integer or int(digits) <= 0:
        return Value(f"CAST({sql} AS INTEGER)", INT8)
    return Value(sql, numeric(int(digits)))


def _whole(function: str) -> Body:
    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 1 or not values[0].type.is_number:
            raise no_such_function(call, values)
        return Value(f"CAST({function}({values[0].sql}) AS INTEGER)", INT8)

    return body


def extract(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``EXTRACT(YEAR FROM x)``."""
    only(node, "this", "expression")
    field = node.name.lower()
    value = _instant(translator.expression(node.expression, scope), node)
    if field not in ("year", "month", "day", "hour", "minute", "second"):
        raise unsupported(f"The field {field}", node, "Use YEAR, MONTH, DAY, HOUR, MINUTE, or TO_CHAR(x, 'Q').")
    found = times.field_of(coerced(value, TIMESTAMP, node), field, node)
    return Value(f"CAST({found.sql} AS INTEGER)", INT8)


def _to_char(translator: Translator, call: Call, scope: Scope) -> Value:
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) == 1:
        return Value(as_text(values[0], call.node), TEXT)
    if len(values) != 2 or values[1].constant is None:
        raise unsupported("TO_CHAR() without a literal template", call.node, "Write it: TO_CHAR(x, 'YYYY-MM-DD').")
    template = values[1].constant
    is_time = values[0].type.is_instant
    if not is_time and values[0].type.name not in ("int4", "int8", "numeric"):
        raise no_such_function(call, values)
    if is_time:
        template = _filled(template, call.node)
    try:
        (formats.check_time_template if is_time else formats.check_number_template)(template)
    except FunctionProblem as problem:
        hint = "Use YYYY, MM, DD, HH24, MI, SS, Mon, Month, Day, Q, IW." if is_time else "Use FM999,990.00."
        raise unsupported("This template of TO_CHAR()", call.node, hint) from problem
    value = coerced(values[0], TIMESTAMP, call.node) if is_time else values[0]
    function = "dx_time_to_char" if is_time else "dx_oracle_number"
    return Value(f"{function}({value.sql}, {text_literal(template)})", TEXT)


def _filled(template: str, node: exp.Expr) -> str:
    """FM holds for all that follows, which here each pattern says for itself."""
    head, word, rest = template[:2], template[:2].upper() == "FM", template[2:]
    if not word:
        rest, head = template, ""
    if re.search("FM", rest, re.IGNORECASE):
        raise unsupported("FM within a template", node, "Write it first: TO_CHAR(x, 'FMDD Month YYYY').")
    if not head:
        return template
    pieces = re.split(r'("[^"]*")', rest)
    return "".join(
        piece if piece.startswith('"') else re.sub(f"({_NAMES})", r"FM\1", piece, flags=re.IGNORECASE)
        for piece in pieces
    )


def _spread(of_sample: str, of_all: str) -> Body:
    """``STDDEV`` and ``VARIANCE``: of one value 0, where those of a sample are NULL."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        found = aggregates.FUNCTIONS[of_sample].body(translator, call, scope)
        other = aggregates.FUNCTIONS[of_all].body(translator, call, scope)
        return Value(f"coalesce({found.sql}, {other.sql})", found.type)

    return body


def _to_date(translator: Translator, call: Call, scope: Scope) -> Value:
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 2 or values[1].constant is None or values[0].type.name not in ("text", "unknown"):
        raise unsupported("This TO_DATE()", call.node, "Write TO_DATE('2024-01-31', 'YYYY-MM-DD').")
    template = values[1].constant
    try:
        formats.check_time_template(template)
    except FunctionProblem as problem:
        raise unsupported("This template", call.node, "Use YYYY, MM, DD, HH24, MI, SS, Mon, Month.") from problem
    if re.search("HH|MI|SS", template.upper()) or call.name == "to_timestamp":
        return Value(f"dx_to_timestamp({values[0].sql}, {text_literal(template)})", TIMESTAMP)
    return Value(f"dx_to_date({values[0].sql}, {text_literal(template)})", DATE)


def _to_number(translator: Translator, call: Call, scope: Scope) -> Value:
    if len(call.arguments) != 1:
        raise unsupported("TO_NUMBER() with a template", call.node, "Use TO_NUMBER(REPLACE(x, ',')).")
    return cast(translator.expression(call.arguments[0], scope), NUMERIC, call.node)


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``CAST(x AS NUMBER(10,2))``."""
    only(node, "this", "to")
    kind, parameters = node.args["to"].this, written_parameters(node.args["to"])
    value = translator.expression(node.this, scope)
    if kind in (exp.DType.VARCHAR, exp.DType.NVARCHAR, exp.DType.TEXT):
        sql = as_text(value, node)
        return Value(f"substr({sql}, 1, {parameters[0]})" if parameters else sql, TEXT)
    if kind in (exp.DType.INT, exp.DType.BIGINT):
        return Value(f"CAST(dx_round({cast(value, NUMERIC, node).sql}, 0) AS INTEGER)", INT8)
    if kind == exp.DType.DECIMAL:
        number = cast(value, NUMERIC, node) if value.type.name in ("text", "unknown") else value
        if not number.type.is_number:
            raise mistyped(f"cannot cast type {value.type.label} to numeric", node)
        if not parameters:
            return Value(number.sql, number.type)
        precision, scale = (*parameters, 0)[:2]
        if not 0 <= scale <= min(precision, 15):
            raise unsupported(f"NUMBER({precision},{scale})", node, "Use a scale from 0 to 15.")
        return Value(f"dx_fit_numeric({number.sql}, {precision}, {scale})", numeric(scale))
    if kind == exp.DType.DATE:
        at = _instant(value, node)
        return at if at.type.name == "date" else Value(at.sql, TIMESTAMP)
    if kind in (exp.DType.TIMESTAMP, exp.DType.DATETIME):
        return coerced(_instant(value, node), TIMESTAMP, node)
    raise unsupported("This type of a cast", node, "Use NUMBER(10,2), INTEGER, VARCHAR2(20), DATE or TIMESTAMP.")


# -- Texts -------------------------------------------------------------------------------------------------------------


def _text(sql: str, result: Type, kinds: str, *defaults: str) -> FunctionRule:
    return called(sql, result, kinds, *defaults, text_of=as_text)


def _regexp(sql: str, result: Type, most: int) -> FunctionRule:
    """A function of a text and a pattern that is a literal."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if not 2 <= len(values) <= most or values[1].constant is None:
            raise unsupported(f"This {call.name.upper()}()", call.node, "Give a text and a pattern in quotes.")
        if call.name == "regexp_substr" and "(" in values[1].constant:
            raise unsupported("REGEXP_SUBSTR() with groups", call.node, "Write the pattern without brackets.")
        options = values[2].constant if len(values) == 3 and call.name == "regexp_like" else ""
        if options not in ("", "i", "c"):
            raise unsupported("These options", call.node, "Use 'i' or none.")
        patterns.check_pattern(values[1], call.node, lazy_allowed=call.name == "regexp_like")
        parts = [as_text(value, call.node) for value in values[:2]]
        new = as_text(values[2], call.node) if len(values) == 3 and call.name == "regexp_replace" else "''"
        return Value(sql.format(*parts, int(options == "i"), new), result)

    return FunctionRule(body)


def _listagg(translator: Translator, call: Call, scope: Scope) -> Value:
    value, *others = call.arguments
    known = translator.expression(value, aggregates.rows_of(call, scope))
    separator = others[0] if others else exp.Literal.string("")
    if known.type.name not in ("text", "unknown"):
        value = exp.Cast(this=value.copy(), to=exp.DataType(this=exp.DType.VARCHAR))
    text = translator.expression(separator, scope)
    if text.is_null:  # the empty text
        if call.distinct:
            raise unsupported("LISTAGG(DISTINCT …) without a separator", call.node, "Give one: LISTAGG(x, ', ').")
        inner = translator.expression(value, aggregates.rows_of(call, scope))
        order = ", ".join(
            aggregates.order_term(translator, item, aggregates.rows_of(call, scope)) for item in call.order
        )
        return Value(f"group_concat({inner.sql}, ''{f' ORDER BY {order}' if order else ''})", TEXT)
    return aggregates.string_agg(translator, replace(call, arguments=(value, separator)), scope)


RULES: dict[type[exp.Expr], Rule] = {
    exp.Literal: constant,
    exp.RawString: raw_text,
    exp.DPipe: joined,
    exp.Add: _plus("+"),
    exp.Sub: _plus("-"),
    exp.Mul: _product,
    exp.Div: quotient,
    exp.Like: like,
    exp.Interval: interval,
    exp.Extract: extract,
    exp.Cast: cast_to,
    exp.CurrentTimestamp: now_word,
    exp.CurrentDate: now_word,
    exp.Systimestamp: now_word,
    exp.Localtimestamp: now_word,
}

FUNCTIONS: dict[str, FunctionRule] = {
    "nvl": FunctionRule(_null_value),
    "coalesce": FunctionRule(_null_value),
    "nvl2": FunctionRule(_null_choice),
    "decode": FunctionRule(_decode),
    "greatest": extreme("max"),
    "least": extreme("min"),
    "add_months": FunctionRule(_months_added),
    "months_between": called("dx_months_between({0}, {1})", NUMERIC, "aa"),
    "last_day": FunctionRule(_last_day),
    "trunc": FunctionRule(_truncated),
    "round": FunctionRule(_rounded),
    "floor": FunctionRule(_whole("floor")),
    "ceil": FunctionRule(_whole("ceil")),
    "to_char": FunctionRule(_to_char),
    "to_date": FunctionRule(_to_date),
    "to_timestamp": FunctionRule(_to_date),
    "to_number": FunctionRule(_to_number),
    "string_agg": FunctionRule(_listagg, "aggregate"),
    "stddev": FunctionRule(_spread("stddev_samp", "stddev_pop"), "aggregate"),
    "variance": FunctionRule(_spread("var_samp", "var_pop"), "aggregate"),
    "lower": _text("dx_lower({0})", TEXT, "t"),
    "upper": _text("dx_upper({0})", TEXT, "t"),
    "initcap": _text("dx_capitalized({0})", TEXT, "t"),
    "length": _text("length({0})", INT8, "t"),
    "substr": _text("dx_oracle_part({0}, {1}, {2})", TEXT, "tnn", "1000000000"),
    "instr": _text("dx_nth_place({0}, {1}, {2}, {3})", INT8, "ttnn", "1", "1"),
    "replace": _text("dx_replaced({0}, {1}, coalesce({2}, ''))", TEXT, "ttt", "''"),
    "lpad": _text("dx_pad_left({0}, {1}, {2})", TEXT, "tnt", "' '"),
    "rpad": _text("dx_pad_right({0}, {1}, {2})", TEXT, "tnt", "' '"),
    "ltrim": _text("dx_stripped({0}, {1}, 'l')", TEXT, "tt", "' '"),
    "rtrim": _text("dx_stripped({0}, {1}, 'r')", TEXT, "tt", "' '"),
    "concat": _text("dx_concatenated('', {0}, {1})", TEXT, "tt"),
    "regexp_like": _regexp("dx_regex_matches({0}, {1}, {2})", BOOLEAN, 3),
    "regexp_replace": _regexp("dx_regex_replace({0}, {1}, coalesce({3}, ''), 'g')", TEXT, 3),
    "regexp_substr": _regexp("dx_regex_substring({0}, {1})", TEXT, 2),
    "regexp_count": _regexp("dx_regex_count({0}, {1})", INT8, 2),
}  # fmt: skip
