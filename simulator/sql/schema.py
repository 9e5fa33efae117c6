"""The relational schema of a scenario: tables, columns, keys and references, resolved from the models, and its DDL.

Everything that is left out in the language is decided here, once: a column's type, the primary key, what may be NULL,
which columns have an index, the order in which tables can be made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from typing import Any

from simulator.errors import Problem
from simulator.scenario.models import Column, DataRows, PerParent, ScenarioDocument, Table

STORAGE = {
    "integer": "INTEGER", "real": "REAL", "text": "TEXT", "boolean": "INTEGER", "date": "TEXT", "timestamp": "TEXT",
    "decimal": "REAL", "json": "TEXT",
}  # fmt: skip

_DIGIT = "[0-9]"
_DATE_GLOB = f"{_DIGIT * 4}-[01]{_DIGIT}-[0-3]{_DIGIT}"
_TIMESTAMP_GLOB = f"{_DATE_GLOB} [0-2]{_DIGIT}:[0-5]{_DIGIT}:[0-5]{_DIGIT}"


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """One column as the database has it. ``type`` is the language's, without parameters; ``scale`` is decimal's."""

    name: str
    type: str
    nullable: bool = False
    unique: bool = False
    references: str | None = None
    precision: int = 0
    scale: int = 0
    lifecycle: str | None = None
    summary: str = ""

    @property
    def storage(self) -> str:
        """SQLite's storage type."""
        return STORAGE[self.type]

    @property
    def type_text(self) -> str:
        """The type as authors write it."""
        return f"decimal({self.precision},{self.scale})" if self.type == "decimal" else self.type


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table. ``key`` names the primary key's columns; ``history_of`` the table whose transitions it keeps."""

    name: str
    columns: tuple[ColumnSchema, ...]
    key: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()
    history_of: str | None = None
    summary: str = ""

    def column(self, name: str) -> ColumnSchema | None:
        """The column of this name, None if there is none."""
        return next((column for column in self.columns if column.name == name), None)

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names in order."""
        return tuple(column.name for column in self.columns)

    @property
    def lifecycle_column(self) -> ColumnSchema | None:
        """The column a state machine governs, None if there is none."""
        return next((column for column in self.columns if column.lifecycle is not None), None)


@dataclass(frozen=True, slots=True)
class Schema:
    """All tables, parents before children, and the views."""

    tables: Mapping[str, TableSchema]
    views: Mapping[str, str]

    def history_table(self, table: str) -> TableSchema | None:
        """The table that keeps the transitions of `table`, None if nobody does."""
        return next((item for item in self.tables.values() if item.history_of == table), None)

    def history_tables(self) -> frozenset[str]:
        """Names of the tables that only the engine writes."""
        return frozenset(item.name for item in self.tables.values() if item.history_of is not None)

    def table_statements(self) -> Iterator[str]:
        """CREATE TABLE, one statement a table."""
        return (_create_table(table, self.tables) for table in self.tables.values())

    def index_statements(self) -> Iterator[str]:
        """CREATE INDEX: on references, unique groups and the author's own."""
        for table in self.tables.values():
            seen = {table.key}
            unique = ((column.name,) for column in table.columns if column.unique)
            for group in (*unique, *table.unique):
                if group not in seen:
                    seen.add(group)
                    yield f"CREATE UNIQUE INDEX {_index(table, group)}"
            references = ((column.name,) for column in table.columns if column.references)
            for group in (*references, *table.indexes):
                if not any(known[: len(group)] == group for known in seen):
                    seen.add(group)
                    yield f"CREATE INDEX {_index(table, group)}"

    def trigger_statements(self) -> Iterator[str]:
        """Triggers that round decimals to their scale at every write: stored, hashed and compared values agree."""
        for table in self.tables.values():
            same_row = " AND ".join(f"{quoted(name)} = new.{quoted(name)}" for name in table.key)
            for column in table.columns:
                if column.type != "decimal":
                    continue
                name = quoted(column.name)
                rounded = f"decimal_round(new.{name}, {column.scale})"
                for verb in ("INSERT", f"UPDATE OF {name}"):
                    trigger = quoted(f"{table.name}__{column.name}__{verb[:6].lower()}")
                    yield (
                        f"CREATE TRIGGER {trigger} AFTER {verb} ON {quoted(table.name)} "
                        f"WHEN new.{name} IS NOT {rounded} "
                        f"BEGIN UPDATE {quoted(table.name)} SET {name} = {rounded} WHERE {same_row}; END"
                    )

    def view_statements(self) -> Iterator[str]:
        """CREATE VIEW, in the author's order."""
        return (f"CREATE VIEW {quoted(name)} AS {sql.rstrip().rstrip(';')}" for name, sql in self.views.items())

    def statements(self) -> Iterator[str]:
        """The whole DDL without views, in an order that works."""
        yield from self.table_statements()
        yield from self.index_statements()
        yield from self.trigger_statements()


def build_schema(document: ScenarioDocument) -> tuple[Schema, tuple[Problem, ...]]:
    """Resolve a document's tables. All problems are returned; tables that have one may be missing from the schema."""
    return _Builder(document).build()


def quoted(name: str) -> str:
    """An identifier as SQL text, safe where it is also a keyword (`order`)."""
    return '"' + name.replace('"', '""') + '"'


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(map(quoted, names))


def _index(table: TableSchema, group: tuple[str, ...]) -> str:
    return f"{quoted('__'.join((table.name, *group)))} ON {quoted(table.name)} ({_list(group)})"


def _create_table(table: TableSchema, tables: Mapping[str, TableSchema]) -> str:
    lines = []
    for column in table.columns:
        name = quoted(column.name)
        words = [name, column.storage]
        if not column.nullable or column.name in table.key:
            words.append("NOT NULL")
        if column.type == "boolean":
            words.append(f"CHECK ({name} IN (0, 1))")
        elif column.type == "date":
            words.append(f"CHECK ({name} GLOB '{_DATE_GLOB}')")
        elif column.type == "timestamp":
            words.append(f"CHECK ({name} GLOB '{_TIMESTAMP_GLOB}')")
        elif column.type == "json":
            words.append(f"CHECK (json_valid({name}))")
        if column.references is not None:
            words.append(f"REFERENCES {quoted(column.references)}({quoted(tables[column.references].key[0])})")
        lines.append(" ".join(words))
    lines.append(f"PRIMARY KEY ({_list(table.key)})")
    key = table.column(table.key[0])
    rowid_alias = len(table.key) == 1 and key is not None and key.storage == "INTEGER"
    options = "STRICT" if rowid_alias else "STRICT, WITHOUT ROWID"
    return f"CREATE TABLE {quoted(table.name)} ({', '.join(lines)}) {options}"


class _Builder:
    """Resolves the tables of one document, parents first, collecting problems."""

    def __init__(self, document: ScenarioDocument) -> None:
        self.world = document.world
        self.problems: list[Problem] = []
        self.done: dict[str, TableSchema] = {}

    def build(self) -> tuple[Schema, tuple[Problem, ...]]:
        for name in self._order():
            table = self.world.tables[name]
            built = self._history(name, table) if table.history_of is not None else self._table(name, table)
            if built is not None:
                self.done[name] = built
        views = {name: view if isinstance(view, str) else view.sql for name, view in self.world.views.items()}
        return Schema(dict(self.done), views), tuple(self.problems)

    def _problem(self, code: str, message: str, path: str, suggestion: str = "") -> None:
        self.problems.append(Problem(code, message, path, suggestion=suggestion))

    def _order(self) -> list[str]:
        """Parents before children, otherwise as written; a cycle is a problem and its tables keep the written order."""
        tables = self.world.tables
        graph: dict[str, list[str]] = {}
        for name, table in tables.items():
            parents = [parent for column in table.columns.values() if (parent := column.ref or column.references)]
            if isinstance(table.rows, PerParent):
                parents.append(table.rows.per)
            if table.history_of is not None:
                parents.append(table.history_of)
            graph[name] = [parent for parent in dict.fromkeys(parents) if parent in tables and parent != name]
        position = {name: index for index, name in enumerate(tables)}
        sorter = TopologicalSorter(graph)
        try:
            sorter.prepare()
        except CycleError as error:
            cycle = " → ".join(reversed(error.args[1]))
            first = min(error.args[1], key=lambda name: position[name])
            self._problem(
                "cyclic_reference", f"these tables need each other first: {cycle}.", f"world.tables.{first}",
                "Take one of the references out, or move it to a table of its own.",
            )  # fmt: skip
            return list(tables)
        order: list[str] = []
        ready: list[int] = []
        names = list(tables)
        while sorter.is_active():
            for name in sorter.get_ready():
                heappush(ready, position[name])
            order.append(names[heappop(ready)])
            sorter.done(order[-1])
        return order

    def _table(self, name: str, table: Table) -> TableSchema | None:
        path = f"world.tables.{name}"
        columns = {column: self._column(name, column, model) for column, model in table.columns.items()}
        for column, inferred in _inferred(table).items():
            columns.setdefault(column, inferred)
        if not columns:
            self._problem("no_columns", "the table has no columns.", path)
            return None
        key = tuple(table.key or ()) or tuple(column for column, model in table.columns.items() if model.key)
        key = key or (("id",) if "id" in columns else (next(iter(columns)),))
        groups = [(f"{path}.key", key)]
        groups += [(f"{path}.unique[{index}]", tuple(group)) for index, group in enumerate(table.unique)]
        groups += [(f"{path}.indexes[{index}]", tuple(group)) for index, group in enumerate(table.indexes)]
        for place, group in groups:
            for column in group:
                if column not in columns:
                    self._problem("unknown_column", f"there is no column {column!r} in {name}.", place)
                    return None
        return TableSchema(
            name, tuple(columns.values()), key, tuple(map(tuple, table.unique)), tuple(map(tuple, table.indexes)),
            summary=table.summary,
        )  # fmt: skip

    def _column(self, table: str, name: str, model: Column) -> ColumnSchema:
        kind, precision, scale = model.type or "", 0, 0
        references = None
        if model.ref is not None or model.references is not None:
            references = self._reference(table, name, model)
            if not kind and references is not None:
                parent_table = self.done.get(references)
                parent = parent_table.column(parent_table.key[0]) if parent_table else None
                kind = parent.type if parent else _own_key_type(self.world.tables[references])
        if kind.startswith("decimal"):
            precision, scale = (int(part) for part in kind[8:-1].split(","))
            kind = "decimal"
        lifecycle = model.lifecycle
        if lifecycle is not None and lifecycle not in self.world.lifecycles:
            self._problem(
                "unknown_lifecycle",
                f"there is no lifecycle {lifecycle!r}.",
                f"world.tables.{table}.columns.{name}.lifecycle",
            )
        nullable = (
            model.nullable or model.missing is not None or (model.time is not None and model.time.entered is not None)
        )
        nullable = nullable or (model.depends_on is not None and model.depends_on.otherwise is None)
        return ColumnSchema(
            name, kind or "text", nullable, model.unique, references, precision, scale, lifecycle, model.summary
        )

    def _reference(self, table: str, name: str, model: Column) -> str | None:
        word = "references" if model.ref is None else "ref"
        path = f"world.tables.{table}.columns.{name}.{word}"
        target = model.ref or model.references or ""
        parent = self.world.tables.get(target)
        if parent is None:
            self._problem("unknown_table", f"there is no table {target!r}.", path)
            return None
        keys = parent.key or [column for column, item in parent.columns.items() if item.key]
        if len(keys) > 1:
            self._problem(
                "composite_reference",
                f"{target} has a key of several columns; a `{word}` needs one of one column.",
                path,
            )
            return None
        return target

    def _history(self, name: str, table: Table) -> TableSchema | None:
        path = f"world.tables.{name}.history_of"
        owner = self.done.get(table.history_of or "")
        if owner is None or owner.lifecycle_column is None or len(owner.key) != 1:
            self._problem(
                "no_lifecycle",
                f"{table.history_of!r} is no table with a lifecycle column and a key of one column.",
                path,
            )
            return None
        key = owner.key[0]
        key_type = next(column.type for column in owner.columns if column.name == key)
        columns = (
            ColumnSchema("id", "integer"),
            ColumnSchema(f"{owner.name}_{key}", key_type, references=owner.name),
            ColumnSchema("from_state", "text"),
            ColumnSchema("to_state", "text"),
            ColumnSchema("at", "timestamp"),
        )
        return TableSchema(name, columns, ("id",), history_of=owner.name, summary=table.summary)


def _own_key_type(table: Table) -> str:
    """The type of a table's key from its model alone, for a table that refers to itself."""
    name = (table.key or [column for column, item in table.columns.items() if item.key] or ["id"])[0]
    column = table.columns.get(name)
    if column is not None:
        return column.type or "text"
    inferred = _inferred(table).get(name)
    return inferred.type if inferred else "text"


def _inferred(table: Table) -> dict[str, ColumnSchema]:
    """Columns that only written rows name: their types from the values, nullable where a value is missing."""
    if isinstance(table.rows, list):
        rows: list[dict[str, Any]] = table.rows
    elif isinstance(table.data, DataRows):
        rows = [dict(zip(table.data.columns, row, strict=False)) for row in table.data.rows]
    else:
        return {}
    values: dict[str, list[Any]] = {}
    for row in rows:
        for name in row:
            values.setdefault(name, [])
    for name, found in values.items():
        found += [row.get(name) for row in rows]
    return {
        name: ColumnSchema(name, _type_of(found), nullable=any(value is None for value in found))
        for name, found in values.items()
    }


def _type_of(values: list[Any]) -> str:
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, bool) for value in present):
        return "boolean"
    if present and all(isinstance(value, int) and not isinstance(value, bool) for value in present):
        return "integer"
    if present and all(isinstance(value, int | float) and not isinstance(value, bool) for value in present):
        return "real"
    if any(isinstance(value, dict | list) for value in present):
        return "json"
    return "text"
