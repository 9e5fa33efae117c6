"""MySQL's own rules: numbers that divide to decimals, texts that anything becomes, intervals with a unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import cast, coerced, literal, to_text, written_parameters
from simulator.sql.dialects.ordering import no_such_operator
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules import aggregates, literals
from simulator.sql.dialects.rules.arithmetic import numbers, scale_of
from simulator.sql.dialects.rules.times import field_of
from simulator.sql.dialects.runtime import of_mysql, texts
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import (
    DATE,
    FLOAT8,
    INT4,
    INT8,
    INTERVAL,
    JSON,
    TEXT,
    TIMESTAMP,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value, text_literal, truth
from simulator.sql.functions import FunctionProblem

SHOWN_CALL = "\u00b7shown"
GROUP_CONCAT_BYTES = 1024

_SPANS = {
    "SECOND": "1 second", "MINUTE": "1 minute", "HOUR": "1 hour", "DAY": "1 day", "WEEK": "7 days", "MONTH": "1 month",
    "QUARTER": "3 months", "YEAR": "1 year",
}  # fmt: skip
_OF_DAYS = frozenset({"DAY", "WEEK", "MONTH", "QUARTER", "YEAR"})
_DATE_TEXT = re.compile(r"\s*[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\s*")


def is_write(node: exp.Expr) -> bool:
    """Whether a node is in a statement that writes: there MySQL's strict mode makes errors of warnings."""
    return isinstance(node.root(), exp.Insert | exp.Update | exp.Delete)


# -- Arithmetic --------------------------------------------------------------------------------------------------------


def _operands(translator: Translator, node: exp.Expr, scope: Scope, symbol: str) -> tuple[Value, Value, Type]:
    only(node, "this", "expression", "typed", "safe")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    found = numbers(left, right, node)
    if found is None:
        if left.type.is_instant or right.type.is_instant:
            raise unsupported(
                f"`{symbol}` of times", node,
                "Use DATEDIFF(later, earlier), TIMESTAMPDIFF(unit, earlier, later) or x + INTERVAL 1 DAY.",
            )  # fmt: skip
        raise no_such_operator(symbol, left.type, right.type, node)
    return found


def _calculated(sql: str, left: Value, right: Value, kind: Type, scale: int | None) -> Value:
    if kind.is_integer:
        return Value(f"dx_int8({sql})", INT8)
    if kind.name == "float8":
        return Value(f"dx_finite({sql})", FLOAT8)
    if scale is None or _is_inexact(left) or _is_inexact(right):
        return Value(f"dx_finite({sql})", numeric(scale))
    return Value(f"round({sql}, {scale})", numeric(scale))


def _is_inexact(value: Value) -> bool:
    """Whether a quotient is in it, that keeps more digits than its type shows."""
    return "dx_divide" in value.sql


def _widest(left: Value, right: Value) -> int | None:
    first, second = scale_of(left.type), scale_of(right.type)
    return None if first is None or second is None else max(first, second)


def _sum(sign: str) -> Rule:
    def rule(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
        for first, second in ((node.this, node.expression), (node.expression, node.this)):
            if isinstance(second, exp.Interval) and (sign == "+" or second is node.expression):
                return moved(translator, first, second, scope, sign)
        left, right, kind = _operands(translator, node, scope, sign)
        return _calculated(f"{left.sql} {sign} {right.sql}", left, right, kind, _widest(left, right))

    return rule


def product(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``*``."""
    left, right, kind = _operands(translator, node, scope, "*")
    first, second = scale_of(left.type), scale_of(right.type)
    scale = None if first is None or second is None else first + second
    return _calculated(f"{left.sql} * {right.sql}", left, right, kind, scale)


def quotient(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``/``: a decimal with four digits more than the dividend; more are kept while it is calculated with."""
    left, right, kind = _operands(translator, node, scope, "/")
    function = "dx_divide" if is_write(node) else "dx_divide_or_null"
    sql = f"{function}({left.sql}, {right.sql})"
    if kind.name == "float8":
        return Value(sql, FLOAT8)
    scale = scale_of(left.type)
    kept = _digits_kept(left, right)
    if kept is not None:
        sql = f"dx_truncate({sql}, {kept})"
    return Value(sql, numeric(None if scale is None else scale + 4))


def _digits_kept(left: Value, right: Value) -> int | None:
    """The digits after the point that MySQL calculates on with: whole words of nine; None for more than a float has."""
    first, second = (9 if _is_inexact(value) else scale_of(value.type) for value in (left, right))
    if first is None or second is None:
        return None
    words = [-(-first // 9), -(-second // 9)]
    more = max(4 - (9 * words[0] - first) - (9 * words[1] - second), 0)
    digits = 9 * -(-(9 * sum(words) + more) // 9)
    return digits if digits <= 9 else None


def whole_quotient(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``DIV``."""
    left, right, _ = _operands(translator, node, scope, "DIV")
    return Value(f"dx_whole_quotient({left.sql}, {right.sql}, {int(is_write(node))})", INT8)


def remainder(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``%``, ``MOD``."""
    left, right, kind = _operands(translator, node, scope, "%")
    if kind.name == "float8":
        raise unsupported("`%` of a double", node, "Cast it: CAST(x AS DECIMAL(20,6)) % 2.")
    result = INT8 if kind.is_integer else numeric(_widest(left, right))
    return Value(f"dx_remainder({left.sql}, {right.sql}, {int(is_write(node))})", result)


def _remainder_call(translator: Translator, call: Call, scope: Scope) -> Value:
    if len(call.arguments) != 2:
        raise no_such_function(call, [])
    node = exp.Mod(this=call.arguments[0], expression=call.arguments[1])
    node.parent = call.node.parent
    return remainder(translator, node, scope)


def shown(translator: Translator, call: Call, scope: Scope) -> Value:
    """A result's column, rounded to the digits its type has."""
    value = translator.expression(call.arguments[0], scope)
    if value.type.name != "numeric" or value.type.scale is None or "dx_divide" not in value.sql:
        return value
    return Value(f"dx_round({value.sql}, {value.type.scale})", value.type)


def rounded(function: str) -> Body:
    """``ROUND`` and ``TRUNCATE``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        fewest = 1 if function == "dx_round" else 2
        if not fewest <= len(values) <= 2 or any(not value.type.is_number for value in values):
            raise no_such_function(call, values)
        digits = "0" if len(values) == 1 else values[1].constant
        if digits is None or not digits.lstrip("-").isdigit():
            raise unsupported("A number of digits that is no literal", call.node, "Write it: ROUND(x, 2).")
        number = values[0]
        if number.type.is_integer:
            return number if int(digits) >= 0 else Value(f"CAST({function}({number.sql}, {digits}) AS INTEGER)", INT8)
        if number.type.name == "float8" and function == "dx_round":
            raise unsupported("ROUND() of a double", call.node, "Cast it: ROUND(CAST(x AS DECIMAL(20,6)), 2).")
        scale = max(int(digits), 0)
        if number.type.scale is not None:
            scale = min(scale, number.type.scale)
        kind = FLOAT8 if number.type.name == "float8" else numeric(scale)
        return Value(f"{function}({number.sql}, {digits})", kind)

    return body


def whole(function: str) -> Body:
    """``FLOOR`` and ``CEILING``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) != 1 or not values[0].type.is_number:
            raise no_such_function(call, values)
        if values[0].type.name == "float8":
            return Value(f"{function}({values[0].sql})", FLOAT8)
        return Value(f"CAST({function}({values[0].sql}) AS INTEGER)", INT8)

    return body


def average(translator: Translator, call: Call, scope: Scope) -> Value:
    """``AVG``: a decimal with four digits more than its argument."""
    value = translator.expression(call.arguments[0], aggregates.rows_of(call, scope)) if call.arguments else None
    found = aggregates.average(translator, call, scope)
    scale = scale_of(value.type) if value is not None else None
    if found.type.name == "float8":
        return found
    if call.window is not None and scale is not None:
        return Value(f"dx_round({found.sql}, {scale + 4})", numeric(scale + 4))
    sql = f"dx_truncate({found.sql}, 9)" if scale is not None and scale <= 9 else found.sql
    return Value(sql, numeric(None if scale is None else scale + 4))


def count(translator: Translator, call: Call, scope: Scope) -> Value:
    """``COUNT``."""
    if call.distinct and len(call.arguments) > 1:
        raise unsupported(
            "COUNT(DISTINCT a, b)", call.node,
            "Count rows of a subquery: SELECT COUNT(*) FROM (SELECT DISTINCT a, b FROM …) AS x.",
        )  # fmt: skip
    return aggregates.count(translator, call, scope)


# -- Texts -------------------------------------------------------------------------------------------------------------


def as_text(value: Value, node: exp.Expr) -> str:
    """SQLite text of any value as MySQL turns it into a text."""
    if value.type.name == "json":
        raise unsupported("A document as a text", node, "Take a field of it: doc ->> '$.key'.")
    return to_text(value, node).sql


def as_instant(value: Value, node: exp.Expr) -> Value:
    """A date or time; a literal in quotes is what it looks like."""
    if value.type.name == "unknown" and value.constant is not None:
        return literal(value, DATE if _DATE_TEXT.fullmatch(value.constant) else TIMESTAMP, node)
    if value.is_null:
        return literal(value, TIMESTAMP, node)
    if not value.type.is_instant:
        raise unsupported(f"A {value.type.label} as a time", node, "Cast it: CAST(x AS DATETIME).")
    return value


def called(
    sql: str, result: Type, kinds: str, *defaults: str, text_of: Callable[[Value, exp.Expr], str] = as_text
) -> FunctionRule:
    """A function by the kinds of its arguments: ``t`` a text that anything becomes, ``n`` a whole number, ``f`` a
    number, ``a`` a point in time, ``d`` the day of one, ``j`` a document. ``defaults`` are SQLite texts for the last;
    ``text_of`` makes texts of others.
    """

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if not len(kinds) - len(defaults) <= len(values) <= len(kinds):
            raise no_such_function(call, values)
        parts = [
            text_of(value, call.node) if kind == "t" else _argument(value, kind, call, values)
            for value, kind in zip(values, kinds, strict=False)
        ]
        missing = len(kinds) - len(parts)
        return Value(sql.format(*parts, *(defaults[len(defaults) - missing :] if missing else ())), result)

    return FunctionRule(body)


def _argument(value: Value, kind: str, call: Call, values: Sequence[Value]) -> str:
    node = call.node
    if kind in "nf":
        value = coerced(value, INT8 if kind == "n" else numeric(None), node) if value.type.name == "unknown" else value
        if not value.type.is_number or (kind == "n" and not value.type.is_integer):
            raise no_such_function(call, list(values))
        return value.sql
    if kind == "j":
        if value.type.name not in ("json", "unknown"):
            raise no_such_function(call, list(values))
        return coerced(value, JSON, node).sql
    at = as_instant(value, node)
    if kind == "d":
        return f"substr({at.sql}, 1, 10)"
    return coerced(at, TIMESTAMP, node).sql


def concat(translator: Translator, call: Call, scope: Scope) -> Value:
    """``CONCAT``: NULL if any part is."""
    if not call.arguments:
        raise no_such_function(call, [])
    parts = [as_text(translator.expression(argument, scope), argument) for argument in call.arguments]
    return Value(f"({' || '.join(parts)})", TEXT)


def concat_ws(translator: Translator, call: Call, scope: Scope) -> Value:
    """``CONCAT_WS``: parts that are NULL are passed over."""
    if len(call.arguments) < 2:
        raise no_such_function(call, [])
    separator, *parts = (as_text(translator.expression(argument, scope), argument) for argument in call.arguments)
    joined = f"dx_concatenated({', '.join((separator, *parts))})"
    return Value(f"CASE WHEN {separator} IS NOT NULL THEN {joined} END", TEXT)


def _of_any(function: str, result: Type | None) -> FunctionRule:
    """``FIELD`` and ``ELT``, of values that meet in a type."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) < 2:
            raise no_such_function(call, values)
        compared = values if result is not None else values[1:]
        kind = translator.meeting(compared, call.node, call.name.upper())
        kind = TEXT if kind.name == "unknown" else kind
        texts_of = [coerced(value, kind, call.node).sql for value in compared]
        if result is None:
            texts_of.insert(0, coerced(values[0], INT8, call.node).sql)
        return Value(f"{function}({', '.join(texts_of)})", result or kind)

    return FunctionRule(body)


def group_concat(translator: Translator, call: Call, scope: Scope) -> Value:
    """``GROUP_CONCAT(DISTINCT x ORDER BY y SEPARATOR ', ')``, at most 1,024 bytes as by default."""
    if not isinstance(call.node, exp.GroupConcat) and call.node.find(exp.GroupConcat) is None:
        raise unsupported("string_agg()", call.node, "Use GROUP_CONCAT(x ORDER BY x SEPARATOR ', ').")
    value, *others = call.arguments
    separator = others[0] if others else exp.Literal.string(",")
    known = translator.expression(value, aggregates.rows_of(call, scope))
    if known.type.name not in ("text", "unknown"):
        value = exp.Cast(this=value.copy(), to=exp.DataType(this=exp.DType.TEXT))
    found = aggregates.string_agg(translator, replace(call, arguments=(value, separator)), scope)
    return Value(f"dx_first_bytes({found.sql}, {GROUP_CONCAT_BYTES})", TEXT)


def like(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """LIKE, whatever the case and the accents."""
    return _like(translator, node, scope, "\\")


def escaped(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """LIKE … ESCAPE."""
    only(node, "this", "expression")
    if not isinstance(node.this, exp.Like) or not isinstance(node.expression, exp.Literal):
        raise unsupported("This ESCAPE", node, "Write LIKE 'pattern' ESCAPE '!'.")
    return _like(translator, node.this, scope, str(node.expression.this))


def _like(translator: Translator, node: exp.Expr, scope: Scope, escape: str) -> Value:
    only(node, "this", "expression", "negate")
    if isinstance(node.expression, exp.Any | exp.All):
        raise unsupported("LIKE ANY", node, "Write LIKE twice with OR.")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    function = "dx_like" if " COLLATE BINARY)" in left.sql else "dx_like_letters"
    sql = f"{function}({as_text(left, node)}, {as_text(right, node)}, {text_literal(escape)})"
    return truth(f"NOT ({sql})" if node.args.get("negate") else sql)


def matches(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """REGEXP, whatever the case."""
    only(node, "this", "expression")
    return _matched(translator, [node.this, node.expression], node, scope)


def _matched(translator: Translator, operands: Sequence[exp.Expr], node: exp.Expr, scope: Scope) -> Value:
    text, pattern = (translator.expression(operand, scope) for operand in operands)
    _check_pattern(pattern, node, lazy_allowed=True)
    return truth(f"dx_regex_matches({as_text(text, node)}, {as_text(pattern, node)}, 1)")


def _check_pattern(pattern: Value, node: exp.Expr, *, lazy_allowed: bool) -> None:
    if pattern.constant is None:
        raise unsupported("A pattern that is no literal", node, "Write the regular expression in quotes, or use LIKE.")
    if re.search(r"\\[bByAZz<>]|\(\?", pattern.constant):
        raise unsupported("This regular expression", node, "Use classes, repetition, ^ and $; or LIKE.")
    try:
        texts.regex(pattern.constant, True, lazy_allowed)
    except FunctionProblem as problem:
        raise unsupported("This regular expression", node, f"{str(problem).capitalize()}.") from problem


def regexp_like(translator: Translator, call: Call, scope: Scope) -> Value:
    """``REGEXP_LIKE(text, pattern)``."""
    if len(call.arguments) != 2:
        raise unsupported("REGEXP_LIKE() with options", call.node, "Write x REGEXP 'pattern'.")
    return Value(_matched(translator, call.arguments, call.node, scope).sql, INT4)


def regexp_replace(translator: Translator, call: Call, scope: Scope) -> Value:
    """``REGEXP_REPLACE(text, pattern, new)``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) != 3 or values[2].constant is None or "$" in values[2].constant or "\\" in values[2].constant:
        raise unsupported("This REGEXP_REPLACE()", call.node, "Give a text, a pattern, and a plain text in quotes.")
    _check_pattern(values[1], call.node, lazy_allowed=False)
    parts = ", ".join(as_text(value, call.node) for value in values)
    return Value(f"dx_regex_replace({parts}, 'gi')", TEXT)


def _compared(translator: Translator, call: Call, scope: Scope) -> Value:
    """``STRCMP``."""
    if len(call.arguments) != 2:
        raise no_such_function(call, [])
    first, second = (as_text(translator.expression(item, scope), item) for item in call.arguments)
    left = first if " COLLATE " in first else f"({first} COLLATE dx_ai_ci)"
    return Value(f"(({left} > {second}) - ({left} < {second}))", INT8)


def substring(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``SUBSTRING(x FROM 2 FOR 3)`` and with commas; from the end for a negative start."""
    only(node, "this", "start", "length")
    text = as_text(translator.expression(node.this, scope), node)
    parts = [text]
    for name, default in (("start", "1"), ("length", "1000000000")):
        value = translator.expression(node.args[name], scope) if node.args.get(name) is not None else None
        if value is not None and not value.type.is_integer and not value.is_null:
            raise mistyped("function substring() does not exist", node)
        parts.append(value.sql if value is not None else default)
    return Value(f"dx_text_part({', '.join(parts)})", TEXT)


def trim(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``TRIM(BOTH 'x' FROM y)``: whole texts are taken off, not characters."""
    only(node, "this", "expression", "position")
    text = as_text(translator.expression(node.this, scope), node)
    part_of = translator.expression(node.expression, scope) if node.args.get("expression") is not None else None
    if part_of is not None and len(part_of.constant or "") != 1:
        raise unsupported("TRIM() of more than one character", node, "Use REGEXP_REPLACE() or REPLACE().")
    side = {"LEADING": "l", "TRAILING": "r"}.get(str(node.args.get("position") or "").upper(), "b")
    return Value(f"dx_stripped({text}, {part_of.sql if part_of is not None else text_literal(' ')}, '{side}')", TEXT)


def position(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``POSITION(part IN text)``."""
    only(node, "this", "substr")
    text, wanted = (as_text(translator.expression(node.args[name], scope), node) for name in ("this", "substr"))
    return Value(f"dx_located({wanted}, {text}, 1)", INT8)


def extreme(word: str) -> FunctionRule:
    """``GREATEST`` and ``LEAST``: NULL if any is."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        if len(values) < 2:
            raise no_such_function(call, values)
        kind = translator.meeting(values, call.node, call.name.upper())
        kind = TEXT if kind.name == "unknown" else kind
        if kind.name in ("json", "interval", "boolean"):
            raise unsupported(f"{call.name.upper()} of {kind.label}", call.node, "Use CASE.")
        parts = [translator.collated(coerced(value, kind, call.node)).sql for value in values]
        return Value(f"{word}({', '.join(parts)})", kind)

    return FunctionRule(body)


def collate(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``COLLATE``: by code point, or as texts compare anyway."""
    only(node, "this", "expression")
    name = node.expression.name.lower()
    value = translator.expression(node.this, scope)
    value = literal(value, TEXT, node) if value.type.name == "unknown" else value
    if value.type.name != "text" or name not in ("utf8mb4_bin", "utf8mb4_0900_bin", "utf8mb4_0900_ai_ci"):
        raise unsupported(f"The collation {name}", node, "Use utf8mb4_bin to tell case, or utf8mb4_0900_ai_ci.")
    return by_code_point(value) if name.endswith("_bin") else value


def by_code_point(value: Value) -> Value:
    """A text that compares by code point."""
    return replace(value, sql=f"({_uncollated(value.sql)} COLLATE BINARY)", constant=None)


def _uncollated(sql: str) -> str:
    return re.sub(r" COLLATE dx_ai_ci\)\Z", ")", sql)


# -- Casts -------------------------------------------------------------------------------------------------------------


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:  # one line for each type
    """``CAST(x AS SIGNED)`` and its like; a text becomes the number it begins with."""
    only(node, "this", "to")
    kind = node.args["to"].this
    if kind == exp.DType.CHARACTER_SET:
        return translator.expression(node.this, scope)
    value = translator.expression(node.this, scope)
    parameters = written_parameters(node.args["to"])
    if kind in (exp.DType.CHAR, exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.NCHAR):
        sql = as_text(value, node)
        return Value(f"substr({sql}, 1, {parameters[0]})" if parameters else sql, TEXT)
    if kind == exp.DType.BINARY and not parameters:
        return by_code_point(Value(as_text(value, node), TEXT))
    if kind in (exp.DType.BIGINT, exp.DType.UBIGINT):
        return _as_integer(value, node, is_unsigned=kind == exp.DType.UBIGINT)
    if kind == exp.DType.DECIMAL:
        precision, scale = (*parameters, 0)[:2] if parameters else (10, 0)
        if not 0 <= scale <= min(precision, 15):
            raise unsupported(f"DECIMAL({precision},{scale})", node, "Use a scale from 0 to 15.")
        return Value(f"dx_fit_numeric({_as_number(value, node)}, {precision}, {scale})", numeric(scale))
    if kind in (exp.DType.DOUBLE, exp.DType.FLOAT) and not parameters:
        return Value(_as_number(value, node), FLOAT8)
    if kind in (exp.DType.DATETIME, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ) and not parameters:
        return _as_time(value, TIMESTAMP, node)
    if kind == exp.DType.DATE:
        return _as_time(value, DATE, node)
    if kind == exp.DType.JSON:
        return cast(value, JSON, node)
    raise unsupported("This type of a cast", node, "Use SIGNED, DECIMAL(10,2), CHAR, DATE, DATETIME, DOUBLE or JSON.")


def _as_time(value: Value, kind: Type, node: exp.Expr) -> Value:
    if value.type.is_number:
        raise unsupported("A number as a time", node, "Write times as '2024-01-31 09:30:00'.")
    return cast(value, kind, node)


def _as_number(value: Value, node: exp.Expr) -> str:
    if value.type.is_number or value.is_null:
        return value.sql
    if value.type.name in ("text", "unknown"):
        return f"dx_number_of({value.sql}, {int(is_write(node))})"
    if value.type.name == "json":
        return f"dx_number_of(dx_json_unquoted({value.sql}), {int(is_write(node))})"
    raise unsupported(f"A {value.type.label} as a number", node, "Use YEAR(), DATEDIFF() or UNIX_TIMESTAMP().")


def _as_integer(value: Value, node: exp.Expr, *, is_unsigned: bool) -> Value:
    if value.type.is_integer or value.is_null:
        sql = value.sql
    elif value.type.is_number:
        sql = f"dx_to_integer({value.sql}, 64, {int(value.type.name == 'float8')})"
    elif value.type.name in ("text", "unknown"):
        sql = f"dx_integer_of({value.sql}, {int(is_write(node))})"
    elif value.type.name == "json":
        sql = f"dx_integer_of(dx_json_unquoted({value.sql}), {int(is_write(node))})"
    else:
        raise unsupported(f"A {value.type.label} as a number", node, "Use YEAR(), DATEDIFF() or UNIX_TIMESTAMP().")
    return Value(f"dx_unsigned({sql})" if is_unsigned else sql, INT8)


# -- Times -------------------------------------------------------------------------------------------------------------


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


def _move_call(sign: str) -> FunctionRule:
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


def _with_format(function: str) -> Body:
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


# -- Conditions and documents ------------------------------------------------------------------------------------------


def exclusive_or(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """XOR."""
    only(node, "this", "expression")
    left, right = (translator.expression(side, scope) for side in (node.this, node.expression))
    return truth(f"{left.sql} <> {right.sql}")


def condition(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``IF(condition, a, b)``."""
    only(node, "this", "true", "false")
    default = node.args.get("false")
    found = exp.Case(ifs=[exp.If(this=node.this.copy(), true=node.args["true"].copy())], default=default)
    found.parent = node.parent
    return translator.dialect.rules[exp.Case](translator, found, scope)


def is_null(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ISNULL(x)``."""
    if len(call.arguments) != 1:
        raise no_such_function(call, [])
    return Value(f"({translator.expression(call.arguments[0], scope).sql} IS NULL)", INT4)


_PATH = re.compile(r"\$((?:\.(?:[A-Za-z_]\w*|\"[^\"]+\")|\[[0-9]{1,6}\])*)")
_STEP = re.compile(r"\.(?:([A-Za-z_]\w*)|\"([^\"]+)\")|\[([0-9]+)\]")


def _path(text: str | None, node: exp.Expr) -> str:
    match = _PATH.fullmatch(text or "")
    if match is None:
        raise unsupported("This JSON path", node, "Write keys and positions: '$.address.city', '$.tags[0]'.")
    steps = [step[3] if step[3] is not None else _quoted(step[1] or step[2]) for step in _STEP.finditer(match[1])]
    return text_literal(f"[{', '.join(steps)}]")


def _quoted(key: str) -> str:
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _document(translator: Translator, node: exp.Expr, scope: Scope) -> str:
    value = translator.expression(node, scope)
    if value.type.name not in ("json", "unknown"):
        raise unsupported(f"A {value.type.label} as a document", node, "Cast it: CAST(x AS JSON).")
    return coerced(value, JSON, node).sql


def arrow(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``doc -> '$.key'`` and ``doc ->> '$.key'``."""
    steps = []
    for part_of in node.expression.expressions if isinstance(node.expression, exp.JSONPath) else [None]:
        if isinstance(part_of, exp.JSONPathKey) and isinstance(part_of.this, str):
            steps.append(_quoted(part_of.this))
        elif isinstance(part_of, exp.JSONPathSubscript) and isinstance(part_of.this, int) and part_of.this >= 0:
            steps.append(str(part_of.this))
        elif not isinstance(part_of, exp.JSONPathRoot):
            raise unsupported("This JSON path", node, "Write keys and positions: '$.address.city', '$.tags[0]'.")
    path = text_literal(f"[{', '.join(steps)}]")
    sql = f"dx_json_at({_document(translator, node.this, scope)}, {path})"
    return Value(sql, JSON) if isinstance(node, exp.JSONExtract) else _unquoted(sql)


def _unquoted(sql: str) -> Value:
    return Value(f"(dx_json_unquoted({sql}) COLLATE BINARY)", TEXT)


def json_extract(translator: Translator, call: Call, scope: Scope) -> Value:
    """``JSON_EXTRACT(doc, '$.key')``."""
    if len(call.arguments) != 2:
        raise unsupported("JSON_EXTRACT() with several paths", call.node, "Call it once for each.")
    path = _path(translator.expression(call.arguments[1], scope).constant, call.node)
    return Value(f"dx_json_at({_document(translator, call.arguments[0], scope)}, {path})", JSON)


def json_value(translator: Translator, call: Call, scope: Scope) -> Value:
    """``JSON_UNQUOTE(doc)``."""
    if len(call.arguments) != 1:
        raise no_such_function(call, [])
    return _unquoted(_document(translator, call.arguments[0], scope))


def json_contains(translator: Translator, call: Call, scope: Scope) -> Value:
    """``JSON_CONTAINS(doc, '"a"', '$.tags')``."""
    if len(call.arguments) not in (2, 3):
        raise no_such_function(call, [])
    whole_document = _document(translator, call.arguments[0], scope)
    if len(call.arguments) == 3:
        path = _path(translator.expression(call.arguments[2], scope).constant, call.node)
        whole_document = f"dx_json_at({whole_document}, {path})"
    return Value(f"dx_json_contains({whole_document}, {_document(translator, call.arguments[1], scope)})", INT4)


def json_length(translator: Translator, call: Call, scope: Scope) -> Value:
    """``JSON_LENGTH(doc, '$.tags')``."""
    if len(call.arguments) not in (1, 2):
        raise no_such_function(call, [])
    document = _document(translator, call.arguments[0], scope)
    if len(call.arguments) == 2:
        path = _path(translator.expression(call.arguments[1], scope).constant, call.node)
        document = f"dx_json_at({document}, {path})"
    return Value(f"dx_json_members({document})", INT8)


def constant(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A number, or a literal in quotes; ``1e3`` is a double."""
    value = literals.constant(translator, node, scope)
    is_float = not node.args.get("is_string") and "e" in str(node.this).lower()
    return Value(value.sql, FLOAT8, constant=value.constant) if is_float else value


RULES: dict[type[exp.Expr], Rule] = {
    exp.Literal: constant,
    exp.Add: _sum("+"),
    exp.Sub: _sum("-"),
    exp.Mul: product,
    exp.Div: quotient,
    exp.IntDiv: whole_quotient,
    exp.Mod: remainder,
    exp.Interval: interval,
    exp.Cast: cast_to,
    exp.Collate: collate,
    exp.Substring: substring,
    exp.Trim: trim,
    exp.StrPosition: position,
    exp.Like: like,
    exp.Escape: escaped,
    exp.RegexpLike: matches,
    exp.Xor: exclusive_or,
    exp.If: condition,
    exp.Extract: extract,
    exp.CurrentTimestamp: now_word,
    exp.JSONExtract: arrow,
    exp.JSONExtractScalar: arrow,
}

_CASE_INSENSITIVE_PLACE = "dx_located({1}, {0}, 1)"
FUNCTIONS: dict[str, FunctionRule] = {
    SHOWN_CALL: FunctionRule(shown),
    "mod": FunctionRule(_remainder_call),
    "round": FunctionRule(rounded("dx_round")),
    "truncate": FunctionRule(rounded("dx_truncate")),
    "greatest": extreme("max"),
    "least": extreme("min"),
    "floor": FunctionRule(whole("floor")),
    "ceil": FunctionRule(whole("ceil")),
    "ceiling": FunctionRule(whole("ceil")),
    "avg": FunctionRule(average, "aggregate"),
    "count": FunctionRule(count, "aggregate"),
    "any_value": aggregates.FUNCTIONS["min"],
    "string_agg": FunctionRule(group_concat, "aggregate"),
    "concat": FunctionRule(concat),
    "concat_ws": FunctionRule(concat_ws),
    "lower": called("dx_lower({0})", TEXT, "t"),
    "lcase": called("dx_lower({0})", TEXT, "t"),
    "upper": called("dx_upper({0})", TEXT, "t"),
    "ucase": called("dx_upper({0})", TEXT, "t"),
    "length": called("octet_length({0})", INT8, "t"),
    "octet_length": called("octet_length({0})", INT8, "t"),
    "char_length": called("length({0})", INT8, "t"),
    "character_length": called("length({0})", INT8, "t"),
    "left": called("dx_text_part({0}, 1, {1})", TEXT, "tn"),
    "right": called("dx_text_part({0}, max(length({0}) - {1} + 1, 1), {1})", TEXT, "tn"),
    "substring": called("dx_text_part({0}, {1}, {2})", TEXT, "tnn", "1000000000"),
    "substr": called("dx_text_part({0}, {1}, {2})", TEXT, "tnn", "1000000000"),
    "mid": called("dx_text_part({0}, {1}, {2})", TEXT, "tnn"),
    "substring_index": called("dx_before({0}, {1}, {2})", TEXT, "ttn"),
    "locate": called("dx_located({0}, {1}, {2})", INT8, "ttn", "1"),
    "instr": called(_CASE_INSENSITIVE_PLACE, INT8, "tt"),
    "replace": called("dx_replaced({0}, {1}, {2})", TEXT, "ttt"),
    "insert": called("dx_inserted({0}, {1}, {2}, {3})", TEXT, "tnnt"),
    "lpad": called("dx_pad_left({0}, {1}, {2})", TEXT, "tnt"),
    "rpad": called("dx_pad_right({0}, {1}, {2})", TEXT, "tnt"),
    "repeat": called("dx_repeated({0}, {1})", TEXT, "tn"),
    "space": called("dx_repeated(' ', {0})", TEXT, "n"),
    "reverse": called("dx_reversed({0})", TEXT, "t"),
    "ltrim": called("dx_stripped({0}, ' ', 'l')", TEXT, "t"),
    "rtrim": called("dx_stripped({0}, ' ', 'r')", TEXT, "t"),
    "format": called("dx_with_commas({0}, {1})", TEXT, "fn"),
    "find_in_set": called("dx_in_set({0}, {1})", INT8, "tt"),
    "field": _of_any("dx_field", INT8),
    "elt": _of_any("dx_chosen", None),
    "strcmp": FunctionRule(_compared),
    "regexp_like": FunctionRule(regexp_like),
    "regexp_replace": FunctionRule(regexp_replace),
    "isnull": FunctionRule(is_null),
    "now": FunctionRule(now),
    "current_timestamp": FunctionRule(now),
    "localtime": FunctionRule(now),
    "localtimestamp": FunctionRule(now),
    "sysdate": FunctionRule(now),
    "utc_timestamp": FunctionRule(now),
    "curdate": FunctionRule(today),
    "current_date": FunctionRule(today),
    "utc_date": FunctionRule(today),
    "date": FunctionRule(as_date),
    "date_add": _move_call("+"),
    "adddate": _move_call("+"),
    "date_sub": _move_call("-"),
    "subdate": _move_call("-"),
    "datediff": called("dx_date_difference({0}, {1})", INT8, "dd"),
    "timestampdiff": FunctionRule(timestampdiff),
    "timestampadd": FunctionRule(timestampadd),
    "date_format": FunctionRule(_with_format("dx_format_time")),
    "str_to_date": FunctionRule(_with_format("dx_read_formatted")),
    "last_day": called("dx_last_day({0})", DATE, "d"),
    "makedate": called("dx_day_of_year({0}, {1})", DATE, "nn"),
    "to_days": called("dx_to_days({0})", INT8, "d"),
    "week": called("dx_week({0}, {1})", INT8, "an", "0"),
    "weekofyear": called("dx_week({0}, 3)", INT8, "a"),
    "yearweek": called("dx_year_week({0}, {1})", INT8, "an"),
    "dayname": called("dx_day_name({0})", TEXT, "a"),
    "monthname": called("dx_month_name({0})", TEXT, "a"),
    "dayofweek": called("CAST(dx_timestamp_extract('dow', {0}) + 1 AS INTEGER)", INT8, "a"),
    "weekday": called("CAST(dx_timestamp_extract('isodow', {0}) - 1 AS INTEGER)", INT8, "a"),
    "unix_timestamp": called("CAST(dx_timestamp_extract('epoch', {0}) AS INTEGER)", INT8, "a", "now()"),
    "from_unixtime": called("dx_from_epoch({0})", TIMESTAMP, "n"),
    "timestamp": called("{0}", TIMESTAMP, "a"),
    **{
        name: part(field)
        for name, field in (
            ("year", "year"), ("quarter", "quarter"), ("month", "month"), ("day", "day"), ("dayofmonth", "day"),
            ("hour", "hour"), ("minute", "minute"), ("second", "second"), ("dayofyear", "doy"),
        )
    },
    "json_extract": FunctionRule(json_extract),
    "json_unquote": FunctionRule(json_value),
    "json_contains": FunctionRule(json_contains),
    "json_length": FunctionRule(json_length),
}  # fmt: skip


__all__ = ["FUNCTIONS", "RULES", "SHOWN_CALL", "is_write"]
