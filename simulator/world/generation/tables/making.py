"""From a plan to a world: every table in its order, then references, views and what the world is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from simulator.scenario.models import ScenarioDocument
from simulator.sql.schema import Schema
from simulator.world.generation.tables.builder import Making, TableBuilder
from simulator.world.generation.tables.layout import sources_of, time_paths
from simulator.world.generation.tables.problems import WorldPlan

Progress = Callable[[int, int, str], None]
"""Told (rows done, rows in all, table) as a world is made; the second is an estimate until the last table."""


def make_tables(making: Making, plan: WorldPlan, estimates: Mapping[str, int], progress: Progress | None) -> None:
    """Fill the database with all tables of the plan. Raises WorldError, naming table and column, for what cannot be."""
    kept = _columns_of_use(making.document, making.schema)
    counter = _Counter(dict(estimates), progress)
    database = making.database
    for name, table in making.schema.tables.items():
        if table.history_of is not None:
            continue  # made with the table whose history it is
        builder = TableBuilder(making, plan.layouts[name], plan.written.get(name))
        counter.begin(name, builder.rows.size)
        rows = builder.build()
        database.create_table(making.schema, name)
        database.load(table, [rows.columns[column] for column in table.column_names], rows.size, counter.add)
        database.create_indexes(table)
        builder.load_history(counter.add_more)
        rows.keep_only(kept[name])
        making.finished[name] = rows


class _Counter:
    def __init__(self, expected: dict[str, int], progress: Progress | None) -> None:
        self._expected = expected
        self._progress = progress
        self._done = 0
        self._table = ""

    def begin(self, table: str, rows: int) -> None:
        """A table is made, and so many rows it really has."""
        self._table = table
        self._expected[table] = rows
        self._tell()

    def add(self, rows: int) -> None:
        """Rows went in."""
        self._done += rows
        self._tell()

    def add_more(self, rows: int) -> None:
        """Rows of a history went in, which nobody expected."""
        self._expected[self._table] += rows
        self.add(rows)

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self._done, sum(self._expected.values()), self._table)


def _columns_of_use(document: ScenarioDocument, schema: Schema) -> dict[str, set[str]]:
    """The columns of each table that later tables look at: keys, and times that bound theirs."""
    of_use: dict[str, set[str]] = {name: set(table.key) for name, table in schema.tables.items()}
    for table in document.world.tables.values():
        for model in table.columns.values():
            for _, _, source in sources_of(model):
                for _, path in time_paths(source):
                    owner, dot, column = path.partition(".")
                    if dot and owner in of_use:
                        of_use[owner].add(column)
    return of_use
