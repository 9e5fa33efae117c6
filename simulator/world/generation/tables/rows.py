"""The rows of one table while a world is made: columns in memory, and where each reference points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from simulator.errors import WorldError
from simulator.scenario.times import parse_date, parse_timestamp
from simulator.sql.schema import TableSchema
from simulator.world.changes import Value
from simulator.world.generation.lifecycle import Walks
from simulator.world.generation.streams import Integers
from simulator.world.generation.times import DAY

Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Moments:
    """Times as epoch seconds (dates: midnight); ``at`` means nothing where ``absent``."""

    at: Integers
    absent: Mask


@dataclass(slots=True, eq=False)
class TableRows:
    """``size`` rows of a table. ``columns`` holds the finished columns as stored values.

    ``owner[i]`` is the position of the row's parent where the table has so many rows per parent, and ``counts`` how
    many rows each parent has.
    """

    table: TableSchema
    size: int
    owner: Integers | None = None
    counts: Integers | None = None
    columns: dict[str, list[Value]] = field(default_factory=dict)
    walks: Walks | None = None
    starts: Moments | None = None
    _positions: dict[str, Integers] = field(default_factory=dict)
    _moments: dict[str, Moments] = field(default_factory=dict)
    _by_key: dict[Value, int] | None = None

    def set_positions(self, column: str, positions: Integers) -> None:
        """Remember which parent each row's reference points to (-1: none)."""
        self._positions[column] = positions

    def set_moments(self, column: str, moments: Moments) -> None:
        """Remember a column's times, to spare reading them back from text."""
        self._moments[column] = moments

    def forget_shortcuts(self, column: str) -> None:
        """Values of a column were changed after they were drawn."""
        self._positions.pop(column, None)
        self._moments.pop(column, None)

    def moments(self, column: str) -> Moments:
        """The times of a finished date or timestamp column."""
        if column not in self._moments:
            kind = next(item.type for item in self.table.columns if item.name == column)
            values = self.columns[column]
            absent = np.fromiter((value is None for value in values), dtype=np.bool_, count=self.size)
            at = np.fromiter((_seconds(value, kind) for value in values), dtype=np.int64, count=self.size)
            self._moments[column] = Moments(at, absent)
        return self._moments[column]

    def positions(self, column: str, parent: TableRows) -> Integers:
        """Which row of ``parent`` each row's reference points to; -1 where it is NULL or points nowhere."""
        if column not in self._positions:
            by_key = parent.by_key()
            found = (by_key.get(value, -1) for value in self.columns[column])
            self._positions[column] = np.fromiter(found, dtype=np.int64, count=self.size)
        return self._positions[column]

    def by_key(self) -> dict[Value, int]:
        """The position of each row by its key, for a key of one column."""
        if self._by_key is None:
            self._by_key = {key: position for position, key in enumerate(self.keys())}
        return self._by_key

    def keys(self) -> list[Value]:
        """The key of each row, for a key of one column."""
        return self.columns[self.table.key[0]]

    def keep_only(self, columns: set[str]) -> None:
        """Let go of what later tables do not need."""
        self.columns = {name: values for name, values in self.columns.items() if name in columns}
        self._moments = {name: moments for name, moments in self._moments.items() if name in columns}
        self._positions = {}
        self.walks = self.starts = None


def _seconds(value: Value, kind: str) -> int:
    if not isinstance(value, str):
        return 0
    try:
        return parse_date(value) * DAY if kind == "date" else parse_timestamp(value)
    except ValueError as error:
        raise WorldError(str(error)) from error
