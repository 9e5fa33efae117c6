"""SQL Server's own rules: decimals with their precision, ``+`` of texts, units of times as words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import cast, coerced, literal, to_text, written_parameters
from simulator.sql.dialects.ordering import no_such_operator
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.rules import aggregates
from simulator.sql.dialects.rules.arithmetic import numbers, scale_of
from simulator.sql.dialects.rules.of_mysql import called
from simulator.sql.dialects.runtime import of_tsql
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import (
    DATE,
    FLOAT8,
    INT4,
    INT8,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value, text_literal, truth
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
_STYLES = {
    23: "yyyy-MM-dd", 101: "MM/dd/yyyy", 102: "yyyy.MM.dd", 103: "dd/MM/yyyy", 104: "dd.MM.yyyy", 105: "dd-MM-yyyy",
    108: "HH:mm:ss", 111: "yyyy/MM/dd", 112: "yyyy''MM''dd", 120: "yyyy-MM-dd HH:mm:ss", 126: "yyyy-MM-dd'T'HH:mm:ss",
}  # fmt: skip


# -- Numbers -----------------------------------------------------------------------------------------------------------

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


def _arithmetic(sign: str) -> Rule:
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


def _sum(translator: Translator, call: Call, scope: Scope) -> Value:
    found = aggregates.total(translator, call, scope)
    if found.type == INT8 and call.arguments:
        value = translator.expression(call.arguments[0], aggregates.rows_of(call, scope))
        if value.type == INT4:
            return Value(f"dx_int4({found.sql})", INT4)
    return Value(f"dx_int8({found.sql})", INT8) if found.type.scale == 0 else found


def _average(translator: Translator, call: Call, scope: Scope) -> Value:
    found = aggregates.average(translator, call, scope)
    value = translator.expression(call.arguments[0], aggregates.rows_of(call, scope))
    if found.type.name == "float8":
        return found
    if value.type.is_integer:
        return Value(f"CAST({found.sql} AS INTEGER)", value.type)
    scale = max(value.type.scale or 0, 6)
    return Value(f"dx_truncate({found.sql}, {scale})", numeric(scale))


def _count(translator: Translator, call: Call, scope: Scope) -> Value:
    return Value(aggregates.count(translator, call, scope).sql, INT4)


def _rounded(translator: Translator, call: Call, scope: Scope) -> Value:
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


def _whole(function: str) -> Body:
    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 1 or not values[0].type.is_number:
            raise no_such_function(call, values)
        value = values[0]
        kind = numeric(0) if value.type.name == "numeric" else value.type
        return value if value.type.is_integer else Value(f"{function}({value.sql})", kind)

    return body


# -- Texts -------------------------------------------------------------------------------------------------------------


def as_text(value: Value, node: exp.Expr) -> str:
    """SQLite text of a value where SQL Server makes a text of it by itself."""
    if value.type.name in ("float8", "json", "timestamptz"):
        what = "datetime" if value.type.name == "timestamptz" else value.type.label
        raise unsupported(
            f"A {what} as a text", node, "Use CONVERT(varchar(19), x, 120), FORMAT(x, 'N2') or CAST to decimal."
        )
    return to_text(value, node).sql


def _concat(translator: Translator, call: Call, scope: Scope) -> Value:
    parts = [as_text(translator.expression(argument, scope), argument) for argument in call.arguments]
    if len(parts) < 2:
        raise no_such_function(call, [])
    separator = parts.pop(0) if call.name == "concat_ws" else "''"
    return Value(f"dx_concatenated({separator}, {', '.join(parts)})", TEXT)


def _substring(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    only(node, "this", "start", "length")
    parts = [as_text(translator.expression(node.this, scope), node)]
    for name in ("start", "length"):
        if node.args.get(name) is None:
            raise unsupported("SUBSTRING() without a length", node, "Write SUBSTRING(x, 2, 3).")
        parts.append(coerced(translator.expression(node.args[name], scope), INT8, node).sql)
    return Value(f"dx_substring({', '.join(parts)})", TEXT)


def like(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """LIKE, whatever the case."""
    return _like(translator, node, scope, "")


def escaped(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """LIKE … ESCAPE."""
    only(node, "this", "expression")
    if not isinstance(node.this, exp.Like) or not isinstance(node.expression, exp.Literal):
        raise unsupported("This ESCAPE", node, "Write LIKE 'pattern' ESCAPE '!'.")
    return _like(translator, node.this, scope, str(node.expression.this))


def _like(translator: Translator, node: exp.Expr, scope: Scope, escape: str) -> Value:
    only(node, "this", "expression", "negate")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    sql = f"dx_like_classes({as_text(left, node)}, {as_text(right, node)}, {text_literal(escape)})"
    return truth(f"NOT ({sql})" if node.args.get("negate") else sql)


def _string_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    if call.distinct or call.window is not None or len(call.arguments) != 2:
        raise unsupported("This STRING_AGG()", call.node, "Write STRING_AGG(x, ', ') WITHIN GROUP (ORDER BY x).")
    value = translator.expression(call.arguments[0], aggregates.rows_of(call, scope))
    separator = translator.expression(call.arguments[1], scope)
    order = ", ".join(aggregates.order_term(translator, item, aggregates.rows_of(call, scope)) for item in call.order)
    text = as_text(value, call.node)
    return Value(f"group_concat({text}, {separator.sql}{f' ORDER BY {order}' if order else ''})", TEXT)


def national(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """``N'…'``."""
    text = str(node.this)
    return Value(text_literal(text), Type("unknown"), constant=text)


def _if_null(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ISNULL(x, y)``: of the type of ``x``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 2:
        raise no_such_function(call, values)
    first, second = values
    if first.type.name == "unknown":
        kind = TEXT if second.type.name == "unknown" else second.type
        return Value(f"coalesce({coerced(first, kind, call.node).sql}, {coerced(second, kind, call.node).sql})", kind)
    if first.type.name == "text" and second.type.name not in ("text", "unknown"):
        return Value(f"coalesce({first.sql}, {as_text(second, call.node)})", TEXT)
    return Value(f"coalesce({first.sql}, {_cast(second, first.type, (), call.node).sql})", first.type)


def _chosen(translator: Translator, call: Call, scope: Scope) -> Value:
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) < 2 or not values[0].type.is_integer:
        raise no_such_function(call, values)
    kind = translator.meeting(values[1:], call.node, "CHOOSE")
    kind = TEXT if kind.name == "unknown" else kind
    parts = [values[0].sql, *(coerced(value, kind, call.node).sql for value in values[1:])]
    return Value(f"dx_chosen({', '.join(parts)})", kind)


# -- Casts -------------------------------------------------------------------------------------------------------------

_TEXTS = (exp.DType.VARCHAR, exp.DType.NVARCHAR, exp.DType.CHAR, exp.DType.NCHAR, exp.DType.TEXT)
_TYPES: dict[exp.DType, Type] = {
    exp.DType.INT: INT4, exp.DType.BIGINT: INT8, exp.DType.DECIMAL: numeric(0), exp.DType.FLOAT: FLOAT8,
    exp.DType.DOUBLE: FLOAT8, exp.DType.DATE: DATE, exp.DType.DATETIME: TIMESTAMP, exp.DType.DATETIME2: TIMESTAMP,
    exp.DType.SMALLDATETIME: TIMESTAMP, exp.DType.TIMESTAMP: TIMESTAMP,
}  # fmt: skip


def _type_of(node: exp.Expr) -> tuple[Type, tuple[int, ...]]:
    if isinstance(node, exp.DataType) and node.this in _TEXTS:
        lengths = [item.this.name for item in node.expressions if isinstance(item, exp.DataTypeParam)]
        if lengths and lengths[0].lower() == "max":
            return TEXT, ()
        if node.this in (exp.DType.CHAR, exp.DType.NCHAR):
            raise unsupported("The type char", node, "Use varchar(n).")
        return TEXT, tuple(map(int, lengths)) if all(item.isdigit() for item in lengths) and lengths else (30,)
    if isinstance(node, exp.DataType) and node.this in _TYPES:
        return _TYPES[node.this], written_parameters(node)
    raise unsupported(
        "This type of a cast", node, "Use int, bigint, decimal(10,2), float, varchar(n), date or datetime2."
    )


def _cast(value: Value, target: Type, parameters: tuple[int, ...], node: exp.Expr) -> Value:
    if target.name == "text":
        sql = as_text(value, node)
        return Value(f"substr({sql}, 1, {parameters[0]})" if parameters else sql, TEXT)
    if target.name == "numeric" and (parameters or target.scale is None):
        precision, scale = (*parameters, 0, 0)[:2] if parameters else (38, value.type.scale or 0)
        if not 0 <= scale <= min(precision, 15):
            raise unsupported(f"decimal({precision},{scale})", node, "Use a scale from 0 to 15.")
        number = cast(value, numeric(None), node)
        return Value(f"dx_fit_numeric({number.sql}, {precision}, {scale})", numeric(scale))
    if target.is_integer and value.type.name in ("numeric", "float8"):
        return Value(f"dx_{target.name}(CAST(dx_truncate({value.sql}, 0) AS INTEGER))", target)
    if target.is_instant and value.type.is_number:
        raise unsupported("A number as a time", node, "Write times as '2024-01-31 09:30:00'.")
    return cast(value, target, node)


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``CAST(x AS type)``."""
    only(node, "this", "to")
    kind, parameters = _type_of(node.args["to"])
    if kind == numeric(0) and not parameters:
        parameters = (18, 0)
    return _cast(translator.expression(node.this, scope), kind, () if kind.is_instant else parameters, node)


def convert(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``CONVERT(type, x, style)``."""
    only(node, "this", "expression", "style", "safe")
    style = node.args.get("style")
    if node.args.get("safe"):
        if style is not None:
            raise unsupported("TRY_CONVERT() with a style", node, "Use TRY_CAST(x AS date).")
        return _tried(translator.expression(node.expression, scope), node.this, node)
    kind, parameters = _type_of(node.this)
    value = translator.expression(node.expression, scope)
    if style is None:
        parameters = (18, 0) if kind == numeric(0) and not parameters else parameters
        return _cast(value, kind, () if kind.is_instant else parameters, node)
    number = int(style.name) if isinstance(style, exp.Literal) and style.name.isdigit() else -1
    if number not in _STYLES or kind != TEXT or not value.type.is_instant:
        listed = ", ".join(map(str, _STYLES))
        raise unsupported("This style of CONVERT()", node, f"Make a text of a time, with a style of {listed}.")
    at = coerced(value, TIMESTAMP, node)
    sql = f"dx_net_time({at.sql}, {text_literal(_STYLES[number])})"
    return Value(f"substr({sql}, 1, {parameters[0]})" if parameters else sql, TEXT)


def try_cast(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``TRY_CAST(x AS type)``: NULL for a text that is no such value."""
    only(node, "this", "to", "safe", "requires_string")
    return _tried(translator.expression(node.this, scope), node.args["to"], node)


def _tried(value: Value, written: exp.Expr, node: exp.Expr) -> Value:
    kind, parameters = _type_of(written)
    if value.type.name not in ("text", "unknown"):
        return _cast(value, kind, parameters, node)
    names = {"int4": "integer", "int8": "integer", "numeric": "number", "float8": "number", "date": "date"}
    name = "timestamp" if kind.is_instant and kind.name != "date" else names.get(kind.name, "")
    if not name:
        return _cast(value, kind, parameters, node)
    sql = f"dx_try_read({value.sql}, {text_literal(name)})"
    if kind.name == "numeric":
        precision, scale = (*parameters, 0, 0)[:2] if parameters else (18, 0)
        return Value(f"dx_try_fit({sql}, {precision}, {scale})", numeric(scale))
    return Value(sql, kind)


# -- Times -------------------------------------------------------------------------------------------------------------

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


def _dateadd(translator: Translator, call: Call, scope: Scope) -> Value:
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


def _datediff(translator: Translator, call: Call, scope: Scope) -> Value:
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


def _datepart(translator: Translator, call: Call, scope: Scope) -> Value:
    unit = _unit(call, 2)
    at = _instant(translator.expression(call.arguments[1], scope), call.node)
    return _part(unit, coerced(at, TIMESTAMP, call.node).sql)


def _named_part(unit: str) -> FunctionRule:
    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        if len(call.arguments) != 1:
            raise no_such_function(call, [])
        at = _instant(translator.expression(call.arguments[0], scope), call.node)
        return _part(unit, coerced(at, TIMESTAMP, call.node).sql)

    return FunctionRule(body)


def _datename(translator: Translator, call: Call, scope: Scope) -> Value:
    unit = _unit(call, 2)
    at = coerced(_instant(translator.expression(call.arguments[1], scope), call.node), TIMESTAMP, call.node).sql
    if unit in ("month", "weekday"):
        return Value(f"dx_name_of_part({text_literal(unit)}, {at})", TEXT)
    return Value(f"CAST({_part(unit, at).sql} AS TEXT)", TEXT)


def _datetrunc(translator: Translator, call: Call, scope: Scope) -> Value:
    unit = _unit(call, 2)
    unit = {"week": "week:6", "iso_week": "week", "dayofyear": "day", "weekday": "day"}.get(unit, unit)
    at = _instant(translator.expression(call.arguments[1], scope), call.node)
    sql = f"dx_start_of({text_literal(unit)}, {coerced(at, TIMESTAMP, call.node).sql})"
    return Value(f"substr({sql}, 1, 10)", DATE) if at.type.name == "date" else Value(sql, at.type)


def _month_end(translator: Translator, call: Call, scope: Scope) -> Value:
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) not in (1, 2):
        raise no_such_function(call, values)
    at = coerced(_instant(values[0], call.node), TIMESTAMP, call.node).sql
    if len(values) == 2:
        at = f"dx_moved('month', {values[1].sql}, {at})"
    return Value(f"dx_last_day({at})", DATE)


def _format(translator: Translator, call: Call, scope: Scope) -> Value:
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


def _clock(kind: Type) -> FunctionRule:
    def body(_: Translator, call: Call, __: Scope) -> Value:
        if call.arguments:
            raise no_such_function(call, [])
        return Value("now()", kind)

    return FunctionRule(body)


def now_word(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """``CURRENT_TIMESTAMP``: a datetime."""
    only(node)
    return Value("now()", TIMESTAMPTZ)


def collate(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``COLLATE``: by code point, or as texts compare anyway."""
    only(node, "this", "expression")
    name = node.expression.name.lower()
    value = translator.expression(node.this, scope)
    value = literal(value, TEXT, node) if value.type.name == "unknown" else value
    if value.type.name != "text" or not name.endswith(("_bin", "_bin2", "_ci_as")):
        raise unsupported(f"The collation {name}", node, "Use Latin1_General_BIN2 to tell case.")
    if name.endswith("_ci_as"):
        return value
    return Value(f"({re.sub(r' COLLATE dx_ci_as[)]$', ')', value.sql)} COLLATE BINARY)", TEXT)


def _document(translator: Translator, call: Call, scope: Scope) -> Value:
    if len(call.arguments) != 2:
        raise no_such_function(call, [])
    document = translator.expression(call.arguments[0], scope)
    path = translator.expression(call.arguments[1], scope).constant or ""
    steps = re.findall(r"\.([A-Za-z_]\w*)|\[([0-9]+)\]", path)
    if document.type.name != "json" or not re.fullmatch(r"\$(?:\.[A-Za-z_]\w*|\[[0-9]{1,6}\])+", path):
        raise unsupported("This JSON path", call.node, "Write JSON_VALUE(doc, '$.address.city').")
    listed = ", ".join(position or f'"{key}"' for key, position in steps)
    return Value(f"dx_json_path({document.sql}, {text_literal(f'[{listed}]')})", Type("json"))


def _json_value(translator: Translator, call: Call, scope: Scope) -> Value:
    found = _document(translator, call, scope)
    kind = f"dx_json_kind({found.sql})"
    return Value(
        f"CASE WHEN {kind} IN ('object', 'array') THEN NULL ELSE dx_json_path_text({found.sql}, '[]') END", TEXT
    )


def _json_query(translator: Translator, call: Call, scope: Scope) -> Value:
    found = _document(translator, call, scope)
    return Value(f"CASE WHEN dx_json_kind({found.sql}) IN ('object', 'array') THEN {found.sql} END", Type("json"))


def _text(sql: str, result: Type, kinds: str, *defaults: str) -> FunctionRule:
    return called(sql, result, kinds, *defaults, text_of=as_text)


def _windowed(names: Sequence[str]) -> dict[str, FunctionRule]:
    return {name: aggregates.FUNCTIONS[name] for name in names}


RULES: dict[type[exp.Expr], Rule] = {
    exp.Add: plus,
    exp.Sub: _arithmetic("-"),
    exp.Mul: _arithmetic("*"),
    exp.Div: quotient,
    exp.Substring: _substring,
    exp.Like: like,
    exp.Escape: escaped,
    exp.National: national,
    exp.Cast: cast_to,
    exp.Convert: convert,
    exp.TryCast: try_cast,
    exp.CurrentTimestamp: now_word,
    exp.Collate: collate,
}

FUNCTIONS: dict[str, FunctionRule] = {
    "sum": FunctionRule(_sum, "aggregate"),
    "avg": FunctionRule(_average, "aggregate"),
    "count": FunctionRule(_count, "aggregate"),
    "count_big": FunctionRule(aggregates.count, "aggregate"),
    "string_agg": FunctionRule(_string_agg, "aggregate"),
    "stdev": aggregates.FUNCTIONS["stddev_samp"],
    "stdevp": aggregates.FUNCTIONS["stddev_pop"],
    "var": aggregates.FUNCTIONS["var_samp"],
    "varp": aggregates.FUNCTIONS["var_pop"],
    **_windowed(("min", "max", "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead",
                 "first_value", "last_value", "grouping")),
    "round": FunctionRule(_rounded),
    "floor": FunctionRule(_whole("floor")),
    "ceiling": FunctionRule(_whole("ceil")),
    "isnull": FunctionRule(_if_null),
    "choose": FunctionRule(_chosen),
    "concat": FunctionRule(_concat),
    "concat_ws": FunctionRule(_concat),
    "len": _text("length(dx_stripped({0}, ' ', 'r'))", INT4, "t"),
    "lower": _text("dx_lower({0})", TEXT, "t"),
    "upper": _text("dx_upper({0})", TEXT, "t"),
    "left": _text("dx_substring({0}, 1, {1})", TEXT, "tn"),
    "right": _text("dx_substring({0}, max(length({0}) - {1} + 1, 1), {1})", TEXT, "tn"),
    "charindex": _text("dx_char_place({0}, {1}, {2})", INT4, "ttn", "1"),
    "replace": _text("dx_replaced_any_case({0}, {1}, {2})", TEXT, "ttt"),
    "stuff": _text("dx_stuffed({0}, {1}, {2}, {3})", TEXT, "tnnt"),
    "replicate": _text("dx_repeated({0}, {1})", TEXT, "tn"),
    "space": _text("dx_repeated(' ', {0})", TEXT, "n"),
    "reverse": _text("dx_reversed({0})", TEXT, "t"),
    "translate": _text("dx_translated({0}, {1}, {2})", TEXT, "ttt"),
    "ltrim": _text("dx_stripped({0}, ' ', 'l')", TEXT, "t"),
    "rtrim": _text("dx_stripped({0}, ' ', 'r')", TEXT, "t"),
    "getdate": _clock(TIMESTAMPTZ),
    "getutcdate": _clock(TIMESTAMPTZ),
    "sysdatetime": _clock(TIMESTAMP),
    "sysutcdatetime": _clock(TIMESTAMP),
    "dateadd": FunctionRule(_dateadd),
    "datediff": FunctionRule(_datediff),
    "datepart": FunctionRule(_datepart),
    "datename": FunctionRule(_datename),
    "datetrunc": FunctionRule(_datetrunc),
    "year": _named_part("year"),
    "month": _named_part("month"),
    "day": _named_part("day"),
    "eomonth": FunctionRule(_month_end),
    "datefromparts": called("dx_make_date({0}, {1}, {2})", DATE, "nnn"),
    "format": FunctionRule(_format),
    "json_value": FunctionRule(_json_value),
    "json_query": FunctionRule(_json_query),
}  # fmt: skip
