"""What a translated query is; its LIMIT, and the columns that ORDER BY and GROUP BY name by number or name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from simulator.sql.dialects.refusals import mistyped, only, refuse, unsupported
from simulator.sql.dialects.scopes import CteShape, Scope, folded
from simulator.sql.dialects.translated import OutputColumn
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.values import Value

Ctes = Mapping[str, CteShape]


@dataclass(frozen=True, slots=True)
class Query:
    """A translated query. ``sql_names`` are its columns' names in SQLite, all different; ``single`` says that it cannot
    return more than one row; ``literals`` are the columns, by position, that are a literal without a type; ``shown``
    are the columns' names as a result has them, if a list was written.
    """

    sql: str
    columns: tuple[OutputColumn, ...]
    sql_names: tuple[str, ...]
    single: bool = False
    literals: Mapping[int, Value] = field(default_factory=dict)
    shown: tuple[str, ...] = ()


def position_in(node: exp.Expr, names: list[str]) -> int | None:
    """The column of the list that an ORDER BY or GROUP BY item names by number or by its plain name."""
    if isinstance(node, exp.Literal) and not node.args.get("is_string"):
        number = int(node.name) if node.name.isdigit() else 0
        if not 1 <= number <= len(names):
            raise mistyped(f"ORDER BY position {node.name} is not in select list", node)
        return number - 1
    if isinstance(node, exp.Column) and node.args.get("table") is None and isinstance(node.this, exp.Identifier):
        name = folded(node.this)
        return names.index(name) if name in names else None
    return None


def limits_of(translator: Translator, node: exp.Expr) -> str:
    """LIMIT, OFFSET and FETCH FIRST: whole numbers."""
    limit, offset = node.args.get("limit"), node.args.get("offset")
    text = ""
    if isinstance(limit, exp.Fetch):
        options = limit.args.get("limit_options")
        if options is not None and (options.args.get("percent") or options.args.get("with_ties")):
            raise unsupported("FETCH FIRST … WITH TIES", limit, "Use rank() OVER (ORDER BY …) in a subquery.")
        count = limit.args.get("count")
        text = f" LIMIT {_row_count(translator, count) if count is not None else 1}"
    elif limit is not None:
        only(limit, "expression")
        wanted = limit.expression
        if not isinstance(wanted, exp.Null) and not (isinstance(wanted, exp.Var) and wanted.name.upper() == "ALL"):
            text = f" LIMIT {_row_count(translator, wanted)}"
    if offset is not None:
        only(offset, "expression")
        text = f"{text or ' LIMIT -1'} OFFSET {_row_count(translator, offset.expression)}"
    return text


def _row_count(translator: Translator, node: exp.Expr) -> str:
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        raise refuse("sql_value", "LIMIT must not be negative", node)
    value = translator.expression(node, Scope(clause="LIMIT"))
    if value.constant is None or not value.constant.isdigit():
        raise unsupported("A computed LIMIT", node, "Write a number, or use row_number() in a subquery.")
    return value.constant
