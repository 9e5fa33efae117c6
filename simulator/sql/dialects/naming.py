"""The name PostgreSQL gives a column of a result that has none."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.conversions import written_type
from simulator.sql.dialects.scopes import folded

_NAMES: dict[type[exp.Expr], str] = {
    exp.Case: "case", exp.Extract: "extract", exp.GroupConcat: "string_agg", exp.StrPosition: "position",
    exp.Substring: "substring", exp.Overlay: "overlay", exp.Exists: "exists", exp.Array: "array",
    exp.CurrentDate: "current_date", exp.CurrentTimestamp: "current_timestamp", exp.Localtimestamp: "localtimestamp",
    exp.AtTimeZone: "timezone", exp.Interval: "interval", exp.Explode: "unnest",
}  # fmt: skip
_TRIMS = {"LEADING": "ltrim", "TRAILING": "rtrim"}
_TYPE_NAMES = {"boolean": "bool", "json": "jsonb"}


def output_name(node: exp.Expr) -> str:
    """The column's name: its own, that of the function called, or ``?column?``."""
    return _name(node) or "?column?"


def _name(node: exp.Expr) -> str:  # noqa: PLR0911  # one line for each kind of node
    if isinstance(node, exp.Alias):
        return folded(node.args["alias"])
    if isinstance(node, exp.Column):
        return folded(node.this)
    if isinstance(node, exp.Paren | exp.Filter | exp.WithinGroup | exp.Window | exp.Collate | exp.Bracket):
        return _name(node.this)
    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    if isinstance(node, exp.Cast):
        return _name(node.this) or _type_name(node)
    if isinstance(node, exp.Boolean):
        return "bool"
    if isinstance(node, exp.Trim):
        return _TRIMS.get(str(node.args.get("position") or "").upper(), "btrim")
    if isinstance(node, exp.Case) and node.args.get("default") is not None:
        default = node.args["default"]
        return _name(default) if isinstance(default, exp.Column) else "case"
    if isinstance(node, exp.Array) and len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Query):
        return "array"
    if isinstance(node, exp.Subquery | exp.Select):
        query = node.unnest() if isinstance(node, exp.Subquery) else node
        return _name(query.selects[0]) if isinstance(query, exp.Query) and query.selects else ""
    return _NAMES.get(type(node), "")


def _type_name(node: exp.Cast) -> str:
    kind = written_type(node.to)
    return _TYPE_NAMES.get(kind.name, kind.name)
