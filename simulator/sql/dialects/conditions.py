"""Conditions and values told apart in a tree, for dialects that have no booleans among their values.

PostgreSQL's rules, which all dialects share, want a boolean where a condition stands, and have one where a comparison
does. Here a comparison that stands for a value becomes a number, and a number that stands for a condition is compared
with zero.
"""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule
from simulator.sql.dialects.refusals import mistyped, unsupported
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import INT4, TEXT
from simulator.sql.dialects.values import Value, text_literal, truth

NUMBER_CALL = "\u00b7number"
TRUTH_CALL = "\u00b7truth"
TEXT_CALL = "\u00b7text"

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ)
PREDICATES = (
    *_COMPARISONS, exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.Escape, exp.RegexpLike, exp.And, exp.Or,
    exp.Xor, exp.Not, exp.Exists, exp.NullSafeNEQ, exp.Boolean,
)  # fmt: skip
_CONDITION_OF: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.Where, "this"), (exp.Having, "this"), (exp.Join, "on"), (exp.And, "this"), (exp.And, "expression"),
    (exp.Or, "this"), (exp.Or, "expression"), (exp.Xor, "this"), (exp.Xor, "expression"), (exp.Not, "this"),
)  # fmt: skip


def is_condition(node: exp.Expr) -> bool:
    """Whether a node stands where a condition does, brackets aside."""
    parent = node.parent
    if isinstance(parent, exp.Paren):
        return is_condition(parent)
    if isinstance(parent, exp.If):
        is_simple_case = isinstance(parent.parent, exp.Case) and parent.parent.this is not None
        return node.arg_key == "this" and not is_simple_case
    if isinstance(parent, exp.Is):
        return node.arg_key == "this" and isinstance(parent.expression, exp.Boolean)
    return any(isinstance(parent, kind) and node.arg_key == key for kind, key in _CONDITION_OF)


def _is_assignment(node: exp.Expr) -> bool:
    """``SET a = 1`` of an UPDATE or an upsert, which the parser makes a comparison of."""
    return isinstance(node.parent, exp.Update | exp.OnConflict) and node.arg_key == "expressions"


def _is_test(node: exp.Expr) -> bool:
    """The word of ``IS TRUE``, or the LIKE of ``LIKE … ESCAPE``."""
    return (isinstance(node.parent, exp.Is) and node.arg_key == "expression") or isinstance(node.parent, exp.Escape)


def misplaced(tree: exp.Expr) -> list[tuple[exp.Expr, bool]]:
    """The nodes that are a condition and stand for a value, and (with true) those that are none and stand for one."""
    found: list[tuple[exp.Expr, bool]] = []
    for node in tree.walk():
        if isinstance(node, exp.Paren) or node.parent is None or not isinstance(node.arg_key, str):
            continue
        if isinstance(node, PREDICATES):
            if not is_condition(node) and not _is_assignment(node) and not _is_test(node):
                found.append((node, False))
        elif is_condition(node) and not isinstance(node, exp.Null):
            found.append((node, True))
    return found


def as_numbers(tree: exp.Expr) -> None:
    """Write down where truth becomes a number, and a number truth."""
    for node, wants_truth in misplaced(tree):
        call = exp.Anonymous(this=TRUTH_CALL if wants_truth else NUMBER_CALL)
        node.replace(call)
        call.set("expressions", [node])


def literals_as_texts(tree: exp.Expr) -> None:
    """Two literals in quotes that are compared are texts; the shared rules have no type for them."""
    for node in tree.find_all(*_COMPARISONS):
        left, right = node.this, node.expression
        if _is_text(left) and _is_text(right):
            call = exp.Anonymous(this=TEXT_CALL)
            left.replace(call)
            call.set("expressions", [left])


def _is_text(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Literal) and bool(node.args.get("is_string"))


def number_of_truth(translator: Translator, call: Call, scope: Scope) -> Value:
    """A condition as 1, 0 or NULL."""
    value = translator.expression(call.arguments[0], scope)
    constant = {"true": "1", "false": "0"}.get(value.constant or "")
    return Value(value.sql, INT4, constant=constant)


def truth_of_number(translator: Translator, call: Call, scope: Scope) -> Value:
    """A number as a condition: anything but zero is true."""
    value = translator.expression(call.arguments[0], scope)
    if value.type.name == "boolean":
        return value
    if not value.type.is_number:
        raise unsupported(f"A {value.type.label} as a condition", call.node, "Compare it: x <> ''.")
    return truth(f"{value.sql} <> 0")


def text_of_literal(translator: Translator, call: Call, scope: Scope) -> Value:
    """A literal in quotes as a text."""
    value = translator.expression(call.arguments[0], scope)
    if value.constant is None:
        raise mistyped("a text is expected", call.node)
    return Value(text_literal(value.constant), TEXT, constant=value.constant)


FUNCTIONS = {
    NUMBER_CALL: FunctionRule(number_of_truth),
    TRUTH_CALL: FunctionRule(truth_of_number),
    TEXT_CALL: FunctionRule(text_of_literal),
}
