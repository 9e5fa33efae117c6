"""GoogleSQL's texts and regular expressions."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import coerced, implicit
from simulator.sql.dialects.refusals import mistyped, only
from simulator.sql.dialects.rules.warehouse import (
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
from simulator.sql.dialects.values import Value


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
