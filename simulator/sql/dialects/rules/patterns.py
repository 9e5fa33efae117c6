"""LIKE, ILIKE, SIMILAR TO and regular expressions."""

from __future__ import annotations

import re

from sqlglot import exp

from simulator.sql.dialects.conversions import implicit
from simulator.sql.dialects.refusals import bad_value, only, unsupported
from simulator.sql.dialects.runtime import texts
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import TEXT
from simulator.sql.dialects.values import Value, text_literal, truth
from simulator.sql.functions import FunctionProblem

_AS_GLOB = re.compile(r"[^*?\[\]\\]{0,100}")


def like(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """LIKE and ILIKE, a backslash escaping unless ESCAPE says otherwise."""
    return like_with(translator, node, scope, "\\")


def escaped(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """LIKE … ESCAPE."""
    only(node, "this", "expression")
    if not isinstance(node.this, exp.Like | exp.ILike) or not isinstance(node.expression, exp.Literal):
        raise unsupported("This ESCAPE", node, "Write LIKE 'pattern' ESCAPE '!'.")
    return like_with(translator, node.this, scope, str(node.expression.this))


def like_with(translator: Translator, node: exp.Expr, scope: Scope, escape: str) -> Value:
    """LIKE and ILIKE with an escape sign, none if empty."""
    only(node, "this", "expression", "negate")
    if isinstance(node.expression, exp.Any | exp.All):
        raise unsupported("LIKE ANY", node, "Write LIKE twice with OR, or a regular expression: x ~ 'a|b'.")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of LIKE")
    pattern = implicit(translator.expression(node.expression, scope), TEXT, node, "argument of LIKE")
    name = "dx_like" if isinstance(node, exp.Like) else "dx_ilike"
    sql = f"{name}({text.sql}, {pattern.sql}, {text_literal(escape)})"
    constant = pattern.constant if name == "dx_like" and len(escape) == 1 else None
    if constant is not None and escape not in constant and _AS_GLOB.fullmatch(constant) is not None:
        glob = constant.replace("%", "*").replace("_", "?")
        sql = f"{text.sql} GLOB {text_literal(glob)}"
    return truth(f"NOT ({sql})" if node.args.get("negate") else sql)


def matches(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``~`` and ``~*``. They bind as ``||`` does, from the left; the parser lets ``||`` go first."""
    only(node, "this", "expression")
    if isinstance(node.expression, exp.DPipe):
        raise unsupported("`||` behind ~ without brackets", node, "Write brackets: x ~ ('a' || 'b').")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of ~")
    pattern = implicit(translator.expression(node.expression, scope), TEXT, node, "argument of ~")
    check_pattern(pattern, node, lazy_allowed=True)
    return truth(f"dx_regex_matches({text.sql}, {pattern.sql}, {int(isinstance(node, exp.RegexpILike))})")


def check_pattern(pattern: Value, node: exp.Expr, *, lazy_allowed: bool = False) -> None:
    """Refuse a constant pattern that RE2 cannot follow."""
    if pattern.constant is None:
        return
    try:
        texts.regex(pattern.constant, False, lazy_allowed)
    except FunctionProblem as problem:
        if "invalid regular expression" in str(problem):
            raise bad_value(str(problem), node) from problem
        raise unsupported("This regular expression", node, f"{str(problem).capitalize()}.") from problem


def similar(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """SIMILAR TO."""
    only(node, "this", "expression")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of SIMILAR TO")
    pattern = implicit(translator.expression(node.expression, scope), TEXT, node, "argument of SIMILAR TO")
    return truth(f"dx_similar_to({text.sql}, {pattern.sql})")


RULES: dict[type[exp.Expr], Rule] = {
    exp.Like: like,
    exp.ILike: like,
    exp.Escape: escaped,
    exp.RegexpLike: matches,
    exp.RegexpILike: matches,
    exp.SimilarTo: similar,
}
