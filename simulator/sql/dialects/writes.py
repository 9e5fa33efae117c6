"""INSERT, UPDATE and DELETE, with RETURNING."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from simulator.sql.dialects.catalogue import TableColumn, TableShape
from simulator.sql.dialects.conversions import implicit, stored
from simulator.sql.dialects.naming import output_name
from simulator.sql.dialects.queries import common_tables, compile_query
from simulator.sql.dialects.query_shape import Ctes
from simulator.sql.dialects.refusals import mistyped, only, refuse, unsupported
from simulator.sql.dialects.scopes import Scope, Source, SourceColumn, collated, columns_of, folded, unique_names
from simulator.sql.dialects.tables import FromClause, alias_of, table_shape
from simulator.sql.dialects.translated import OutputColumn
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import BOOLEAN
from simulator.sql.dialects.values import Value, quoted, text_literal
from simulator.sql.problems import did_you_mean

_ENGINE_WORDS = (
    "stored", "by_name", "exists", "partition", "settings", "overwrite", "ignore", "source", "is_function",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Write:
    """A translated write."""

    sql: str
    columns: tuple[OutputColumn, ...] = ()


def compile_write(translator: Translator, node: exp.Expr) -> Write:
    """Any write."""
    prefix = ""
    ctes: Ctes = {}
    if node.args.get("with_") is not None:
        prefix, ctes = common_tables(translator, node.args["with_"], None, ctes)
    if isinstance(node, exp.Insert):
        write = _insert(translator, node, ctes)
    elif isinstance(node, exp.Update):
        write = _update(translator, node, ctes)
    elif isinstance(node, exp.Delete):
        write = _delete(translator, node, ctes)
    else:
        raise refuse("sql_forbidden", "Only SELECT, INSERT, UPDATE and DELETE are allowed.", node)
    return replace(write, sql=prefix + write.sql)


def _target(translator: Translator, node: exp.Expr) -> tuple[TableShape, str]:
    """The table a statement writes, and its alias."""
    if not isinstance(node, exp.Table) or isinstance(node.this, exp.Anonymous):
        raise unsupported("This target of a write", node, "Name one table.")
    only(node, "this", "alias", "db", "only")
    alias, renamed = alias_of(node)
    if renamed:
        raise mistyped("a target cannot have column aliases", node)
    table: TableShape = table_shape(translator, node)
    return table, alias or table.name


def _source(translator: Translator, table: TableShape, name: str) -> Source:
    names = [column.name for column in table.columns]
    types = [column.value_type for column in table.columns]
    return Source(name, columns_of(name, names, types, names, translator.dialect.collation), table.key)


def _column(table: TableShape, node: exp.Expr) -> TableColumn:
    if isinstance(node, exp.Column) and node.args.get("table") is not None:
        message = f'column "{node.table}" of relation "{table.name}" does not exist'
        raise refuse("sql_unknown_name", message, node, "SET target columns are written without their table.")
    identifier = node.this if isinstance(node, exp.Column) else node
    if not isinstance(identifier, exp.Identifier):
        raise unsupported("This target column", node, "Name a column.")
    name = folded(identifier)
    column = table.column(name)
    if column is None:
        hint = did_you_mean(name, (item.name for item in table.columns))
        hint = hint or f"Its columns are {', '.join(item.name for item in table.columns)}."
        message = f'column "{name}" of relation "{table.name}" does not exist'
        raise refuse("sql_unknown_name", message, node, hint, [table.name, name])
    return column


def _is_default(node: exp.Expr) -> bool:
    if isinstance(node, exp.Var):
        return node.name.upper() == "DEFAULT"
    return (
        isinstance(node, exp.Column)
        and node.args.get("table") is None
        and node.name.upper() == "DEFAULT"
        and not node.this.args.get("quoted")
    )


def _stored(translator: Translator, node: exp.Expr, column: TableColumn, scope: Scope) -> str:
    """SQLite text of a value for a column; DEFAULT is NULL, which makes a new key where the engine makes them."""
    if _is_default(node):
        return "NULL"
    return _for_column(translator.expression(node, scope), column, node)


def _for_column(value: Value, column: TableColumn, node: exp.Expr) -> str:
    """SQLite text of a value as a column keeps it; a decimal too large for its column is an error."""
    if value.type.name == "unknown" and value.constant is None and not value.is_null:
        raise unsupported("A literal without type from a subquery", node, f"Cast it to {column.value_type.label}.")
    kept = stored(value, column.value_type, column.name, node)
    if column.type == "decimal" and column.precision and not kept.is_null:
        return f"dx_fit_numeric({value.sql if value.type.is_number else kept.sql}, {column.precision}, {column.scale})"
    return kept.sql


# -- INSERT ------------------------------------------------------------------------------------------------------------


def _insert(translator: Translator, node: exp.Insert, ctes: Ctes) -> Write:
    only(node, "this", "expression", "conflict", "returning", "with_", "default", *_ENGINE_WORDS)
    for word in _ENGINE_WORDS:
        if node.args.get(word):
            raise unsupported(f"INSERT with {word.upper()}", node, "Write INSERT INTO table (columns) VALUES (…).")
    listed = node.this.expressions if isinstance(node.this, exp.Schema) else []
    table, alias = _target(translator, node.this.this if isinstance(node.this, exp.Schema) else node.this)
    columns = [_column(table, item) for item in listed]
    if len({column.name for column in columns}) < len(columns):
        raise mistyped("a column is specified more than once", node)
    source = node.args.get("expression")
    if node.args.get("default"):
        raise unsupported("DEFAULT VALUES", node, "Name columns and give values.")
    if source is None:
        raise mistyped("INSERT needs VALUES or a query", node)
    if isinstance(source, exp.Values) and not any(source.args.get(name) for name in ("order", "limit", "with_")):
        columns, rows_sql = _rows(translator, source, table, columns, ctes)
    else:
        columns, rows_sql = _selected(translator, source, table, columns, ctes, node.args.get("conflict") is not None)
    names = ", ".join(quoted(column.name) for column in columns)
    conflict = ""
    if node.args.get("conflict") is not None:
        keys, conflict = _conflict(translator, node.args["conflict"], table, alias)
        if node.args["conflict"].expressions and "rows_written_twice" not in translator.dialect.habits:
            rows_sql = _check_once(rows_sql, keys, columns, source, node.args["conflict"])
    sql = f"INSERT INTO {quoted(table.name)} AS {quoted(alias)} ({names}) {rows_sql}{conflict}"
    returning, shown = _returning(translator, node, table, alias)
    return Write(sql + returning, shown)


def _fitting(table: TableShape, columns: list[TableColumn], width: int, node: exp.Expr) -> list[TableColumn]:
    """The columns that so many values are for."""
    if columns and width != len(columns):
        more = "expressions" if width > len(columns) else "target columns"
        raise mistyped(
            f"INSERT has more {more} than {'target columns' if more == 'expressions' else 'expressions'}", node
        )
    if width > len(table.columns):
        raise mistyped("INSERT has more expressions than target columns", node)
    return columns or list(table.columns[:width])


def _rows(
    translator: Translator, source: exp.Values, table: TableShape, columns: list[TableColumn], ctes: Ctes
) -> tuple[list[TableColumn], str]:
    only(source, "expressions")
    scope = Scope(ctes=ctes, clause="VALUES")
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row.unnest()] for row in source.expressions]
    if len({len(row) for row in rows}) != 1:
        raise mistyped("VALUES lists must all be the same length", source)
    columns = _fitting(table, columns, len(rows[0]), source)
    texts = [
        ", ".join(_stored(translator, item, column, scope) for item, column in zip(row, columns, strict=True))
        for row in rows
    ]
    return columns, f"VALUES {', '.join(f'({text})' for text in texts)}"


def _selected(
    translator: Translator,
    source: exp.Expr,
    table: TableShape,
    columns: list[TableColumn],
    ctes: Ctes,
    has_conflict: bool,
) -> tuple[list[TableColumn], str]:
    found = compile_query(translator, source, None, ctes)
    columns = _fitting(table, columns, len(found.columns), source)
    texts = []
    changed = False
    for index, (column, shown, name) in enumerate(zip(columns, found.columns, found.sql_names, strict=True)):
        value = found.literals.get(index, Value(quoted(name), shown.type))
        text = _for_column(value, column, source)
        changed = changed or text != quoted(name)
        texts.append(text)
    if not changed and not has_conflict:
        return columns, found.sql
    return columns, f"SELECT {', '.join(texts)} FROM ({found.sql}) WHERE 1"  # or SQLite reads ON as a join's


def _conflict(translator: Translator, node: exp.Expr, table: TableShape, alias: str) -> tuple[list[str], str]:
    """The columns of ON CONFLICT, and the clause."""
    only(node, "expressions", "action", "conflict_keys", "where")
    keys = []
    for item in node.args.get("conflict_keys") or []:
        target = item.this if isinstance(item, exp.Ordered) else item
        keys.append(_column(table, target).name)
    keys = list(dict.fromkeys(keys))
    unique = [set(group) for group in (table.key, *table.unique) if group]
    if keys and set(keys) not in unique:
        raise mistyped(
            "there is no unique or exclusion constraint matching the ON CONFLICT specification", node,
            f"Name the key: {', '.join(table.key)}.",
        )  # fmt: skip
    text = f" ON CONFLICT ({', '.join(quoted(key) for key in keys)})" if keys else " ON CONFLICT"
    if not node.expressions:
        return keys, f"{text} DO NOTHING"
    if not keys:
        raise mistyped("ON CONFLICT DO UPDATE requires inference specification or constraint name", node)
    excluded = _source(translator, table, "excluded")
    scope = Scope(sources=(_source(translator, table, alias), excluded), clause="ON CONFLICT")
    text += f" DO UPDATE SET {_assignments(translator, node.expressions, table, scope)}"
    where = node.args.get("where")
    if where is not None:
        condition = translator.expression(where.this, scope)
        text += f" WHERE {implicit(condition, BOOLEAN, where, 'argument of WHERE').sql}"
    return keys, text


def _check_once(rows_sql: str, keys: list[str], columns: list[TableColumn], source: exp.Expr, node: exp.Expr) -> str:
    """The rows to insert, refused when two have the same key: PostgreSQL does not touch a row twice, SQLite would."""
    places = [index for index, column in enumerate(columns) if column.name in keys]
    if len(places) < len(keys):
        return rows_sql  # a part of the key is made by the engine
    message = "ON CONFLICT DO UPDATE command cannot affect row a second time"
    if isinstance(source, exp.Values):
        seen = set()
        for row in source.expressions:
            items = row.expressions if isinstance(row, exp.Tuple) else [row.unnest()]
            key = tuple(items[index].sql() for index in places)
            if key in seen:
                raise refuse("sql_value", message, node)
            seen.add(key)
        return rows_sql
    names = [quoted(f"column:{index}") for index in range(len(columns))]
    listed = ", ".join(names)
    same = ", ".join(names[index] for index in places)
    return (
        f'WITH "rows:once"({listed}) AS ({rows_sql}) SELECT {listed} FROM '
        f'(SELECT *, count(*) OVER (PARTITION BY {same}) AS "times" FROM "rows:once") WHERE '
        f'CASE WHEN "times" > 1 THEN dx_fail({text_literal(message)}) ELSE 1 END'
    )


# -- UPDATE ------------------------------------------------------------------------------------------------------------


def _update(translator: Translator, node: exp.Update, ctes: Ctes) -> Write:
    only(node, "this", "expressions", "from_", "where", "returning", "with_")
    _check_where(translator, node)
    table, alias = _target(translator, node.this)
    scope = Scope(sources=(_source(translator, table, alias),), ctes=ctes, clause="UPDATE")
    from_sql = ""
    if node.args.get("from_") is not None:
        clause = FromClause(translator, Scope(ctes=ctes), compile_query)
        clause.first(node.args["from_"].this)
        if any(source.name == alias for source in clause.scope.sources):
            raise mistyped(f'table name "{alias}" specified more than once', node, "Give one an alias.")
        from_sql = f" FROM {clause.sql}"
        scope = replace(scope, sources=(*scope.sources, *clause.scope.sources), merged=clause.scope.merged)
    sql = (
        f"UPDATE {quoted(table.name)} AS {quoted(alias)} SET {_assignments(translator, node.expressions, table, scope)}"
    )
    where = _where(translator, node, scope)
    if from_sql and "one_source_row" in translator.dialect.habits:
        message = text_literal("UPDATE/MERGE must match at most one source row for each target row")
        once = f"CASE WHEN (SELECT count(*){from_sql}{where}) > 1 THEN dx_fail({message}) ELSE 1 END"
        where = f"{where} AND {once}" if where else f" WHERE {once}"
    sql += from_sql + where
    returning, shown = _returning(translator, node, table, alias)
    return Write(sql + returning, shown)


def _check_where(translator: Translator, node: exp.Expr) -> None:
    if "where_required" in translator.dialect.habits and node.args.get("where") is None:
        word = type(node).__name__.upper()
        raise mistyped(f"{word} must have a WHERE clause", node, "To mean all rows, write WHERE true.")


def _where(translator: Translator, node: exp.Expr, scope: Scope) -> str:
    where = node.args.get("where")
    if where is None:
        return ""
    condition = translator.expression(where.this, replace(scope, clause="WHERE"))
    return f" WHERE {implicit(condition, BOOLEAN, where, 'argument of WHERE').sql}"


def _assignments(translator: Translator, nodes: list[exp.Expr], table: TableShape, scope: Scope) -> str:
    texts = []
    written: list[str] = []
    for item in nodes:
        if not isinstance(item, exp.EQ):
            raise unsupported("This assignment", item, "Write column = value.")
        targets = item.this.expressions if isinstance(item.this, exp.Tuple) else [item.this]
        columns = [_column(table, target) for target in targets]
        written += [column.name for column in columns]
        if not isinstance(item.this, exp.Tuple):
            value = _stored(translator, item.expression, columns[0], scope)
            texts.append(f"{quoted(columns[0].name)} = {value}")
        elif isinstance(item.expression, exp.Subquery):
            texts.append(_assigned_row(translator, item, columns, scope))
        else:
            values = _tuple_values(item.expression)
            if len(values) != len(columns):
                raise mistyped("number of columns does not match number of values", item)
            texts += [
                f"{quoted(column.name)} = {_stored(translator, value, column, scope)}"
                for column, value in zip(columns, values, strict=True)
            ]
    if not written:
        raise mistyped("syntax error: SET needs an assignment", None)
    if len(set(written)) < len(written):
        raise mistyped("multiple assignments to same column", nodes[0])
    return ", ".join(texts)


def _tuple_values(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Tuple) or (isinstance(node, exp.Anonymous) and node.name.lower() == "row"):
        return list(node.expressions)
    return [node.unnest()]


def _assigned_row(translator: Translator, item: exp.EQ, columns: list[TableColumn], scope: Scope) -> str:
    found = compile_query(translator, item.expression, scope, scope.ctes)
    if len(found.columns) != len(columns):
        raise mistyped("number of columns does not match number of values", item)
    values = []
    for column, shown, name in zip(columns, found.columns, found.sql_names, strict=True):
        kind = column.value_type if shown.type.name == "unknown" else shown.type
        values.append(_for_column(Value(f"dx_single({quoted(name)})", kind), column, item))
    names = ", ".join(quoted(column.name) for column in columns)
    return f"({names}) = (SELECT {', '.join(values)} FROM ({found.sql}))"


# -- DELETE ------------------------------------------------------------------------------------------------------------


def _delete(translator: Translator, node: exp.Delete, ctes: Ctes) -> Write:
    only(node, "this", "using", "where", "returning", "with_", "cluster")
    _check_where(translator, node)
    table, alias = _target(translator, node.this)
    scope = Scope(sources=(_source(translator, table, alias),), ctes=ctes, clause="DELETE")
    sql = f"DELETE FROM {quoted(table.name)} AS {quoted(alias)}"
    using = node.args.get("using") or []
    if using:
        clause = FromClause(translator, Scope(ctes=ctes), compile_query)
        clause.first(using[0])
        for item in using[1:]:
            clause.join(exp.Join(this=item))
        if any(source.name == alias for source in clause.scope.sources):
            raise mistyped(f'table name "{alias}" specified more than once', node, "Give one an alias.")
        inner = replace(scope, sources=(*scope.sources, *clause.scope.sources), merged=clause.scope.merged)
        sql += f" WHERE EXISTS (SELECT 1 FROM {clause.sql}{_where(translator, node, inner)})"
    else:
        sql += _where(translator, node, scope)
    returning, shown = _returning(translator, node, table, alias)
    return Write(sql + returning, shown)


# -- RETURNING ---------------------------------------------------------------------------------------------------------


def _returning(
    translator: Translator, node: exp.Expr, table: TableShape, alias: str
) -> tuple[str, tuple[OutputColumn, ...]]:
    """RETURNING, of the written table's columns, which SQLite wants without the table's name."""
    clause = node.args.get("returning")
    if clause is None:
        return "", ()
    only(clause, "expressions")
    collation = translator.dialect.collation
    bare = tuple(
        SourceColumn(column.name, column.value_type, collated(quoted(column.name), column.value_type, collation))
        for column in table.columns
    )
    scope = Scope(sources=(Source(alias, bare),), clause="RETURNING", subqueries=False)
    names: list[str] = []
    values: list[Value] = []
    for item in clause.expressions:
        star = item.this if isinstance(item, exp.Column) else item
        if isinstance(star, exp.Star):
            if isinstance(item, exp.Column) and folded(item.args["table"]) != alias:
                raise unsupported("RETURNING of another table", item, "Return the written table's columns.")
            for column, own in zip(bare, table.columns, strict=True):
                if own.returned != "nothing":
                    names.append(column.name)
                    values.append(Value(column.sql if own.returned == "value" else "NULL", column.type))
            continue
        for column in item.find_all(exp.Column):
            if column.args.get("table") is not None and folded(column.args["table"]) != alias:
                raise unsupported("RETURNING of another table", column, "Return the written table's columns.")
        names.append(output_name(item))
        values.append(translator.expression(item.this if isinstance(item, exp.Alias) else item, scope))
    shown = tuple(OutputColumn(name, value.type) for name, value in zip(names, values, strict=True))
    texts = ", ".join(f"{value.sql} AS {quoted(name)}" for value, name in zip(values, unique_names(names), strict=True))
    return f" RETURNING {texts}", shown
