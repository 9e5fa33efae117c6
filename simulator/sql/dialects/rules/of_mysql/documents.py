"""MySQL's conditions and JSON documents."""

from __future__ import annotations

import re

from sqlglot import exp

from simulator.sql.dialects.calls import Call, no_such_function
from simulator.sql.dialects.conversions import coerced
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.rules import literals
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    FLOAT8,
    INT4,
    INT8,
    JSON,
    TEXT,
)
from simulator.sql.dialects.values import Value, text_literal, truth


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
