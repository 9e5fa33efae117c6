"""What a role may do with each table, resolved from the scenario's grants.

Grants add up: a role has what any of its grants gives, on the rows for which that grant holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from simulator.scenario.models import Grant, SqlAccess
from simulator.sql.authorizer import Verb


@dataclass(frozen=True, slots=True)
class Relation:
    """A table or view as it can be granted. A view has no ``key``; ``writable`` is false for it and for histories.

    ``types`` are the language's types of the columns, "" where a view computes one. ``base_tables`` are the tables and
    views behind a view. ``triggers`` are the engine's, on this table. ``foreign`` are (table, column) that SQLite reads
    to keep references when a row of this table changes: the keys it refers to, and the columns that refer to it.
    ``scales`` are the digits of the decimals, to which the engine's triggers round what is written.
    """

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    writable: bool = False
    base_tables: frozenset[str] = frozenset()
    triggers: frozenset[str] = frozenset()
    foreign: frozenset[tuple[str, str]] = frozenset()
    scales: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Right:
    """One grant, its columns spelled out. It counts for the rows where ``where`` holds, for all when that is None."""

    select: frozenset[str]
    masked: frozenset[str]
    insert: frozenset[str]
    update: frozenset[str]
    delete: bool
    where: str | None

    @property
    def shows_rows(self) -> bool:
        """Whether rows can be seen by it at all."""
        return bool(self.select or self.masked)

    def gives(self, verb: Verb) -> bool:
        """Whether it allows the verb, on some column."""
        return self.delete if verb == "delete" else bool(self.insert if verb == "insert" else self.update)


@dataclass(frozen=True)  # no slots: what follows from the rights is asked for each statement, and kept
class GrantedTable:
    """What one role may do with one table."""

    relation: Relation
    rights: tuple[Right, ...]

    @property
    def name(self) -> str:
        """The table's name."""
        return self.relation.name

    @cached_property
    def visible(self) -> tuple[str, ...]:
        """Columns that can be read, masked ones included, in the table's order."""
        return self._ordered(column for right in self.rights for column in right.select | right.masked)

    @cached_property
    def known(self) -> tuple[str, ...]:
        """Columns the role knows of at all: those it reads, sets or changes."""
        of_rights = (right.select | right.masked | right.insert | right.update for right in self.rights)
        return self._ordered(column for columns in of_rights for column in columns)

    @cached_property
    def masked(self) -> tuple[str, ...]:
        """Columns that read as NULL in every row."""
        return tuple(column for column in self.visible if not self.clear_by(column))

    @cached_property
    def insertable(self) -> tuple[str, ...]:
        """Columns a new row may set."""
        return self._ordered(column for right in self.rights for column in right.insert)

    @cached_property
    def updatable(self) -> tuple[str, ...]:
        """Columns that may be changed."""
        return self._ordered(column for right in self.rights for column in right.update)

    @cached_property
    def clear_everywhere(self) -> frozenset[str]:
        """Columns whose value is shown in every visible row: these a write may read of the rows it changes."""
        showing = tuple(right for right in self.rights if right.shows_rows)
        return frozenset(
            column
            for column in self.visible
            if any(right.where is None for right in self.clear_by(column))
            or (showing and all(column in right.select for right in showing))
        )

    def clear_by(self, column: str) -> tuple[Right, ...]:
        """The rights that show the value of a column."""
        return tuple(right for right in self.rights if column in right.select)

    def may(self, verb: Verb) -> bool:
        """Whether the role has the verb at all."""
        return any(right.gives(verb) for right in self.rights)

    @cached_property
    def hides(self) -> bool:
        """Whether there are values that the role sees in some rows and not in others."""
        return self.visible_rows() is not None or any(
            self.clear_by(column) and column not in self.clear_everywhere for column in self.visible
        )

    def visible_rows(self) -> str | None:
        """The condition on rows that can be seen; None when all can."""
        return any_of(right for right in self.rights if right.shows_rows)

    def rows_for(self, verb: Verb) -> str | None:
        """The condition on rows the verb may be used on, None for all rows: granted, and not hidden from the role."""
        granted = any_of(right for right in self.rights if right.gives(verb))
        seen = self.visible_rows()
        if granted is None or seen is None or granted == seen:
            return granted or seen
        return f"({granted}\n) and ({seen}\n)"

    def _ordered(self, names: Iterable[str]) -> tuple[str, ...]:
        wanted = set(names)
        return tuple(column for column in self.relation.columns if column in wanted)


def any_of(rights: Iterable[Right]) -> str | None:
    """The condition that one of the rights holds; None when it always does."""
    conditions = [right.where for right in rights]
    if not conditions or None in conditions:
        return None
    texts = dict.fromkeys(text for text in conditions if text is not None)
    # The line ends keep a closing comment from swallowing the bracket.
    return " or ".join(f"({text}\n)" for text in texts)


@dataclass(frozen=True, slots=True)
class Role:
    """A role in the eyes of one SQL tool: ``label`` names the pair, ``tables`` are by name, in the author's order."""

    label: str
    tables: Mapping[str, GrantedTable]


def role_of(access: SqlAccess, relations: Mapping[str, Relation], role: str | None, label: str) -> Role:
    """What the grants of an SQL tool come to for a role. Grants on what is no relation are left out."""
    tables: dict[str, GrantedTable] = {}
    for name, given in access.grants.items():
        relation = relations.get(name)
        grants = [given] if isinstance(given, Grant) else given
        rights = tuple(_right(grant, relation) for grant in grants if relation is not None and _concerns(grant, role))
        rights = tuple(right for right in rights if right.shows_rows or any(map(right.gives, VERBS)))
        if relation is not None and rights:
            tables[name] = GrantedTable(relation, rights)
    return Role(label, tables)


VERBS: tuple[Verb, ...] = ("insert", "update", "delete")


def _concerns(grant: Grant, role: str | None) -> bool:
    return grant.roles is None or role in grant.roles


def _right(grant: Grant, relation: Relation) -> Right:
    columns = relation.columns
    masked = frozenset(_listed(grant.masked, columns))
    writable = relation.writable
    return Right(
        select=frozenset(_listed(grant.select, columns)) - masked,
        masked=masked,
        insert=frozenset(_listed(grant.insert, columns)) if writable else frozenset(),
        # Keys do not change, so that a row stays the same row to rules and checks.
        update=frozenset(_listed(grant.update, columns)) - frozenset(relation.key) if writable else frozenset(),
        delete=grant.delete and writable,
        where=grant.where,
    )


def _listed(names: Literal["*"] | list[str] | None, columns: tuple[str, ...]) -> Iterator[str]:
    if names == "*":
        yield from columns
    else:
        yield from (name for name in names or () if name in columns)
