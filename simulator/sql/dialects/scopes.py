"""Where a name in a statement is looked up: the tables of a FROM clause, and those of the queries around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from simulator.sql.dialects.refusals import mistyped, refuse, unsupported
from simulator.sql.dialects.value_types import Type
from simulator.sql.dialects.values import NULL, Value, quoted
from simulator.sql.problems import did_you_mean


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """A column that can be named, and the SQLite text that reads it."""

    name: str
    type: Type
    sql: str


@dataclass(frozen=True, slots=True)
class Source:
    """One table, subquery or function of a FROM clause. ``key`` are the columns one row of it is known by."""

    name: str
    columns: tuple[SourceColumn, ...]
    key: tuple[str, ...] = ()

    def named(self, name: str) -> tuple[SourceColumn, ...]:
        """The columns of this name."""
        return tuple(column for column in self.columns if column.name == name)


@dataclass(frozen=True, slots=True)
class CteShape:
    """A common table expression: its name in SQLite and its columns."""

    sql_name: str
    columns: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """What may be read of a group: ``present`` grouping expressions, those ``absent`` from this grouping set (NULL),
    and the sources whose key is grouped by.
    """

    present: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    known_sources: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Scope:
    """The names visible at a place. ``clause`` names the place in messages; ``grouping`` is set where only groups and
    aggregates may be read; ``merged`` are the columns of JOIN … USING. ``touched`` notes the scopes inner queries
    reached out to.
    """

    sources: tuple[Source, ...] = ()
    parent: Scope | None = None
    ctes: Mapping[str, CteShape] = field(default_factory=dict)
    merged: Mapping[str, Value] = field(default_factory=dict)
    clause: str = ""
    grouping: Grouping | None = None
    aggregates: bool = False
    windows: Mapping[str, exp.Window] | None = None
    subqueries: bool = True
    touched: list[bool] = field(default_factory=list)


def folded(identifier: exp.Expr) -> str:
    """An identifier's name: lower case unless quoted."""
    name = identifier.name
    return name if identifier.args.get("quoted") else name.lower()


def resolve(node: exp.Column, scope: Scope) -> Value:
    """The value of a column reference. Raises :class:`Refused` for one that names nothing, or two things."""
    name = folded(node.this)
    table = folded(node.args["table"]) if node.args.get("table") is not None else ""
    if node.args.get("db") is not None:
        raise unsupported("A column written with schema or field", node, "Write `table.column`.")
    place: Scope | None = scope
    while place is not None:
        if (found := _find(node, table, name, place)) is not None:
            value, source = found
            if place is not scope:
                place.touched.append(True)
            return _of_group(node, value, source, place)
        place = place.parent
    raise _unknown(node, table, name, scope)


def is_local(node: exp.Column, scope: Scope) -> bool:
    """Whether a column is one of the scope's own tables, not of a query around."""
    if isinstance(node.this, exp.Star):
        return True
    name = folded(node.this)
    table = folded(node.args["table"]) if node.args.get("table") is not None else ""
    return (not table and name in scope.merged) or any(
        source.name == table if table else source.named(name) for source in scope.sources
    )


def _find(node: exp.Column, table: str, name: str, scope: Scope) -> tuple[Value, Source | None] | None:
    if not table and name in scope.merged:
        return scope.merged[name], None
    hits = [
        (Value(column.sql, column.type), source)
        for source in scope.sources
        if not table or source.name == table
        for column in source.named(name)
    ]
    if len(hits) > 1:
        raise refuse(
            "sql_unknown_name", f'column reference "{name}" is ambiguous', node,
            "Write the table or alias before it.", [name],
        )  # fmt: skip
    if hits:
        return hits[0]
    if table and any(source.name == table for source in scope.sources):
        raise _unknown(node, table, name, scope)
    if not table and any(source.name == name for source in scope.sources):
        raise unsupported("A whole row as a value", node, "Name the columns.")
    return None


def _of_group(node: exp.Column, value: Value, source: Source | None, scope: Scope) -> Value:
    grouping = scope.grouping
    if grouping is None or value.sql in grouping.present:
        return value
    if value.sql in grouping.absent:
        return Value(NULL.sql, value.type)
    if source is not None and source.name in grouping.known_sources:
        return value
    spelled = f"{source.name}.{node.name}" if source is not None else node.name
    raise mistyped(
        f'column "{spelled}" must appear in the GROUP BY clause or be used in an aggregate function', node,
        "Group by it, or put it into an aggregate such as min() or max().",
    )  # fmt: skip


def _unknown(node: exp.Column, table: str, name: str, scope: Scope) -> Exception:
    sources: list[Source] = []
    place: Scope | None = scope
    while place is not None:
        sources += place.sources
        place = place.parent
    if table and not any(source.name == table for source in sources):
        hint = did_you_mean(table, (source.name for source in sources))
        message = f'missing FROM-clause entry for table "{table}"'
        return refuse("sql_unknown_name", message, node, hint, [table])
    owners = {
        column.name: source.name
        for source in reversed(sources)
        if not table or source.name == table
        for column in source.columns
    }
    hint = did_you_mean(name, owners)
    if hint:
        near = hint.split("`")[1]
        hint = f'Perhaps you meant to reference the column "{owners[near]}.{near}".'
    elif table or len(sources) == 1:
        listed = [column.name for source in sources if not table or source.name == table for column in source.columns]
        hint = f"Its columns are {', '.join(listed[:30])}{', …' if len(listed) > 30 else ''}."
    spelled = f"{table}.{name}" if table else f'"{name}"'
    return refuse("sql_unknown_name", f"column {spelled} does not exist", node, hint, [name])


def unique_names(names: list[str]) -> list[str]:
    """The names, those that come twice told apart, as column names within a statement."""
    seen = {"true", "false"}  # SQLite gives no column of a subquery these names
    result = []
    for name in names:
        candidate, number = name, 1
        while candidate.lower() in seen:  # SQLite's names are told apart by more than case
            number += 1
            candidate = f"{name}:{number}"
        seen.add(candidate.lower())
        result.append(candidate)
    return result


EMPTY_IS_NULL = "''"
"""In place of a collation: texts compare by code point, and an empty one is NULL."""


def collated(sql: str, kind: Type, collation: str) -> str:
    """SQLite text of a column that compares by a collation, if it is a text; one that reads as NULL if it is empty."""
    if collation == EMPTY_IS_NULL and kind.name == "text":
        return f"nullif({sql}, '')"
    return f"({sql} COLLATE {collation})" if collation and kind.name == "text" else sql


def columns_of(
    alias: str, names: list[str], types: list[Type], sql_names: list[str], collation: str = ""
) -> tuple[SourceColumn, ...]:
    """The columns of a source as they are read through its alias; texts compare by ``collation``."""
    return tuple(
        SourceColumn(name, kind, collated(f"{quoted(alias)}.{quoted(sql_name)}", kind, collation))
        for name, kind, sql_name in zip(names, types, sql_names, strict=True)
    )
