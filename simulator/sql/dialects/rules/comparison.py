"""Comparisons, IS, IN, BETWEEN, ANY and ALL, and what is true of them together."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.conversions import coerced, implicit
from simulator.sql.dialects.ordering import comparable, compared, no_such_operator, sortable
from simulator.sql.dialects.queries import query_in
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import BOOLEAN, TEXT, Type, array_of, meeting
from simulator.sql.dialects.values import Value, quoted, truth

SYMBOLS: dict[type[exp.Expr], str] = {
    exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=",
}  # fmt: skip
_REVERSED_QUANTIFIERS = (exp.Any, exp.All)


def comparison(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``= <> < <= > >=``, also of rows and with ANY and ALL."""
    only(node, "this", "expression")
    symbol = SYMBOLS[type(node)]
    left, right = node.this, node.expression
    _check_brackets(node)
    if (quantified := _quantified(right)) is not None:
        return _compared_with_many(translator, node, symbol, quantified, scope)
    if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
        return _rows(translator, node, symbol, scope)
    return compared(translator.expression(left, scope), symbol, translator.expression(right, scope), node)


def _check_brackets(node: exp.Expr) -> None:
    """``a = b IS NULL`` is read from the left in PostgreSQL; the parser would read it from the right."""
    for side in (node.this, node.expression):
        if type(side) in SYMBOLS or isinstance(side, exp.Is | exp.Not | exp.NullSafeEQ | exp.NullSafeNEQ):
            raise unsupported("A comparison of comparisons without brackets", node, "Write brackets: (a = b) IS NULL.")


def _rows(translator: Translator, node: exp.Expr, symbol: str, scope: Scope) -> Value:
    left, right = node.this, node.expression
    if not (isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)):
        raise unsupported("A row compared with a subquery", node, "Use IN, or compare the columns one by one.")
    if len(left.expressions) != len(right.expressions):
        raise mistyped("unequal number of entries in row expressions", node)
    pairs = [
        comparable(translator.expression(a, scope), translator.expression(b, scope), symbol, node)
        for a, b in zip(left.expressions, right.expressions, strict=True)
    ]
    first, second = (", ".join(pair[side] for pair in pairs) for side in (0, 1))
    return truth(f"({first}) {symbol} ({second})")


def null_safe(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """IS [NOT] DISTINCT FROM."""
    only(node, "this", "expression")
    left, right = translator.expression(node.this, scope), translator.expression(node.expression, scope)
    first, second = comparable(left, right, "=", node)
    return truth(f"{first} {'IS' if isinstance(node, exp.NullSafeEQ) else 'IS NOT'} {second}")


def is_test(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """IS [NOT] NULL, TRUE, FALSE, UNKNOWN."""
    only(node, "this", "expression", "negate")
    wanted = node.expression
    word = "IS NOT" if node.args.get("negate") else "IS"
    if isinstance(node.this, exp.Tuple):
        raise unsupported("IS NULL of a row", node, "Test the columns one by one.")
    value = translator.expression(node.this, scope)
    if isinstance(wanted, exp.Null):
        return truth(f"{value.sql} {word} NULL")
    if isinstance(wanted, exp.Boolean):
        value = implicit(value, BOOLEAN, node, f"argument of {word} {'TRUE' if wanted.this else 'FALSE'}")
        return truth(f"{value.sql} {word} {1 if wanted.this else 0}")
    raise unsupported("This IS test", node, "Use IS NULL, IS TRUE, IS FALSE or IS DISTINCT FROM.")


def between(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """BETWEEN, SYMMETRIC too."""
    only(node, "this", "low", "high", "symmetric")
    value = translator.expression(node.this, scope)
    low, high = (translator.expression(node.args[name], scope) for name in ("low", "high"))
    kind = translator.meeting([value, low, high], node, "BETWEEN")
    kind = TEXT if kind.name == "unknown" else kind
    middle, bottom, top = (sortable(coerced(item, kind, node), node) for item in (value, low, high))
    if node.args.get("symmetric"):
        return truth(f"{middle} BETWEEN {bottom} AND {top} OR {middle} BETWEEN {top} AND {bottom}")
    return truth(f"{middle} BETWEEN {bottom} AND {top}")


def in_list(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """IN a list or a subquery, of values or rows."""
    only(node, "this", "expressions", "query")
    if node.args.get("query") is not None:
        return in_query(translator, node.this, node.args["query"], scope, node)
    items = node.expressions
    if isinstance(node.this, exp.Tuple):
        return _rows_in_list(translator, node, scope)
    values = [translator.expression(item, scope) for item in (node.this, *items)]
    if any(item.type.name in ("interval", "json", "array") for item in values):
        raise unsupported("IN for this type", node, "Compare with = and OR.")
    found = meeting(value.type for value in values)
    if found is None:
        other = next(item for item in values[1:] if meeting((values[0].type, item.type)) is None)
        raise no_such_operator("=", values[0].type, other.type, node)
    kind = TEXT if found.name == "unknown" else found
    first, *others = (coerced(value, kind, node).sql for value in values)
    return truth(f"{first} IN ({', '.join(others)})")


def _rows_in_list(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    width = len(node.this.expressions)
    if any(not isinstance(item, exp.Tuple) or len(item.expressions) != width for item in node.expressions):
        raise mistyped("unequal number of entries in row expressions", node)
    columns = [
        [translator.expression(row.expressions[index], scope) for row in (node.this, *node.expressions)]
        for index in range(width)
    ]
    kinds = [translator.meeting(column, node, "IN") for column in columns]
    rows = [
        ", ".join(
            coerced(columns[index][row], TEXT if kinds[index].name == "unknown" else kinds[index], node).sql
            for index in range(width)
        )
        for row in range(len(node.expressions) + 1)
    ]
    return truth(f"({rows[0]}) IN (VALUES {', '.join(f'({row})' for row in rows[1:])})")


def in_query(translator: Translator, left: exp.Expr, query: exp.Expr, scope: Scope, node: exp.Expr) -> Value:
    """A value or a row IN a subquery."""
    found = query_in(translator, query, scope)
    operands = left.expressions if isinstance(left, exp.Tuple) else [left]
    if len(operands) != len(found.columns):
        what = "few" if len(operands) > len(found.columns) else "many"
        raise mistyped(f"subquery has too {what} columns", node)
    values = [translator.expression(operand, scope) for operand in operands]
    firsts, seconds = [], []
    for value, column, name in zip(values, found.columns, found.sql_names, strict=True):
        first, second = comparable(value, Value(quoted(name), column.type), "=", node)
        firsts.append(first)
        seconds.append(second)
    one = f"({', '.join(firsts)})" if len(firsts) > 1 else firsts[0]
    if seconds == [quoted(name) for name in found.sql_names]:
        return truth(f"{one} IN ({found.sql})")
    return truth(f"{one} IN (SELECT {', '.join(seconds)} FROM ({found.sql}))")


def exists(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """EXISTS."""
    only(node, "this")
    return truth(f"EXISTS ({query_in(translator, node.this, scope).sql})")


def _quantified(node: exp.Expr) -> tuple[str, exp.Expr] | None:
    """The word and the operand of ``ANY (…)`` and ``ALL (…)``."""
    word, operand = "", node
    if isinstance(node, _REVERSED_QUANTIFIERS):
        word, operand = ("any" if isinstance(node, exp.Any) else "all"), node.this
    elif isinstance(node, exp.Anonymous) and node.name.lower() in ("all", "some") and len(node.expressions) == 1:
        word, operand = ("all" if node.name.lower() == "all" else "any"), node.expressions[0]
    if not word:
        return None
    while isinstance(operand, exp.Paren) or (isinstance(operand, exp.Subquery) and not operand.alias):
        operand = operand.this
    return word, operand


def _compared_with_many(
    translator: Translator, node: exp.Expr, symbol: str, quantified: tuple[str, exp.Expr], scope: Scope
) -> Value:
    """``x > ALL (…)``: three-valued, over a subquery's rows or an array's elements."""
    word, operand = quantified
    if isinstance(operand, exp.Query):
        if (word, symbol) == ("any", "="):
            return in_query(translator, node.this, operand, scope, node)
        found = query_in(translator, operand, scope)
        if len(found.columns) != 1:
            raise mistyped("subquery must return only one column", node)
        left = translator.expression(node.this, scope)
        one, other = comparable(left, Value(quoted(found.sql_names[0]), found.columns[0].type), symbol, node)
        return _over(word, f"{one} {symbol} {other}", f"({found.sql})")
    left = translator.expression(node.this, scope)
    array = translator.expression(operand, scope)
    if array.type.name == "unknown":
        array = coerced(array, array_of(left.type if left.type.name != "unknown" else TEXT), node)
    if array.type.element is None:
        raise mistyped("op ANY/ALL (array) requires array on right side", node)
    element: Type = array.type.element
    one, other = comparable(left, Value('"value"', element), symbol, node)
    return _over(word, f"{one} {symbol} {other}", f"json_each({array.sql})", array.sql)


def _over(word: str, test: str, rows: str, array: str = "") -> Value:
    unknown = f"WHEN {array} IS NULL THEN NULL " if array else ""
    empty, found, otherwise = ("0", 'max("t") = 1 THEN 1', "0") if word == "any" else ("1", 'min("t") = 0 THEN 0', "1")
    return Value(
        f'(SELECT CASE {unknown}WHEN count(*) = 0 THEN {empty} WHEN {found} WHEN count("t") < count(*) THEN NULL '
        f'ELSE {otherwise} END FROM (SELECT {test} AS "t" FROM {rows}))',
        BOOLEAN,
    )


def combined(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """AND and OR."""
    only(node, "this", "expression")
    word = "AND" if isinstance(node, exp.And) else "OR"
    parts = [
        implicit(translator.expression(side, scope), BOOLEAN, side, f"argument of {word}").sql
        for side in node.flatten()
    ]
    return truth(f" {word} ".join(parts))


def negation(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """NOT."""
    only(node, "this")
    return truth(f"NOT {implicit(translator.expression(node.this, scope), BOOLEAN, node, 'argument of NOT').sql}")


RULES: dict[type[exp.Expr], Rule] = {
    **dict.fromkeys(SYMBOLS, comparison),
    exp.NullSafeEQ: null_safe,
    exp.NullSafeNEQ: null_safe,
    exp.Is: is_test,
    exp.Between: between,
    exp.In: in_list,
    exp.Exists: exists,
    exp.And: combined,
    exp.Or: combined,
    exp.Not: negation,
}
