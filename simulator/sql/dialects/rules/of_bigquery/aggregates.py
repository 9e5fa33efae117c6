"""GoogleSQL's aggregates of texts and arrays."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Call, no_such_function
from simulator.sql.dialects.conversions import implicit
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules.aggregates import arguments_of, finished, order_of, rows_of
from simulator.sql.dialects.rules.warehouse import (
    by_value,
    items_of,
)
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    TEXT,
)
from simulator.sql.dialects.values import Value


def _unwrapped(call: Call) -> tuple[Call, str | None, bool]:
    """A call whose ORDER BY, LIMIT and IGNORE NULLS, which hang around its arguments, are taken off: with the LIMIT,
    and whether NULLs are ignored.
    """
    limit = None
    ignores = False
    arguments = list(call.arguments)
    if arguments and isinstance(arguments[-1], exp.Limit):
        item = arguments[-1]
        only(item, "this", "expression")
        if not isinstance(item.expression, exp.Literal) or not item.expression.name.isdigit():
            raise unsupported("A computed LIMIT", item, "Write a number.")
        limit, arguments[-1] = item.expression.name, item.this
    if arguments and isinstance(arguments[-1], exp.Order):
        call = replace(call, order=tuple(arguments[-1].expressions))
        arguments[-1] = arguments[-1].this
    if arguments and isinstance(arguments[0], exp.Distinct):
        call = replace(call, distinct=True)
        arguments[0:1] = arguments[0].expressions
    if arguments and isinstance(arguments[0], exp.IgnoreNulls):
        ignores, arguments[0] = True, arguments[0].this
    if arguments and isinstance(arguments[0], exp.RespectNulls):
        arguments[0] = arguments[0].this
    if arguments and isinstance(arguments[0], exp.Distinct):
        call = replace(call, distinct=True)
        arguments[0:1] = arguments[0].expressions
    return replace(call, arguments=tuple(arguments)), limit, ignores


def _collected(translator: Translator, call: Call, scope: Scope, value: Value, limit: str | None, nulls: bool) -> str:
    """SQLite text of an array of the values, in the call's order."""
    if call.window is not None:
        raise unsupported(f"{call.name.upper()}() with OVER", call.node, "Use GROUP BY in a subquery.")
    for item in call.order if call.distinct else ():
        if translator.expression(item.this, rows_of(call, scope)).sql != value.sql:
            raise mistyped("An aggregate function that has both DISTINCT and ORDER BY arguments can only ORDER BY "
                           "expressions that are arguments to the function", call.node)  # fmt: skip
    order = order_of(translator, call, scope)
    if call.distinct and not order:
        order = f" ORDER BY {value.sql}"
    distinct = "DISTINCT " if call.distinct else ""
    sql = f"json_group_array({distinct}{value.sql}{order})"
    if not nulls:
        sql += f" FILTER (WHERE {value.sql} IS NOT NULL)"
    return sql if limit is None else f"dx_array_head({sql}, {limit})"


def string_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``STRING_AGG(DISTINCT x, separator ORDER BY y LIMIT n)``."""
    call, limit, _ = _unwrapped(call)
    values = arguments_of(translator, call, scope, 2 if len(call.arguments) == 2 else 1)
    separator = implicit(values[1], TEXT, call.node, "separator") if len(values) == 2 else Value("','", TEXT, ",")
    if values[0].type.name not in ("text", "unknown"):
        raise no_such_function(call, values)
    items = _collected(translator, call, scope, values[0], limit, nulls=False)
    return Value(f"dx_array_joined(nullif({items}, '[]'), {separator.sql})", TEXT)


def array_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ARRAY_AGG(DISTINCT x IGNORE NULLS ORDER BY y LIMIT n)``; an array with NULL in it is an error."""
    call, limit, ignores = _unwrapped(call)
    (value,) = arguments_of(translator, call, scope, 1)
    kind = items_of(value.type, call)
    items = _collected(translator, call, scope, value, limit, nulls=not ignores)
    return Value(f"dx_array_without_null(nullif({items}, '[]'))", kind)


def any_value(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ANY_VALUE(x HAVING MAX y)``; without HAVING any is right, so the smallest."""
    if len(call.arguments) == 1 and isinstance(call.arguments[0], exp.HavingMax):
        chosen = call.arguments[0]
        rows = rows_of(call, scope)
        value, by = translator.expression(chosen.this, rows), translator.expression(chosen.expression, rows)
        function = "dx_largest_by" if chosen.args.get("max") else "dx_smallest_by"
        return by_value(translator, call, scope, function, value, by)
    (value,) = arguments_of(translator, call, scope, 1)
    if value.type.name in ("interval", "json", "array"):
        raise unsupported(f"{call.name.upper()}() of {value.type.label}", call.node, "Use MIN() of a part of it.")
    kind = TEXT if value.type.name == "unknown" else value.type
    return Value(finished(translator, call, scope, f"min({value.sql})"), kind)
