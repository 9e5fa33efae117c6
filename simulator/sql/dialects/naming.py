"""The names of a result's columns: by default those PostgreSQL gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.tokenizer_core import TokenType

from simulator.sql.dialects.conversions import written_type
from simulator.sql.dialects.hiding import INTERVAL_CALL
from simulator.sql.dialects.scopes import folded

_NAMES: dict[type[exp.Expr], str] = {
    exp.Extract: "extract", exp.GroupConcat: "string_agg", exp.StrPosition: "position",
    exp.Substring: "substring", exp.Overlay: "overlay", exp.Exists: "exists", exp.Array: "array",
    exp.CurrentDate: "current_date", exp.CurrentTimestamp: "current_timestamp", exp.Localtimestamp: "localtimestamp",
    exp.AtTimeZone: "timezone", exp.Explode: "unnest",
}  # fmt: skip
_TRIMS = {"LEADING": "ltrim", "TRAILING": "rtrim"}
_TYPE_NAMES = {"boolean": "bool", "json": "jsonb"}


def output_name(node: exp.Expr) -> str:
    """The column's name: its own, that of the function called, or ``?column?``."""
    if isinstance(node, exp.Alias):
        return folded(node.args["alias"])
    return _name(node)[0] or "?column?"


_STRONG, _WEAK = 2, 1
_NO_NAME = ("", 0)


def _name(node: exp.Expr) -> tuple[str, int]:  # noqa: PLR0911  # one line for each kind of node
    """A name, and whether it holds against that of a cast or CASE around."""
    if isinstance(node, exp.Alias):
        return folded(node.args["alias"]), _STRONG
    if isinstance(node, exp.Column):
        return folded(node.this), _STRONG
    if isinstance(node, exp.Paren | exp.Filter | exp.WithinGroup | exp.Window | exp.Collate | exp.Bracket):
        return _name(node.this)
    if isinstance(node, exp.Anonymous):
        if node.name == INTERVAL_CALL:
            return "interval", _WEAK
        return node.name.lower(), _STRONG
    if isinstance(node, exp.Cast):
        inner = _name(node.this)
        return inner if inner[1] == _STRONG else (_type_name(node), _WEAK)
    if isinstance(node, exp.Boolean):
        return "bool", _WEAK
    if isinstance(node, exp.Trim):
        return _TRIMS.get(str(node.args.get("position") or "").upper(), "btrim"), _STRONG
    if isinstance(node, exp.Case):
        inner = _name(node.args["default"]) if node.args.get("default") is not None else _NO_NAME
        return inner if inner[1] == _STRONG else ("case", _WEAK)
    if isinstance(node, exp.Subquery | exp.Select):
        query = node.unnest() if isinstance(node, exp.Subquery) else node
        return _name(query.selects[0]) if isinstance(query, exp.Query) and query.selects else _NO_NAME
    return (_NAMES[type(node)], _STRONG) if type(node) in _NAMES else _NO_NAME


@dataclass(frozen=True, slots=True)
class Naming:
    """How a dialect names columns. ``names`` are those of a list's items, as queries around refer to them; ``shown`` is
    such a name as a result has it, with the item where there is one (none for a column from ``*``).
    """

    names: Callable[[Sequence[exp.Expr]], list[str]]
    shown: Callable[[str, exp.Expr | None], str]


POSTGRES_NAMING = Naming(lambda items: [output_name(item) for item in items], lambda name, _: name)


def _type_name(node: exp.Cast) -> str:
    if node.to.this == exp.DType.VARCHAR:
        return "varchar"
    kind = written_type(node.to)
    return _TYPE_NAMES.get(kind.name, kind.name)


_AFTER_LIST = frozenset(
    {
        TokenType.FROM, TokenType.WHERE, TokenType.GROUP_BY, TokenType.HAVING, TokenType.ORDER_BY, TokenType.LIMIT,
        TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT, TokenType.QUALIFY, TokenType.SEMICOLON,
        TokenType.OFFSET, TokenType.FETCH, TokenType.WINDOW, TokenType.INTO,
    }
)  # fmt: skip
_OPENING = (TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE)
_CLOSING = (TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE)


def keep_written(tree: exp.Expr, sql: str, parser: str) -> None:
    """Leave with each item of the statement's own list the text it was written in, for :func:`written`."""
    while isinstance(tree, exp.SetOperation):
        tree = tree.this
    if not isinstance(tree, exp.Select):
        return
    texts: list[str] = []
    depth, start, end = 0, -1, -1
    for token in SqlglotDialect.get_or_raise(parser).tokenize(sql):
        kind = token.token_type
        depth += (kind in _OPENING) - (kind in _CLOSING)
        if start < 0:
            start = token.end + 1 if kind == TokenType.SELECT and depth == 0 else -1
        elif depth < 0 or (depth == 0 and kind in _AFTER_LIST):
            break
        elif depth == 0 and kind == TokenType.COMMA:
            texts.append(sql[start : token.start].strip())
            start = token.end + 1
        end = token.end + 1
    if start >= 0 and end > start:
        texts.append(sql[start:end].strip())
    if len(texts) == len(tree.expressions):
        for item, text in zip(tree.expressions, texts, strict=True):
            item.meta["written"] = text


def written(item: exp.Expr, parser: str) -> str:
    """An item of a list as it was written; one of a subquery, as the parser writes it."""
    return str(item.meta.get("written") or item.sql(dialect=parser))
