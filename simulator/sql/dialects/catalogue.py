"""The tables a translation may speak of: columns with their types, and keys.

Made by whoever translates, for the tables the agent may see, so that messages never name others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from simulator.sql.dialects.value_types import OF_LANGUAGE, Type, numeric


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column. ``type`` is the language's name of a type (``decimal`` without parameters, ``precision`` and
    ``scale`` beside it; precision 0 is unlimited). ``returned`` says what RETURNING * gives of it.
    """

    name: str
    type: str
    nullable: bool = True
    precision: int = 0
    scale: int = 0
    returned: Literal["value", "null", "nothing"] = "value"

    @property
    def value_type(self) -> Type:
        """The type its values have in expressions."""
        return numeric(self.scale) if self.type == "decimal" else OF_LANGUAGE[self.type]


@dataclass(frozen=True, slots=True)
class TableShape:
    """One table or view. ``key`` names the columns of its primary key, none for a view; ``unique`` its other keys."""

    name: str
    columns: tuple[TableColumn, ...]
    key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()

    def column(self, name: str) -> TableColumn | None:
        """The column of this name."""
        return next((column for column in self.columns if column.name == name), None)


class _Column(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def nullable(self) -> bool: ...
    @property
    def unique(self) -> bool: ...
    @property
    def precision(self) -> int: ...
    @property
    def scale(self) -> int: ...


class _Table(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> Sequence[_Column]: ...
    @property
    def key(self) -> tuple[str, ...]: ...
    @property
    def unique(self) -> tuple[tuple[str, ...], ...]: ...


class TableCatalogue:
    """Tables by name."""

    def __init__(self, tables: Iterable[TableShape]) -> None:
        self.tables: Mapping[str, TableShape] = {table.name: table for table in tables}

    def with_truth_as_number(self) -> TableCatalogue:
        """The same for a dialect whose booleans are the numbers 0 and 1."""
        return TableCatalogue(
            replace(
                table,
                columns=tuple(
                    replace(column, type="integer") if column.type == "boolean" else column for column in table.columns
                ),
            )
            for table in self.tables.values()
        )

    @classmethod
    def of(cls, tables: Iterable[_Table]) -> TableCatalogue:
        """The catalogue of tables as a scenario's schema has them."""
        return cls(
            TableShape(
                table.name,
                tuple(
                    TableColumn(item.name, item.type, item.nullable, item.precision, item.scale)
                    for item in table.columns
                ),
                table.key,
                (*((item.name,) for item in table.columns if item.unique), *table.unique),
            )
            for table in tables
        )
