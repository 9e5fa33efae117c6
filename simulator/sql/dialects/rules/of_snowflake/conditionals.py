"""Snowflake's conditional functions."""

from __future__ import annotations

from simulator.sql.dialects.calls import Call, no_such_function
from simulator.sql.dialects.conversions import coerced
from simulator.sql.dialects.ordering import comparable
from simulator.sql.dialects.rules.warehouse import (
    choice,
    values_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    TEXT,
)
from simulator.sql.dialects.values import NULL, Value, truth


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
