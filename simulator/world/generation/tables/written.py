"""Rows that the author wrote, in the document or in a data file, as cells of their columns' types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

from simulator.errors import Problem
from simulator.scenario.models import Column, DataRows, Table
from simulator.scenario.paths import Path, render_path
from simulator.sql.schema import ColumnSchema, TableSchema
from simulator.world.changes import Value
from simulator.world.generation.tables.cells import stored_text, stored_value

_MOST_PROBLEMS = 100


class _Missing(Enum):
    MISSING = "missing"


MISSING: Final = _Missing.MISSING
"""A cell that the author left to the column's source."""

Cell: TypeAlias = Value | _Missing


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """``size`` written rows; ``columns`` holds the cells of the columns they name."""

    size: int
    columns: Mapping[str, list[Cell]]


def read_cells(table: TableSchema, model: Table, sourced: frozenset[str]) -> tuple[Cells | None, list[Problem]]:
    """The written rows of a table (None: it has none) and what is wrong with them, at most a hundred problems.

    ``sourced`` names the columns that have a source. A cell that is left out, or empty in a data file where NULL is not
    allowed, is left to the source; without one it is NULL where that is allowed. Text in a data file is read by the
    column's type; in a document it must have the right type already.
    """
    problems: list[Problem] = []
    columns: dict[str, list[Cell]] = {}
    path: Path = ("world", "tables", table.name)
    if isinstance(model.rows, list):
        rows = model.rows
        for column in table.columns:
            cells = ((row.get(column.name), column.name in row) for row in rows)
            reader = _Reader(column, column.name in sourced, (*path, "rows"), from_file=False, problems=problems)
            columns[column.name] = reader.read(cells)
        return Cells(len(rows), columns), problems
    if not isinstance(model.data, DataRows):
        return None, []
    place = {name: number for number, name in enumerate(model.data.columns)}
    for column in table.columns:
        number = place.get(column.name)
        reader = _Reader(column, column.name in sourced, (*path, "data", "rows"), from_file=True, problems=problems)
        if number is None:
            columns[column.name] = reader.read((None, False) for _ in model.data.rows)
        else:
            columns[column.name] = reader.read((row[number], True) for row in model.data.rows)
    return Cells(len(model.data.rows), columns), problems


@dataclass(slots=True)
class _Reader:
    column: ColumnSchema
    has_source: bool
    path: Path
    from_file: bool
    problems: list[Problem]

    def read(self, cells: Iterable[tuple[Any, bool]]) -> list[Cell]:
        """The cells of the column: (value, whether it was written) pairs in row order."""
        known: dict[str, Value] = {}
        result: list[Cell] = []
        for row, (value, written) in enumerate(cells):
            if value is None:
                result.append(self._empty(row, written))
            elif isinstance(value, str) and value in known:
                result.append(known[value])
            else:
                stored = self._stored(row, value)
                result.append(stored)
                if isinstance(value, str) and stored is not None:
                    known[value] = stored
        return result

    def _stored(self, row: int, value: Any) -> Value:
        try:
            if self.from_file and isinstance(value, str):
                return stored_text(value, self.column)
            return stored_value(value, self.column)
        except ValueError as error:
            self._problem("bad_value", f"{error}.", row)
            return None

    def _empty(self, row: int, written: bool) -> Cell:
        if self.has_source and not written:
            return MISSING
        if self.column.nullable:
            return None
        if self.has_source and self.from_file:
            return MISSING
        words = "is null" if written else "is missing"
        self._problem("missing_value", f"the value {words}, and the column is not `nullable`.", row)
        return None

    def _problem(self, code: str, message: str, row: int) -> None:
        if len(self.problems) >= _MOST_PROBLEMS:
            return
        if self.from_file:
            message = f"column {self.column.name}: {message}"
            self.problems.append(Problem(code, message, render_path((*self.path, row))))
        else:
            self.problems.append(Problem(code, message, render_path((*self.path, row, self.column.name))))


def has_source(model: Column) -> bool:
    """Whether a column's values can be made."""
    return model.source_name() is not None or model.depends_on is not None
