"""A picture of a scenario's tables, as Mermaid text: which rows belong to which, and the states they pass through.

Mermaid's entity relationship diagrams are drawn by GitHub, GitLab and most Markdown viewers. A table shows its key and
its state; the lines show what refers to what.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulator.scenario.models import Column, DataRows, ScenarioDocument, Table


def mermaid_diagram(document: ScenarioDocument) -> str:
    """An ``erDiagram`` of the document's tables, ending with a line break; the same text for the same document.

    A line ends in ``||`` where there is always a parent, in ``|o`` where there may be none, in ``o{`` where there may
    be any number of children and in ``o|`` where there is at most one. It bears the column that refers, or `history`.
    """
    tables = document.world.tables
    lines = ["erDiagram"]
    for name, table in tables.items():
        lines += [
            f"    {name} {{",
            *(f"        {attribute}" for attribute in _attributes(document, name, table)),
            "    }",
        ]
    for name, table in tables.items():
        lines += [f"    {line}" for line in _lines(name, table) if line.split()[0] in tables]
    return "\n".join(lines) + "\n"


def _attributes(document: ScenarioDocument, name: str, table: Table) -> Iterator[str]:
    if table.history_of is not None:
        yield "integer id PK"
        yield "text to_state"
        return
    keys = _keys(table)
    for key in keys:
        yield f"{_type(document, name, key, frozenset())} {key} PK"
    for column, model in table.columns.items():
        if model.lifecycle is not None and column not in keys:
            yield f"text {column}"


def _lines(name: str, table: Table) -> Iterator[str]:
    if table.history_of is not None:
        yield f"{table.history_of} ||--o{{ {name} : history"
    keys = _keys(table)
    for column, model in table.columns.items():
        target = model.ref or model.references
        if target is None:
            continue
        parent = "|o" if model.nullable or model.missing is not None else "||"
        children = "o|" if model.unique or keys == (column,) else "o{"
        yield f"{target} {parent}--{children} {name} : {column}"


def _keys(table: Table) -> tuple[str, ...]:
    """The key's columns, by the rule that the key `key` of a table states."""
    names = list(table.columns) or _written_names(table)
    marked = tuple(column for column, model in table.columns.items() if model.key)
    return tuple(table.key or ()) or marked or (("id",) if "id" in names else tuple(names[:1]))


def _written_names(table: Table) -> list[str]:
    if isinstance(table.data, DataRows):
        return list(table.data.columns)
    rows = table.rows if isinstance(table.rows, list) else []
    return list(dict.fromkeys(column for row in rows for column in row))


def _type(document: ScenarioDocument, table: str, column: str, seen: frozenset[str]) -> str:
    """The type of a column; a reference has its parent's, a written value its own."""
    model = document.world.tables[table].columns.get(column, Column.model_validate({}))
    if model.type is not None:
        return model.type.partition("(")[0]
    if model.ref is not None and model.ref in document.world.tables and table not in seen:
        parent = document.world.tables[model.ref]
        return _type(document, model.ref, (_keys(parent) or ("id",))[0], seen | {table})
    rows = document.world.tables[table].rows
    values = [row.get(column) for row in rows] if isinstance(rows, list) else []
    return "integer" if values and all(type(value) is int for value in values) else "text"
