"""SQL Server's JSON documents."""

from __future__ import annotations

import re

from simulator.sql.dialects.calls import Call, no_such_function
from simulator.sql.dialects.refusals import unsupported
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    TEXT,
    Type,
)
from simulator.sql.dialects.values import Value, text_literal


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


def json_value_of(translator: Translator, call: Call, scope: Scope) -> Value:
    """``JSON_VALUE``: a scalar, NULL for an object or array."""
    found = _document(translator, call, scope)
    kind = f"dx_json_kind({found.sql})"
    return Value(
        f"CASE WHEN {kind} IN ('object', 'array') THEN NULL ELSE dx_json_path_text({found.sql}, '[]') END", TEXT
    )


def json_query(translator: Translator, call: Call, scope: Scope) -> Value:
    """``JSON_QUERY``: an object or array, NULL for a scalar."""
    found = _document(translator, call, scope)
    return Value(f"CASE WHEN dx_json_kind({found.sql}) IN ('object', 'array') THEN {found.sql} END", Type("json"))
