"""Functions of texts."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.calls import Call, FunctionRule, no_such_function, plain, signature
from simulator.sql.dialects.conversions import coerced, implicit, printed
from simulator.sql.dialects.refusals import mistyped, only, unsupported
from simulator.sql.dialects.rules.patterns import check_pattern
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Rule, Translator
from simulator.sql.dialects.value_types import BOOLEAN, INT4, TEXT, array_of
from simulator.sql.dialects.values import Value, text_literal


def concat(translator: Translator, call: Call, scope: Scope) -> Value:
    """``concat(a, b)``: NULL counts as empty."""
    parts = [printed(translator.expression(argument, scope), argument) for argument in call.arguments]
    return Value(f"dx_concatenated('', {', '.join(parts)})", TEXT)


def concat_ws(translator: Translator, call: Call, scope: Scope) -> Value:
    """``concat_ws(separator, a, b)``: NULLs are passed over."""
    if not call.arguments:
        raise mistyped("concat_ws() needs a separator", call.node)
    separator, *parts = (printed(translator.expression(argument, scope), argument) for argument in call.arguments)
    joined = f"dx_concatenated({', '.join((separator, *parts))})"
    return Value(f"CASE WHEN {separator} IS NOT NULL THEN {joined} END", TEXT)


def format_text(translator: Translator, call: Call, scope: Scope) -> Value:
    """``format('%s …', …)`` with plain ``%s`` only."""
    template = translator.expression(call.arguments[0], scope) if call.arguments else None
    if template is None or template.constant is None:
        raise unsupported("format() without a literal template", call.node, "Join texts with ||.")
    pieces = template.constant.replace("%%", "\0").split("%s")
    if any("%" in piece for piece in pieces) or len(pieces) > len(call.arguments):
        raise unsupported("This template of format()", call.node, "Use %s only, or join texts with ||.")
    values = [printed(translator.expression(argument, scope), argument) for argument in call.arguments[1:]]
    parts = [text_literal(pieces[0].replace("\0", "%"))]
    for piece, value in zip(pieces[1:], values, strict=False):
        parts += [value, text_literal(piece.replace("\0", "%"))]
    return Value(f"dx_concatenated('', {', '.join(parts)})", TEXT)


def substring(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``substring(x from 2 for 3)``, and ``substring(x from 'pattern')``."""
    only(node, "this", "start", "length")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of substring")
    start = translator.expression(node.args["start"], scope) if node.args.get("start") is not None else None
    length = translator.expression(node.args["length"], scope) if node.args.get("length") is not None else None
    if start is not None and start.type.name in ("unknown", "text") and length is None:
        check_pattern(start, node)
        return Value(f"dx_regex_substring({text.sql}, {start.sql})", TEXT)
    first = "1" if start is None else implicit(start, INT4, node, "argument of substring").sql
    if length is None:
        return Value(f"dx_substring_from({text.sql}, {first})", TEXT)
    return Value(
        f"dx_substring({text.sql}, {first}, {implicit(length, INT4, node, 'argument of substring').sql})", TEXT
    )


def trim(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``trim(both 'x' from y)``."""
    only(node, "this", "expression", "position")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of trim")
    characters = "' '"
    if node.args.get("expression") is not None:
        characters = implicit(translator.expression(node.expression, scope), TEXT, node, "argument of trim").sql
    side = {"LEADING": "l", "TRAILING": "r"}.get(str(node.args.get("position") or "").upper(), "b")
    return Value(f"dx_stripped({text.sql}, {characters}, '{side}')", TEXT)


def position(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``position(part in text)``."""
    only(node, "this", "substr")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of position")
    part = implicit(translator.expression(node.args["substr"], scope), TEXT, node, "argument of position")
    return Value(f"dx_position({text.sql}, {part.sql})", INT4)


def overlay(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``overlay(text placing new from 2 for 3)``."""
    only(node, "this", "expression", "from_", "for_")
    text = implicit(translator.expression(node.this, scope), TEXT, node, "argument of overlay")
    new = implicit(translator.expression(node.expression, scope), TEXT, node, "argument of overlay")
    start = implicit(translator.expression(node.args["from_"], scope), INT4, node, "argument of overlay")
    length = f"length({new.sql})"
    if node.args.get("for_") is not None:
        length = implicit(translator.expression(node.args["for_"], scope), INT4, node, "argument of overlay").sql
    return Value(f"dx_overlaid({text.sql}, {new.sql}, {start.sql}, {length})", TEXT)


def _with_pattern(sql: str) -> FunctionRule:
    """A function of a text, a pattern and, in ``sql``, more texts with defaults."""

    def body(translator: Translator, call: Call, scope: Scope) -> Value:
        values = [translator.expression(argument, scope) for argument in call.arguments]
        fewest = {"regexp_replace": 3}.get(call.name, 2)
        most = {"regexp_replace": 4, "regexp_match": 3}.get(call.name, 2)
        if not fewest <= len(values) <= most or any(value.type.name not in ("text", "unknown") for value in values):
            raise no_such_function(call, values)
        check_pattern(values[1], call.node, lazy_allowed=call.name == "regexp_like")
        texts = [coerced(value, TEXT, call.node).sql for value in values]
        texts += ["''"] * (most - len(texts))
        kinds = {"regexp_count": INT4, "regexp_like": BOOLEAN, "regexp_replace": TEXT, "regexp_substr": TEXT}
        kind = kinds.get(call.name, array_of(TEXT))
        return Value(sql.format(*texts), kind)

    return FunctionRule(body)


RULES: dict[type[exp.Expr], Rule] = {
    exp.Substring: substring,
    exp.Trim: trim,
    exp.StrPosition: position,
    exp.Overlay: overlay,
}

FUNCTIONS: dict[str, FunctionRule] = {
    "concat": FunctionRule(concat),
    "concat_ws": FunctionRule(concat_ws),
    "format": FunctionRule(format_text),
    "lower": plain(signature("dx_lower({0})", TEXT, TEXT)),
    "upper": plain(signature("dx_upper({0})", TEXT, TEXT)),
    "initcap": plain(signature("dx_capitalized({0})", TEXT, TEXT)),
    "length": plain(signature("length({0})", INT4, TEXT)),
    "char_length": plain(signature("length({0})", INT4, TEXT)),
    "character_length": plain(signature("length({0})", INT4, TEXT)),
    "octet_length": plain(signature("octet_length({0})", INT4, TEXT)),
    "left": plain(signature("dx_left({0}, {1})", TEXT, TEXT, INT4)),
    "right": plain(signature("dx_right({0}, {1})", TEXT, TEXT, INT4)),
    "substr": plain(
        signature("dx_substring_from({0}, {1})", TEXT, TEXT, INT4),
        signature("dx_substring({0}, {1}, {2})", TEXT, TEXT, INT4, INT4),
    ),
    "split_part": plain(signature("dx_split_part({0}, {1}, {2})", TEXT, TEXT, TEXT, INT4)),
    "lpad": plain(
        signature("dx_pad_left({0}, {1}, ' ')", TEXT, TEXT, INT4),
        signature("dx_pad_left({0}, {1}, {2})", TEXT, TEXT, INT4, TEXT),
    ),
    "rpad": plain(
        signature("dx_pad_right({0}, {1}, ' ')", TEXT, TEXT, INT4),
        signature("dx_pad_right({0}, {1}, {2})", TEXT, TEXT, INT4, TEXT),
    ),
    "repeat": plain(signature("dx_repeated({0}, {1})", TEXT, TEXT, INT4)),
    "reverse": plain(signature("dx_reversed({0})", TEXT, TEXT)),
    "replace": plain(signature("dx_replaced({0}, {1}, {2})", TEXT, TEXT, TEXT, TEXT)),
    "translate": plain(signature("dx_translated({0}, {1}, {2})", TEXT, TEXT, TEXT, TEXT)),
    "strpos": plain(signature("dx_position({0}, {1})", INT4, TEXT, TEXT)),
    "chr": plain(signature("dx_from_code({0})", TEXT, INT4)),
    "ascii": plain(signature("dx_to_code({0})", INT4, TEXT)),
    "starts_with": plain(signature("dx_starts_with({0}, {1})", BOOLEAN, TEXT, TEXT)),
    "btrim": plain(
        signature("dx_stripped({0}, ' ', 'b')", TEXT, TEXT), signature("dx_stripped({0}, {1}, 'b')", TEXT, TEXT, TEXT)
    ),
    "ltrim": plain(
        signature("dx_stripped({0}, ' ', 'l')", TEXT, TEXT), signature("dx_stripped({0}, {1}, 'l')", TEXT, TEXT, TEXT)
    ),
    "rtrim": plain(
        signature("dx_stripped({0}, ' ', 'r')", TEXT, TEXT), signature("dx_stripped({0}, {1}, 'r')", TEXT, TEXT, TEXT)
    ),
    "regexp_replace": _with_pattern("dx_regex_replace({0}, {1}, {2}, {3})"),
    "regexp_match": _with_pattern("dx_regex_first({0}, {1}, {2})"),
    "regexp_like": _with_pattern("dx_regex_matches({0}, {1}, 0)"),
    "regexp_count": _with_pattern("dx_regex_count({0}, {1})"),
    "regexp_split_to_array": _with_pattern("dx_regex_split({0}, {1})"),
}
