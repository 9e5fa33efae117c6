"""What comes out of a translation."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.sql.dialects.value_types import Type


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """A column of the result: its name as the dialect gives it, and the type its values mean."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Translated:
    """A statement of a dialect as one of SQLite, with the same meaning.

    ``sql`` names tables without a database, always in quotes. ``columns`` are those of the result, none for a write
    without RETURNING. ``functions`` are the ``dx_…`` functions it calls
    (:func:`~simulator.sql.dialects.register_dialect_functions`). ``notes`` tell what was left out on purpose.
    """

    sql: str
    columns: tuple[OutputColumn, ...]
    functions: frozenset[str]
    notes: tuple[str, ...] = ()
