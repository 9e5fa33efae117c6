"""Function calls: a table of signatures for the plain ones, rules for the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from simulator.sql.dialects.conversions import coerced
from simulator.sql.dialects.refusals import mistyped, only, refuse, unsupported
from simulator.sql.dialects.scopes import Scope, is_local
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import TEXT, Type, fits
from simulator.sql.dialects.values import Value
from simulator.sql.problems import did_you_mean


@dataclass(frozen=True, slots=True)
class Call:
    """A call as it was written. Aggregates may have DISTINCT, ORDER BY, FILTER and WITHIN GROUP."""

    node: exp.Expr
    name: str
    arguments: tuple[exp.Expr, ...]
    distinct: bool = False
    order: tuple[exp.Ordered, ...] = ()
    filter: exp.Expr | None = None
    within: tuple[exp.Ordered, ...] = ()
    window: exp.Window | None = None


Body = Callable[[Translator, Call, Scope], Value]
Kind = Literal["scalar", "aggregate", "window"]


@dataclass(frozen=True, slots=True)
class FunctionRule:
    """How a function is translated, and where it may stand."""

    body: Body
    kind: Kind = "scalar"

    @property
    def is_aggregate(self) -> bool:
        """Whether it sums up rows."""
        return self.kind == "aggregate"


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a function: the types of its arguments, its result, and SQLite text with ``{0}``, ``{1}``…"""

    arguments: tuple[Type, ...]
    result: Type
    sql: str


def plain(*signatures: Signature) -> FunctionRule:
    """A function that is told by its signatures; the first with the most exact types is taken."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        chosen = _chosen(signatures, [value.type for value in values])
        if chosen is None:
            raise no_such_function(call, values)
        pairs = zip(values, chosen.arguments, call.arguments, strict=True)
        texts = [coerced(value, wanted, argument).sql for value, wanted, argument in pairs]
        return Value(chosen.sql.format(*texts), chosen.result)

    return FunctionRule(body)


def signature(sql: str, result: Type, *arguments: Type) -> Signature:
    """A signature, its text first."""
    return Signature(arguments, result, sql)


def _chosen(signatures: Sequence[Signature], types: list[Type]) -> Signature | None:
    best: Signature | None = None
    most = -1
    for item in signatures:
        if len(item.arguments) != len(types):
            continue
        pairs = list(zip(types, item.arguments, strict=True))
        if all(fits(given, wanted) for given, wanted in pairs):
            exact = sum(
                given.name == wanted.name or (given.name == "unknown" and wanted == TEXT) for given, wanted in pairs
            )
            if exact > most:
                best, most = item, exact
    return best


def no_such_function(call: Call, values: Sequence[Value]) -> Exception:
    """The function exists, but not for these arguments."""
    types = ", ".join(value.type.label for value in values)
    return mistyped(
        f"function {call.name}({types}) does not exist", call.node,
        "No function matches the given name and argument types. You might need to add explicit type casts.",
    )  # fmt: skip


def function_call(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """The rule for calls, with the clauses that may follow them."""
    call = _gathered(node)
    rule = translator.dialect.functions.get(call.name)
    if rule is None:
        raise _unknown_function(translator, call)
    has_clauses = call.distinct or call.order or call.filter is not None or call.within
    if rule.kind == "scalar" and (has_clauses or call.window is not None):
        what = "OVER" if call.window is not None else "DISTINCT, ORDER BY or FILTER"
        raise mistyped(f"{what} specified, but {call.name} is not an aggregate function", node)
    if rule.kind == "window" and call.window is None:
        raise mistyped(f"window function {call.name} requires an OVER clause", node)
    if rule.kind == "aggregate" and call.window is None and not scope.aggregates:
        where = scope.clause or "this place"
        raise mistyped(f"aggregate functions are not allowed in {where}", node, "Put the condition into HAVING.")
    if rule.kind == "aggregate" and call.window is None and _is_of_outer_query(call, scope):
        what = "An aggregate over columns of the query around"
        raise unsupported(what, node, "Compute it there, and compare in a query around that.")
    if call.window is not None and (scope.windows is None or not scope.aggregates):
        raise mistyped(
            f"window functions are not allowed in {scope.clause or 'this place'}", node,
            "Compute it in a subquery, and filter around it.",
        )  # fmt: skip
    return rule.body(translator, call, scope)


def _is_of_outer_query(call: Call, scope: Scope) -> bool:
    """Whether an aggregate sums up rows of an outer query: all columns it reads are that query's."""
    columns = [column for argument in call.arguments for column in argument.find_all(exp.Column)]
    return bool(columns) and scope.parent is not None and not any(is_local(column, scope) for column in columns)


def _gathered(node: exp.Expr) -> Call:
    window = filtered = None
    within: tuple[exp.Ordered, ...] = ()
    inner = node
    if isinstance(inner, exp.Window):
        window, inner = inner, inner.this
    if isinstance(inner, exp.Filter):
        only(inner, "this", "expression")
        filtered, inner = inner.expression.this, inner.this
    if isinstance(inner, exp.WithinGroup):
        only(inner, "this", "expression")
        within, inner = tuple(inner.expression.expressions), inner.this
    if isinstance(inner, exp.GroupConcat):
        only(inner, "this", "separator")
        name = "string_agg"
        arguments: list[exp.Expr] = [inner.this]
        separator = inner.args.get("separator")
        if separator is not None:
            arguments.append(separator)
    elif isinstance(inner, exp.Anonymous) and isinstance(inner.this, str):
        only(inner, "this", "expressions")
        name = inner.name.lower()
        arguments = list(inner.expressions)
    else:
        raise unsupported("This call", node, "Write a plain function call.")
    distinct = False
    order: tuple[exp.Ordered, ...] = ()
    # `f(DISTINCT a ORDER BY b)` hangs the clauses around the first argument, or ORDER BY around the last.
    for index in (0, len(arguments) - 1):
        if arguments and isinstance(arguments[index], exp.Order):
            order = tuple(arguments[index].expressions)
            arguments[index] = arguments[index].this
    if arguments and isinstance(arguments[0], exp.Distinct):
        only(arguments[0], "expressions")
        distinct = True
        arguments[0:1] = arguments[0].expressions
    if arguments and isinstance(arguments[-1], exp.Order):
        order = tuple(arguments[-1].expressions)
        arguments[-1] = arguments[-1].this
    if any(argument is None for argument in arguments):
        raise mistyped("syntax error: an argument is missing", node)
    return Call(node, name, tuple(arguments), distinct, order, filtered, within, window)


def _unknown_function(translator: Translator, call: Call) -> Exception:
    name = call.name
    if name in translator.dialect.alternatives:
        return unsupported(f"{name}()", call.node, translator.dialect.alternatives[name])
    if name in translator.dialect.table_functions:
        return unsupported(f"{name}() at this place", call.node, f"Put it into FROM: FROM {name}(…) AS x.")
    near = did_you_mean(name, translator.dialect.functions)
    suggestion = near or "Write it with CASE, coalesce(), the text functions, date_trunc() and extract()."
    return refuse("sql_unsupported", f"The function {name}() is not supported here.", call.node, suggestion, [name])
