"""One table of a world: its rows made column by column, in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np

from simulator.errors import WorldError
from simulator.scenario.models import Column, PerParent, RowsOf, ScenarioDocument, Source
from simulator.sql.schema import ColumnSchema, Schema
from simulator.world.changes import Value
from simulator.world.generation.cardinality import parent_positions
from simulator.world.generation.lifecycle import walk
from simulator.world.generation.pools import PoolSet
from simulator.world.generation.streams import Integers, Stream
from simulator.world.generation.tables.cells import shown_values, stored_results, stored_text
from simulator.world.generation.tables.counts import MOST_CELLS, check_cells, draw_child_counts, written_or_scaled
from simulator.world.generation.tables.database import Progress, WorldDatabase
from simulator.world.generation.tables.histories import generated_steps, history_columns, without_walks_of
from simulator.world.generation.tables.layout import (
    RowSql,
    TableLayout,
    entered_states,
    is_number,
    reference_to,
    sources_of,
)  # fmt: skip
from simulator.world.generation.tables.moments import (
    draw_distinct_moments,
    draw_moments,
    entered_moments,
    moment_values,
)  # fmt: skip
from simulator.world.generation.tables.picking import Options, pick_combinations, pick_within_parents
from simulator.world.generation.tables.references import earlier_rows, eligible_parents, parent_options
from simulator.world.generation.tables.rows import Mask, Moments, TableRows
from simulator.world.generation.tables.sources import (
    choice_options,
    choice_values,
    different_values,
    number_values,
    pattern_values,
    sequence_values,
    take,
    uuid_values,
)  # fmt: skip
from simulator.world.generation.tables.written import MISSING, Cell, Cells
from simulator.world.generation.templates import Template
from simulator.world.generation.texts import FakerColumn, FakerTable

_Result = TypeVar("_Result")
_Pickable: TypeAlias = tuple[Options, Callable[[Integers], list[Value]], Integers | None]


@dataclass(frozen=True, slots=True, eq=False)
class Making:
    """What all tables of one world share while it is made; ``finished`` holds the tables made so far."""

    document: ScenarioDocument
    schema: Schema
    seed: int
    scale: float
    now: int
    pools: PoolSet
    database: WorldDatabase
    finished: dict[str, TableRows] = field(default_factory=dict)

    @property
    def locales(self) -> tuple[str, ...]:
        """The world's locales."""
        return locales_of(self.document.world.locale)


def locales_of(locale: str | list[str] | None) -> tuple[str, ...]:
    """One locale or several, as a tuple."""
    if locale is None:
        return ()
    return (locale,) if isinstance(locale, str) else tuple(locale)


class TableBuilder:
    """Makes the rows of one table. ``written`` holds the cells the author wrote, by column.

    Every WorldError it raises names the table, and the column where there is one.
    """

    def __init__(self, making: Making, layout: TableLayout, written: Cells | None) -> None:
        self._making = making
        self._layout = layout
        self._written = written
        self._table = layout.table
        self._options: dict[str, _Pickable] = {}
        self._together: dict[str, Integers] = {}
        self._staged: frozenset[str] | None = None
        self._history_is_loaded = False
        self.rows = self._named(self._table.name, self._count)
        self._faker = self._faker_table()

    def build(self) -> TableRows:
        """All columns."""
        rows, name = self.rows, self._table.name
        if self._layout.together and rows.size:
            self._named(f"{name}.{'+'.join(self._layout.together)}", self._draw_together)
        for column in self._layout.order:
            rows.columns[column] = self._named(f"{name}.{column}", partial(self._column, column))
        self._making.database.unstage(name)
        for group in self._layout.checked:
            cells = zip(*(rows.columns[column] for column in group), strict=True)
            _check_different(f"{name}: {', '.join(group)}", [row for row in cells if None not in row])
        return rows

    def load_history(self, progress: Progress) -> None:
        """Put the transitions into the table that keeps them, if there is one and they are not there yet."""
        history = self._making.schema.history_table(self._table.name)
        if history is None or self._history_is_loaded:
            return
        self._history_is_loaded = True
        columns = history_columns(self.rows)
        self._making.database.create_table(self._making.schema, history.name)
        self._making.database.load(history, columns, len(columns[0]), progress)
        self._making.database.create_indexes(history)

    def _named(self, place: str, step: Callable[[], _Result]) -> _Result:
        try:
            return step()
        except (WorldError, ValueError) as error:
            text = str(error)
            raise WorldError(text if text.startswith(f"{self._table.name}.") else f"{place}: {text}") from error

    def _stream(self, column: str, purpose: str) -> Stream:
        return Stream(self._making.seed, self._table.name, column, purpose)

    # -- How many rows -------------------------------------------------------------------------------------------------

    def _count(self) -> TableRows:
        model = self._layout.model
        if isinstance(model.rows, RowsOf):
            self._written = self._query(model.rows.query)
        if self._written is not None:
            return TableRows(self._table, self._written.size)
        parent_table = self._parent_table()
        if parent_table is None or not isinstance(model.rows, PerParent):
            size = written_or_scaled(model, self._making.scale)
            check_cells(self._table.name, size, len(self._table.columns))
            return TableRows(self._table, size)
        parent = self._making.finished[parent_table]
        counts = draw_child_counts(model.rows.count, self._stream("", "count"), parent.size)
        if self._layout.within is not None:
            counts = np.minimum(counts, self._pickable(self._layout.within)[0].size)
        size = int(counts.sum())
        check_cells(self._table.name, size, len(self._table.columns))
        return TableRows(self._table, size, parent_positions(counts), counts)

    def _query(self, query: str) -> Cells:
        """What the query of `rows` gives; the columns it does not give are left to their sources."""
        table, queried = self._table, self._layout.queried
        known = sum(rows.size for rows in self._making.finished.values())
        found = self._making.database.query(query, known, MOST_CELLS // len(table.columns))
        columns: dict[str, list[Cell]] = {
            name: [*stored_results((row[place] for row in found), self._schema(name))]
            for place, name in enumerate(queried)
        }
        return Cells(len(found), columns)

    def _parent_table(self) -> str | None:
        rows = self._layout.model.rows
        return rows.per if isinstance(rows, PerParent) else None

    def _faker_table(self) -> FakerTable:
        columns: list[FakerColumn] = []
        for name, model in self._layout.columns.items():
            for _, label, source in sources_of(model):
                faker = source.faker
                if faker is None:
                    continue
                provider = faker if isinstance(faker, str) else faker.provider
                locales = () if isinstance(faker, str) else locales_of(faker.locale)
                unique = self._layout.is_unique(name)
                columns.append(FakerColumn(_labelled(name, label), provider, unique, locales))
        making = self._making
        return FakerTable(
            columns,
            pools=making.pools,
            seed=making.seed,
            table=self._table.name,
            rows=self.rows.size,
            locales=making.locales,
        )

    # -- One column ----------------------------------------------------------------------------------------------------

    def _column(self, name: str) -> list[Value]:
        column = self._schema(name)
        model = self._layout.columns[name]
        cells = self._written.columns.get(name) if self._written is not None else None
        if cells is None:
            values = self._drawn(name, model, column)
        elif MISSING in cells:
            drawn = self._drawn(name, model, column)
            values = [made if cell is MISSING else cell for cell, made in zip(cells, drawn, strict=True)]
            self.rows.forget_shortcuts(name)
        else:
            values = [cell for cell in cells if cell is not MISSING]
        if self._written is None or name not in self._written.columns:
            values = self._with_missing(name, model, values)
        if not column.nullable and None in values:
            row = values.index(None) + 1
            raise WorldError(f"row {row} has no value and the column is not `nullable`")
        if self._layout.is_unique(name) and not self._differs(model):
            _check_different("", values)
        return values

    def _schema(self, name: str) -> ColumnSchema:
        return next(column for column in self._table.columns if column.name == name)

    def _drawn(self, name: str, model: Column, column: ColumnSchema) -> list[Value]:
        if is_number(model, self._table, name):
            return self._numbers(name)
        if model.depends_on is not None:
            return self._branches(name, model, column)
        return self._source(name, "", model, column, None)

    def _numbers(self, name: str) -> list[Value]:
        rows = self.rows
        if name == self._layout.ordinal and rows.owner is not None and rows.counts is not None:
            first = np.cumsum(rows.counts) - rows.counts
            ordinals: list[Value] = (np.arange(rows.size, dtype=np.int64) - first[rows.owner] + 1).tolist()
            return ordinals
        return list(range(1, rows.size + 1))

    def _branches(self, name: str, model: Column, column: ColumnSchema) -> list[Value]:
        """The column whose source another column picks: every source for all rows, then row by row the one that counts.

        So a branch draws the same values whatever the others are.
        """
        depends_on = model.depends_on
        if depends_on is None:
            raise WorldError("the column has no `depends_on`")
        deciding = self._schema(depends_on.column)
        decided = self.rows.columns[depends_on.column]
        branch = {stored_text(key, deciding): number for number, key in enumerate(depends_on.when)}
        otherwise = len(depends_on.when)
        numbers = np.fromiter((branch.get(value, otherwise) for value in decided), dtype=np.int64, count=len(decided))
        values: list[Value] = [None] * self.rows.size
        for number, (_, label, source) in enumerate(sources_of(model)):
            active = numbers == number
            drawn = self._source(name, label, source, column, active)
            self.rows.forget_shortcuts(name)
            for row in np.flatnonzero(active).tolist():
                values[row] = drawn[row]
        # Texts made by providers may meet across branches; what was chosen from lists stays as the author wrote it.
        made = all(source.faker is not None for _, _, source in sources_of(model))
        return _told_apart(values) if model.unique and made else values

    def _with_missing(self, name: str, model: Column, values: list[Value]) -> list[Value]:
        if model.missing is None:
            return values
        if isinstance(model.missing, str):
            self.rows.columns[name] = values  # the condition may read it
            holds = self._evaluate(self._layout.sql[model.missing])
            gone: Sequence[object] = holds
        else:
            gone = self._stream(name, "missing").bernoulli(self.rows.size, model.missing).tolist()
        self.rows.forget_shortcuts(name)
        return [None if empty else value for value, empty in zip(values, gone, strict=True)]

    # -- Sources -------------------------------------------------------------------------------------------------------

    def _source(self, name: str, label: str, source: Source, column: ColumnSchema, active: Mask | None) -> list[Value]:
        rows, kind = self.rows, source.source_name()
        stream = self._stream(name, _labelled(kind or "", label))
        unique = self._layout.is_unique(name) and active is None
        if kind in ("ref", "choice"):
            return self._picked(name, source, column, stream, plain=active is None)
        if kind == "number" and source.number is not None:
            return number_values(source.number, column, stream, rows.size, unique=unique)
        if kind == "time":
            return self._times(name, source, column, stream, active)
        if kind == "lifecycle" and source.lifecycle is not None:
            return self._states(name, source.lifecycle, stream)
        if kind == "sequence" and source.sequence is not None:
            return sequence_values(source.sequence, rows.size)
        if kind == "uuid":
            return uuid_values(stream, rows.size)
        if kind == "sql" and source.sql is not None:
            return stored_results(self._evaluate(self._layout.sql[source.sql]), column)
        return self._text(name, label, source, column)

    def _text(self, name: str, label: str, source: Source, column: ColumnSchema) -> list[Value]:
        size = self.rows.size
        if source.pattern is not None:
            return pattern_values(source.pattern, size)
        if source.faker is not None:
            return list(self._faker.values(_labelled(name, label)))
        if source.template is not None:
            template = Template(source.template)
            shown = {used: shown_values(self.rows.columns[used], self._schema(used)) for used in template.columns}
            texts = template.render(shown, size)
            if column.type == "text":
                return list(texts)
            return [None if text is None else stored_text(text, column) for text in texts]
        if source.constant is not None:
            return [stored_results([source.constant], column)[0]] * size
        return [None] * size

    def _times(
        self, name: str, source: Source, column: ColumnSchema, stream: Stream, active: Mask | None
    ) -> list[Value]:
        rows, time = self.rows, source.time
        if time is None:
            raise WorldError("the column has no `time`")
        moments = None
        if time.entered is not None:
            moments = entered_moments(rows, entered_states(source))
        elif active is None and self._layout.is_unique(name):
            moments = draw_distinct_moments(time, column.type, size=rows.size, now=self._making.now, stream=stream)
        if moments is None:
            moments = draw_moments(
                time, column.type, size=rows.size, now=self._making.now, lookup=self._moments, active=active,
                stream=stream,
            )  # fmt: skip
        rows.set_moments(name, moments)
        return moment_values(moments, column.type)

    def _moments(self, path: str) -> Moments:
        """The times at a column path: a column of the row, or of the parent that a reference points to."""
        owner, dot, column = path.partition(".")
        if not dot or owner == self._table.name:
            return self.rows.moments(column or owner)
        parent = self._making.finished[owner]
        reference = reference_to(self._layout.columns, owner)
        if reference is None:
            raise WorldError(f"there is no `ref` to {owner}")
        positions = self.rows.positions(reference, parent)
        theirs = parent.moments(column)
        nobody = positions < 0
        if not parent.size:
            return Moments(np.zeros(self.rows.size, dtype=np.int64), nobody)
        return Moments(theirs.at[positions], theirs.absent[positions] | nobody)

    def _states(self, column: str, name: str, stream: Stream) -> list[Value]:
        lifecycle = self._making.document.world.lifecycles[name]
        rows = self.rows
        starts = rows.moments(lifecycle.at)
        cells = self._written.columns.get(column) if self._written is not None else None
        written: Mask = np.zeros(rows.size, dtype=np.bool_)
        if cells is not None:
            written = np.fromiter((cell is not MISSING for cell in cells), dtype=np.bool_, count=rows.size)
        if (starts.absent & ~written).any():
            raise WorldError(f"the lifecycle starts at `{lifecycle.at}`, which is NULL in some rows")
        walks = walk(lifecycle.start, generated_steps(lifecycle, rows.moments), stream, starts.at, self._making.now)
        rows.starts = Moments(starts.at, written)
        rows.walks = without_walks_of(walks, written)
        return take(list(walks.states), walks.final)

    # -- References and choices ----------------------------------------------------------------------------------------

    def _picked(self, name: str, source: Source, column: ColumnSchema, stream: Stream, *, plain: bool) -> list[Value]:
        rows, model = self.rows, self._layout.columns[name]
        if not plain:  # a branch of `depends_on`, which no uniqueness by construction can span
            values, weights = choice_values(source, column)
            return take(values, choice_options(values, weights).pick(stream, rows.size))
        if model.ref == self._table.name:
            positions = earlier_rows(model, rows, stream)
            rows.set_positions(name, positions)
            return take(rows.keys(), positions)
        if name == self._layout.per and rows.owner is not None and model.ref is not None:
            rows.set_positions(name, rows.owner)
            return take(self._making.finished[model.ref].keys(), rows.owner)
        options, take_values, parents = self._pickable(name)
        if not options.size and rows.size:
            if column.nullable:
                return [None] * rows.size
            raise WorldError("there is nothing to pick from; are all rows of the parent ruled out?")
        picked = self._positions(name, options, stream)
        if parents is not None:
            rows.set_positions(name, parents[picked])
        return take_values(picked)

    def _positions(self, name: str, options: Options, stream: Stream) -> Integers:
        rows = self.rows
        if not rows.size:
            return np.zeros(0, dtype=np.int64)
        if name in self._together:
            return self._together[name]
        if name == self._layout.within and rows.counts is not None:
            return pick_within_parents(options, rows.counts, stream)
        unique = self._layout.is_unique(name)
        return options.pick_distinct(stream, rows.size) if unique else options.pick(stream, rows.size)

    def _pickable(self, name: str) -> _Pickable:
        """What a column picks from, the values behind the options, and for a reference the parents' positions."""
        if name not in self._options:
            model, column = self._layout.columns[name], self._schema(name)
            find = self._reference if model.ref else self._choice
            self._options[name] = find(name, model, column)
        return self._options[name]

    def _choice(self, name: str, source: Source, column: ColumnSchema) -> _Pickable:
        values, weights = choice_values(source, column)
        if self._layout.is_unique(name) or name in (self._layout.within, *self._layout.together):
            values, weights = different_values(values, weights)
        return choice_options(values, weights), lambda positions: take(values, positions), None

    def _reference(self, name: str, source: Source, column: ColumnSchema) -> _Pickable:
        model = self._layout.columns[name]
        parent = self._making.finished[source.ref or ""]
        keys = None
        if model.where is not None:
            keys = self._making.database.keys_where(model.where, parent.table, parent.size)
        stream = self._stream(name, "ref")
        options, positions = parent_options(model, column, parent, eligible_parents(parent, keys), stream)
        return options, lambda picked: take(parent.keys(), positions[picked]), positions

    def _draw_together(self) -> None:
        names = self._layout.together
        options = [self._pickable(name)[0] for name in names]
        stream = self._stream("+".join(names), "together")
        self._together = dict(zip(names, pick_combinations(options, self.rows.size, stream), strict=True))

    def _differs(self, model: Column) -> bool:
        """Whether the source itself keeps values apart, so that no check is needed."""
        if self._written is not None or model.depends_on is not None:
            return False
        if model.ref is not None:
            return model.ref not in (self._table.name, self._parent_table())
        return model.source_name() in ("faker", "pattern", "sequence", "uuid", "choice", None)

    # -- SQL -----------------------------------------------------------------------------------------------------------

    def _evaluate(self, expression: RowSql) -> list[Any]:
        """An author's expression for each row, over the columns made so far."""
        rows, database, name = self.rows, self._making.database, self._table.name
        names = [column for column in self._table.column_names if column in expression.reads]
        if expression.alone and names:
            # Equal rows give equal values: each kind of row is asked once.
            cells = list(zip(*(rows.columns[column] for column in names), strict=True))
            kinds = dict.fromkeys(cells)
            database.stage(self._table, names, list(zip(*kinds, strict=True)), len(kinds))
            self._staged = None
            found = dict(zip(kinds, database.evaluate(expression.text, name, len(kinds)), strict=True))
            return [found[cell] for cell in cells]
        if self._staged is None or not expression.reads <= self._staged:
            made = {column for other in self._layout.sql.values() for column in other.reads if column in rows.columns}
            made |= expression.reads
            names = [column for column in self._table.column_names if column in made]
            database.stage(self._table, names, [rows.columns[column] for column in names], rows.size)
            self._staged = frozenset(made)
        if expression.history:
            self.load_history(lambda _: None)
        return database.evaluate(expression.text, name, rows.size)


def _labelled(name: str, label: str) -> str:
    return f"{name}|{label}" if label else name


def _told_apart(values: list[Value]) -> list[Value]:
    """Texts of several sources, in which one source knows nothing of the others: a repeated text gets a number."""
    seen: set[Value] = set()
    apart: list[Value] = []
    for value in values:
        text: Value = value
        number = 1
        while text is not None and text in seen:
            number += 1
            text = f"{value!s} {number}"
        seen.add(text)
        apart.append(text)
    return apart


def _check_different(what: str, values: Sequence[Any]) -> None:
    present = [value for value in values if value is not None]
    if len(set(present)) == len(present):
        return
    seen: set[Any] = set()
    repeated = None
    for value in present:
        if value in seen:
            repeated = value
            break
        seen.add(value)
    place = f"{what}: " if what else ""
    raise WorldError(
        f"{place}must be unique, but {len(present):,} rows have only {len(set(present)):,} different values; "
        f"{repeated!r} comes twice. Ask for fewer rows or a source with more values"
    )
