"""Everything wrong with a world that can be told without making it, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from faker.config import AVAILABLE_LOCALES

from simulator.errors import Problem, WorldError
from simulator.scenario.models import Column, CountSource, Lifecycle, PerParent, RowsOf, ScenarioDocument, Source
from simulator.scenario.models.sources import SOURCE_NAMES
from simulator.scenario.paths import Path, did_you_mean, render_path
from simulator.scenario.times import parse_timestamp
from simulator.sql.schema import ColumnSchema, Schema, TableSchema
from simulator.world.generation.patterns import KeyPattern
from simulator.world.generation.pools import COMMITTED_LOCALES
from simulator.world.generation.streams import Stream
from simulator.world.generation.tables.cells import stored_text, stored_value
from simulator.world.generation.tables.counts import estimate_rows
from simulator.world.generation.tables.layout import (
    UNWRITTEN,
    LayoutReader,
    TableLayout,
    column_path,
    entered_states,
    is_number,
    reference_to,
    sources_of,
    time_paths,
)  # fmt: skip
from simulator.world.generation.tables.moments import bound_seconds, draw_distinct_moments, duration_numbers
from simulator.world.generation.tables.sources import (
    choice_options,
    choice_values,
    different_values,
    number_capacity,
    number_distribution,
)  # fmt: skip
from simulator.world.generation.tables.written import Cells, has_source, read_cells
from simulator.world.generation.templates import Template
from simulator.world.generation.texts import check_provider

_TYPES = {
    "number": ("integer", "real", "decimal"), "time": ("date", "timestamp"), "sequence": ("integer",),
    "lifecycle": ("text",), "uuid": ("text",), "pattern": ("text",), "faker": ("text",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WorldPlan:
    """What was read of a document's world: how each table is made, and the rows written in it.

    ``layouts`` lacks the histories, and tables that have problems.
    """

    layouts: Mapping[str, TableLayout]
    written: Mapping[str, Cells]
    problems: tuple[Problem, ...]


def world_problems(document: ScenarioDocument, schema: Schema) -> list[Problem]:
    """What keeps the document's world from being made, and what its author should look at (warnings)."""
    return list(plan_world(document, schema).problems)


def plan_world(document: ScenarioDocument, schema: Schema) -> WorldPlan:
    """Read every table of ``schema``, which is the document's."""
    reader = LayoutReader(document, schema)
    layouts: dict[str, TableLayout] = {}
    written: dict[str, Cells] = {}
    checker = _Checker(reader)
    checker.check_world()
    for name, table in schema.tables.items():
        model = document.world.tables[name]
        if model.history_of is not None:
            continue
        layout = reader.read(name)
        if layout is not None:
            layouts[name] = layout
        columns = {column.name: model.columns.get(column.name, UNWRITTEN) for column in table.columns}
        sourced = frozenset(
            column for column, item in columns.items() if has_source(item) or is_number(item, table, column)
        )
        cells, problems = read_cells(table, model, sourced)
        reader.problems += problems
        if cells is not None:
            written[name] = cells
        checker.check_table(table, columns, layout)
    return WorldPlan(layouts, written, tuple(reader.problems))


class _Checker:
    """Looks at the sources of every column."""

    def __init__(self, reader: LayoutReader) -> None:
        self._reader = reader
        self._problem = reader.problem
        self._world = reader.document.world
        self._schema = reader.schema
        self._now = parse_timestamp(self._world.now)
        self._rows = estimate_rows(reader.document)

    def check_world(self) -> None:
        """Locales, lifecycles and the number of rows of children."""
        self._locales(self._world.locale, ("world", "locale"))
        for name, lifecycle in self._world.lifecycles.items():
            self._lifecycle(name, lifecycle)
        for name, table in self._world.tables.items():
            if isinstance(table.rows, PerParent):
                self._children(name, table.rows)

    def check_table(self, table: TableSchema, columns: Mapping[str, Column], layout: TableLayout | None) -> None:
        """Every column's sources, and whether uniqueness is possible."""
        model = self._world.tables[table.name]
        is_written = isinstance(model.rows, list | RowsOf) or model.data is not None
        given = set(columns) if is_written else set()
        if layout is not None and isinstance(model.rows, RowsOf):
            given = set(layout.queried)
        for name, item in columns.items():
            column = next(column for column in table.columns if column.name == name)
            path = column_path(table.name, name)
            if not has_source(item) and not is_number(item, table, name) and name not in given and not column.nullable:
                self._problem(
                    "no_source", "nothing says where the values come from.", path,
                    "Give the column a source (choice, number, time, …), or make it `nullable`.",
                )  # fmt: skip
            if item.missing is not None and name in table.key:
                self._problem("missing_key", "a key always has a value.", (*path, "missing"))
            for place, _, source in sources_of(item):
                self._source(table, item, column, source, (*path, *place))
            if item.depends_on is not None:
                self._branches(table, item, path)
            if layout is not None and not is_written and layout.is_unique(name):
                self._unique(table, column, item, path)

    # -- The world -----------------------------------------------------------------------------------------------------

    def _locales(self, locale: str | list[str] | None, path: Path) -> None:
        locales = [locale] if isinstance(locale, str) else locale
        if locales is not None and not locales:
            self._problem("unknown_locale", "name at least one locale.", path)
        for name in locales or ():
            if name not in COMMITTED_LOCALES and name not in AVAILABLE_LOCALES:
                hint = did_you_mean(name, AVAILABLE_LOCALES)
                self._problem("unknown_locale", f"{name!r} is no locale of Faker, such as en_US or de_DE.", path, hint)

    def _lifecycle(self, name: str, lifecycle: Lifecycle) -> None:
        path: Path = ("world", "lifecycles", name)
        try:
            for step in lifecycle.steps:
                if step.after is not None:
                    duration_numbers(step.after)
        except (WorldError, ValueError) as error:
            self._problem("bad_duration", f"{error}.", (*path, "steps"))
        reached = {lifecycle.start}
        frontier = [lifecycle.start]
        while frontier:
            origin = frontier.pop()
            for source, target in lifecycle.transitions():
                if source == origin and target not in reached:
                    reached.add(target)
                    frontier.append(target)
        for state in lifecycle.states():
            if state not in reached:
                problem = Problem(
                    "unreachable_state", f"no step leads from {lifecycle.start} to {state}.",
                    render_path((*path, "steps")), severity="warning",
                )  # fmt: skip
                self._reader.problems.append(problem)
        for table in self._schema.tables.values():
            for column in table.columns:
                at = table.column(lifecycle.at)
                if column.lifecycle == name and at is not None and at.type not in ("date", "timestamp"):
                    self._problem(
                        "not_a_time", f"{table.name}.{lifecycle.at} is of type {at.type_text}.", (*path, "at")
                    )

    def _children(self, name: str, rows: PerParent) -> None:
        path: Path = ("world", "tables", name, "rows")
        if rows.per not in self._world.tables:
            hint = did_you_mean(rows.per, self._world.tables)
            self._problem("unknown_table", f"there is no table {rows.per!r}.", (*path, "per"), hint)
            return
        columns = self._world.tables[name].columns
        if rows.per == name:
            self._problem("bad_parent", "a table cannot have so many rows per row of itself.", (*path, "per"))
        elif self._world.tables[rows.per].history_of is not None:
            self._problem("bad_parent", f"{rows.per} is a history, which only the engine writes.", (*path, "per"))
        elif reference_to(columns, rows.per) is None:
            self._problem(
                "no_reference", f"no column refers to {rows.per}, so its rows would not know their parent.", path,
                f"Add a column `{rows.per}_id: {{ref: {rows.per}}}`.",
            )  # fmt: skip
        if isinstance(rows.count, CountSource):
            self._count(rows.count, (*path, "count"))

    def _count(self, count: CountSource, path: Path) -> None:
        if count.min is not None and count.max is not None and count.min > count.max:
            self._problem("bad_count", "`min` is larger than `max`.", path)
        if count.uniform is not None and count.uniform[0] > count.uniform[1]:
            self._problem("bad_count", "`uniform` takes the fewest first.", (*path, "uniform"))
        if count.choice is not None and not sum(count.choice.values()) > 0:
            self._problem("bad_count", "the weights must have a positive sum.", (*path, "choice"))
        if count.pareto is not None:
            shape, smallest = count.pareto
            if shape <= 0 or smallest <= 0:
                self._problem("bad_count", "shape and smallest value must be positive.", (*path, "pareto"))
            elif shape <= 1 and count.max is None:
                self._problem("bad_count", "a shape of 1 or less has no mean: give a `max`.", (*path, "pareto"))

    # -- Sources -------------------------------------------------------------------------------------------------------

    def _source(self, table: TableSchema, model: Column, column: ColumnSchema, source: Source, path: Path) -> None:
        kind = source.source_name()
        if kind is None:
            return
        place = (*path, kind)
        allowed = _TYPES.get(kind)
        if allowed is not None and column.type not in allowed:
            hint = f"Let the type be {' or '.join(allowed)}."
            self._problem("source_type", f"`{kind}` gives no {column.type_text}.", place, hint)
            return
        try:
            self._check_values(column, source, place)
        except (WorldError, ValueError) as error:
            text = str(error)
            self._problem(_CODES.get(kind, "bad_source"), text if text.endswith(("?", ".")) else f"{text}.", place)
        if source.faker is not None and not isinstance(source.faker, str):
            self._locales(source.faker.locale, (*place, "locale"))
        if kind == "ref":
            self._reference(table, model, column, path)
        if source.time is not None:
            self._time(table, source, column, place)
        if kind == "sql" and column.name in table.key:
            self._problem("key_from_sql", "a key cannot come from SQL: nothing keeps it unique.", place)

    def _check_values(self, column: ColumnSchema, source: Source, path: Path) -> None:
        """Raises WorldError or ValueError with what is wrong with a source's parameters."""
        if source.faker is not None:
            check_provider(source.faker if isinstance(source.faker, str) else source.faker.provider)
        elif source.number is not None:
            numbers = number_distribution(source.number)
            if column.type == "integer":
                numbers.integer_quantile(np.asarray([0.5]))
        elif source.pattern is not None:
            KeyPattern(source.pattern)
        elif source.template is not None:
            Template(source.template)
        elif source.ref is None and source.choice is not None:
            values, weights = choice_values(source, column)
            choice_options(values, weights)
            if not values:
                raise ValueError("the list has no values")
            if None in values and not column.nullable:
                self._problem("missing_value", "a choice is null, and the column is not `nullable`.", path)
        elif "constant" in source.model_fields_set:
            if source.constant is not None:
                stored_value(source.constant, column)
            elif not column.nullable:
                raise ValueError("the value is null, and the column is not `nullable`")

    def _reference(self, table: TableSchema, model: Column, column: ColumnSchema, path: Path) -> None:
        parent = self._schema.tables.get(model.ref or "")
        if model.depends_on is not None or parent is None:
            return
        if parent.history_of is not None:
            self._problem("bad_reference", f"{parent.name} is a history; refer to its table.", (*path, "ref"))
        key = parent.column(parent.key[0])
        if key is not None and key.type_text != column.type_text:
            self._problem(
                "source_type", f"the key of {parent.name} is of type {key.type_text}.", (*path, "type"),
                "Leave the type out: a `ref` takes its parent's.",
            )  # fmt: skip
        rows = self._world.tables[table.name].rows
        walks = isinstance(rows, PerParent) and rows.per == model.ref
        walks = walks and reference_to(self._world.tables[table.name].columns, parent.name) == column.name
        own = parent.name == table.name
        if own and not column.nullable and isinstance(rows, int | PerParent) and rows != 0:
            self._problem(
                "bad_reference", "the first row has no earlier row to refer to: the column must be `nullable`.", path
            )
        shaped = "where" if model.where is not None else "choice" if model.choice is not None else None
        if shaped is not None and walks:
            self._problem("bad_reference", f"`{shaped}` picks nothing here: `per` decides the parent.", (*path, shaped))
        elif own and (shaped == "where" or isinstance(model.choice, dict)):
            self._problem(
                "bad_reference", f"a reference to earlier rows of its own table takes no `{shaped}`.",
                (*path, shaped or "ref"),
            )  # fmt: skip
        elif isinstance(model.choice, list):
            self._problem("bad_reference", "with `ref`, `choice` is zipf or weights by key.", (*path, "choice"))
        elif isinstance(model.choice, dict):
            for text in model.choice:
                try:
                    stored_text(text, column)
                except ValueError as error:
                    self._problem("bad_value", f"{error}.", (*path, "choice"))

    def _time(self, table: TableSchema, source: Source, column: ColumnSchema, path: Path) -> None:
        time = source.time
        if time is None:
            return
        for key, text in (("from", time.from_), ("to", time.to)):
            if text is not None:
                try:
                    bound_seconds(text, self._now)
                except ValueError as error:
                    self._problem("bad_time", f"{error}.", (*path, key))
                    return
        if time.within is not None:
            try:
                duration_numbers(time.within)
            except (WorldError, ValueError) as error:
                self._problem("bad_duration", f"{error}.", (*path, "within"))
        if time.from_ is not None:
            latest = bound_seconds(time.to, self._now) if time.to is not None else self._now
            if bound_seconds(time.from_, self._now) > latest:
                self._problem("bad_time", "`from` is later than `to`.", path)
        bounded = time.from_ or time.after or time.within or time.entered
        if not bounded:
            hint = "Add `from`, as in `from: -1y`."
            self._problem("bad_time", "nothing says what the earliest moment is.", path, hint)
        states = entered_states(source)
        if states:
            self._entered(table, states, (*path, "entered"))
        if any(target == column.name for _, target in time_paths(source)):
            self._problem("cyclic_columns", "a time cannot be bounded by itself.", path)

    def _entered(self, table: TableSchema, states: tuple[str, ...], path: Path) -> None:
        governed = table.lifecycle_column
        lifecycle = self._world.lifecycles.get(governed.lifecycle or "") if governed is not None else None
        if lifecycle is None:
            self._problem("no_lifecycle", f"{table.name} has no column with a lifecycle.", path)
            return
        for state in states:
            if state not in lifecycle.states():
                hint = did_you_mean(state, lifecycle.states())
                self._problem("unknown_state", f"the lifecycle has no state {state!r}.", path, hint)

    def _branches(self, table: TableSchema, model: Column, path: Path) -> None:
        depends_on = model.depends_on
        deciding = table.column(depends_on.column) if depends_on is not None else None
        if depends_on is None or deciding is None:
            return
        for text in depends_on.when:
            try:
                stored_text(text, deciding)
            except ValueError as error:
                self._problem("bad_value", f"{error}.", (*path, "depends_on", "when", text))
        for place, _, source in sources_of(model):
            kind = source.source_name()
            given = sorted(source.model_fields_set & {*SOURCE_NAMES, "constant"})
            if len(given) > 1:
                message = f"a branch has one source; this one has {', '.join(given)}."
                self._problem("bad_source", message, (*path, *place))
            elif kind in ("ref", "lifecycle"):
                self._problem("bad_source", f"a branch of `depends_on` cannot be a `{kind}`.", (*path, *place, kind))
            elif kind is None:
                self._problem("no_source", "the branch has no source.", (*path, *place))

    # -- Uniqueness ----------------------------------------------------------------------------------------------------

    def _unique(self, table: TableSchema, column: ColumnSchema, model: Column, path: Path) -> None:
        rows = self._rows[table.name]
        spared = model.missing if isinstance(model.missing, float) else 1.0 if model.missing is not None else 0.0
        capacity = self._capacity(column, model, rows)
        if capacity is not None and rows * (1 - spared) > capacity:
            self._problem(
                "impossible_unique",
                f"{table.name}.{column.name} must be unique, but its source has only {capacity:,} different values "
                f"for {rows:,} rows.", path, "Ask for fewer rows, more values, or drop `unique`.",
            )  # fmt: skip

    def _capacity(self, column: ColumnSchema, model: Column, rows: int) -> int | None:
        """How many different values a source has; None when there is no telling."""
        try:
            if model.ref is not None:
                return self._rows.get(model.ref)
            if model.choice is not None:
                return len(different_values(*choice_values(model, column))[0])
            if "constant" in model.model_fields_set:
                return 1
            if model.number is not None:
                return number_capacity(model.number, column)
            if model.time is not None:
                stream = Stream(0, "", "")
                draw_distinct_moments(model.time, column.type, size=rows, now=self._now, stream=stream)
        except ValueError:
            return None  # reported where the source is looked at
        except WorldError:
            return self._moments(model, column)
        return None

    def _moments(self, model: Column, column: ColumnSchema) -> int | None:
        time = model.time
        if time is None or time.from_ is None:
            return None
        latest = bound_seconds(time.to, self._now) if time.to is not None else self._now
        unit = 86_400 if column.type == "date" else 1
        return max(latest // unit - bound_seconds(time.from_, self._now) // unit + 1, 0)


_CODES = {
    "faker": "unknown_provider", "number": "bad_numbers", "pattern": "bad_pattern", "template": "bad_template",
    "choice": "bad_choice", "constant": "bad_value",
}  # fmt: skip
