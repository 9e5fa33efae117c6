"""Snowflake's texts, patterns and columns by name."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule
from simulator.sql.dialects.conversions import implicit
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules import literals, patterns
from simulator.sql.dialects.rules.of_snowflake.casts import varchar
from simulator.sql.dialects.rules.warehouse import (
    constant_of,
    pattern,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    INT4,
    TEXT,
    Type,
)
from simulator.sql.dialects.values import Value, text_literal, truth


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
