"""Parse trees, for what a statement means to its author. Whether it is allowed is SQLite's to say, never a tree's."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import sqlglot
from sqlglot import exp

from simulator.sql.gate import check_text
from simulator.sql.tokens import significant

MAX_NODES = 5_000

# What sqlglot remarks on is written by agents and authors; it has no place in a log.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


@lru_cache(maxsize=256)
def parse(sql: str) -> exp.Expr | None:
    """The tree of one statement, not to be changed; ``None`` where sqlglot cannot read it or it has too many nodes.

    The gate is passed first: sqlglot's compiled parser ends the process on deep nesting.
    """
    if check_text(sql) is not None:
        return None
    try:
        trees = sqlglot.parse(_readable(sql), read="sqlite")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None
    if len(trees) != 1 or trees[0] is None:
        return None
    tree = trees[0]
    if any(True for _ in islice(tree.walk(), MAX_NODES, None)) or tree.find(exp.Command) is not None:
        return None
    return tree


def sources(select: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """Name and tree (a table or a subquery) of each item of a query's FROM, in lower case."""
    start = select.args.get("from_")
    joins: list[exp.Expr] = select.args.get("joins") or []
    for item in ([start.this] if start is not None else []) + [join.this for join in joins]:
        yield item.alias_or_name.lower(), item


def find_cte(name: str, node: exp.Expr) -> exp.Select | None:
    """The query of the common table expression ``name`` visible at ``node``."""
    place: exp.Expr | None = node
    while place is not None:
        clause = place.args.get("with_")
        for cte in clause.expressions if clause is not None else ():
            if cte.alias.lower() == name and isinstance(cte.this, exp.Select):
                return cte.this
        place = place.parent
    return None


def _readable(sql: str) -> str:
    """The text without what sqlglot cannot read in SQLite's dialect: ``REPLACE INTO`` and ``UPDATE OR …``."""
    tokens = significant(sql)
    for first, second, third in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if first.folded == "update" and second.folded == "or":
            return sql[: second.start] + sql[third.end :]
        if first.folded == "replace" and second.folded == "into":
            return f"{sql[: first.start]}insert or replace{sql[first.end :]}"
    return sql
