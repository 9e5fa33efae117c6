"""CASE, COALESCE, NULLIF, GREATEST and LEAST, and subqueries that are values."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule
from simulator.sql.dialects.conversions import coerced, implicit
from simulator.sql.dialects.ordering import comparable, compared
from simulator.sql.dialects.queries import query_in
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import BOOLEAN, TEXT
from simulator.sql.dialects.values import NULL, Value, quoted


def case(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """CASE, with conditions or values."""
    only(node, "this", "ifs", "default")
    operand = translator.expression(node.this, scope) if node.this is not None else None
    conditions = []
    results = []
    for branch in node.args["ifs"]:
        only(branch, "this", "true")
        condition = translator.expression(branch.this, scope)
        if operand is not None:
            condition = compared(operand, "=", condition, branch)
        conditions.append(implicit(condition, BOOLEAN, branch, "argument of CASE/WHEN").sql)
        results.append(translator.expression(branch.args["true"], scope))
    default = node.args.get("default")
    results.append(translator.expression(default, scope) if default is not None else NULL)
    kind = translator.meeting(results, node, "CASE")
    kind = TEXT if kind.name == "unknown" else kind
    *texts, last = (coerced(result, kind, node).sql for result in results)
    branches = " ".join(f"WHEN {test} THEN {text}" for test, text in zip(conditions, texts, strict=True))
    return Value(f"(CASE {branches} ELSE {last} END)", kind)


def _met(translator: Translator, call: Call, scope: Scope, what: str) -> list[Value]:
    if not call.arguments:
        raise mistyped(f"{what} needs arguments", call.node)
    values = [translator.expression(argument, scope) for argument in call.arguments]
    kind = translator.meeting(values, call.node, what)
    kind = TEXT if kind.name == "unknown" else kind
    return [coerced(value, kind, call.node) for value in values]


def coalesce(translator: Translator, call: Call, scope: Scope) -> Value:
    """COALESCE."""
    values = _met(translator, call, scope, "COALESCE")
    if len(values) == 1:
        return values[0]
    return Value(f"coalesce({', '.join(value.sql for value in values)})", values[0].type)


def _extreme(sign: str) -> Body:
    """GREATEST and LEAST, which pass over NULL: SQLite's max() and min() of several values do not."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = _met(translator, call, scope, call.name.upper())
        kind = values[0].type
        if kind.name in ("interval", "json", "array", "boolean"):
            raise unsupported(f"{call.name.upper()} of {kind.label}", call.node, "Use CASE.")
        name = "max" if sign == ">" else "min"
        if len(values) == 1:
            return values[0]
        texts = [value.sql for value in values]
        if any(value.constant is not None for value in values):
            filler = next(value.sql for value in values if value.constant is not None)
            return Value(f"{name}({', '.join(f'coalesce({text}, {filler})' for text in texts)})", kind)
        array = f"json_array({', '.join(texts)})"
        return Value(f'(SELECT {name}("value") FROM json_each({array}))', kind)

    return body


def nullif(translator: Translator, call: Call, scope: Scope) -> Value:
    """NULLIF."""
    if len(call.arguments) != 2:
        raise mistyped("NULLIF needs two arguments", call.node)
    first, second = (translator.expression(argument, scope) for argument in call.arguments)
    left, right = comparable(first, second, "=", call.node)
    kind = TEXT if first.type.name == "unknown" else first.type
    return Value(f"(CASE WHEN {left} = {right} THEN NULL ELSE {coerced(first, kind, call.node).sql} END)", kind)


def subquery(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A subquery as a value; more than one row is an error."""
    only(node, "this") if isinstance(node, exp.Subquery) else None
    found = query_in(translator, node, scope)
    if len(found.columns) != 1:
        raise mistyped("subquery must return only one column", node)
    kind = TEXT if found.columns[0].type.name == "unknown" else found.columns[0].type
    if found.single:
        return Value(f"({found.sql})", kind)
    return Value(f"(SELECT dx_single({quoted(found.sql_names[0])}) FROM ({found.sql}))", kind)


RULES: dict[type[exp.Expr], Rule] = {
    exp.Case: case,
    exp.Subquery: subquery,
    exp.Select: subquery,
}

FUNCTIONS: dict[str, FunctionRule] = {
    "coalesce": FunctionRule(coalesce),
    "nullif": FunctionRule(nullif),
    "greatest": FunctionRule(_extreme(">")),
    "least": FunctionRule(_extreme("<")),
}
