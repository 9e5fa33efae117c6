"""What a FROM clause reads: tables, subqueries, lists of values, functions that return rows; and how they are joined.

SQLite has no LATERAL, but the arguments of its table functions may read the tables to their left: so a subquery that
does is put into ``json_each`` as an array of rows, and functions that return rows are arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from simulator.sql.dialects.catalogue import TableShape
from simulator.sql.dialects.conversions import coerced, implicit
from simulator.sql.dialects.ordering import comparable
from simulator.sql.dialects.refusals import mistyped, only, refuse, unsupported
from simulator.sql.dialects.scopes import Scope, Source, SourceColumn, collated, columns_of, folded, unique_names
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import BOOLEAN, TEXT, Type
from simulator.sql.dialects.values import Value, quoted
from simulator.sql.problems import did_you_mean

if TYPE_CHECKING:
    from simulator.sql.dialects.query_shape import Query


@dataclass(frozen=True, slots=True)
class Rows:
    """What a table function returns: SQLite text of an array, and its columns' names and types. One column is the
    element itself, several are an array's elements.
    """

    array: str
    columns: tuple[tuple[str, Type], ...]


TableFunction = Callable[[Translator, exp.Expr, list[Value]], Rows]


@dataclass(frozen=True, slots=True)
class From:
    """A translated FROM clause."""

    sql: str
    scope: Scope


class FromClause:
    """Builds one FROM clause, item by item."""

    def __init__(self, translator: Translator, scope: Scope, compile_query: Callable[..., Query]) -> None:
        self.translator = translator
        self.scope = scope
        self.compile_query = compile_query
        self.sql = ""
        self.group_start = 0  # ON sees the items since the last comma

    def first(self, node: exp.Expr) -> None:
        """The first item."""
        text, source, conditions = self._item(node)
        if conditions:
            raise unsupported("This item of FROM", node, "Write the joins without brackets.")
        self._add(source, node)
        self.sql = text
        self._joins(node)

    def _joins(self, node: exp.Expr) -> None:
        for join in node.args.get("joins") or []:
            self.join(join)

    def join(self, join: exp.Expr) -> None:
        """One more item."""
        only(join, "this", "on", "using", "side", "kind", "method")
        side, kind = str(join.args.get("side") or "").upper(), str(join.args.get("kind") or "").upper()
        natural = str(join.args.get("method") or "").upper() == "NATURAL"
        if kind not in ("", "INNER", "CROSS", "OUTER") or (join.args.get("method") and not natural):
            raise unsupported(f"{kind} JOIN", join, "Use JOIN, LEFT JOIN, FULL JOIN, CROSS JOIN, EXISTS or NOT EXISTS.")
        is_comma = not (side or kind or natural or join.args.get("on") is not None or join.args.get("using"))
        if is_comma:
            self.group_start = len(self.scope.sources)
        elif side in ("RIGHT", "FULL") and self.group_start:
            raise unsupported("RIGHT or FULL JOIN after a comma", join, "Write CROSS JOIN instead of the comma.")
        before = self.scope
        text, source, _ = self._item(join.this)
        if text.startswith("json_each(") and side in ("RIGHT", "FULL"):
            raise unsupported(f"{side} JOIN of a function or LATERAL", join, "Use LEFT JOIN.")
        self._add(source, join.this)
        word = "CROSS JOIN" if is_comma or kind == "CROSS" else f"{side} JOIN".strip()
        self.sql += f" {word} {text}"
        names = (
            self._shared_names(before, source) if natural else [folded(item) for item in join.args.get("using") or []]
        )
        if names:
            self.sql += f" ON {self._merge(names, before, source, side, join)}"
        elif natural:
            self.sql += " ON 1"
        elif join.args.get("on") is not None:
            visible = replace(self.scope, sources=self.scope.sources[self.group_start :], clause="JOIN conditions")
            condition = self.translator.expression(join.args["on"], visible)
            condition = implicit(condition, BOOLEAN, join, "argument of JOIN/ON")
            self.sql += f" ON {condition.sql}"
        self._joins(join.this)

    def _add(self, source: Source, node: exp.Expr) -> None:
        if any(other.name == source.name for other in self.scope.sources):
            raise refuse(
                "sql_syntax", f'table name "{source.name}" specified more than once', node, "Give each an alias."
            )
        self.scope = replace(self.scope, sources=(*self.scope.sources, source))

    def _shared_names(self, before: Scope, source: Source) -> list[str]:
        known = {column.name for other in before.sources[self.group_start :] for column in other.columns}
        return [column.name for column in source.columns if column.name in known]

    def _merge(self, names: list[str], before: Scope, source: Source, side: str, join: exp.Expr) -> str:
        conditions = []
        merged = dict(self.scope.merged)
        for name in names:
            left = merged.get(name)
            if left is None:
                hits = [c for other in before.sources[self.group_start :] for c in other.named(name)]
                if len(hits) != 1:
                    what = "does not exist in left table" if not hits else "appears more than once in left table"
                    raise refuse("sql_unknown_name", f'column "{name}" specified in USING clause {what}', join)
                left = Value(hits[0].sql, hits[0].type)
            others = source.named(name)
            if len(others) != 1:
                message = f'column "{name}" specified in USING clause does not exist in right table'
                raise refuse("sql_unknown_name", message, join, "", [name])
            right = Value(others[0].sql, others[0].type)
            first, second = comparable(left, right, "=", join)
            conditions.append(f"{first} = {second}")
            if side == "FULL":
                merged[name] = Value(f"coalesce({left.sql}, {right.sql})", left.type)
            else:
                merged[name] = right if side == "RIGHT" else left
        self.scope = replace(self.scope, merged=merged)
        return " AND ".join(conditions)

    # -- Items ---------------------------------------------------------------------------------------------------------

    def _item(self, node: exp.Expr) -> tuple[str, Source, bool]:
        if isinstance(node, exp.Lateral):
            only(node, "this", "alias")
            return (*self._lateral(node), False)
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Anonymous):
            only(node, "this", "alias", "joins", "ordinality")
            arguments = list(node.this.expressions)
            return (*self._function(node, node.this.name.lower(), arguments, bool(node.args.get("ordinality"))), False)
        if isinstance(node, exp.Unnest):
            only(node, "expressions", "alias", "offset", "joins")
            return (*self._function(node, "unnest", list(node.expressions), bool(node.args.get("offset"))), False)
        if isinstance(node, exp.Table):
            return (*self._table(node), False)
        if isinstance(node, exp.Values):
            only(node, "expressions", "alias", "joins")
            return (*self._subquery(node, node), False)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query | exp.Values):
            only(node, "this", "alias", "joins")
            return (*self._subquery(node, node.this), False)
        raise unsupported("This item of FROM", node, "Write the joins without brackets, or as a subquery.")

    def _table(self, node: exp.Table) -> tuple[str, Source]:
        only(node, "this", "alias", "joins", "db", "catalog", "only")
        if not isinstance(node.this, exp.Identifier):
            raise mistyped("syntax error in FROM", node)
        name = folded(node.this)
        schema = folded(node.args["db"]) if isinstance(node.args.get("db"), exp.Identifier) else ""
        key: tuple[str, ...] = ()
        cte = self.scope.ctes.get(name) if not schema else None
        alias, renamed = alias_of(node)
        if cte is not None:
            names, types = [item[0] for item in cte.columns], [item[1] for item in cte.columns]
            sql_name, sql_names = cte.sql_name, unique_names(names)
        else:
            table = table_shape(self.translator, node)
            sql_name = table.name
            names = [column.name for column in table.columns]
            types = [column.value_type for column in table.columns]
            sql_names, key = names, table.key
        shown = _renamed(names, renamed, node)
        columns = columns_of(alias or name, shown, types, sql_names, self.translator.dialect.collation)
        source = Source(alias or name, columns, key if not renamed else ())
        return f"{quoted(sql_name)} AS {quoted(alias or name)}", source

    def _subquery(self, node: exp.Expr, query: exp.Expr) -> tuple[str, Source]:
        # A subquery in FROM does not see its neighbours, only the queries around.
        outer = self.scope.parent
        found = self.compile_query(self.translator, query, outer, self.scope.ctes)
        return self._named_rows(node, found)

    def _named_rows(self, node: exp.Expr, found: Query) -> tuple[str, Source]:
        alias, renamed = alias_of(node)
        alias = alias or self._unnamed()
        names = _renamed([column.name for column in found.columns], renamed, node)
        types = [TEXT if column.type.name == "unknown" else column.type for column in found.columns]
        return (
            f"({found.sql}) AS {quoted(alias)}",
            Source(alias, columns_of(alias, names, types, list(found.sql_names), self.translator.dialect.collation)),
        )

    def _lateral(self, node: exp.Lateral) -> tuple[str, Source]:
        inner = node.this
        if isinstance(inner, exp.Anonymous):
            return self._function(node, inner.name.lower(), list(inner.expressions), False)
        if isinstance(inner, exp.Unnest):
            return self._function(node, "unnest", list(inner.expressions), bool(inner.args.get("offset")))
        if not isinstance(inner, exp.Subquery):
            raise unsupported("This LATERAL", node, "Write LATERAL (SELECT …) AS x.")
        only(inner, "this")
        left = replace(self.scope, touched=[], clause="")
        found = self.compile_query(self.translator, inner.this, left, self.scope.ctes)
        if not left.touched:
            return self._named_rows(node, found)
        alias, renamed = alias_of(node)
        alias = alias or self._unnamed()
        names = _renamed([column.name for column in found.columns], renamed, node)
        row = f"json_array({', '.join(quoted(name) for name in found.sql_names)})"
        array = f"(SELECT json_group_array({row}) FROM ({found.sql}))"
        columns = tuple(
            SourceColumn(
                name,
                column.type,
                collated(f'({quoted(alias)}."value" ->> {index})', column.type, self.translator.dialect.collation),
            )
            for index, (name, column) in enumerate(zip(names, found.columns, strict=True))
        )
        return f"json_each({array}) AS {quoted(alias)}", Source(alias, columns)

    def _function(self, node: exp.Expr, name: str, arguments: list[exp.Expr], numbered: bool) -> tuple[str, Source]:
        rows = table_rows(self.translator, node, name, arguments, replace(self.scope, clause="functions in FROM"))
        alias, renamed = alias_of(node)
        only_alias = alias if alias and not renamed and len(rows.columns) == 1 and not numbered else ""
        names = [only_alias or column for column, _ in rows.columns] + (["ordinality"] if numbered else [])
        offset = node.args.get("offset")
        if isinstance(offset, exp.Identifier):  # sqlglot takes the last column of the alias away
            renamed = [*renamed, folded(offset)] if renamed else renamed
        alias = alias or name
        shown = _renamed(names, renamed, node)
        value = f'{quoted(alias)}."value"'
        if len(rows.columns) == 1:
            columns = [SourceColumn(shown[0], rows.columns[0][1], value)]
        else:
            columns = [
                SourceColumn(shown[index], kind, f"({value} ->> {index})")
                for index, (_, kind) in enumerate(rows.columns)
            ]
        if numbered:
            first = 0 if "offset_from_zero" in self.translator.dialect.habits else 1
            columns.append(SourceColumn(shown[-1], Type("int8"), f'({quoted(alias)}."key" + {first})'))
        return f"json_each({rows.array}) AS {quoted(alias)}", Source(alias, tuple(columns))

    def _unnamed(self) -> str:
        self.translator.lateral_names += 1
        return f"unnamed:{self.translator.lateral_names}"


def table_rows(translator: Translator, node: exp.Expr, name: str, arguments: list[exp.Expr], scope: Scope) -> Rows:
    """The rows a table function returns."""
    function = translator.dialect.table_functions.get(name)
    if function is None:
        known = sorted(translator.dialect.table_functions)
        suggestion = did_you_mean(name, known) or f"Functions in FROM are {', '.join(known)}."
        raise unsupported(f"{name}() in FROM", node, suggestion)
    return function(translator, node, [translator.expression(argument, scope) for argument in arguments])


def table_shape(translator: Translator, node: exp.Table) -> TableShape:
    """The table a node names. Raises :class:`Refused` for one there is not."""
    name = folded(node.this)
    schema = folded(node.args["db"]) if node.args.get("db") is not None else ""
    spelled = f"{schema}.{name}" if schema else name
    table = translator.catalogue.tables.get(name)
    if node.args.get("catalog") is not None or schema not in ("", translator.dialect.default_schema) or table is None:
        hint = did_you_mean(name, translator.catalogue.tables)
        if not hint:
            hint = f"The tables are {', '.join(sorted(translator.catalogue.tables)[:30])}."
        raise refuse("sql_unknown_name", f'relation "{spelled}" does not exist', node, hint, [name])
    return table


def alias_of(node: exp.Expr) -> tuple[str, list[str]]:
    """Alias and column aliases; empty without."""
    alias = node.args.get("alias")
    if alias is None:
        return "", []
    if any(not isinstance(item, exp.Identifier) for item in alias.columns):
        raise unsupported("Column types in an alias", node, "Select the columns from jsonb fields with ->>.")
    return (folded(alias.this) if alias.this is not None else ""), [folded(item) for item in alias.columns]


def _renamed(names: list[str], renamed: list[str], node: exp.Expr) -> list[str]:
    if len(renamed) > len(names):
        raise mistyped(f"there are {len(names)} columns available but {len(renamed)} columns specified", node)
    return [*renamed, *names[len(renamed) :]]


# -- Functions that return rows ----------------------------------------------------------------------------------------


def generate_series(_: Translator, node: exp.Expr, values: list[Value]) -> Rows:
    """``generate_series(start, stop, step)`` of integers or times."""
    if len(values) not in (2, 3):
        raise mistyped("function generate_series needs start, stop and step", node)
    start, stop = values[0], values[1]
    if all(value.type.is_integer for value in values):
        kind = Type("int8") if any(value.type.name == "int8" for value in values) else Type("int4")
        step = values[2].sql if len(values) == 3 else "1"
        return Rows(f"dx_integer_series({start.sql}, {stop.sql}, {step})", (("generate_series", kind),))
    is_time = all(value.type.is_instant or value.type.name == "unknown" for value in (start, stop))
    if not is_time or len(values) != 3 or values[2].type.name not in ("interval", "unknown"):
        raise unsupported("This generate_series()", node, "Use integers, or two times and an interval.")
    # Dates are taken for timestamps with time zone, unless one side is a timestamp.
    kind = Type("timestamp") if "timestamp" in (start.type.name, stop.type.name) else Type("timestamptz")
    step = coerced(values[2], Type("interval"), node).sql
    first, last = coerced(start, kind, node).sql, coerced(stop, kind, node).sql
    return Rows(f"dx_timestamp_series({first}, {last}, {step})", (("generate_series", kind),))


def unnest(_: Translator, node: exp.Expr, values: list[Value]) -> Rows:
    """``unnest(array)``."""
    if len(values) != 1 or values[0].type.element is None:
        raise unsupported("This unnest()", node, "Unnest one array, with its type: unnest(ARRAY[1, 2]).")
    return Rows(values[0].sql, (("unnest", values[0].type.element),))


def of_text(function: str, name: str) -> TableFunction:
    """A function that splits a text into rows."""

    def body(_: Translator, node: exp.Expr, values: list[Value]) -> Rows:
        if len(values) != 2 or any(value.type.name not in ("text", "unknown") for value in values):
            raise mistyped(f"function {name} needs two texts", node)
        return Rows(f"{function}({values[0].sql}, {values[1].sql})", ((name, TEXT),))

    return body


def of_document(sql: str, columns: tuple[tuple[str, Type], ...]) -> TableFunction:
    """A function that takes a JSON document apart."""

    def body(_: Translator, node: exp.Expr, values: list[Value]) -> Rows:
        if len(values) != 1:
            raise mistyped("the function needs one jsonb", node)
        document = implicit(values[0], Type("json"), node, "argument")
        return Rows(sql.format(document.sql), columns)

    return body
