"""Aggregates and window functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, function_call, no_such_function
from simulator.sql.dialects.conversions import coerced, implicit, to_json_text, to_text
from simulator.sql.dialects.ordering import direction, sortable
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules.windows import over
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import (
    BOOLEAN,
    FLOAT8,
    INT4,
    INT8,
    JSON,
    NUMERIC,
    TEXT,
    Type,
    array_of,
    numeric,
)
from simulator.sql.dialects.values import Value


def arguments_of(translator: Translator, call: Call, scope: Scope, count: int) -> list[Value]:
    """The arguments, which read rows, not groups (but for a window function over groups)."""
    if len(call.arguments) != count:
        rows = rows_of(call, scope)
        values = [translator.expression(item, rows) for item in call.arguments if not isinstance(item, exp.Star)]
        raise no_such_function(call, values)
    return [translator.expression(argument, rows_of(call, scope)) for argument in call.arguments]


def rows_of(call: Call, scope: Scope) -> Scope:
    """The scope of an aggregate's arguments."""
    if call.window is not None:
        return replace(scope, windows=None)
    return replace(scope, grouping=None, aggregates=False, windows=None, clause="an aggregate's argument")


def finished(translator: Translator, call: Call, scope: Scope, sql: str) -> str:
    """A call with its FILTER and OVER."""
    if call.within:
        raise mistyped(f"{call.name} is not an ordered-set aggregate, so it cannot have WITHIN GROUP", call.node)
    return filtered(translator, call, scope, sql) + over(translator, call, scope)


def filtered(translator: Translator, call: Call, scope: Scope, sql: str) -> str:
    """A call with its FILTER."""
    if call.filter is None:
        return sql
    inner = replace(rows_of(call, scope), clause="FILTER")
    condition = implicit(translator.expression(call.filter, inner), BOOLEAN, call.filter, "argument of FILTER")
    return f"{sql} FILTER (WHERE {condition.sql})"


def order_of(translator: Translator, call: Call, scope: Scope) -> str:
    """ORDER BY within the brackets of an aggregate."""
    if not call.order:
        return ""
    terms = [order_term(translator, item, rows_of(call, scope)) for item in call.order]
    return f" ORDER BY {', '.join(terms)}"


def order_term(translator: Translator, item: exp.Ordered, scope: Scope) -> str:
    """One ORDER BY term, with the place of NULL written out."""
    only(item, "this", "desc", "nulls_first")
    value = translator.expression(item.this, scope)
    return f"{sortable(value, item)} {direction(item)}"


def _unordered(call: Call) -> None:
    """ORDER BY in an aggregate that does not depend on it changes nothing; it is refused all the same with OVER."""
    if call.order and call.window is not None:
        raise unsupported("ORDER BY in the brackets of a window function", call.node, "Write it into OVER.")


def count(translator: Translator, call: Call, scope: Scope) -> Value:
    """``count(*)``, ``count(x)``, ``count(DISTINCT x)``."""
    if len(call.arguments) == 1 and isinstance(call.arguments[0], exp.Star):
        return Value(finished(translator, call, scope, "count(*)"), INT8)
    if len(call.arguments) == 1 and isinstance(call.arguments[0], exp.Tuple):
        raise unsupported("count() of rows", call.node, "Count them in a subquery: SELECT DISTINCT a, b.")
    if any(isinstance(item, exp.Column) and isinstance(item.this, exp.Star) for item in call.arguments):
        raise unsupported("count() of a whole row", call.node, "Count the key: count(t.id).")
    (value,) = arguments_of(translator, call, scope, 1)
    _unordered(call)
    text = sortable(value, call.node) if call.distinct else value.sql
    return Value(finished(translator, call, scope, f"count({'DISTINCT ' if call.distinct else ''}{text})"), INT8)


def total(translator: Translator, call: Call, scope: Scope) -> Value:
    """``sum(x)``: integers to bigint, bigint to numeric, decimals exactly."""
    (value,) = arguments_of(translator, call, scope, 1)
    _unordered(call)
    if value.type.name == "interval":
        return _interval(translator, call, scope, "dx_interval_sum", value)
    if not value.type.is_number:
        raise no_such_function(call, [value])
    sql = finished(translator, call, scope, f"sum({'DISTINCT ' if call.distinct else ''}{value.sql})")
    if value.type == INT4:
        return Value(sql, INT8)
    if value.type == INT8:
        return Value(sql, numeric(0))
    if value.type.name == "float8":
        return Value(f"dx_finite({sql})", FLOAT8)
    return Value(f"round({sql}, {value.type.scale})" if value.type.scale is not None else sql, value.type)


def average(translator: Translator, call: Call, scope: Scope) -> Value:
    """``avg(x)``."""
    (value,) = arguments_of(translator, call, scope, 1)
    _unordered(call)
    if value.type.name == "interval":
        return _interval(translator, call, scope, "dx_interval_average", value)
    if not value.type.is_number:
        raise no_such_function(call, [value])
    distinct = "DISTINCT " if call.distinct else ""
    if value.type.name == "float8" or call.window is not None:
        sql = finished(translator, call, scope, f"avg({distinct}{value.sql})")
        return Value(sql, FLOAT8 if value.type.name == "float8" else NUMERIC)
    # Of decimals, the quotient of the exact sum: SQLite's avg() is a float's, off in its last digit.
    summed = finished(translator, call, scope, f"sum({distinct}{value.sql})")
    if value.type.scale is not None:
        summed = f"round({summed}, {value.type.scale})"
    counted = finished(translator, call, scope, f"count({distinct}{value.sql})")
    return Value(f"(CASE WHEN {counted} > 0 THEN dx_divide({summed}, {counted}) END)", NUMERIC)


def _interval(translator: Translator, call: Call, scope: Scope, function: str, value: Value) -> Value:
    _no_window(call)
    if call.distinct:
        raise unsupported("DISTINCT intervals", call.node, "Leave DISTINCT out, or use extract(epoch from x).")
    return Value(finished(translator, call, scope, f"{function}({value.sql})"), value.type)


def _no_window(call: Call) -> None:
    if call.window is not None:
        raise unsupported(f"{call.name}() of this kind as a window function", call.node, "Use GROUP BY in a subquery.")


def _extreme(word: str, intervals: str) -> Body:
    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        (value,) = arguments_of(translator, call, scope, 1)
        _unordered(call)
        if value.type.name == "interval":
            return _interval(translator, replace(call, distinct=False), scope, intervals, value)
        if value.type.name in ("boolean", "json", "array"):
            raise no_such_function(call, [value])
        kind = TEXT if value.type.name == "unknown" else value.type
        return Value(finished(translator, call, scope, f"{word}({value.sql})"), kind)

    return body


def _all_of(word: str) -> Body:
    """``bool_and`` and ``bool_or``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        (value,) = arguments_of(translator, call, scope, 1)
        _unordered(call)
        truth = implicit(value, BOOLEAN, call.node, f"argument of {call.name}")
        return Value(finished(translator, call, scope, f"{word}({truth.sql})"), BOOLEAN)

    return body


def string_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``string_agg(DISTINCT x, separator ORDER BY x)``."""
    value, separator = arguments_of(translator, call, scope, 2)
    if value.type.name not in ("text", "unknown"):
        raise no_such_function(call, [value, separator])
    _unordered(call)
    separator = implicit(separator, TEXT, call.node, "separator")
    order = order_of(translator, call, scope)
    if not call.distinct:
        return Value(finished(translator, call, scope, f"group_concat({value.sql}, {separator.sql}{order})"), TEXT)
    _no_window(call)
    if separator.constant is None:
        raise unsupported("A separator that is no literal", call.node, "Write it in quotes.")
    _check_distinct_order(translator, call, scope, value)
    present = replace(call, filter=_present(call))
    items = finished(
        translator, present, scope, f"json_group_array(DISTINCT {value.sql}{order or f' ORDER BY {value.sql}'})"
    )
    return Value(f"dx_array_joined(nullif({items}, '[]'), {separator.sql})", TEXT)


def _present(call: Call) -> exp.Expr:
    """The FILTER of a call, and that its first argument is not NULL."""
    test = exp.Is(this=call.arguments[0].copy(), expression=exp.Null(), negate=True)
    return test if call.filter is None else exp.And(this=exp.Paren(this=call.filter.copy()), expression=test)


def _check_distinct_order(translator: Translator, call: Call, scope: Scope, value: Value) -> None:
    for item in call.order:
        if translator.expression(item.this, rows_of(call, scope)).sql != value.sql:
            raise mistyped(
                "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list", call.node
            )


def array_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``array_agg(x ORDER BY y)``; NULL for no rows."""
    (value,) = arguments_of(translator, call, scope, 1)
    _unordered(call)
    if value.type.name in ("json", "array", "interval"):
        raise unsupported(f"array_agg() of {value.type.label}", call.node, "Use jsonb_agg() or string_agg().")
    order = order_of(translator, call, scope)
    if call.distinct:
        _check_distinct_order(translator, call, scope, value)
        order = order or f" ORDER BY {value.sql} ASC NULLS LAST"
    distinct = "DISTINCT " if call.distinct else ""
    sql = finished(translator, call, scope, f"json_group_array({distinct}{value.sql}{order})")
    kind = TEXT if value.type.name == "unknown" else value.type
    return Value(f"nullif({sql}, '[]')", array_of(kind))


def json_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``jsonb_agg(x ORDER BY y)``."""
    (value,) = arguments_of(translator, call, scope, 1)
    _unordered(call)
    if call.distinct:
        raise unsupported("DISTINCT in jsonb_agg()", call.node, "Select the distinct values in a subquery.")
    order = order_of(translator, call, scope)
    items = f"json_group_array(json({to_json_text(value, call.node)}){order})"
    return Value(f"dx_read_json(nullif({finished(translator, call, scope, items)}, '[]'))", JSON)


def json_object_agg(translator: Translator, call: Call, scope: Scope) -> Value:
    """``jsonb_object_agg(key, value)``."""
    key, value = arguments_of(translator, call, scope, 2)
    _no_window(call)
    if call.order or call.distinct:
        raise unsupported("ORDER BY or DISTINCT in jsonb_object_agg()", call.node, "Order in a subquery.")
    items = f"json_group_object({to_text(key, call.node).sql}, json({to_json_text(value, call.node)}))"
    return Value(f"dx_read_json(nullif({finished(translator, call, scope, items)}, '{{}}'))", JSON)


def _statistic(function: str, count: int = 1) -> Body:
    """Spread and correlation of numbers."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = arguments_of(translator, call, scope, count)
        _no_window(call)
        _unordered(call)
        if call.distinct or any(not value.type.is_number for value in values):
            raise no_such_function(call, values)
        is_float = count == 2 or values[0].type.name == "float8"
        texts = ", ".join(value.sql for value in values)
        return Value(finished(translator, call, scope, f"{function}({texts})"), FLOAT8 if is_float else NUMERIC)

    return body


def _percentile(function: str) -> Body:
    """``percentile_cont(0.5) WITHIN GROUP (ORDER BY x)``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        _no_window(call)
        inner = rows_of(call, scope)
        if len(call.within) != 1 or len(call.arguments) != 1 or call.distinct or call.order:
            raise mistyped(f"WITHIN GROUP is required for ordered-set aggregate {call.name}", call.node)
        (item,) = call.within
        only(item, "this", "desc", "nulls_first")
        fraction = translator.expression(call.arguments[0], inner)
        if not fraction.type.is_number:
            raise unsupported("Several fractions at once", call.node, "Call it once for each fraction.")
        value = translator.expression(item.this, inner)
        kind: Type = value.type
        if function == "dx_percentile_cont":
            if not kind.is_number:
                raise unsupported(
                    f"{call.name}() of {kind.label}", call.node, "Use extract(epoch from x), or percentile_disc()."
                )
            kind = FLOAT8
        elif kind.name in ("interval", "json", "array", "unknown"):
            raise unsupported(f"{call.name}() of {kind.label}", call.node, "Use extract(epoch from x).")
        sql = f"{function}({value.sql}, {fraction.sql}, {int(bool(item.args.get('desc')))})"
        return Value(filtered(translator, call, scope, sql), kind)

    return body


def mode(translator: Translator, call: Call, scope: Scope) -> Value:
    """``mode() WITHIN GROUP (ORDER BY x)``."""
    _no_window(call)
    if len(call.within) != 1 or call.arguments or call.within[0].args.get("desc"):
        raise unsupported("This mode()", call.node, "Write mode() WITHIN GROUP (ORDER BY x), ascending.")
    only(call.within[0], "this", "desc", "nulls_first")
    value = translator.expression(call.within[0].this, rows_of(call, scope))
    if value.type.name in ("interval", "json", "array", "unknown"):
        raise unsupported(f"mode() of {value.type.label}", call.node, "Use extract(epoch from x).")
    return Value(filtered(translator, call, scope, f"dx_mode({value.sql})"), value.type)


# -- Functions of windows only -----------------------------------------------------------------------------------------


def _place(sql: str, kind: Type) -> Body:
    """A function without arguments: ``row_number()``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        arguments_of(translator, call, scope, 0)
        _no_filter(call)
        return Value(finished(translator, call, scope, sql), kind)

    return body


def _no_filter(call: Call) -> None:
    if call.filter is not None or call.distinct or call.order:
        raise mistyped(f"FILTER and DISTINCT are not for the window function {call.name}", call.node)


def ntile(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ntile(4)``."""
    (value,) = arguments_of(translator, call, scope, 1)
    _no_filter(call)
    buckets = implicit(value, INT4, call.node, "argument of ntile")
    return Value(finished(translator, call, scope, f"ntile({buckets.sql})"), INT4)


def _neighbour(translator: Translator, call: Call, scope: Scope) -> Value:
    """``lag`` and ``lead``, with distance and default."""
    if not 1 <= len(call.arguments) <= 3:
        raise no_such_function(call, [])
    values = arguments_of(translator, call, scope, len(call.arguments))
    _no_filter(call)
    kind = values[0].type
    texts = [values[0].sql]
    if len(values) > 1:
        distance = implicit(values[1], INT4, call.node, f"argument of {call.name}")
        if distance.constant is None or distance.constant.startswith("-"):
            raise unsupported("A distance that is no literal", call.node, "Write a number of rows.")
        texts.append(distance.sql)
    if len(values) == 3:
        kind = translator.meeting([values[0], values[2]], call.node, call.name.upper())
        texts = [coerced(values[0], kind, call.node).sql, texts[1], coerced(values[2], kind, call.node).sql]
    return Value(finished(translator, call, scope, f"{call.name}({', '.join(texts)})"), kind)


def _at_frame(count: int) -> Body:
    """``first_value``, ``last_value`` and ``nth_value``."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = arguments_of(translator, call, scope, count)
        _no_filter(call)
        texts = ", ".join(value.sql for value in values)
        return Value(finished(translator, call, scope, f"{call.name}({texts})"), values[0].type)

    return body


def grouping(translator: Translator, call: Call, scope: Scope) -> Value:
    """``grouping(a, b)``: which of the expressions this row has not been grouped by, as bits."""
    if scope.grouping is None or not call.arguments:
        raise mistyped("arguments to GROUPING must be grouping expressions of the associated query level", call.node)
    bits = 0
    for argument in call.arguments:
        free = translator.expression(argument, replace(scope, grouping=None)).sql
        if free not in scope.grouping.present and free not in scope.grouping.absent:
            raise mistyped("arguments to GROUPING must be grouping expressions of the associated query level", argument)
        bits = bits * 2 + int(free not in scope.grouping.present)
    return Value(f"CAST({bits} AS INTEGER)", INT4)


def _aggregate(body: Callable[[Translator, Call, Scope], Value]) -> FunctionRule:
    return FunctionRule(body, "aggregate")


def _window(body: Callable[[Translator, Call, Scope], Value]) -> FunctionRule:
    return FunctionRule(body, "window")


RULES: dict[type[exp.Expr], Rule] = {
    exp.Anonymous: function_call,
    exp.GroupConcat: function_call,
    exp.Filter: function_call,
    exp.WithinGroup: function_call,
    exp.Window: function_call,
}

FUNCTIONS: dict[str, FunctionRule] = {
    "count": _aggregate(count),
    "sum": _aggregate(total),
    "avg": _aggregate(average),
    "min": _aggregate(_extreme("min", "dx_interval_smallest")),
    "max": _aggregate(_extreme("max", "dx_interval_largest")),
    "bool_and": _aggregate(_all_of("min")),
    "every": _aggregate(_all_of("min")),
    "bool_or": _aggregate(_all_of("max")),
    "string_agg": _aggregate(string_agg),
    "array_agg": _aggregate(array_agg),
    "json_agg": _aggregate(json_agg),
    "jsonb_agg": _aggregate(json_agg),
    "json_object_agg": _aggregate(json_object_agg),
    "jsonb_object_agg": _aggregate(json_object_agg),
    "stddev": _aggregate(_statistic("dx_stddev_samp")),
    "stddev_samp": _aggregate(_statistic("dx_stddev_samp")),
    "stddev_pop": _aggregate(_statistic("dx_stddev_pop")),
    "variance": _aggregate(_statistic("dx_var_samp")),
    "var_samp": _aggregate(_statistic("dx_var_samp")),
    "var_pop": _aggregate(_statistic("dx_var_pop")),
    "corr": _aggregate(_statistic("dx_corr", 2)),
    "percentile_cont": _aggregate(_percentile("dx_percentile_cont")),
    "percentile_disc": _aggregate(_percentile("dx_percentile_disc")),
    "mode": _aggregate(mode),
    "row_number": _window(_place("row_number()", INT8)),
    "rank": _window(_place("rank()", INT8)),
    "dense_rank": _window(_place("dense_rank()", INT8)),
    "percent_rank": _window(_place("percent_rank()", FLOAT8)),
    "cume_dist": _window(_place("cume_dist()", FLOAT8)),
    "ntile": _window(ntile),
    "lag": _window(_neighbour),
    "lead": _window(_neighbour),
    "first_value": _window(_at_frame(1)),
    "last_value": _window(_at_frame(1)),
    "nth_value": _window(_at_frame(2)),
    "grouping": FunctionRule(grouping),
}
