"""One SELECT: its list with ``*`` written out, grouping sets, DISTINCT, QUALIFY, and their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from simulator.sql.dialects.conversions import implicit
from simulator.sql.dialects.lists import changed_star, order_by_all, read_aliases
from simulator.sql.dialects.ordering import direction, no_ordinal, sortable
from simulator.sql.dialects.query_shape import Ctes, Query, limits_of, position_in
from simulator.sql.dialects.refusals import mistyped, only, refuse, unsupported
from simulator.sql.dialects.scopes import Grouping, Scope, folded, unique_names
from simulator.sql.dialects.tables import FromClause, table_rows
from simulator.sql.dialects.translated import OutputColumn
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import BOOLEAN, TEXT
from simulator.sql.dialects.values import Value, quoted

MAX_GROUPING_SETS = 32
MAX_COLUMNS = 200


@dataclass(frozen=True, slots=True)
class _Item:
    """One column of a SELECT list."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class _Term:
    """One ORDER BY term: the column of the list it names (from 0), or an expression beside the list."""

    column: int | None
    value: Value
    words: str


class Select:
    """One SELECT. Three shapes come out: plain, one row per DISTINCT ON, and a UNION ALL of grouping sets."""

    _KNOWN = (
        "with_", "expressions", "from_", "joins", "where", "group", "having", "windows", "distinct", "order", "limit",
        "offset", "locks", "laterals", "qualify",
    )  # fmt: skip

    def __init__(
        self,
        translator: Translator,
        node: exp.Select,
        outer: Scope | None,
        ctes: Ctes,
        top: bool,
        compile_query: Callable[..., Query],
    ) -> None:
        only(node, *self._KNOWN)
        self.translator = translator
        self.compile_query = compile_query
        self.node = node
        self.top = top
        self.outer = outer
        self.scope = Scope(parent=outer, ctes=ctes)
        self.from_sql = ""
        self.where_sql = ""
        if node.args.get("locks"):
            translator.notes.append("FOR UPDATE is left out: nobody else writes meanwhile.")

    def compile(self) -> Query:
        """The whole statement."""
        self._from()
        names = self.translator.dialect.naming.names([i for i in self.node.expressions if not _is_star(i)])
        read_aliases(self.node, self.scope, self.translator.dialect.habits)
        self._where()
        self.nodes = self._expanded(names)
        free = replace(self.scope, aggregates=True, windows=self._windows(), clause="the SELECT list")
        names = [name for name, _, _ in self.nodes]
        group_sets = self._group_sets(free, names)
        if group_sets is None:
            return self._assembled(free, [(None, free)], names)
        present_all = {text for group in group_sets for text in group}
        branches = []
        for group in group_sets:
            grouping = Grouping(
                frozenset(group), frozenset(present_all) - frozenset(group), self._known_sources(frozenset(group))
            )
            branches.append((group, replace(free, grouping=grouping)))
        return self._assembled(free, branches, names)

    def _from(self) -> None:
        source = self.node.args.get("from_")
        if source is None:
            if self.node.args.get("joins") or self.node.args.get("laterals"):
                raise unsupported("A join without FROM", self.node, "Begin with FROM.")
            return
        clause = FromClause(self.translator, self.scope, self.compile_query)
        clause.first(source.this)
        for join in self.node.args.get("joins") or []:
            clause.join(join)
        if self.node.args.get("laterals"):
            raise unsupported("LATERAL VIEW", self.node, "Use CROSS JOIN LATERAL.")
        self.scope = clause.scope
        self.from_sql = f" FROM {clause.sql}"

    def _where(self) -> None:
        where = self.node.args.get("where")
        if where is None:
            return
        condition = self.translator.expression(where.this, replace(self.scope, clause="WHERE"))
        self.where_sql = f" WHERE {implicit(condition, BOOLEAN, where.this, 'argument of WHERE').sql}"

    def _windows(self) -> dict[str, exp.Window]:
        return {folded(item.this): item for item in self.node.args.get("windows") or []}

    def _expanded(self, names: list[str]) -> list[tuple[str, exp.Expr | None, Value | None]]:
        """The list's columns, ``*`` written out, as (name, node, or the value of a column from ``*``)."""
        result: list[tuple[str, exp.Expr | None, Value | None]] = []
        named = iter(names)
        for item in self.node.expressions:
            if not _is_star(item):
                name = next(named)
                inner = item.this if isinstance(item, exp.Alias) else item
                result.append((name, *self._set_returning(inner, name)))
                continue
            star = item.this if isinstance(item, exp.Column) else item
            wanted = folded(item.args["table"]) if isinstance(item, exp.Column) else ""
            sources = [source for source in self.scope.sources if wanted in ("", source.name)]
            if not sources:
                message = (
                    f'missing FROM-clause entry for table "{wanted}"'
                    if wanted
                    else "SELECT * with no tables specified is not valid"
                )
                raise refuse("sql_unknown_name", message, item, "", [wanted])
            merged = self.scope.merged if not wanted else {}
            columns: list[tuple[str, exp.Expr | None, Value | None]] = [
                (name, None, value) for name, value in merged.items()
            ]
            columns += [
                (column.name, None, Value(column.sql, column.type))
                for source in sources
                for column in source.columns
                if column.name not in merged
            ]
            result += changed_star(star, columns, self.translator.dialect.habits)
            if len(result) > MAX_COLUMNS:  # each query may double those of the one it reads
                raise refuse("sql_limit", f"A query has more than {MAX_COLUMNS} columns.", item, "Name those you need.")
        if not result:
            raise mistyped("SELECT needs at least one column", self.node)
        return result

    def _set_returning(self, node: exp.Expr, name: str) -> tuple[exp.Expr | None, Value | None]:
        """A function that returns rows, in the list: it is joined to the FROM clause."""
        if isinstance(node, exp.Explode):
            function, arguments = "unnest", [node.this]
        elif isinstance(node, exp.Anonymous) and node.name.lower() in self.translator.dialect.table_functions:
            function, arguments = node.name.lower(), list(node.expressions)
        else:
            return node, None
        if any(
            item.find(exp.Explode) or self._calls_rows(item)
            for item in self.node.expressions
            if item.unalias() is not node
        ):
            raise unsupported("Two functions that return rows in one list", node, "Put them into FROM.")
        if self.node.args.get("group") is not None or self.node.args.get("distinct") is not None:
            raise unsupported(f"{function}() in the list of a grouped query", node, "Put it into FROM.")
        rows = table_rows(self.translator, node, function, arguments, self.scope)
        if len(rows.columns) != 1:
            raise unsupported(f"{function}() in the SELECT list", node, "Put it into FROM.")
        alias = quoted(f"rows of {name}")
        item = f"json_each({rows.array}) AS {alias}"
        self.from_sql = f"{self.from_sql} CROSS JOIN {item}" if self.from_sql else f" FROM {item}"
        return None, Value(f'{alias}."value"', rows.columns[0][1])

    def _calls_rows(self, node: exp.Expr) -> bool:
        functions = self.translator.dialect.table_functions
        return any(call.name.lower() in functions for call in node.find_all(exp.Anonymous))

    # -- Grouping ------------------------------------------------------------------------------------------------------

    def _group_sets(self, free: Scope, names: list[str]) -> list[tuple[str, ...]] | None:
        """The grouping sets as SQLite texts; ``None`` for a query that does not group."""
        group = self.node.args.get("group")
        if group is None:
            return [()] if self.node.args.get("having") is not None or self._aggregates_in_list() else None
        if group.args.get("all") and not group.expressions and "group_by_all" in self.translator.dialect.habits:
            return [self._all_groups(free)]
        only(group, "expressions")
        sets: list[tuple[str, ...]] = [()]
        for item in group.expressions:
            choices = self._choices(item, free, names)
            sets = [known + choice for known in sets for choice in choices]
            if len(sets) > MAX_GROUPING_SETS:
                raise unsupported(f"More than {MAX_GROUPING_SETS} grouping sets", item, "Use fewer columns.")
        return [tuple(dict.fromkeys(item)) for item in sets]

    def _all_groups(self, free: Scope) -> tuple[str, ...]:
        """GROUP BY ALL: what of the list calls no aggregate."""
        scope = replace(free, aggregates=False, windows=None, clause="GROUP BY")
        texts = []
        for _, node, value in self.nodes:
            if node is not None and (self.translator.calls_aggregate(node) or node.find(exp.Window) is not None):
                continue
            found = value if node is None else self.translator.expression(node, scope)
            if found is not None and found.constant is None and not found.is_null:
                texts.append(found.sql)
        return tuple(dict.fromkeys(texts))

    def _choices(self, item: exp.Expr, free: Scope, names: list[str]) -> list[tuple[str, ...]]:
        if isinstance(item, exp.Rollup | exp.Cube):
            only(item, "expressions")
            parts = [self._together(part, free, names) for part in item.expressions]
            if isinstance(item, exp.Rollup):
                kept = [range(count) for count in range(len(parts), -1, -1)]
                return [tuple(text for index in chosen for text in parts[index]) for chosen in kept]
            if len(parts) > 5:
                raise unsupported("CUBE of more than five columns", item, "Use GROUPING SETS.")
            return [
                tuple(text for index, part in enumerate(parts) if mask >> (len(parts) - 1 - index) & 1 for text in part)
                for mask in range(2 ** len(parts) - 1, -1, -1)
            ]
        if isinstance(item, exp.GroupingSets):
            only(item, "expressions")
            return [choice for part in item.expressions for choice in self._choices(part, free, names)]
        return [self._together(item, free, names)]

    def _together(self, item: exp.Expr, free: Scope, names: list[str]) -> tuple[str, ...]:
        parts = item.expressions if isinstance(item, exp.Tuple) else [item]
        return tuple(self._group_text(part, free, names) for part in parts)

    def _group_text(self, node: exp.Expr, free: Scope, names: list[str]) -> str:
        while isinstance(node, exp.Paren):
            node = node.this
        scope = replace(free, aggregates=False, windows=None, clause="GROUP BY")
        position = None
        if isinstance(node, exp.Literal):
            position = position_in(node, names)
        elif isinstance(node, exp.Column) and node.args.get("table") is None:
            name = folded(node.this)
            is_input = name in scope.merged or any(source.named(name) for source in scope.sources)
            position = names.index(name) if not is_input and name in names else None
            if is_input and "alias_in_having" in self.translator.dialect.habits:
                self._check_ambiguous(node, name, names, scope)
        if position is not None:
            _, listed, value = self.nodes[position]
            value = value if listed is None else self.translator.expression(listed, scope)
        else:
            value = self.translator.expression(node, scope)
        assert value is not None  # a column of the list has a node or a value  # noqa: S101
        if value.type.name in ("interval", "json", "array"):
            raise unsupported(f"GROUP BY {value.type.label}", node, "Group by it as text, or by a part of it.")
        return value.sql

    def _check_ambiguous(self, node: exp.Expr, name: str, names: list[str], scope: Scope) -> None:
        """A name of GROUP BY that is a column and stands for something else in the list: dialects differ."""
        if name not in names:
            return
        _, listed, value = self.nodes[names.index(name)]
        if listed is not None and not self.translator.calls_aggregate(listed):
            value = self.translator.expression(listed, replace(scope, aggregates=True, windows={}))
        if value is None or value.sql != self.translator.expression(node, scope).sql:
            what = f"Grouping by `{name}`, which is a column of a table and another of the list,"
            raise unsupported(what, node, "Give the list's column another alias, or group by its number.")

    def _known_sources(self, present: frozenset[str]) -> frozenset[str]:
        """The tables whose whole key is grouped by: their other columns are the same within a group."""
        if "rows_known_by_key" not in self.translator.dialect.habits:
            return frozenset()
        return frozenset(
            source.name
            for source in self.scope.sources
            if source.key and all(column.sql in present for key in source.key for column in source.named(key))
        )

    # -- Putting it together -------------------------------------------------------------------------------------------

    def _assembled(
        self, free: Scope, branches: Sequence[tuple[tuple[str, ...] | None, Scope]], names: list[str]
    ) -> Query:
        distinct = self.node.args.get("distinct")
        order = self.node.args.get("order")
        if order is not None and "order_by_all" in self.translator.dialect.habits:
            order = order_by_all(order, names)
        naming = self.translator.dialect.naming
        labels = [naming.shown(name, node) for name, node, _ in self.nodes]
        qualify = self.node.args.get("qualify")
        if qualify is not None and "qualify" not in self.translator.dialect.habits:
            raise unsupported("QUALIFY", qualify, "Filter around a subquery that computes the window function.")
        distinct_on = distinct.args.get("on") if distinct is not None else None
        if len(branches) > 1 and (distinct is not None or self._has_windows()):
            raise unsupported("DISTINCT or window functions with grouping sets", self.node, "Group in a subquery.")
        sql_names = unique_names(names)
        texts = []
        items: list[_Item] = []
        terms: list[_Term] = []
        for group, scope in branches:
            items = [_Item(name, self._value(node, value, scope)) for name, node, value in self.nodes]
            terms = [self._term(item, items, scope) for item in order.expressions] if order is not None else []
            if distinct is not None and distinct_on is None:
                self._check_distinct(items, terms)
            texts.append((group, scope, items, terms))
        columns = tuple(
            OutputColumn(label if self.top else item.name, item.value.type)
            for item, label in zip(items, labels, strict=True)
        )
        limits = limits_of(self.translator, self.node)
        shown = labels if self.top else sql_names
        if qualify is not None:
            sql = self._qualified(qualify, texts, distinct is not None, shown) + limits
        elif distinct_on is not None:
            sql = self._first_of_each(distinct_on, items, terms, branches[0][1], branches[0][0], shown) + limits
        elif len(texts) > 1:
            sql = self._union(texts, sql_names, shown) + limits
        else:
            group, scope, items, terms = texts[0]
            word = "SELECT DISTINCT" if distinct is not None else "SELECT"
            listed = ", ".join(f"{item.value.sql} AS {quoted(name)}" for item, name in zip(items, shown, strict=True))
            sql = f"{word} {listed}{self._tail(group, scope)}"
            if terms:
                sql += f" ORDER BY {', '.join(_order_text(term) for term in terms)}"
            sql += limits
        single = branches == [((), branches[0][1])] or (limits.startswith(" LIMIT 1") and not limits[8:9].isdigit())
        single = single or not self.from_sql
        literals = {index: item.value for index, item in enumerate(items) if item.value.type.name == "unknown"}
        return Query(sql, columns, tuple(sql_names), single, literals, tuple(labels))

    def _has_windows(self) -> bool:
        return any(node is not None and node.find(exp.Window) is not None for _, node, _ in self.nodes)

    def _value(self, node: exp.Expr | None, value: Value | None, scope: Scope) -> Value:
        if node is not None:
            result = self.translator.expression(node, scope)
            return replace(result, type=TEXT) if result.type.name == "unknown" and self.top else result
        assert value is not None  # see _expanded  # noqa: S101
        if scope.grouping is not None:
            return self._grouped_star(value, scope.grouping)
        return value

    def _grouped_star(self, value: Value, grouping: Grouping) -> Value:
        if value.sql in grouping.present or any(
            column.sql == value.sql and source.name in grouping.known_sources
            for source in self.scope.sources
            for column in source.columns
        ):
            return value
        raise mistyped(
            "every column of * must appear in the GROUP BY clause or be used in an aggregate function", self.node,
            "Name the columns you group by.",
        )  # fmt: skip

    def _term(self, item: exp.Ordered, items: list[_Item], scope: Scope) -> _Term:
        only(item, "this", "desc", "nulls_first")
        names = [known.name for known in items]
        position = position_in(item.this, names)
        if position is not None and not isinstance(item.this, exp.Literal):
            same = {known.value.sql for known in items if known.name == names[position]}
            if len(same) > 1:
                raise refuse("sql_unknown_name", f'ORDER BY "{names[position]}" is ambiguous', item)
        if position is None:
            value = self.translator.expression(item.this, replace(scope, clause="ORDER BY"))
            position = next((index for index, known in enumerate(items) if known.value.sql == value.sql), None)
        else:
            value = items[position].value
        if value.type.name == "array":
            raise unsupported("ORDER BY of an array", item, "Order by a column.")
        return _Term(position, Value(sortable(value, item), value.type), direction(item))

    def _check_distinct(self, items: list[_Item], terms: list[_Term]) -> None:
        for item in items:
            if item.value.type.name in ("interval", "json", "array"):
                raise unsupported(f"DISTINCT of {item.value.type.label}", self.node, "Select it as text.")
        if any(term.column is None for term in terms):
            raise mistyped("for SELECT DISTINCT, ORDER BY expressions must appear in select list", self.node)

    def _tail(self, group: tuple[str, ...] | None, scope: Scope) -> str:
        """FROM, WHERE, GROUP BY and HAVING."""
        sql = self.from_sql + self.where_sql
        having = self.node.args.get("having")
        conditions = []
        if having is not None:
            inner = replace(scope, windows=None, clause="HAVING")
            condition = self.translator.expression(having.this, inner)
            conditions.append(implicit(condition, BOOLEAN, having.this, "argument of HAVING").sql)
        if group is not None and not group and not self._aggregates_in_list():
            # One row whatever the list holds: SQLite groups only where it sees an aggregate.
            kept = " AND ".join(conditions) or "1"
            return f' FROM (SELECT count(*), {kept} AS "kept"{sql}) WHERE "kept"'
        if group:
            sql += f" GROUP BY {', '.join(no_ordinal(text) for text in group)}"
        if conditions:
            sql += f" HAVING {' AND '.join(conditions)}"
        return sql

    def _aggregates_in_list(self) -> bool:
        order = self.node.args.get("order")
        nodes = [node for _, node, _ in self.nodes if node is not None]
        return any(map(self.translator.calls_aggregate, [*nodes, *(order.expressions if order is not None else [])]))

    def _union(
        self,
        texts: list[tuple[tuple[str, ...] | None, Scope, list[_Item], list[_Term]]],
        sql_names: list[str],
        shown: list[str],
    ) -> str:
        """A SELECT for each grouping set; what ORDER BY needs comes along in hidden columns."""
        parts = []
        words: list[str] = []
        for group, scope, items, terms in texts:
            listed = [f"{item.value.sql} AS {quoted(name)}" for item, name in zip(items, sql_names, strict=True)]
            listed += [f'{term.value.sql} AS "order:{index}"' for index, term in enumerate(terms)]
            words = [f'"order:{index}" {term.words}' for index, term in enumerate(terms)]
            parts.append(f"SELECT {', '.join(listed)}{self._tail(group, scope)}")
        listed_names = [f"{quoted(name)} AS {quoted(label)}" for name, label in zip(sql_names, shown, strict=True)]
        sql = f"SELECT {', '.join(listed_names)} FROM ({' UNION ALL '.join(parts)})"
        return f"{sql} ORDER BY {', '.join(words)}" if words else sql

    def _qualified(
        self,
        qualify: exp.Expr,
        texts: list[tuple[tuple[str, ...] | None, Scope, list[_Item], list[_Term]]],
        is_distinct: bool,
        shown: list[str],
    ) -> str:
        """QUALIFY: the rows around whose window functions are computed are filtered outside."""
        if len(texts) > 1:
            raise unsupported("QUALIFY with grouping sets", qualify, "Group in a subquery.")
        if not (self._has_windows() or qualify.find(exp.Window) is not None):
            raise mistyped("QUALIFY needs a window function in it or in the SELECT list", qualify, "Use WHERE.")
        group, scope, items, terms = texts[0]
        condition = self.translator.expression(qualify.this, replace(scope, clause="QUALIFY"))
        kept = implicit(condition, BOOLEAN, qualify.this, "argument of QUALIFY").sql
        names = [f"column:{index}" for index in range(len(items))]
        listed = [f"{item.value.sql} AS {quoted(name)}" for item, name in zip(items, names, strict=True)]
        listed += [f'{term.value.sql} AS "order:{index}"' for index, term in enumerate(terms)]
        listed.append(f'{kept} AS "row:kept"')
        outer = ", ".join(f"{quoted(name)} AS {quoted(label)}" for name, label in zip(names, shown, strict=True))
        word = "SELECT DISTINCT" if is_distinct else "SELECT"
        sql = f'{word} {outer} FROM (SELECT {", ".join(listed)}{self._tail(group, scope)}) WHERE "row:kept"'
        if is_distinct:
            words = ", ".join(f"{(term.column or 0) + 1} {term.words}" for term in terms)
        else:
            words = ", ".join(f'"order:{index}" {term.words}' for index, term in enumerate(terms))
        return f"{sql} ORDER BY {words}" if words else sql

    def _first_of_each(  # the parts of one statement
        self,
        on: exp.Expr,
        items: list[_Item],
        terms: list[_Term],
        scope: Scope,
        group: tuple[str, ...] | None,
        shown: list[str],
    ) -> str:
        """DISTINCT ON: the first row of each, by a row number."""
        nodes = on.expressions if isinstance(on, exp.Tuple) else [on]
        keys = []
        if not nodes:
            raise mistyped("DISTINCT ON needs expressions", on)
        for node in nodes:
            position = position_in(node, [item.name for item in items])
            value = items[position].value if position is not None else self.translator.expression(node, scope)
            keys.append(sortable(value, node))
        leading = [term.value.sql for term in terms[: len(keys)]]
        if terms and set(leading) - set(keys):
            raise mistyped("SELECT DISTINCT ON expressions must match initial ORDER BY expressions", on)
        names = [f"column:{index}" for index in range(len(items))]
        listed = [f"{item.value.sql} AS {quoted(name)}" for item, name in zip(items, names, strict=True)]
        listed += [f'{term.value.sql} AS "order:{index}"' for index, term in enumerate(terms)]
        order = ", ".join(f"{no_ordinal(term.value.sql)} {term.words}" for term in terms)
        window = f"PARTITION BY {', '.join(no_ordinal(key) for key in keys)}" + (f" ORDER BY {order}" if order else "")
        listed.append(f'row_number() OVER ({window}) AS "row:number"')
        outer = ", ".join(f"{quoted(name)} AS {quoted(label)}" for name, label in zip(names, shown, strict=True))
        sql = f'SELECT {outer} FROM (SELECT {", ".join(listed)}{self._tail(group, scope)}) WHERE "row:number" = 1'
        words = ", ".join(f'"order:{index}" {term.words}' for index, term in enumerate(terms))
        return f"{sql} ORDER BY {words}" if words else sql


def _is_star(item: exp.Expr) -> bool:
    return isinstance(item.this if isinstance(item, exp.Column) else item, exp.Star)


def _order_text(term: _Term) -> str:
    if term.column is not None and term.value.type.name != "interval":
        return f"{term.column + 1} {term.words}"
    return f"{no_ordinal(term.value.sql)} {term.words}"
