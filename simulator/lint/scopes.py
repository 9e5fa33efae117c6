"""What an SQL text may name at its place: parameters, row sets, the row a condition is about, the engine's tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from simulator.sql import Cte, RowNames, StatementFacts, row_set_cte
from simulator.sql.schema import TableSchema


@dataclass(frozen=True, slots=True)
class Scope:
    """The names known at one place.

    ``parameters`` are bound there; with ``open`` there may be more that nobody knows, because what would name them is
    wrong itself. ``rowsets`` are readable as tables, and those in ``broken`` would be if they were right. ``rows`` are
    what a condition is about. ``engine`` says that `before`, `action` and `change` are readable.
    """

    parameters: frozenset[str] = frozenset()
    rowsets: tuple[Cte, ...] = ()
    broken: frozenset[str] = frozenset()
    rows: tuple[RowNames, ...] = ()
    engine: bool = False
    open: bool = False

    def binding(self, names: Iterable[str]) -> Scope:
        """With more parameters."""
        return replace(self, parameters=self.parameters | set(names))

    def binding_columns(self, facts: StatementFacts | None) -> Scope:
        """With the columns of a query as parameters; if the query is wrong, with any."""
        if facts is None:
            return replace(self, open=True)
        return self.binding(column.name for column in facts.columns)

    def reading(self, name: str, facts: StatementFacts | None) -> Scope:
        """With a query's rows as the table ``name``."""
        if facts is None:
            return replace(self, broken=self.broken | {name})
        return replace(self, rowsets=(*self.rowsets, row_set_cte(name, [column.name for column in facts.columns])))

    def reading_engine_tables(self) -> Scope:
        """With `before`, `action` and `change`."""
        return replace(self, engine=True)

    def about_row(self, table: TableSchema) -> Scope:
        """For a condition on a row of ``table``."""
        return replace(self, rows=(RowNames(table.name, table.column_names),))

    def about_change(self, table: TableSchema) -> Scope:
        """For a condition on a row of ``table`` before and after a change."""
        return replace(self, rows=tuple(RowNames(name, table.column_names) for name in ("old", "new")))
