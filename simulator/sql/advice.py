"""What an author probably did not mean: warnings about statements that are allowed.

Read from sqlglot's tree. Best effort with few false alarms: a statement the tree cannot be had of gets no advice.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterator
from decimal import Decimal

from sqlglot import exp

from simulator.sql.problems import SqlProblem
from simulator.sql.trees import find_cte, parse, sources

ColumnName = tuple[str, str]
"""(table, column), both as declared."""

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Glob, exp.Between, exp.In)
# A NULL below these is dealt with.
_NULL_SAFE = (exp.Exists, exp.Coalesce, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ, exp.AggFunc, exp.If, exp.Case)

_PLAIN_NUMBER = re.compile(r"[0-9]{1,30}(\.[0-9]{1,30})?")

_JSON_MAKERS = (exp.JSONObject, exp.JSONArrayAgg, exp.JSONObjectAgg, exp.JSONSet, exp.JSONArrayInsert)
_JSON_MAKER_NAMES = frozenset(
    {"json_array", "json_group_array", "json_group_object", "json_insert", "json_object", "json_replace", "json_set"}
)


def nullable_comparison(condition: str, nullable: Collection[ColumnName]) -> list[SqlProblem]:
    """Comparisons in a condition that are neither true nor false when a nullable column is NULL.

    Left alone: columns tested with IS NULL anywhere in the condition, and those under coalesce, EXISTS, IS, CASE or an
    aggregate, or in the WHERE of a subquery, where NULL simply selects nothing.
    """
    tree = parse(f"select (\n{condition}\n)")
    if tree is None:
        return []
    known = {(table.lower(), column.lower()) for table, column in nullable}
    tested = {column.sql().lower() for test in tree.find_all(exp.Is) for column in test.find_all(exp.Column)}
    found: dict[str, SqlProblem] = {}
    for column in tree.find_all(exp.Column):
        spelled = column.sql()
        if spelled.lower() not in tested and _is_compared(column) and _tables_of(column) & _owners(column, known):
            found.setdefault(
                spelled,
                SqlProblem(
                    "nullable_comparison",
                    f"`{spelled}` can be NULL, and then this comparison does not hold, whichever way it is written.",
                    suggestion="Say what is meant with `is null`, `is not null` or coalesce().",
                    names=(column.name,),
                ),
            )
    return list(found.values())


def lost_json_subtype(sql: str, json_columns: Collection[ColumnName] = ()) -> list[SqlProblem]:
    """JSON put into JSON that comes out as a quoted string.

    SQLite forgets that a value is JSON when it leaves a subquery, a CTE, a view or a table. ``json_columns`` are
    the columns of tables and views that hold JSON.
    """
    tree = parse(sql)
    if tree is None:
        return []
    known = {(table.lower(), column.lower()) for table, column in json_columns}
    found: dict[str, SqlProblem] = {}
    for maker in tree.find_all(exp.Func):
        if not _makes_json(maker):
            continue
        for value in _values(maker):
            if _is_forgotten(value, known):
                spelled = value.sql(dialect="sqlite")
                found.setdefault(
                    spelled,
                    SqlProblem(
                        "lost_json_subtype",
                        f"`{spelled[:80]}` holds JSON, but goes in as a quoted string.",
                        suggestion="Put json(…) around it.",
                    ),
                )
    return list(found.values())


def sum_of_nothing(sql: str) -> list[SqlProblem]:
    """A ``sum`` that is NULL where there are no rows, and so makes NULL of what is calculated or compared with it.

    Only where a subquery gives the sum to arithmetic or a comparison and nothing around it deals with NULL; in a WHERE,
    NULL simply selects nothing.
    """
    tree = parse(sql)
    if tree is None:
        return []
    found: dict[str, SqlProblem] = {}
    for call in tree.find_all(exp.Sum):
        query = call.find_ancestor(exp.Select)
        subquery = query.parent if query is not None else None
        if query is None or not isinstance(subquery, exp.Subquery) or query.args.get("group"):
            continue
        if call.find_ancestor(exp.Window, exp.Select) is query and _reaches(call, query) and _is_calculated(subquery):
            spelled = call.sql(dialect="sqlite")
            found.setdefault(
                spelled,
                SqlProblem(
                    "sum_of_nothing",
                    f"`{spelled[:80]}` is NULL where there are no rows, and so is all that is calculated with it.",
                    suggestion="Write coalesce(…, 0).",
                ),
            )
    return list(found.values())


def whole_division(sql: str) -> list[SqlProblem]:
    """A quotient of counts and whole numbers, which SQLite cuts to a whole number: ``count(*) / 2``."""
    tree = parse(sql)
    if tree is None:
        return []
    found: dict[str, SqlProblem] = {}
    for division in tree.find_all(exp.Div):
        sides = (division.left.unnest(), division.right.unnest())
        if all(map(_is_whole, sides)):
            spelled = division.sql(dialect="sqlite")
            found.setdefault(
                spelled,
                SqlProblem(
                    "whole_division",
                    f"`{spelled[:80]}` divides whole numbers, so what is behind the point is cut off.",
                    suggestion="Multiply one side by 1.0 first.",
                ),
            )
    return list(found.values())


def tautological_where(sql: str, never_null: Collection[str] = ()) -> SqlProblem | None:
    """An update or delete that has no WHERE, or one that is true of every row (``1 = 1``, ``id = id``).

    ``never_null`` are columns of the table it writes that always have a value, such as its key's.
    """
    tree = parse(sql)
    if not isinstance(tree, exp.Update | exp.Delete):
        return None
    where = tree.args.get("where")
    if where is None:
        message = "There is no WHERE: every row is changed."
    elif isinstance(tree.this, exp.Table) and _Truth(tree.this, never_null).of(where.this):
        message = "The WHERE is true of every row."
    else:
        return None
    return SqlProblem("tautological_where", message, suggestion="Say which rows are meant.")


def _reaches(call: exp.Expr, query: exp.Select) -> bool:
    """Whether a NULL of ``call`` is what its query gives: it is in the projection, and nothing deals with NULL."""
    node = call.parent
    while node is not None and node is not query:
        if isinstance(node, (*_NULL_SAFE, exp.Where, exp.Having, exp.Order)):
            return False
        node = node.parent
    return True


def _is_calculated(subquery: exp.Expr) -> bool:
    """Whether the value of a scalar subquery goes into arithmetic or a comparison before anything deals with NULL."""
    node = subquery.parent
    while isinstance(node, exp.Paren | exp.Neg | exp.Subquery):
        node = node.parent
    if not isinstance(node, (exp.Add, exp.Sub, exp.Mul, exp.Div, *_COMPARISONS)):
        return False
    while node is not None and not isinstance(node, exp.Select):
        if isinstance(node, (*_NULL_SAFE, exp.Where, exp.Join, exp.Having, exp.Order)):
            return False
        node = node.parent
    return True


def _is_whole(node: exp.Expr) -> bool:
    if isinstance(node, exp.Literal):
        return not node.is_string and node.name.isdigit()
    return isinstance(node, exp.Count)


def _is_compared(column: exp.Column) -> bool:
    """Whether a NULL in ``column`` reaches a comparison of the condition itself."""
    compared = False
    node: exp.Expr | None = column.parent
    while node is not None:
        if isinstance(node, (*_NULL_SAFE, exp.Where, exp.Join, exp.Having, exp.Order)):
            return False
        compared = compared or isinstance(node, _COMPARISONS)
        node = node.parent
    return compared


def _tables_of(column: exp.Column) -> set[str]:
    """The tables a column can belong to, by the FROM clauses around it; its qualifier where there are none."""
    qualifier = column.table.lower()
    found: set[str] = set()
    select = column.find_ancestor(exp.Select)
    while select is not None:
        for alias, item in sources(select):
            if isinstance(item, exp.Table) and qualifier in ("", alias):
                found.add(item.name.lower())
        if found:
            return found
        select = select.find_ancestor(exp.Select)
    return {qualifier} if qualifier else found


def _owners(column: exp.Column, known: set[ColumnName]) -> set[str]:
    return {table for table, name in known if name == column.name.lower()}


def _makes_json(node: exp.Expr) -> bool:
    return isinstance(node, _JSON_MAKERS) or (
        isinstance(node, exp.Anonymous) and node.name.lower() in _JSON_MAKER_NAMES
    )


def _values(maker: exp.Expr) -> Iterator[exp.Expr]:
    """The arguments of a JSON function."""
    for argument in maker.iter_expressions():
        value = argument.expression if isinstance(argument, exp.JSONKeyValue) else argument
        while isinstance(value, exp.Paren | exp.Coalesce):
            value = value.this
        yield value


def _is_forgotten(value: exp.Expr, known: set[ColumnName]) -> bool:
    if isinstance(value, exp.Subquery):
        return isinstance(value.this, exp.Select) and _column_is_json(value.this, None, known)
    if not isinstance(value, exp.Column):
        return False
    select = value.find_ancestor(exp.Select)
    if select is None:
        return False
    name, qualifier = value.name.lower(), value.table.lower()
    for alias, item in sources(select):
        if qualifier not in ("", alias):
            continue
        query = item.this if isinstance(item, exp.Subquery) else find_cte(item.name.lower(), item)
        if isinstance(query, exp.Select) and _column_is_json(query, name, known):
            return True
        if query is None and (item.name.lower(), name) in known:
            return True
    return False


def _column_is_json(query: exp.Select, name: str | None, known: set[ColumnName]) -> bool:
    """Whether the column ``name`` of a query (the only one for ``None``) is made by a JSON function or is such."""
    for projection in query.expressions:
        if name is None or projection.alias_or_name.lower() == name:
            made = projection.unalias()
            return _makes_json(made) or (isinstance(made, exp.Column) and _is_forgotten(made, known))
    return False


class _Truth:
    """What a condition on the rows of ``table`` is for all of them alike: true, false, or None where it depends."""

    def __init__(self, table: exp.Table, never_null: Collection[str]) -> None:
        self._name = table.name.lower()
        self._alias = table.alias_or_name.lower()
        self._never_null = {name.lower() for name in never_null}

    def of(self, condition: exp.Expr) -> bool | None:
        """A row whose compared value is NULL is left out of account."""
        condition = condition.unnest()
        if isinstance(condition, exp.Literal):
            return None if condition.is_string else condition.name not in ("0", "0.0")
        if isinstance(condition, exp.Boolean):
            return bool(condition.this)
        if isinstance(condition, exp.Not):
            inner = self.of(condition.this)
            return None if inner is None else not inner
        if isinstance(condition, exp.Or | exp.And):
            sides = {self.of(condition.left), self.of(condition.right)}
            decisive = isinstance(condition, exp.Or)
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        if isinstance(condition, exp.Is) and isinstance(condition.expression, exp.Null):
            return False if self._has_value(condition.this) else None
        if isinstance(condition, exp.In):
            return True if self._is_in_itself(condition) else None
        return _compared_alike(condition)

    def _is_own(self, node: exp.Expr) -> bool:
        return isinstance(node, exp.Column) and node.table.lower() in ("", self._alias)

    def _has_value(self, node: exp.Expr) -> bool:
        node = node.unnest()
        return self._is_own(node) and node.name.lower() in self._never_null

    def _is_in_itself(self, condition: exp.In) -> bool:
        """``id in (select id from the same table)``, all of it."""
        query = condition.args.get("query")
        select = query.unnest() if isinstance(query, exp.Expr) else None
        column = condition.this.unnest()
        if not isinstance(select, exp.Select) or not self._is_own(column):
            return False
        given = {name for name, value in select.args.items() if value}
        if not given <= {"expressions", "from_", "distinct", "order", "kind"} or len(select.expressions) != 1:
            return False
        listed = select.expressions[0].unalias()
        tables = [item for _, item in sources(select)]
        return (
            isinstance(listed, exp.Column)
            and listed.name.lower() == column.name.lower()
            and len(tables) == 1
            and isinstance(tables[0], exp.Table)
            and tables[0].name.lower() == self._name
            and listed.table.lower() in ("", tables[0].alias_or_name.lower())
        )


_NUMBERS: dict[type[exp.Expr], Callable[[Decimal, Decimal], bool]] = {
    exp.EQ: operator.eq, exp.NEQ: operator.ne, exp.GT: operator.gt, exp.GTE: operator.ge, exp.LT: operator.lt,
    exp.LTE: operator.le,
}  # fmt: skip


def _compared_alike(condition: exp.Expr) -> bool | None:
    """A comparison of something with itself, or of two numbers."""
    if isinstance(condition, exp.EQ | exp.GTE | exp.LTE | exp.Is) and condition.left == condition.right:
        return True
    compare = _NUMBERS.get(type(condition))
    if compare is None or not isinstance(condition, exp.Binary):
        return None
    if not all(
        isinstance(side, exp.Literal) and not side.is_string and _PLAIN_NUMBER.fullmatch(side.name)
        for side in (condition.left, condition.right)
    ):
        return None
    return compare(Decimal(condition.left.name), Decimal(condition.right.name))
