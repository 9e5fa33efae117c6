"""SQL Server's texts: joining, LIKE with classes, ISNULL and CHOOSE."""

from __future__ import annotations

import re

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import coerced, literal, to_text
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.rules import aggregates
from simulator.sql.dialects.rules.of_mysql import called
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    INT8,
    TEXT,
    Type,
)
from simulator.sql.dialects.values import Value, text_literal, truth


def as_text(value: Value, node: exp.Expr) -> str:
    """SQLite text of a value where SQL Server makes a text of it by itself."""
    if value.type.name in ("float8", "json", "timestamptz"):
        what = "datetime" if value.type.name == "timestamptz" else value.type.label
        raise unsupported(
            f"A {what} as a text", node, "Use CONVERT(varchar(19), x, 120), FORMAT(x, 'N2') or CAST to decimal."
        )
    return to_text(value, node).sql


def concatenated(translator: Translator, call: Call, scope: Scope) -> Value:
    """``CONCAT``: NULL counts as empty."""
    parts = [as_text(translator.expression(argument, scope), argument) for argument in call.arguments]
    if len(parts) < 2:
        raise no_such_function(call, [])
    separator = parts.pop(0) if call.name == "concat_ws" else "''"
    return Value(f"dx_concatenated({separator}, {', '.join(parts)})", TEXT)


def substring(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``SUBSTRING``."""
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


def string_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``STRING_AGG``, ordered WITHIN GROUP."""
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


def chosen(translator: Translator, call: Call, scope: Scope) -> Value:
    """``CHOOSE``."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if len(values) < 2 or not values[0].type.is_integer:
        raise no_such_function(call, values)
    kind = translator.meeting(values[1:], call.node, "CHOOSE")
    kind = TEXT if kind.name == "unknown" else kind
    parts = [values[0].sql, *(coerced(value, kind, call.node).sql for value in values[1:])]
    return Value(f"dx_chosen({', '.join(parts)})", kind)


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


def of_texts(sql: str, result: Type, kinds: str, *defaults: str) -> FunctionRule:
    """A function of texts, its arguments read as such."""
    return called(sql, result, kinds, *defaults, text_of=as_text)
