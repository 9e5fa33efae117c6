"""Which table's key a parameter holds, as the SQL of the operations says: ``where o.id = :deal_id``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from simulator.scenario.models import ConditionalEffect, Operation, RowSet, ScenarioDocument
from simulator.sql.schema import Schema, TableSchema
from simulator.sql.trees import parse, sources


def named_keys(document: ScenarioDocument, schema: Schema) -> Mapping[str, str]:
    """Parameter name to table, for parameters compared with a table's one-column key or with a reference to it.

    Of a name that means different tables in different operations, the first counts.
    """
    found: dict[str, str] = {}
    for tool in document.tools.values():
        if isinstance(tool, Operation):
            for sql in _texts(tool):
                for parameter, table in _compared(sql, schema):
                    if parameter in tool.parameters:
                        found.setdefault(parameter, table)
    return found


def _texts(tool: Operation) -> Iterator[str]:
    """The SQL of an operation as statements, guards first."""
    for guard in tool.guards:
        if guard.require is not None:
            yield f"select {guard.require}"
        if guard.refuse is not None:
            yield guard.refuse
    for value in tool.let.values():
        yield value.rows if isinstance(value, RowSet) else value
    for effect in tool.effects:
        if isinstance(effect, ConditionalEffect):
            yield from [effect.do] if isinstance(effect.do, str) else effect.do
        else:
            yield effect
    if tool.returns is not None:
        queries = (tool.returns.one, tool.returns.many, tool.returns.value, tool.returns.values)
        yield from (sql for sql in queries if sql is not None)


def _compared(sql: str, schema: Schema) -> Iterator[tuple[str, str]]:
    tree = parse(sql)
    for equation in tree.find_all(exp.EQ) if tree is not None else ():
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            if isinstance(side, exp.Column) and isinstance(other, exp.Placeholder):
                table = _table_of(side, schema)
                column = table.column(side.name.lower()) if table is not None else None
                if table is None or column is None:
                    continue
                if table.key == (column.name,) and column.references is None:
                    yield other.name, table.name
                elif column.references is not None and len(schema.tables[column.references].key) == 1:
                    yield other.name, column.references


def _table_of(column: exp.Column, schema: Schema) -> TableSchema | None:
    """The table that a column is of; None where that takes more than a look at the nearest FROM."""
    statement = column.find_ancestor(exp.Select, exp.Update, exp.Delete)
    if statement is None:
        return None
    if isinstance(statement, exp.Select):
        named = dict(sources(statement))
    else:
        named = {statement.this.alias_or_name.lower(): statement.this}
    wanted = column.table.lower()
    item = named.get(wanted) if wanted else next(iter(named.values())) if len(named) == 1 else None
    return schema.tables.get(item.name.lower()) if isinstance(item, exp.Table) else None
