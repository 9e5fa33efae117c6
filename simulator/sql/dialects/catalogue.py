"""The tables a translation may speak of: columns with their types, and keys.

Made by whoever translates, for the tables the agent may see, so that messages never name others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from simulator.sql.dialects.value_types import OF_LANGUAGE, Type, numeric


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column. ``type`` is the language's name of a type (``decimal`` without parameters, ``scale`` beside it)."""

    name: str
    type: str
    nullable: bool = True
    scale: int = 0

    @property
    def value_type(self) -> Type:
        """The type its values have in expressions."""
        return numeric(self.scale) if self.type == "decimal" else OF_LANGUAGE[self.type]


@dataclass(frozen=True, slots=True)
class TableShape:
    """One table or view. ``key`` names the columns of its primary key, none for a view."""

    name: str
    columns: tuple[TableColumn, ...]
    key: tuple[str, ...] = ()

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
    def scale(self) -> int: ...


class _Table(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[_Column, ...]: ...
    @property
    def key(self) -> tuple[str, ...]: ...


class TableCatalogue:
    """Tables by name."""

    def __init__(self, tables: Iterable[TableShape]) -> None:
        self.tables: Mapping[str, TableShape] = {table.name: table for table in tables}

    @classmethod
    def of(cls, tables: Iterable[_Table]) -> TableCatalogue:
        """The catalogue of tables as a scenario's schema has them."""
        return cls(
            TableShape(
                table.name,
                tuple(TableColumn(item.name, item.type, item.nullable, item.scale) for item in table.columns),
                table.key,
            )
            for table in tables
        )
