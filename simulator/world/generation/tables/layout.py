"""How one table is made: which column needs which, what its SQL reads, and which columns must differ together.

Resolved once from the document, without any row; what keeps a table from being made is found here as problems.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from simulator.errors import Problem, WorldError
from simulator.scenario.models import Column, DataRows, PerParent, RowsOf, ScenarioDocument, Source, Table
from simulator.scenario.paths import Path, did_you_mean, render_path
from simulator.sql import SqlProblem, StatementFacts, Twin
from simulator.sql.schema import ColumnSchema, Schema, TableSchema, quoted
from simulator.sql.tokens import significant
from simulator.world.generation.templates import Template

UNWRITTEN = Column.model_validate({})
"""The column that only written rows name."""

_QUERY_WORDS = frozenset({"select", "values", "with"})


@dataclass(frozen=True, slots=True)
class RowSql:
    """An author's expression over a row.

    ``reads`` names the table's own columns in it, ``history`` tells whether it reads the table's history, ``alone``
    whether it sees nothing but its row: equal rows then give equal values.
    """

    text: str
    reads: frozenset[str]
    history: bool
    alone: bool


@dataclass(frozen=True, slots=True)
class TableLayout:
    """``order`` is the order in which columns are made.

    ``per`` is the column that holds the parent whose rows this table follows; ``within`` one that must differ among
    the rows of a parent, ``ordinal`` one that numbers them, ``together`` several that must differ as a whole;
    ``checked`` the groups that nothing but a check keeps unique. ``queried`` are the columns that the query of
    `rows` gives, in its order.
    """

    table: TableSchema
    model: Table
    columns: Mapping[str, Column]
    order: tuple[str, ...]
    sql: Mapping[str, RowSql]
    per: str | None = None
    within: str | None = None
    ordinal: str | None = None
    together: tuple[str, ...] = ()
    checked: tuple[tuple[str, ...], ...] = ()
    queried: tuple[str, ...] = ()

    def is_unique(self, column: str) -> bool:
        """Whether no two rows may share a value of this column."""
        schema = self.table.column(column)
        return self.table.key == (column,) or (schema is not None and schema.unique) or (column,) in self.table.unique


def column_path(table: str, column: str) -> Path:
    """Where a column stands in a document."""
    return ("world", "tables", table, "columns", column)


def sources_of(model: Column) -> Iterator[tuple[Path, str, Source]]:
    """The sources of a column: the place of each below it, a label for its stream, and itself."""
    if model.depends_on is None:
        yield (), "", model
        return
    for value, source in model.depends_on.when.items():
        yield ("depends_on", "when", value), f"when:{value}", source
    if model.depends_on.otherwise is not None:
        yield ("depends_on", "otherwise"), "otherwise", model.depends_on.otherwise


def time_paths(source: Source) -> Iterator[tuple[str, str]]:
    """The column paths that a `time` names, with the key they stand under."""
    if source.time is not None:
        for key in ("after", "before"):
            path = getattr(source.time, key)
            if path is not None:
                yield key, path


def entered_states(source: Source) -> tuple[str, ...]:
    """The states whose entering a `time` asks for."""
    entered = source.time.entered if source.time is not None else None
    if entered is None:
        return ()
    return (entered,) if isinstance(entered, str) else tuple(entered)


@dataclass(slots=True)
class LayoutReader:
    """Reads the layouts of a document's tables; ``problems`` collects what is wrong with them."""

    document: ScenarioDocument
    schema: Schema
    problems: list[Problem] = field(default_factory=list)
    _twin: Twin | None = None
    _schema_is_whole: bool = field(init=False)

    def __post_init__(self) -> None:
        tables = self.schema.tables
        references = {column.references for table in tables.values() for column in table.columns}
        self._schema_is_whole = references <= {None, *tables}

    def read(self, name: str) -> TableLayout | None:
        """The layout of a table that is not a history; None when problems keep it from being made."""
        table = self.schema.tables[name]
        model = self.document.world.tables[name]
        columns = {column.name: model.columns.get(column.name, UNWRITTEN) for column in table.columns}
        before = len(self.problems)
        sql = self._read_sql(table, columns)
        needs = {column: self._needs(table, columns, column, sql) for column in columns}
        order = self._order(table, needs, {column for column, item in columns.items() if _uses_sql(item)})
        queried = self._queried(table, model.rows.query) if isinstance(model.rows, RowsOf) else ()
        layout = TableLayout(table, model, columns, order, sql, per=_per_column(model, columns), queried=queried)
        return _with_groups(layout) if len(self.problems) == before else None

    def problem(self, code: str, message: str, path: Path, suggestion: str = "") -> None:
        """Note one thing that is wrong."""
        self.problems.append(Problem(code, message, render_path(path), suggestion=suggestion))

    def _read_sql(self, table: TableSchema, columns: Mapping[str, Column]) -> dict[str, RowSql]:
        found: dict[str, RowSql] = {}
        for name, model in columns.items():
            path = column_path(table.name, name)
            texts: list[tuple[Path, str]] = [
                ((*path, *place, "sql"), source.sql) for place, _, source in sources_of(model) if source.sql is not None
            ]
            if isinstance(model.missing, str):
                texts.append(((*path, "missing"), model.missing))
            for place, text in texts:
                facts = self._facts(text, table.name, place)
                if facts is not None:
                    found[text] = self._row_sql(text, facts, table, place)
            if model.where is not None and model.ref in self.schema.tables and model.ref != table.name:
                facts = self._facts(model.where, model.ref or "", (*path, "where"))
                if facts is not None:
                    self._check_tables(facts, table.name, frozenset(), (*path, "where"))
        return found

    def _queried(self, table: TableSchema, query: str) -> tuple[str, ...]:
        """The columns that a query gives a table."""
        path: Path = ("world", "tables", table.name, "rows", "query")
        facts = self._analysed(query, path)
        if facts is None:
            return ()
        self._check_tables(facts, table.name, frozenset(), path)
        names = tuple(column.name for column in facts.columns)
        for name in names:
            self._known(table, name, path)
        if len(set(names)) < len(names):
            self.problem("duplicate_column", "the query gives two columns the same name.", path)
        return names

    def _facts(self, text: str, table: str, path: Path) -> StatementFacts | None:
        # By itself first, so that brackets cannot reach into what is put around it. In WHERE, an aggregate over the
        # table itself, which would be one value for all rows, is refused.
        around = f"select 1 from {quoted(table)} where ("
        return self._analysed(f"{around}\n{text}\n) is not null", path)

    def _analysed(self, text: str, path: Path) -> StatementFacts | None:
        if not self._schema_is_whole:
            return None  # the schema says so itself
        if self._twin is None:
            self._twin = Twin(";\n".join(self.schema.table_statements()))
        found = self._twin.analyse(text, role="query")
        if isinstance(found, list):
            for problem in found:
                self._sql_problem(problem, path)
            return None
        if found.parameters:
            self.problem("unbound_parameter", f"nothing binds :{found.parameters[0]} here.", path)
            return None
        if "new_id" in found.functions:
            self.problem("sql_forbidden", "new_id() gives keys in episodes, not in a world.", path)
            return None
        return found

    def _sql_problem(self, problem: SqlProblem, path: Path) -> None:
        place = f" (line {problem.line - 1})" if problem.line > 2 else ""
        self.problem(problem.code, problem.message + place, path, problem.suggestion)

    def _row_sql(self, text: str, facts: StatementFacts, table: TableSchema, path: Path) -> RowSql:
        history = self.schema.history_table(table.name)
        own = {table.name, history.name} if history is not None else {table.name}
        self._check_tables(facts, table.name, frozenset(own), path)
        reads = frozenset(name for _, owner, name in facts.reads if owner == table.name and table.column(name))
        words = {token.folded for token in significant(text)}
        return RowSql(
            text,
            reads,
            history=history is not None and history.name in facts.tables_read,
            alone=facts.tables_read <= {table.name} and not words & _QUERY_WORDS,
        )

    def _check_tables(self, facts: StatementFacts, table: str, own: frozenset[str], path: Path) -> None:
        names = list(self.schema.tables)
        earlier = set(names[: names.index(table)])
        for other in sorted(facts.tables_read & self.schema.tables.keys() - earlier - own):
            history_of = self.schema.tables[other].history_of
            if history_of is not None and history_of in earlier:
                continue  # made with its table
            self.problem(
                "later_table", f"{other} is made after {table}, so its rows cannot be read here.", path,
                f"Write {other} before {table}, or derive the column there.",
            )  # fmt: skip

    def _needs(
        self, table: TableSchema, columns: Mapping[str, Column], name: str, sql: Mapping[str, RowSql]
    ) -> set[str]:
        """The columns of the table that must be made before ``name``."""
        model = columns[name]
        path = column_path(table.name, name)
        needs: set[str] = set()
        if model.depends_on is not None:
            needs |= self._known(table, model.depends_on.column, (*path, "depends_on", "column"))
        if model.ref == table.name:
            needs |= set(table.key)
        for place, _, source in sources_of(model):
            if source.template is not None:
                for column in _template_columns(source.template):
                    needs |= self._known(table, column, (*path, *place, "template"))
            for key, target in time_paths(source):
                needs |= self._time_needs(table, columns, target, (*path, *place, "time", key))
            if entered_states(source):
                needs |= {column for column, item in columns.items() if item.lifecycle is not None}
            if source.lifecycle is not None and source.lifecycle in self.document.world.lifecycles:
                needs |= self._lifecycle_needs(table, source.lifecycle)
            if source.sql is not None and source.sql in sql:
                needs |= self._sql_needs(table, columns, sql[source.sql])
        if isinstance(model.missing, str) and model.missing in sql:
            needs |= self._sql_needs(table, columns, sql[model.missing]) - {name}
        return needs

    def _sql_needs(self, table: TableSchema, columns: Mapping[str, Column], expression: RowSql) -> set[str]:
        needs = set(expression.reads)
        if expression.history:
            needs |= {*table.key, *(column for column, item in columns.items() if item.lifecycle is not None)}
        return needs

    def _lifecycle_needs(self, table: TableSchema, name: str) -> set[str]:
        lifecycle = self.document.world.lifecycles[name]
        path: Path = ("world", "lifecycles", name)
        needs = {*table.key, *self._known(table, lifecycle.at, (*path, "at"))}
        for index, step in enumerate(lifecycle.steps):
            if step.at is not None:
                place = (*path, "steps", index, "at")
                needs |= self._known(table, step.at, place)
                self._check_is_time(table.column(step.at), step.at, place)
        return needs

    def _time_needs(self, table: TableSchema, columns: Mapping[str, Column], target: str, path: Path) -> set[str]:
        owner, dot, column = target.partition(".")
        if not dot or owner == table.name:
            name = column or owner
            needs = self._known(table, name, path)
            self._check_is_time(table.column(name), target, path)
            return needs
        reference = reference_to(columns, owner)
        if reference is None:
            self.problem(
                "unknown_column", f"{table.name} has no `ref` to {owner}, so {target} is no column of a parent.", path
            )
            return set()
        parent = self.schema.tables.get(owner)
        if parent is not None:
            self._known(parent, column, path)
            self._check_is_time(parent.column(column), target, path)
        return {reference}

    def _check_is_time(self, column: ColumnSchema | None, target: str, path: Path) -> None:
        if column is not None and column.type not in ("date", "timestamp"):
            self.problem("not_a_time", f"{target} is of type {column.type_text}, not a date or timestamp.", path)

    def _known(self, table: TableSchema, column: str, path: Path) -> set[str]:
        if table.column(column) is not None:
            return {column}
        hint = did_you_mean(column, table.column_names)
        self.problem("unknown_column", f"there is no column {column!r} in {table.name}.", path, hint)
        return set()

    def _order(self, table: TableSchema, needs: Mapping[str, set[str]], late: set[str]) -> tuple[str, ...]:
        """What needs nothing first; among equals what needs no SQL, then as written."""
        position = {name: number for number, name in enumerate(table.column_names)}
        sorter = TopologicalSorter(needs)
        try:
            sorter.prepare()
        except CycleError as error:
            cycle = list(reversed(error.args[1]))
            first = min(cycle, key=lambda name: position[name])
            self.problem(
                "cyclic_columns", f"these columns need each other first: {' → '.join(cycle)}.",
                column_path(table.name, first), "Let one of them come from another source.",
            )  # fmt: skip
            return ()
        order: list[str] = []
        ready: list[tuple[bool, int, str]] = []
        while sorter.is_active():
            for name in sorter.get_ready():
                heapq.heappush(ready, (name in late, position[name], name))
            *_, name = heapq.heappop(ready)
            order.append(name)
            sorter.done(name)
        return tuple(order)


def reference_to(columns: Mapping[str, Column], table: str) -> str | None:
    """The first column that refers to ``table``, None when there is none."""
    return next((name for name, model in columns.items() if model.ref == table), None)


def is_pickable(model: Column, table: str) -> bool:
    """Whether the column picks one of a limited number of things, so that picks can be kept apart."""
    if model.depends_on is not None or model.ref == table:
        return False
    return model.ref is not None or isinstance(model.choice, list | dict)


def _uses_sql(model: Column) -> bool:
    return isinstance(model.missing, str) or any(source.sql is not None for _, _, source in sources_of(model))


def _template_columns(text: str) -> tuple[str, ...]:
    try:
        return Template(text).columns
    except WorldError:
        return ()


def _per_column(model: Table, columns: Mapping[str, Column]) -> str | None:
    return reference_to(columns, model.rows.per) if isinstance(model.rows, PerParent) else None


def _with_groups(layout: TableLayout) -> TableLayout:
    """Decide for every group of columns that must differ together how that is brought about."""
    table, columns = layout.table, layout.columns
    groups = [group for group in (table.key, *table.unique) if len(group) > 1]
    written = _written_columns(layout.model)
    within: str | None = None
    ordinal: str | None = None
    together: tuple[str, ...] = ()
    checked: list[tuple[str, ...]] = []
    for group in groups:
        pickable = [name for name in group if name != layout.per and is_pickable(columns[name], table.name)]
        pickable = [name for name in pickable if not layout.is_unique(name) and name not in written]
        numbered = [name for name in group if is_number(columns[name], table, name)]
        if any(_differs_alone(layout, name) for name in group if name not in numbered):
            continue
        if layout.per in group and layout.per is not None:
            if numbered and ordinal in (None, numbered[0]):
                ordinal = numbered[0]
                continue
            if pickable and within in (None, pickable[0]):
                within = pickable[0]
                continue
        elif numbered:
            continue
        elif len(pickable) > 1 and not together and within not in pickable:
            together = tuple(pickable)
            continue
        checked.append(group)
    return TableLayout(
        table, layout.model, columns, layout.order, layout.sql, layout.per, within, ordinal, together, tuple(checked),
        layout.queried,
    )  # fmt: skip


def _written_columns(model: Table) -> frozenset[str]:
    """The columns whose values the author wrote, so that nothing is drawn for them."""
    if isinstance(model.data, DataRows):
        return frozenset(model.data.columns)
    rows = model.rows if isinstance(model.rows, list) else []
    return frozenset(column for row in rows for column in row)


def is_number(model: Column, table: TableSchema, name: str) -> bool:
    """Whether a column without a source is filled with 1, 2, 3: an integer of the key."""
    column = table.column(name)
    bare = model.source_name() is None and model.depends_on is None
    return bare and name in table.key and column is not None and column.type == "integer"


def _differs_alone(layout: TableLayout, name: str) -> bool:
    model = layout.columns[name]
    bare = model.depends_on is None
    return layout.is_unique(name) or (
        bare and (model.pattern is not None or model.sequence is not None or model.uuid is not None)
    )
