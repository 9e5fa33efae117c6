"""RETURNING as the row is stored: SQLite shows decimals there before the engine's triggers have rounded them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from simulator.sql.agent.grants import GrantedTable
from simulator.sql.agent.shape import Shape
from simulator.sql.rewriting import Edit
from simulator.sql.statement import quote
from simulator.sql.tokens import Token

# Words before an operand; behind any other word a name is an alias.
_LEADING_WORDS = frozenset(
    "returning not and or then else when case between like glob is distinct from in escape match regexp".split()  # noqa: SIM905
)


def rounded(table: GrantedTable, column: str) -> str:
    """A column of ``table`` as RETURNING gives it, under its name."""
    scale = table.relation.scales.get(column)
    name = quote(column)
    return name if scale is None else f"decimal_round({name}, {scale}) as {name}"


def rounded_returning(sql: str, tokens: Sequence[Token], shape: Shape, target: GrantedTable | None) -> Iterator[Edit]:
    """The edits that round the decimals of the written table in its RETURNING, outside subqueries."""
    if target is None or shape.returned < 0 or shape.kind == "delete" or not target.relation.scales:
        return
    scales = {name.lower(): (name, scale) for name, scale in target.relation.scales.items()}
    for item in _items(tokens[shape.returned + 1 :]):
        columns = list(_columns(item, scales))
        for first, last in columns:
            yield Edit(item[first].start, item[first].start, "decimal_round(")
            yield Edit(item[last].end, item[last].end, f", {scales[(item[last].name or '').lower()][1]})")
        if columns and not _is_alias(item, len(item) - 1):
            alone = columns == [(0, len(item) - 1)]
            name = scales[(item[-1].name or "").lower()][0] if alone else sql[item[0].start : item[-1].end]
            yield Edit(item[-1].end, item[-1].end, f" as {quote(name)}")


def _items(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    depth = start = 0
    for index, token in enumerate(tokens):
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0 and token.text in (",", ";"):
            if index > start:
                yield tokens[start:index]
            start = index + 1
    if len(tokens) > start:
        yield tokens[start:]


def _columns(item: Sequence[Token], known: Container[str]) -> Iterator[tuple[int, int]]:
    """First and last token of each decimal column that the item reads itself."""
    depth = subquery = 0
    for index, token in enumerate(item):
        depth += (token.text == "(") - (token.text == ")")
        if subquery and depth < subquery:
            subquery = 0
        if token.folded == "select" and token.kind == "word" and not subquery:
            subquery = max(depth, 1)
        is_column = token.kind in ("word", "quoted") and (token.name or "").lower() in known
        follows = item[index + 1].text if index + 1 < len(item) else ""
        if is_column and not subquery and follows not in (".", "(") and not _is_alias(item, index):
            yield (index - 2 if index >= 2 and item[index - 1].text == "." else index), index


def _is_alias(item: Sequence[Token], index: int) -> bool:
    """Whether the name at ``index`` is what the value before it is called."""
    if index == 0 or item[index].kind not in ("word", "quoted", "string"):
        return False
    before = item[index - 1]
    if before.kind == "word":
        return before.folded not in _LEADING_WORDS
    return before.kind in ("number", "string", "quoted", "blob") or before.text == ")"
