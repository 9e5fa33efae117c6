"""Constants, columns, brackets and casts."""

from __future__ import annotations

import re

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule
from simulator.sql.dialects.conversions import cast, literal, written_parameters, written_type
from simulator.sql.dialects.hiding import INTERVAL_CALL
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.scopes import Scope, folded, resolve
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import (
    BOOLEAN,
    DATE,
    INT4,
    INT8,
    INTERVAL,
    TIMESTAMP,
    TIMESTAMPTZ,
    Type,
    numeric,
)
from simulator.sql.dialects.values import NULL, Value, untyped

_NUMBER = re.compile(r"[0-9]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,2})?")


def constant(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """A number, or a literal in quotes whose type its place decides."""
    text = str(node.this)
    if node.args.get("is_string"):
        return untyped(text)
    if text.isdigit() and text.isascii():
        number = int(text)
        if number < 2**63:
            return Value(str(number), INT4 if number < 2**31 else INT8, constant=text)
    whole, _point, fraction = text.lower().partition("e")[0].partition(".")
    if _NUMBER.fullmatch(text) is None or len((whole + fraction).lstrip("0")) > 15:
        raise unsupported(f"The number {text[:40]}", node, "Write numbers with at most 15 digits.")
    scale = len(fraction) if "e" not in text.lower() else None
    return Value(repr(float(text)), numeric(scale), constant=text)


def text_constant(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """A literal in dollar quotes, or in ``E'…'`` as the parser has already read it."""
    text = str(node.this)
    if isinstance(node, exp.ByteString) and "\\" in text:
        raise unsupported("This escape in E'…'", node, "Write the character itself.")
    return untyped(text)


def truth_constant(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """TRUE and FALSE."""
    return Value("1" if node.this else "0", BOOLEAN, constant="true" if node.this else "false")


def null(_: Translator, __: exp.Expr, ___: Scope) -> Value:
    """NULL."""
    return NULL


def column(_: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A column."""
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        raise unsupported("`*` at this place", node, "Name the columns.")
    only(node, "this", "table", "db")
    return resolve(node, scope)


def bracketed(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """An expression in brackets."""
    return translator.expression(node.this, scope)


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``CAST(x AS type)``, ``x::type`` and ``DATE '…'``."""
    only(node, "this", "to")
    target, parameters = written_type(node.args["to"]), written_parameters(node.args["to"])
    if isinstance(node.this, exp.Array) and not node.this.expressions and target.name == "array":
        return Value("json_array()", target)
    value = translator.expression(node.this, scope)
    if target.name == "numeric" and parameters:
        return _numeric(value, parameters, node)
    result = cast(value, target, node)
    if not parameters:
        return result
    if target.name == "text":
        return Value(f"substr({result.sql}, 1, {parameters[0]})", result.type)
    if target.name in ("timestamp", "timestamptz") and parameters[0] == 0:
        return Value(f"dx_rounded_to_second({result.sql})", result.type)
    raise unsupported("The length of this type", node, "Write the type without it.")


def _numeric(value: Value, parameters: tuple[int, ...], node: exp.Expr) -> Value:
    precision, scale = parameters[0], parameters[1] if len(parameters) > 1 else 0
    if not 0 <= scale <= min(precision, 15):
        raise unsupported(f"numeric({precision},{scale})", node, "Use a scale from 0 to 15.")
    number = cast(value, Type("numeric"), node)
    return Value(f"dx_fit_numeric({number.sql}, {precision}, {scale})", numeric(scale))


def interval(_: Translator, call: Call, __: Scope) -> Value:
    """``INTERVAL '3 days'``, ``INTERVAL '3' DAY``: a call since the tokens were rewritten."""
    text = " ".join(
        str(argument.this).lower() if index else str(argument.this) for index, argument in enumerate(call.arguments)
    )
    return literal(untyped(text), INTERVAL, call.node)


def now(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """The world's time."""
    only(node, "sysdate")
    return Value("now()", TIMESTAMPTZ)


def local_now(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """The world's time, without a zone."""
    only(node)
    return Value("now()", TIMESTAMP)


def today(_: Translator, node: exp.Expr, __: Scope) -> Value:
    """The world's date."""
    only(node)
    return Value("substr(now(), 1, 10)", DATE)


def at_zone(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``AT TIME ZONE 'UTC'``: the value stays, its type changes."""
    only(node, "this", "zone")
    zone = node.args["zone"]
    if not isinstance(zone, exp.Literal) or str(zone.this).upper() not in ("UTC", "GMT", "ETC/UTC"):
        raise unsupported("A time zone other than UTC", node, "The world's times are UTC; leave AT TIME ZONE out.")
    value = translator.expression(node.this, scope)
    if value.type.name == "timestamptz":
        return Value(value.sql, TIMESTAMP)
    if value.type.name in ("timestamp", "date"):
        widened = cast(value, TIMESTAMPTZ, node)
        return Value(widened.sql, TIMESTAMP if value.type.name == "date" else TIMESTAMPTZ)
    raise mistyped(f"function pg_catalog.timezone(unknown, {value.type.label}) does not exist", node)


def collate(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``COLLATE "C"``: the order of code points, which all texts have here."""
    only(node, "this", "expression")
    if folded(node.expression) not in ("C", "POSIX", "ucs_basic"):
        raise unsupported("This collation", node, 'Texts are compared by code point: COLLATE "C", or none.')
    value = translator.expression(node.this, scope)
    return literal(value, Type("text"), node) if value.type.name == "unknown" else value


RULES: dict[type[exp.Expr], Rule] = {
    exp.Literal: constant,
    exp.ByteString: text_constant,
    exp.RawString: text_constant,
    exp.Boolean: truth_constant,
    exp.Null: null,
    exp.Column: column,
    exp.Paren: bracketed,
    exp.Cast: cast_to,
    exp.CurrentTimestamp: now,
    exp.Localtimestamp: local_now,
    exp.CurrentDate: today,
    exp.AtTimeZone: at_zone,
    exp.Collate: collate,
}

FUNCTIONS: dict[str, FunctionRule] = {INTERVAL_CALL: FunctionRule(interval)}
