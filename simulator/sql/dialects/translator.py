"""The walk over a statement's tree: each expression is translated by the one rule for its kind of node.

What has no rule is refused; a rule looks at every part of its node or refuses the part. So nothing passes that
nobody has thought about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from sqlglot import exp

from simulator.sql.dialects.catalogue import TableCatalogue
from simulator.sql.dialects.naming import POSTGRES_NAMING, Naming
from simulator.sql.dialects.refusals import Refused, mistyped, refuse, unsupported
from simulator.sql.dialects.scopes import EMPTY_IS_NULL, Scope, collated
from simulator.sql.dialects.strictness import Reading
from simulator.sql.dialects.value_types import Type, meeting
from simulator.sql.dialects.values import NULL, Value
from simulator.sql.problems import SqlProblem

if TYPE_CHECKING:
    from simulator.sql.dialects.calls import FunctionRule
    from simulator.sql.dialects.tables import TableFunction

Rule = Callable[["Translator", exp.Expr, Scope], Value]

MAX_TRANSLATION = 200_000
"""Characters of SQLite text that one expression may become."""

_COLLATED = re.compile(r" COLLATE \w+\)\Z|\Anullif\(.*, ''\)\Z", re.DOTALL)


Habit = Literal[
    "rows_known_by_key", "qualify", "group_by_all", "order_by_all", "star_except", "star_replace", "star_rename",
    "alias_in_select", "alias_in_where", "alias_in_having", "alias_in_qualify", "where_required", "one_source_row",
    "rows_written_twice", "truth_is_a_number", "offset_from_zero", "one_type_of_number",
]  # fmt: skip
"""What only some dialects do: a group by a table's key knows its whole row; QUALIFY; GROUP BY ALL and ORDER BY ALL;
``* EXCEPT``, ``REPLACE`` and ``RENAME``; aliases of the list read in the list and in clauses; UPDATE and DELETE need a
WHERE; an UPDATE … FROM fails on a row that meets several; an upsert may meet a row twice; booleans are 0 and 1; the
rows of an array are numbered from 0; whole numbers are all of one type."""


def _as_worded(problem: SqlProblem) -> SqlProblem:
    return problem


def _as_read(tree: exp.Expr, _sql: str, _catalogue: TableCatalogue) -> exp.Expr:
    return tree


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a dialect is made of: how its text is read, a rule for each kind of node, for each function and for each
    table function, the default schema its tables may be written with, and, for functions that are refused on purpose,
    what to write instead; how it names columns, what it does beside PostgreSQL, and its wording of a problem, which
    the shared rules tell in PostgreSQL's. ``adapted`` makes of a statement's tree one that the shared rules can follow,
    and gets the text and the catalogue beside it; ``collation`` is SQLite's name for how texts compare, empty for by
    code point.
    """

    name: str
    reading: Reading
    rules: Mapping[type[exp.Expr], Rule]
    functions: Mapping[str, FunctionRule]
    table_functions: Mapping[str, TableFunction]
    default_schema: str
    alternatives: Mapping[str, str]
    naming: Naming = POSTGRES_NAMING
    habits: frozenset[Habit] = frozenset()
    messages: Callable[[SqlProblem], SqlProblem] = _as_worded
    adapted: Callable[[exp.Expr, str, TableCatalogue], exp.Expr] = _as_read
    collation: str = ""


class Translator:
    """Translates one statement. ``notes`` collects what was left out on purpose."""

    def __init__(self, dialect: Dialect, catalogue: TableCatalogue) -> None:
        self.dialect = dialect
        self.catalogue = catalogue.with_truth_as_number() if "truth_is_a_number" in dialect.habits else catalogue
        self.notes: list[str] = []
        self.lateral_names = 0

    def expression(self, node: exp.Expr, scope: Scope) -> Value:
        """The value of an expression. In a grouped query, one of the grouping expressions stands for itself."""
        grouping = scope.grouping
        groups = grouping is not None and (grouping.present or grouping.absent)
        if grouping is not None and groups and not isinstance(node, exp.Column | exp.Literal | exp.Null | exp.Boolean):
            free = self._ungrouped(node, scope)
            if free is not None and free.sql in grouping.present:
                return free
            if free is not None and free.sql in grouping.absent:
                return Value(NULL.sql, free.type)
        rule = self.dialect.rules.get(type(node))
        if rule is None:
            raise unsupported(_described(node), node, "Write it with the operators and functions of plain SQL.")
        value = self.collated(rule(self, node, scope))
        if len(value.sql) > MAX_TRANSLATION:
            # Some functions write an argument twice: nested in each other, the text would double with each.
            raise refuse("sql_limit", "This expression is too large.", node, "Compute parts of it in a subquery.")
        return value

    def collated(self, value: Value) -> Value:
        """A text that compares as the dialect compares texts, unless it says itself how it does."""
        if not self.dialect.collation or value.type.name != "text" or _COLLATED.search(value.sql) is not None:
            return value
        if value.is_null or (self.dialect.collation == EMPTY_IS_NULL and value.constant):
            return value
        return replace(value, sql=collated(value.sql, value.type, self.dialect.collation))

    def _ungrouped(self, node: exp.Expr, scope: Scope) -> Value | None:
        """The expression as it reads before grouping, if it is one that could be grouped by."""
        if node.find(exp.Query, exp.Window, exp.WithinGroup) is not None or self.calls_aggregate(node):
            return None
        try:
            return self.expression(node, replace(scope, grouping=None))
        except Refused:
            return None  # the grouped reading says what is wrong

    def calls_aggregate(self, node: exp.Expr) -> bool:
        """Whether an aggregate is called in a node, outside subqueries and not as a window function."""
        if isinstance(node, exp.Query | exp.Subquery):
            return False
        if isinstance(node, exp.GroupConcat) or (isinstance(node, exp.Anonymous) and self._is_aggregate(node)):
            windowed = isinstance(node.parent, exp.Window) or (
                isinstance(node.parent, exp.Filter) and isinstance(node.parent.parent, exp.Window)
            )
            if not windowed:
                return True
        return any(self.calls_aggregate(child) for child in node.iter_expressions())

    def _is_aggregate(self, node: exp.Anonymous) -> bool:
        rule = self.dialect.functions.get(node.name.lower())
        return rule is not None and rule.is_aggregate

    def meeting(self, values: list[Value], node: exp.Expr, what: str) -> Type:
        """The type several values meet in; ``what`` names them in the message."""
        found = meeting(value.type for value in values)
        if found is None:
            first, second = _unlike(values)
            raise mistyped(f"{what} types {first.label} and {second.label} cannot be matched", node)
        return found


def _unlike(values: list[Value]) -> tuple[Type, Type]:
    for value in values[1:]:
        if meeting((values[0].type, value.type)) is None:
            return values[0].type, value.type
    return values[0].type, values[-1].type


def _described(node: exp.Expr) -> str:
    text = node.sql(dialect="postgres")
    return f"`{text[:60]}{'…' if len(text) > 60 else ''}`"
