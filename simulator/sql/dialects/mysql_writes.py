"""MySQL's writes as the shared rules can follow them: keys met by an upsert, tables joined, REPLACE."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.catalogue import TableCatalogue, TableShape
from simulator.sql.dialects.refusals import refuse, unsupported
from simulator.sql.dialects.reshaping import (
    delete_with_tables,
    first_rows,
    joined_tables,
    name_of,
    target_shape,
    unqualified,
    update_with_tables,
)
from simulator.sql.dialects.scopes import folded


def insert(node: exp.Insert, catalogue: TableCatalogue, *, replaces: bool) -> None:
    """An INSERT or REPLACE as one with the conflict it stands for."""
    table = target_shape(node.this, catalogue)
    conflict = node.args.get("conflict")
    if node.args.get("returning") is not None:
        raise refuse("sql_syntax", 'syntax error at or near "RETURNING"', node, "SELECT the rows afterwards.")
    if node.args.get("ignore"):
        if replaces or conflict is not None:
            raise unsupported("IGNORE with this INSERT", node, "Leave IGNORE out.")
        node.set("ignore", False)
        node.set("conflict", exp.OnConflict(action=exp.Var(this="DO NOTHING")))
    if table is None:
        return
    listed = [folded(item) for item in node.this.expressions] if isinstance(node.this, exp.Schema) else []
    listed = listed or [column.name for column in table.columns]
    if replaces:
        node.set("conflict", _replacing(node, table, listed))
    elif conflict is not None:
        _on_duplicate(node, conflict, table, listed)


def _key_met(node: exp.Expr, table: TableShape, listed: list[str]) -> tuple[str, ...]:
    keys = [key for key in (table.key, *table.unique) if key and set(key) <= set(listed)]
    if len(keys) != 1:
        raise unsupported(
            "An upsert that could meet several keys" if keys else "An upsert without a key", node,
            f"Set the columns of one key only, for instance {', '.join(table.key)}; or UPDATE, then INSERT IGNORE.",
        )  # fmt: skip
    return keys[0]


def _upsert(key: tuple[str, ...], assignments: list[exp.Expr]) -> exp.OnConflict:
    keys = [exp.Identifier(this=name, quoted=True) for name in key]
    return exp.OnConflict(conflict_keys=keys, expressions=assignments, action=exp.Var(this="DO UPDATE"))


def _replacing(node: exp.Insert, table: TableShape, listed: list[str]) -> exp.OnConflict:
    """REPLACE: the row that is in the way has all its columns set anew."""
    if table.unique:
        raise unsupported("REPLACE into a table with several keys", node, "DELETE the row, then INSERT it.")
    key = _key_met(node, table, listed)
    assignments: list[exp.Expr] = [
        exp.EQ(
            this=exp.Column(this=exp.Identifier(this=column.name, quoted=True)),
            expression=_excluded(column.name) if column.name in listed else exp.Null(),
        )
        for column in table.columns
        if column.name not in key
    ]
    if not assignments:
        return exp.OnConflict(action=exp.Var(this="DO NOTHING"))
    return _upsert(key, assignments)


def _excluded(name: str) -> exp.Column:
    return exp.Column(this=exp.Identifier(this=name, quoted=True), table=exp.Identifier(this="excluded", quoted=True))


def _on_duplicate(node: exp.Insert, conflict: exp.Expr, table: TableShape, listed: list[str]) -> None:
    source = node.args.get("expression")
    alias = source.args.get("alias") if source is not None and not isinstance(source, exp.Subquery) else None
    inserted = folded(alias.this) if alias is not None and alias.this is not None else ""
    if alias is not None and source is not None:
        if alias.columns:
            raise unsupported("Column aliases of the inserted row", node, "Write VALUES(column).")
        source.set("alias", None)
    _check_order(conflict.expressions)
    for item in conflict.expressions:
        if not isinstance(item, exp.EQ):
            raise unsupported("This assignment", item, "Write column = value.")
        item.set("this", unqualified(item.this))
        for call in list(item.expression.find_all(exp.Anonymous)):
            if call.name.upper() == "VALUES" and len(call.expressions) == 1:
                call.replace(_excluded(folded(_identifier(call.expressions[0]))))
        for column in list(item.expression.find_all(exp.Column)):
            written = folded(column.args["table"]) if column.args.get("table") is not None else ""
            if inserted and written == inserted:
                column.replace(_excluded(folded(column.this)))
            elif not written and column.find_ancestor(exp.Select) is None:
                column.set("table", exp.Identifier(this=table.name, quoted=True))
    upsert = _upsert(_key_met(node, table, listed), conflict.expressions)
    node.set("conflict", upsert)


def _identifier(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Column) else node


def _check_order(assignments: list[exp.Expr]) -> None:
    """MySQL assigns from left to right: what was set is read with its new value."""
    written: set[str] = set()
    for item in assignments:
        if not isinstance(item, exp.EQ) or not isinstance(item.this, exp.Column):
            continue
        for column in item.expression.find_all(exp.Column):
            if isinstance(column.this, exp.Identifier) and folded(column.this) in written:
                what = f"`{column.name}`, read behind its own assignment,"
                raise unsupported(what, column, "Assign it last: MySQL would read the new value here.")
        written.add(folded(item.this.this))


def update(node: exp.Update, catalogue: TableCatalogue) -> None:
    """An UPDATE of one table, the others joined to it as sources."""
    _check_order(node.expressions)
    if not isinstance(node.this, exp.Table):
        return
    tables, joined = joined_tables(node.this)
    for name in ("order", "limit"):
        if len(tables) > 1 and node.args.get(name) is not None:
            raise unsupported(f"{name.upper()} in an update of joined tables", node, "Choose the rows in WHERE.")
    written = {
        folded(item.this.args["table"])
        for item in node.expressions
        if isinstance(item, exp.EQ) and isinstance(item.this, exp.Column) and item.this.args.get("table") is not None
    }
    if len(tables) > 1 and len(written) != 1:
        raise unsupported("An update of several tables", node, "Set columns of one table, written with its name.")
    target = next((table for table in tables if name_of(table) in written), tables[0])
    unknown = written - {name_of(target)}
    if unknown:
        name = unknown.pop()
        message = f'missing FROM-clause entry for table "{name}"'
        raise refuse("sql_unknown_name", message, node, f"The table is {name_of(target)}.", [name])
    for item in node.expressions:
        if isinstance(item, exp.EQ):
            item.set("this", unqualified(item.this))
    update_with_tables(node, target, [table for table in tables if table is not target], joined)
    shape = target_shape(target, catalogue)
    if shape is not None:
        first_rows(node, shape, ordered=True)


def delete(node: exp.Delete, catalogue: TableCatalogue) -> None:
    """A DELETE from one table, the others joined to it as sources."""
    named, using = node.args.get("tables") or [], node.args.get("using") or []
    if using:
        named, source = [node.this], using[0]
    else:
        source = node.this
    if not isinstance(source, exp.Table):
        return
    tables, joined = joined_tables(source)
    for extra in using[1:]:
        tables.append(extra)
    if len(named) > 1:
        raise unsupported("A delete from several tables", node, "Delete from one table at a time.")
    wanted = name_of(named[0]) if named else name_of(tables[0])
    target = next((table for table in tables if name_of(table) == wanted), None)
    if target is None:
        message = f'missing FROM-clause entry for table "{wanted}"'
        raise refuse("sql_unknown_name", message, node, "Name one of the joined tables.", [wanted])
    delete_with_tables(node, target, [table for table in tables if table is not target], joined)
    shape = target_shape(target, catalogue)
    if shape is not None:
        first_rows(node, shape, ordered=True)
