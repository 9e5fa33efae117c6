"""What Snowflake and BigQuery share: one integer type, units of time by name, RE2, aggregates of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Body, Call, FunctionRule, no_such_function
from simulator.sql.dialects.conversions import coerced, implicit
from simulator.sql.dialects.ordering import sortable
from simulator.sql.dialects.refusals import bad_value, mistyped, unsupported
from simulator.sql.dialects.rules.aggregates import arguments_of, filtered, finished
from simulator.sql.dialects.runtime import expressions
from simulator.sql.dialects.scopes import Scope, folded
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import BOOLEAN, INT4, TEXT, TIMESTAMP, Type, array_of
from simulator.sql.dialects.values import Value, text_literal
from simulator.sql.functions import FunctionProblem


def wide(rule: Rule) -> Rule:
    """A rule in a dialect with one integer type, of 64 bits: its name here is ``int4``, so that functions take it."""

    def widened(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
        value = rule(translator, node, scope)
        if value.type.name == "int8":
            value = replace(value, type=INT4)
        if value.type == INT4 and value.sql.startswith("dx_int4("):
            value = replace(value, sql="dx_int8(" + value.sql.removeprefix("dx_int4("))
        return value

    return widened


def values_of(translator: Translator, call: Call, scope: Scope, fewest: int, most: int | None = None) -> list[Value]:
    """The arguments of a scalar function, so many."""
    values = [translator.expression(argument, scope) for argument in call.arguments]
    if not fewest <= len(values) <= (fewest if most is None else most):
        raise no_such_function(call, values)
    return values


def unit_of(node: exp.Expr, units: Mapping[str, str]) -> str:
    """The unit of time that an argument names, as a word, in quotes, or as ``WEEK(MONDAY)``."""
    if isinstance(node, exp.Anonymous) and len(node.expressions) == 1:
        name = f"{node.name}({node.expressions[0].name})"
    elif isinstance(node, exp.Column) and node.args.get("table") is None and isinstance(node.this, exp.Identifier):
        name = folded(node.this)
    elif isinstance(node, exp.Var | exp.Literal):
        name = node.name
    else:
        raise unsupported("A unit of time that is no word", node, "Write the unit: DAY, WEEK, MONTH, QUARTER, YEAR.")
    unit = units.get(name.lower())
    if unit is None:
        listed = ", ".join(dict.fromkeys(item.partition(":")[0] for item in units.values()))
        raise unsupported(f"The unit {name}", node, f"Units are {listed}.")
    return unit


def pattern(value: Value, flags: str, node: exp.Expr) -> Value:
    """A regular expression; one that is none is told before anything runs."""
    value = implicit(value, TEXT, node, "regular expression")
    if value.constant is not None:
        try:
            expressions.expression(value.constant, flags)
        except FunctionProblem as problem:
            raise bad_value(str(problem), node) from problem
    return value


def constant_of(value: Value, node: exp.Expr, what: str) -> str:
    """The text of a literal argument."""
    if value.constant is None:
        raise unsupported(f"{what} that is no literal", node, "Write it out.")
    return value.constant


# -- Conditionals ------------------------------------------------------------------------------------------------------


def choice(translator: Translator, node: exp.Expr, scope: Scope, nodes: Sequence[exp.Expr]) -> Value:
    """One of two values by a condition: ``IFF(condition, a, b)``."""
    test = implicit(translator.expression(nodes[0], scope), BOOLEAN, nodes[0], "condition")
    values = [translator.expression(item, scope) for item in nodes[1:]]
    kind = translator.meeting(values, node, "IF")
    kind = TEXT if kind.name == "unknown" else kind
    first, second = (coerced(value, kind, node).sql for value in values)
    return Value(f"(CASE WHEN {test.sql} THEN {first} ELSE {second} END)", kind)


def strict_extreme(name: str) -> Body:
    """GREATEST and LEAST that are NULL if one of the values is."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = values_of(translator, call, scope, 1, 50)
        kind = translator.meeting(values, call.node, call.name.upper())
        kind = TEXT if kind.name == "unknown" else kind
        if kind.name in ("interval", "json", "array", "boolean"):
            raise unsupported(f"{call.name.upper()} of {kind.label}", call.node, "Use CASE.")
        texts = [coerced(value, kind, call.node).sql for value in values]
        return Value(f"{name}({', '.join(texts)})" if len(texts) > 1 else texts[0], kind)

    return body


# -- Times -------------------------------------------------------------------------------------------------------------


def as_instant(value: Value, node: exp.Expr, literal_type: Type = TIMESTAMP) -> Value:
    """A date or point in time; a literal in quotes is read as one."""
    if value.type.name == "unknown":
        return coerced(value, literal_type, node)
    if not value.type.is_instant:
        raise mistyped(f"argument must be type date or timestamp, not type {value.type.label}", node)
    return value


def moved(unit: str, count: Value, start: Value, sign: str, node: exp.Expr, of_day: bool) -> Value:
    """A time later by so many units. A date stays one, unless the unit is shorter than a day and ``of_day``."""
    number = implicit(count, INT4, node, "number of units").sql
    short = unit in ("hour", "minute", "second", "millisecond", "microsecond")
    if start.type.name == "date" and not (short and of_day):
        return Value(f"dx_moved_date({text_literal(unit)}, {sign}{number}, {start.sql})", start.type)
    kind = TIMESTAMP if start.type.name == "date" else start.type
    return Value(f"dx_moved({text_literal(unit)}, {sign}{number}, {coerced(start, kind, node).sql})", kind)


def field_of_time(sql: str, field: str) -> Value:
    """A field of a time as an integer."""
    if field == "second":
        return Value(f"CAST(dx_timestamp_extract('second', {sql}) AS INTEGER)", INT4)
    return Value(f"dx_timestamp_extract({text_literal(field)}, {sql})", INT4)


# -- Aggregates --------------------------------------------------------------------------------------------------------


def count_if(translator: Translator, call: Call, scope: Scope) -> Value:
    """``COUNT_IF(condition)``."""
    (value,) = arguments_of(translator, call, scope, 1)
    test = implicit(value, BOOLEAN, call.node, f"argument of {call.name}")
    if call.distinct:
        raise unsupported("DISTINCT here", call.node, "Leave it out.")
    return Value(finished(translator, call, scope, f"count(nullif({test.sql}, 0))"), INT4)


def any_value(translator: Translator, call: Call, scope: Scope) -> Value:
    """``ANY_VALUE(x)``: any is right, so the smallest."""
    (value,) = arguments_of(translator, call, scope, 1)
    if value.type.name in ("interval", "json", "array"):
        raise unsupported(f"{call.name}() of {value.type.label}", call.node, "Use MIN() of a part of it.")
    kind = TEXT if value.type.name == "unknown" else value.type
    return Value(finished(translator, call, scope, f"min({value.sql})"), kind)


def value_by(function: str) -> Body:
    """``MAX_BY(x, y)`` and ``MIN_BY``: of rows that tie, the smallest x."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        value, by = arguments_of(translator, call, scope, 2)
        return by_value(translator, call, scope, function, value, by)

    return body


def by_value(translator: Translator, call: Call, scope: Scope, function: str, value: Value, by: Value) -> Value:
    """The value of the row with the largest or smallest ``by``."""
    if call.window is not None or call.distinct or call.order or call.within:
        raise unsupported(f"{call.name}() with OVER, DISTINCT or ORDER BY", call.node, "Use FIRST_VALUE() OVER.")
    if by.type.name in ("interval", "json", "array", "unknown"):
        raise unsupported(f"{call.name}() by {by.type.label}", call.node, "Choose by a number, text or time.")
    kind = TEXT if value.type.name == "unknown" else value.type
    sql = f"{function}({value.sql}, {sortable(by, call.node)})"
    return Value(filtered(translator, call, scope, sql), kind)


def items_of(kind: Type, call: Call) -> Type:
    """The array of an aggregate's values."""
    if kind.name in ("json", "array", "interval"):
        raise unsupported(f"{call.name.upper()}() of {kind.label}", call.node, "Collect a part of it as text.")
    return array_of(TEXT if kind.name == "unknown" else kind)


def aggregate(body: Body) -> FunctionRule:
    """A function of rows."""
    return FunctionRule(body, "aggregate")
