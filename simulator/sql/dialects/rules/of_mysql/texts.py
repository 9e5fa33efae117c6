"""MySQL's texts: they compare without case and accents, and join with CONCAT."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import coerced, literal, to_text
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules import aggregates
from simulator.sql.dialects.runtime import texts
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    DATE,
    INT4,
    INT8,
    JSON,
    TEXT,
    TIMESTAMP,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value, text_literal, truth
from simulator.sql.functions import FunctionProblem

GROUP_CONCAT_BYTES = 1024
_DATE_TEXT = re.compile(r"\s*[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\s*")


def is_write(node: exp.Expr) -> bool:
    """Whether a node is in a statement that writes: there MySQL's strict mode makes errors of warnings."""
    return isinstance(node.root(), exp.Insert | exp.Update | exp.Delete)


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


def of_any(function: str, result: Type | None) -> FunctionRule:
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


def compared(translator: Translator, call: Call, scope: Scope) -> Value:
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
