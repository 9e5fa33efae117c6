"""Writes of several tables as the shared rules know them: one table written, the others beside it; and names of columns
as they were written.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.tokenizer_core import Token, TokenType

from simulator.sql.dialects.catalogue import TableCatalogue, TableShape
from simulator.sql.dialects.refusals import unsupported
from simulator.sql.dialects.scopes import folded


def all_of(conditions: Sequence[exp.Expr]) -> exp.Expr | None:
    """Conditions that all hold, None for none."""
    found: exp.Expr | None = None
    for condition in conditions:
        held = exp.Paren(this=condition)
        found = held if found is None else exp.And(this=found, expression=held)
    return found


def restrict(node: exp.Expr, conditions: Sequence[exp.Expr]) -> None:
    """Add conditions to a statement's WHERE."""
    where = node.args.get("where")
    condition = all_of([*([where.this] if where is not None else []), *conditions])
    node.set("where", exp.Where(this=condition) if condition is not None else None)


def name_of(table: exp.Expr) -> str:
    """The name a table of FROM is read by."""
    alias = table.args.get("alias")
    if alias is not None and alias.this is not None:
        return folded(alias.this)
    return folded(table.this) if isinstance(table.this, exp.Identifier) else ""


def joined_tables(first: exp.Expr) -> tuple[list[exp.Expr], list[exp.Expr]]:
    """The tables of a list of inner joins, without them, and the conditions they are joined by."""
    tables, conditions = [first], []
    for join in first.args.get("joins") or []:
        is_inner = not join.args.get("side") and str(join.args.get("kind") or "INNER").upper() in ("INNER", "CROSS")
        if not is_inner or join.args.get("using") or join.args.get("method"):
            raise unsupported(
                "A write with this join", join, "Use JOIN … ON, or WHERE EXISTS (…) and WHERE NOT EXISTS (…)."
            )
        if join.this.args.get("joins"):
            raise unsupported("Joins in brackets in a write", join, "Write one join after the other.")
        tables.append(join.this)
        if join.args.get("on") is not None:
            conditions.append(join.args["on"])
    first.set("joins", None)
    return tables, conditions


def as_from(tables: Sequence[exp.Expr]) -> exp.From:
    """Tables one beside the other."""
    first, *others = tables
    if others:
        first.set("joins", [exp.Join(this=table, kind="CROSS") for table in others])
    return exp.From(this=first)


def unqualified(node: exp.Expr) -> exp.Expr:
    """A target column without its table."""
    return exp.Column(this=node.this) if isinstance(node, exp.Column) else node


def reads_only(nodes: Sequence[exp.Expr], name: str) -> bool:
    """Whether all columns the nodes read are written with this table, and nothing is asked of others."""
    return all(
        column.args.get("table") is not None and folded(column.args["table"]) == name
        for node in nodes
        for column in node.find_all(exp.Column)
    ) and not any(node.find(exp.Query) for node in nodes)


def update_with_tables(
    node: exp.Update, target: exp.Expr, others: Sequence[exp.Expr], conditions: Sequence[exp.Expr]
) -> None:
    """Make ``UPDATE target SET … FROM others WHERE conditions`` of an update of joined tables.

    Where the new values read the target only, the others merely choose rows: so a row that meets several is no error.
    """
    node.set("this", target)
    if not others:
        restrict(node, conditions)
        return
    restrict(node, conditions)
    if reads_only([item.expression for item in node.expressions], name_of(target)):
        chosen = exp.Select(expressions=[exp.Literal.number(1)])
        chosen.set("from_", as_from(others))
        chosen.set("where", node.args.get("where"))
        node.set("where", exp.Where(this=exp.Exists(this=chosen)))
        node.set("from_", None)
    else:
        node.set("from_", as_from(others))


def delete_with_tables(
    node: exp.Delete, target: exp.Expr, others: Sequence[exp.Expr], conditions: Sequence[exp.Expr]
) -> None:
    """Make ``DELETE FROM target USING others WHERE conditions`` of a delete from joined tables."""
    node.set("this", target)
    node.set("tables", None)
    node.set("using", list(others) or None)
    restrict(node, conditions)


def first_rows(node: exp.Expr, table: TableShape, *, ordered: bool) -> None:
    """An UPDATE or DELETE of the first rows only, chosen by their key."""
    order, limit = node.args.get("order"), node.args.get("limit")
    if limit is None:
        node.set("order", None)
        return
    if order is None and ordered:
        raise unsupported("LIMIT without ORDER BY in a write", node, "Say which rows: ORDER BY id LIMIT 10.")
    if not table.key:
        raise unsupported("LIMIT in a write of this table", node, "Choose the rows in WHERE.")
    keys = [exp.Column(this=exp.Identifier(this=name, quoted=True)) for name in table.key]
    chosen = exp.Select(expressions=[key.copy() for key in keys])
    chosen.set("from_", exp.From(this=node.this.copy()))
    for name in ("where", "order", "limit"):
        chosen.set(name, node.args.get(name))
        node.set(name, None)
    left = keys[0] if len(keys) == 1 else exp.Tuple(expressions=keys)
    node.set("where", exp.Where(this=exp.In(this=left, query=exp.Subquery(this=chosen))))


def target_shape(node: exp.Expr, catalogue: TableCatalogue) -> TableShape | None:
    """The table a write names, if there is one."""
    table = node.this if isinstance(node, exp.Schema) else node
    if isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier):
        return catalogue.tables.get(folded(table.this))
    return None


def mark_recursive(tree: exp.Expr) -> None:
    """Write RECURSIVE where a dialect does without the word."""
    for clause in tree.find_all(exp.With):
        for cte in clause.expressions:
            name = folded(cte.args["alias"].this)
            if any(
                isinstance(table.this, exp.Identifier) and folded(table.this) == name
                for table in cte.this.find_all(exp.Table)
            ):
                clause.set("recursive", True)


# -- Names of columns --------------------------------------------------------------------------------------------------

_END_OF_LIST = frozenset(
    {
        TokenType.FROM, TokenType.WHERE, TokenType.GROUP_BY, TokenType.HAVING, TokenType.ORDER_BY, TokenType.LIMIT,
        TokenType.OFFSET, TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT, TokenType.SEMICOLON, TokenType.INTO,
        TokenType.WINDOW, TokenType.FETCH, TokenType.FOR,
    }
)  # fmt: skip
_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.END}


def written_items(sql: str, parser: str) -> list[str]:
    """The texts of the items of the outermost SELECT's list, as they were written."""
    tokens = SqlglotDialect.get_or_raise(parser).tokenize(sql)
    start = _outermost_select(tokens)
    if start < 0:
        return []
    items, depth, first = [], 0, start + 1
    while first < len(tokens) and tokens[first].token_type in (TokenType.DISTINCT, TokenType.ALL):
        first += 1
    index = first
    while index < len(tokens):
        kind = tokens[index].token_type
        if depth == 0 and (kind in _END_OF_LIST or kind in _CLOSING):
            break
        depth += (kind in _OPENING) - (kind in _CLOSING)
        if depth == 0 and kind == TokenType.COMMA:
            items.append(_between(sql, tokens, first, index))
            first = index + 1
        index += 1
    items.append(_between(sql, tokens, first, index))
    return items


def _outermost_select(tokens: list[Token]) -> int:
    depth, lowest, found = 0, 99, -1
    for index, token in enumerate(tokens):
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if token.token_type == TokenType.SELECT and depth < lowest:
            lowest, found = depth, index
    return found


def _between(sql: str, tokens: list[Token], first: int, end: int) -> str:
    return sql[tokens[first].start : tokens[end - 1].end + 1] if first < end else ""


def outermost_select(tree: exp.Expr) -> exp.Select | None:
    """The SELECT that names the columns of a result."""
    node: exp.Expr | None = tree
    while node is not None and not isinstance(node, exp.Select):
        node = node.this if isinstance(node, exp.SetOperation | exp.Subquery) else None
    return node


def name_by_text(tree: exp.Expr, sql: str, parser: str) -> None:
    """Give the expressions of a result's list the names they have in dialects that name a column by its text."""
    select = outermost_select(tree)
    if select is None or not isinstance(tree, exp.Query):
        return
    texts = written_items(sql, parser)
    if len(texts) != len(select.expressions):
        return
    for item, text in zip(list(select.expressions), texts, strict=True):
        is_star = isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star))
        if not is_star and not isinstance(item, exp.Alias | exp.Column):
            alias = exp.Alias(alias=exp.Identifier(this=text[:128], quoted=True))
            item.replace(alias)
            alias.set("this", item)
