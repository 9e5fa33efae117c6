"""What a query's text says of the rows an agent sees: their order, and JSON among them. SQLite's tokens are enough."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from simulator.sql.problems import SqlProblem, line_and_column
from simulator.sql.tokens import significant

_JSON_RESULTS = frozenset({
    "json", "json_array", "json_array_insert", "json_extract", "json_group_array", "json_group_object", "json_insert",
    "json_object", "json_patch", "json_remove", "json_replace", "json_set",
})  # fmt: skip


def json_results(sql: str) -> Iterator[SqlProblem]:
    """Columns of a query's result that a JSON function makes: they come out as text, not as JSON."""
    depth = 0
    begins = False
    for token, after in pairwise(significant(sql)):
        if depth == 0 and token.folded == "from":
            return
        if begins and token.folded in _JSON_RESULTS and after.text == "(":
            place = line_and_column(sql, token.start)
            message = f"What {token.folded}() makes reaches the agent as a text, not as JSON."
            yield SqlProblem("lost_json_subtype", message, *place, suggestion="Put rows into fields with `nest`.")
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        begins = depth == 0 and (token.folded in ("select", "distinct") or token.text == ",")


def has_order(sql: str) -> bool:
    """Whether a query says in which order its rows come."""
    depth = 0
    for token, after in pairwise(significant(sql)):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0 and token.folded == "order" and after.folded == "by":
            return True
    return False
