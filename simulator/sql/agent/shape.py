"""The parts of a statement that the guard puts text into, found by its tokens.

SQLite's grammar of writes is rigid at the outermost level, where none of the words looked for can be a name. What is
found here decides nothing alone: SQLite's word on verb and table must agree with it, or the statement is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from simulator.sql.tokens import Token

Kind = Literal["select", "insert", "update", "delete"]

_VERBS = frozenset({"select", "values", "insert", "update", "delete"})
_CONFLICT_WORDS = frozenset({"abort", "fail", "ignore", "replace", "rollback"})


@dataclass(frozen=True, slots=True)
class Where:
    """A condition that chooses the rows to change: where its text starts and ends, both -1 where there is none.

    ``place`` is where one can be put then. ``is_upsert`` says that it belongs to ON CONFLICT DO UPDATE.
    """

    start: int
    end: int
    place: int
    is_upsert: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column named in the list of an INSERT."""

    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A statement from outside. ``target`` is the table it writes, ``alias`` what it calls that table.

    ``wheres`` choose the rows to change. ``columns`` is the list of an INSERT, None where it has none, empty for
    DEFAULT VALUES; it would stand at ``columns_place``. ``stars`` are the offsets of ``*`` in RETURNING, and
    ``returned_aliases`` the places of the alias there, which SQLite does not know after RETURNING. ``replaces`` says
    that rows in the way are deleted. ``values`` are the offsets of an INSERT's VALUES and of what follows, -1 where
    rows come from a query. ``returned`` is the index of the token RETURNING, -1 without one.
    """

    kind: Kind
    target: str = ""
    alias: str = ""
    wheres: tuple[Where, ...] = ()
    columns: tuple[Column, ...] | None = None
    columns_place: int = -1
    stars: tuple[int, ...] = ()
    returned_aliases: tuple[Token, ...] = ()
    replaces: bool = False
    values: tuple[int, int] = (-1, -1)
    returned: int = -1

    @property
    def updates_on_conflict(self) -> bool:
        """Whether it is an INSERT that may update instead."""
        return any(where.is_upsert for where in self.wheres)


def shape_of(tokens: Sequence[Token], end: int) -> Shape:
    """The shape of a statement whose significant tokens are given; ``end`` is the offset behind its last character."""
    return _Reader(tokens, end).read()


@dataclass(slots=True)
class _Reader:
    tokens: Sequence[Token]
    end: int
    outer: list[int] = field(default_factory=list)  # indexes of the tokens outside all brackets, brackets included

    def read(self) -> Shape:
        depth = 0
        for index, token in enumerate(self.tokens):
            depth -= token.text == ")"
            if depth == 0:
                self.outer.append(index)
            depth += token.text == "("
        first = next((place for place, index in enumerate(self.outer) if self._is_verb(index)), None)
        if first is None or self._word(self.outer[first]) in ("select", "values"):
            return Shape("select")
        verb = self._word(self.outer[first])
        read = {"delete": self._delete, "update": self._update}.get(verb, self._insert)
        returned = (index for index in self.outer[first:] if self._word(index) == "returning")
        return replace(read(first), returned=next(returned, -1))

    def _is_verb(self, index: int) -> bool:
        word = self._word(index)
        return word in _VERBS or (word == "replace" and self._word(index + 1) == "into")

    def _word(self, index: int) -> str:
        token = self.tokens[index] if 0 <= index < len(self.tokens) else None
        return token.folded if token is not None and token.kind == "word" else ""

    def _start(self, index: int) -> int:
        return self.tokens[index].start if index < len(self.tokens) else self.end

    def _delete(self, first: int) -> Shape:
        index = self.outer[first] + 1
        index += self._word(index) == "from"
        target, alias, _ = self._target(index)
        return Shape(
            "delete",
            target,
            alias,
            (self._where(first),),
            stars=self._stars(first),
            returned_aliases=self._aliases(first, alias),
        )

    def _update(self, first: int) -> Shape:
        index = self.outer[first] + 1
        index, replaces = self._conflict(index)
        target, alias, _ = self._target(index)
        return Shape(
            "update",
            target,
            alias,
            (self._where(first),),
            stars=self._stars(first),
            returned_aliases=self._aliases(first, alias),
            replaces=replaces,
        )

    def _insert(self, first: int) -> Shape:
        index = self.outer[first]
        replaces = self._word(index) == "replace"
        index, replaces_too = self._conflict(index + 1)
        index += self._word(index) == "into"
        target, alias, index = self._target(index)
        place = self._start(index)
        columns: tuple[Column, ...] | None = None
        if self._word(index) == "default":
            columns = ()
        elif index < len(self.tokens) and self.tokens[index].text == "(":
            columns, index = self._columns(index)
        return Shape(
            "insert",
            target,
            alias,
            self._upserts(first),
            columns,
            place,
            self._stars(first),
            self._aliases(first, alias),
            replaces or replaces_too,
            self._values(index, first),
        )

    def _conflict(self, index: int) -> tuple[int, bool]:
        """Past ``OR REPLACE`` and its like; whether it was that."""
        if self._word(index) == "or" and self._word(index + 1) in _CONFLICT_WORDS:
            return index + 2, self._word(index + 1) == "replace"
        return index, False

    def _target(self, index: int) -> tuple[str, str, int]:
        """Name and alias of the table at ``index``, and the index behind them."""
        name = self._name(index)
        index += 1
        if index < len(self.tokens) and self.tokens[index].text == ".":
            name = self._name(index + 1)
            index += 2
        if self._word(index) == "as":
            return name, self._name(index + 1), index + 2
        return name, "", index

    def _name(self, index: int) -> str:
        return (self.tokens[index].name or "") if index < len(self.tokens) else ""

    def _columns(self, index: int) -> tuple[tuple[Column, ...], int]:
        found = []
        index += 1
        while index < len(self.tokens) and self.tokens[index].text != ")":
            token = self.tokens[index]
            if token.name is not None:
                found.append(Column(token.name, token.start))
            index += 1
        return tuple(found), index + 1

    def _values(self, index: int, first: int) -> tuple[int, int]:
        if self._word(index) != "values":
            return -1, -1
        stop = next(
            (other for other in self.outer[first:] if other > index and self._word(other) in ("on", "returning")),
            len(self.tokens),
        )
        return self._start(index), self._start(stop)

    def _where(self, first: int) -> Where:
        return self._where_between(first, len(self.outer), ("returning", "order", "limit"))

    def _upserts(self, first: int) -> tuple[Where, ...]:
        """The conditions of each ``DO UPDATE SET``."""
        found = []
        for place in range(first, len(self.outer)):
            index = self.outer[place]
            if self._word(index) == "do" and self._word(index + 1) == "update" and self._word(index + 2) == "set":
                where = self._where_between(place + 2, len(self.outer), ("on", "returning"))
                found.append(Where(where.start, where.end, where.place, is_upsert=True))
        return tuple(found)

    def _where_between(self, start: int, stop: int, ends: tuple[str, ...]) -> Where:
        begin = -1
        for place in range(start, stop):
            index = self.outer[place]
            word = self._word(index)
            if word in ends:
                return self._where_at(begin, index)
            if word == "where" and begin < 0:
                begin = index
        return self._where_at(begin, len(self.tokens))

    def _where_at(self, begin: int, stop: int) -> Where:
        place = self.tokens[stop - 1].end  # before a comment that may follow
        return Where(-1, -1, place) if begin < 0 else Where(self.tokens[begin].end, place, place)

    def _aliases(self, first: int, alias: str) -> tuple[Token, ...]:
        """Where RETURNING says the alias before a column; nowhere if a subquery there gives it another meaning."""
        start = next((index for index in self.outer[first:] if self._word(index) == "returning"), len(self.tokens))
        places = [
            index
            for index in range(start, len(self.tokens))
            if alias and (self.tokens[index].name or "").lower() == alias.lower()
        ]
        if not all(index + 1 < len(self.tokens) and self.tokens[index + 1].text == "." for index in places):
            return ()
        return tuple(self.tokens[index] for index in places)

    def _stars(self, first: int) -> tuple[int, ...]:
        found = []
        returning = False
        for place in range(first, len(self.outer)):
            index = self.outer[place]
            if self._word(index) == "returning":
                returning = True
            elif returning and self.tokens[index].text == "*":
                before = self.tokens[index - 1]
                if before.text == "," or self._word(index - 1) == "returning":
                    found.append(self.tokens[index].start)
        return tuple(found)
