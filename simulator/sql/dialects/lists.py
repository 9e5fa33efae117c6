"""What dialects allow in a SELECT list and its clauses beside the standard: aliases that are read again, ``*`` without
some columns, ORDER BY ALL.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from simulator.sql.dialects.refusals import mistyped, only, refuse, unsupported
from simulator.sql.dialects.scopes import Scope, folded
from simulator.sql.dialects.translator import Habit
from simulator.sql.dialects.values import Value
from simulator.sql.problems import did_you_mean

MAX_EXPANDED_NODES = 3_000
StarColumn = tuple[str, exp.Expr | None, Value | None]


def read_aliases(node: exp.Select, scope: Scope, habits: frozenset[Habit]) -> None:
    """Write the expression of an alias where it is read, in place. A column of a table goes before an alias."""
    known: dict[str, exp.Expr] = {}
    expansion = _Expansion(scope, known)
    for item in list(node.expressions):
        if "alias_in_select" in habits:
            expansion.expand(item)
        if isinstance(item, exp.Alias):
            known.setdefault(folded(item.args["alias"]), item.this)
    clauses: tuple[tuple[str, Habit], ...] = (
        ("where", "alias_in_where"), ("having", "alias_in_having"), ("qualify", "alias_in_qualify"),
    )  # fmt: skip
    for name, habit in clauses:
        if habit in habits and node.args.get(name) is not None:
            expansion.expand(node.args[name])
    if "alias_in_having" in habits and node.args.get("order") is not None:
        for term in node.args["order"].expressions:
            if not isinstance(term.this, exp.Column):  # a plain name is the alias anyway
                expansion.check_order(term)
                expansion.expand(term)


class _Expansion:
    """Puts expressions in the place of their names, up to a bound: each may double the one before."""

    def __init__(self, scope: Scope, known: dict[str, exp.Expr]) -> None:
        self._scope = scope
        self._known = known
        self._nodes = 0

    def expand(self, node: exp.Expr) -> None:
        """Every name within ``node``, but for those in subqueries."""
        for column in list(_own_columns(node)):
            name = folded(column.this)
            if name not in self._known or self._is_column(name):
                continue
            meant = self._known[name].copy()
            self._nodes += sum(1 for _ in meant.walk())
            if self._nodes > MAX_EXPANDED_NODES:
                raise refuse("sql_limit", "The aliases of the list stand for too much.", node, "Use subqueries.")
            column.replace(exp.Paren(this=meant))

    def check_order(self, node: exp.Expr) -> None:
        """Raises :class:`Refused` for a name in an expression of ORDER BY that is a column and another alias."""
        for column in _own_columns(node):
            name = folded(column.this)
            meant = self._known.get(name)
            if meant is not None and self._is_column(name) and not (isinstance(meant, exp.Column) and meant == column):
                what = f"`{name}` in an expression of ORDER BY, which is a column of a table and another of the list,"
                raise unsupported(what, column, "Give the list's column another alias.")

    def _is_column(self, name: str) -> bool:
        return name in self._scope.merged or any(source.named(name) for source in self._scope.sources)


def _own_columns(node: exp.Expr) -> Iterator[exp.Column]:
    for item in node.walk(prune=lambda item: isinstance(item, exp.Query)):
        if isinstance(item, exp.Column) and item.args.get("table") is None and isinstance(item.this, exp.Identifier):
            yield item


def changed_star(star: exp.Expr, columns: list[StarColumn], habits: frozenset[Habit]) -> list[StarColumn]:
    """The columns of ``*`` with its EXCEPT or EXCLUDE, REPLACE and RENAME."""
    allowed = [
        word
        for word, habit in (("except_", "star_except"), ("replace", "star_replace"), ("rename", "star_rename"))
        if habit in habits
    ]
    only(star, *allowed)
    names = {name for name, _, _ in columns}
    left_out = {_named(item, names) for item in star.args.get("except_") or []}
    renamed = {_named(item.this, names): folded(item.args["alias"]) for item in star.args.get("rename") or []}
    replaced = {_named(item.args["alias"], names): item.this for item in star.args.get("replace") or []}
    if left_out & {*renamed, *replaced}:
        raise mistyped("a column left out of * cannot be renamed or replaced", star)
    return [
        (renamed.get(name, name), replaced.get(name, node), None if name in replaced else value)
        for name, node, value in columns
        if name not in left_out
    ]


def _named(item: exp.Expr, names: set[str]) -> str:
    name = folded(item.this if isinstance(item, exp.Column) else item)
    if name not in names:
        message = f'column "{name}" does not exist'
        hint = did_you_mean(name, names) or f"The columns of * are {', '.join(sorted(names)[:30])}."
        raise refuse("sql_unknown_name", message, item, hint, [name])
    return name


def order_by_all(order: exp.Expr, names: list[str]) -> exp.Expr:
    """ORDER BY ALL as the numbers of the list's columns."""
    (first, *others) = order.expressions
    is_all = (
        isinstance(first.this, exp.Column) and first.this.name.lower() == "all" and not first.this.args.get("table")
    )
    if others or not is_all or first.this.this.args.get("quoted") or "all" in names:
        return order
    terms = []
    for index in range(len(names)):
        term = first.copy()
        term.set("this", exp.Literal.number(index + 1))
        terms.append(term)
    return exp.Order(expressions=terms)
