"""Queries: SELECT, set operations, lists of values, and common table expressions before them."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.conversions import coerced
from simulator.sql.dialects.ordering import direction, sortable
from simulator.sql.dialects.query_shape import Ctes, Query, limits_of, position_in
from simulator.sql.dialects.refusals import mistyped, only, refuse, unsupported
from simulator.sql.dialects.scopes import CteShape, Scope, folded, unique_names
from simulator.sql.dialects.selecting import Select
from simulator.sql.dialects.translated import OutputColumn
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import TEXT, Type
from simulator.sql.dialects.values import Value, quoted

MAX_ROWS_AS_SELECTS = 40


def query_in(translator: Translator, node: exp.Expr, scope: Scope) -> Query:
    """A query inside an expression; it sees the names around it."""
    if not scope.subqueries:
        raise unsupported("A subquery at this place", node, "Ask for it in a statement of its own.")
    while isinstance(node, exp.Paren):
        node = node.this
    return compile_query(translator, node, scope, scope.ctes)


def compile_query(
    translator: Translator, node: exp.Expr, outer: Scope | None, ctes: Ctes, *, top: bool = False
) -> Query:
    """Any query. ``top`` keeps column names as the dialect gives them, even when two are the same."""
    if isinstance(node, exp.Subquery):
        return _bracketed(translator, node, outer, ctes, top)
    prefix = ""
    if node.args.get("with_") is not None:
        prefix, ctes = common_tables(translator, node.args["with_"], outer, ctes)
    if isinstance(node, exp.Select):
        found = Select(translator, node, outer, ctes, top, compile_query).compile()
    elif isinstance(node, exp.SetOperation):
        found = _set_operation(translator, node, outer, ctes)
    elif isinstance(node, exp.Values):
        found = _values(translator, node, outer, ctes)
    else:
        raise refuse("sql_forbidden", "Only SELECT, INSERT, UPDATE and DELETE are allowed.", node)
    if top and not isinstance(node, exp.Select):
        found = _as_shown(translator, found)
    return replace(found, sql=prefix + found.sql)


def _as_shown(translator: Translator, found: Query) -> Query:
    """A set operation or list of values under the names a result has in the dialect."""
    naming = translator.dialect.naming
    names = [column.name for column in found.columns]
    shown = list(found.shown) or [naming.shown(name, None) for name in names]
    if shown == names:
        return found
    listed = ", ".join(f"{quoted(name)} AS {quoted(label)}" for name, label in zip(found.sql_names, shown, strict=True))
    columns = tuple(replace(column, name=name) for column, name in zip(found.columns, shown, strict=True))
    return replace(found, sql=f"SELECT {listed} FROM ({found.sql})", columns=columns)


def _bracketed(translator: Translator, node: exp.Subquery, outer: Scope | None, ctes: Ctes, top: bool) -> Query:
    only(node, "this", "with_", "order", "limit", "offset")
    prefix = ""
    if node.args.get("with_") is not None:
        prefix, ctes = common_tables(translator, node.args["with_"], outer, ctes)
    found = compile_query(translator, node.this, outer, ctes, top=top)
    tail = _output_order(translator, node, found) + limits_of(translator, node)
    if tail:
        found = replace(found, sql=f"SELECT * FROM ({found.sql}){tail}")
    return replace(found, sql=prefix + found.sql)


# -- Common table expressions ------------------------------------------------------------------------------------------


def common_tables(translator: Translator, node: exp.Expr, outer: Scope | None, ctes: Ctes) -> tuple[str, Ctes]:
    """The WITH clause, and the names it adds. A name like a table's is changed, so that it cannot pass for one."""
    only(node, "expressions", "recursive")
    known = dict(ctes)
    texts = []
    for cte in node.expressions:
        only(cte, "this", "alias", "materialized")
        if not isinstance(cte.this, exp.Query | exp.Values):
            raise unsupported(
                "A write in WITH", cte, "Send two statements: first the write with RETURNING, then the other."
            )
        name = folded(cte.args["alias"].this)
        renamed = [folded(item) for item in cte.args["alias"].columns]
        sql_name = f"{name}:cte" if name in translator.catalogue.tables else name
        if node.args.get("recursive") and _mentions(cte.this, name):
            found, shape = _recursive(translator, cte, sql_name, renamed, outer, known)
        else:
            found = compile_query(translator, cte.this, outer, known)
            shape = _shape(sql_name, found, renamed, cte)
        known[name] = shape
        names = ", ".join(quoted(item) for item in unique_names([column for column, _ in shape.columns]))
        hint = {True: " MATERIALIZED", False: " NOT MATERIALIZED"}.get(cte.args.get("materialized"), "")
        texts.append(f"{quoted(sql_name)}({names}) AS{hint} ({found.sql})")
    word = "WITH RECURSIVE" if node.args.get("recursive") else "WITH"
    return f"{word} {', '.join(texts)} ", known


def _shape(sql_name: str, found: Query, renamed: list[str], node: exp.Expr) -> CteShape:
    names = [column.name for column in found.columns]
    if len(renamed) > len(names):
        raise mistyped(f"WITH query has {len(names)} columns available but {len(renamed)} columns specified", node)
    types = [TEXT if column.type.name == "unknown" else column.type for column in found.columns]
    return CteShape(sql_name, tuple(zip([*renamed, *names[len(renamed) :]], types, strict=True)))


def _mentions(node: exp.Expr, name: str) -> bool:
    return any(
        isinstance(table.this, exp.Identifier) and folded(table.this) == name for table in node.find_all(exp.Table)
    )


def _recursive(
    translator: Translator, cte: exp.Expr, sql_name: str, renamed: list[str], outer: Scope | None, known: Ctes
) -> tuple[Query, CteShape]:
    union = cte.this
    if not isinstance(union, exp.Union):
        raise mistyped("a recursive query must have the form non-recursive-term UNION [ALL] recursive-term", cte)
    only(union, "this", "expression", "distinct", "with_")
    first = compile_query(translator, union.this, outer, known)
    shape = _shape(sql_name, first, renamed, cte)
    name = folded(cte.args["alias"].this)
    second = compile_query(translator, union.expression, outer, {**known, name: shape})
    if len(first.columns) != len(second.columns):
        raise mistyped("each UNION query must have the same number of columns", cte)
    texts = []
    for column, (label, kind), sql in zip(second.columns, shape.columns, second.sql_names, strict=True):
        is_whole = column.type.is_integer and kind.is_integer
        is_whole = is_whole and bool(translator.dialect.habits & {"truth_is_a_number", "one_type_of_number"})
        if column.type.name not in (kind.name, "unknown") and not is_whole:
            raise mistyped(
                f'recursive query "{name}" column "{label}" has type {kind.label} in non-recursive term but type '
                f"{column.type.label} overall", cte, f"Cast it in the first part: {label}::{column.type.label}.",
            )  # fmt: skip
        texts.append(quoted(sql))
    word = "UNION" if union.args.get("distinct") else "UNION ALL"
    return replace(first, sql=f"{_operand(first.sql)} {word} {second.sql}", single=False), shape


def _operand(sql: str) -> str:
    """A query as an operand of a set operation: with ORDER BY, WITH or more operands, it needs brackets around."""
    return f"SELECT * FROM ({sql})"


# -- Set operations and VALUES -----------------------------------------------------------------------------------------


def _set_operation(translator: Translator, node: exp.SetOperation, outer: Scope | None, ctes: Ctes) -> Query:
    only(node, "this", "expression", "distinct", "with_", "order", "limit", "offset")
    word = type(node).__name__.upper()
    if not node.args.get("distinct"):
        if word != "UNION":
            raise unsupported(f"{word} ALL", node, f"Use {word}, or a join with row_number().")
        word = "UNION ALL"
    left = compile_query(translator, node.this, outer, ctes)
    right = compile_query(translator, node.expression, outer, ctes)
    if len(left.columns) != len(right.columns):
        raise mistyped(f"each {word} query must have the same number of columns", node)
    kinds = []
    for first, second in zip(left.columns, right.columns, strict=True):
        kind = translator.meeting([Value("", first.type), Value("", second.type)], node, word)
        kind = TEXT if kind.name == "unknown" else kind
        if word != "UNION ALL" and kind.name in ("interval", "json", "array"):
            raise unsupported(f"{word} of {kind.label}", node, "Use UNION ALL, or select it as text.")
        kinds.append(kind)
    parts = [_in_types(translator, found, kinds, node) for found in (left, right)]
    columns = tuple(OutputColumn(column.name, kind) for column, kind in zip(left.columns, kinds, strict=True))
    sql = f"{parts[0]} {word} {parts[1]}"
    if word == "UNION" and translator.dialect.collation:
        # Of rows that are the same to the dialect the first is kept, whatever way SQLite sorts them.
        sql = f"SELECT DISTINCT * FROM ({parts[0]} UNION ALL {parts[1]})"
    found = Query(sql, columns, left.sql_names, shown=left.shown)
    tail = _output_order(translator, node, found) + limits_of(translator, node)
    return replace(found, sql=f"SELECT * FROM ({found.sql}){tail}") if tail else found


def _in_types(translator: Translator, found: Query, kinds: list[Type], node: exp.Expr) -> str:
    """A query as an operand, its columns in the types of the whole."""
    texts = []
    for index, (column, kind, name) in enumerate(zip(found.columns, kinds, found.sql_names, strict=True)):
        value = found.literals.get(index, Value(quoted(name), column.type))
        if value.type.name == "unknown" and kind.name != "text" and index not in found.literals:
            raise unsupported("A literal without type in a set operation", node, f"Cast it: '…'::{kind.label}.")
        texts.append(f"{translator.collated(coerced(value, kind, node)).sql} AS {quoted(name)}")
    return f"SELECT {', '.join(texts)} FROM ({found.sql})"


def _values(translator: Translator, node: exp.Values, outer: Scope | None, ctes: Ctes) -> Query:
    only(node, "expressions", "with_", "alias", "order", "limit", "offset", "joins")
    scope = Scope(parent=outer, ctes=ctes, clause="VALUES")
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row.unnest()] for row in node.expressions]
    if len({len(row) for row in rows}) != 1:
        raise mistyped("VALUES lists must all be the same length", node)
    values = [[translator.expression(item, scope) for item in row] for row in rows]
    kinds = []
    for column in zip(*values, strict=True):
        kind = translator.meeting(list(column), node, "VALUES")
        kinds.append(TEXT if kind.name == "unknown" else kind)
    texts = [
        ", ".join(coerced(value, kind, node).sql for value, kind in zip(row, kinds, strict=True)) for row in values
    ]
    names = [f"column{index + 1}" for index in range(len(kinds))]
    if len(rows) <= MAX_ROWS_AS_SELECTS:
        # SQLite names the columns of VALUES only when they are constants.
        selects = [
            ", ".join(
                f"{coerced(value, kind, node).sql} AS {quoted(name)}"
                for value, kind, name in zip(row, kinds, names, strict=True)
            )
            for row in values
        ]
        sql = " UNION ALL ".join(f"SELECT {select}" for select in selects)
    else:
        sql = f"VALUES {', '.join(f'({text})' for text in texts)}"
    columns = tuple(OutputColumn(name, kind) for name, kind in zip(names, kinds, strict=True))
    found = Query(sql, columns, tuple(names), len(rows) == 1)
    tail = _output_order(translator, node, found) + limits_of(translator, node)
    return replace(found, sql=f"SELECT * FROM ({found.sql}){tail}") if tail else found


def _output_order(translator: Translator, node: exp.Expr, found: Query) -> str:
    """ORDER BY of a set operation: by its columns' names or positions only."""
    order = node.args.get("order")
    if order is None:
        return ""
    terms = []
    for item in order.expressions:
        only(item, "this", "desc", "nulls_first")
        position = position_in(item.this, [column.name for column in found.columns])
        if position is None:
            raise mistyped(
                "invalid UNION/INTERSECT/EXCEPT ORDER BY clause", item, "Order by a column's name or number."
            )
        value = Value(quoted(found.sql_names[position]), found.columns[position].type)
        terms.append(f"{sortable(value, item)} {direction(item)}")
    return f" ORDER BY {', '.join(terms)}"
