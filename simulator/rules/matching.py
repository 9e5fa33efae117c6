"""Which actions are a process rule's events, and which of them belong together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from simulator.rules.events import ActionEvent
from simulator.scenario.canonical import canonical_json
from simulator.scenario.models.rules import Event, ReadsEvent, WritesEvent

ROW_KEY = "key"
"""The word in `same` that stands for the keys of the rows an action changed."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """An event of a rule: any of some tools, tables read, and columns written (an empty column: the table)."""

    tools: frozenset[str]
    reads: frozenset[str]
    writes: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, event: Event) -> Pattern:
        """Read an event of the language, a list being any of its members."""
        members = event if isinstance(event, list) else [event]
        written = [member.writes.partition(".") for member in members if isinstance(member, WritesEvent)]
        return cls(
            frozenset(member for member in members if isinstance(member, str)),
            frozenset(member.reads for member in members if isinstance(member, ReadsEvent)),
            frozenset((table, column) for table, _, column in written),
        )

    def match(self, event: ActionEvent) -> Match | None:
        """How an action is this event, None if it is not. Only a successful action reads or writes."""
        tool = event.tool in self.tools
        if not event.happened or not (self.reads or self.writes):
            return BY_NAME if tool else None
        written = {
            table
            for table, column in self.writes
            if (table, column) in event.writes or (not column and any(table == name for name, _ in event.writes))
        }
        tables = (self.reads & event.reads) | written
        return Match(tool, tables) if tool or tables else None


@dataclass(frozen=True, slots=True)
class Match:
    """How an action came to be a rule's event: by its tool's name, by what it did to tables, or both."""

    tool: bool
    tables: frozenset[str]


BY_NAME = Match(True, frozenset())


@dataclass(frozen=True, slots=True)
class Alone:
    """The value of an action whose argument is missing or NULL: as in SQL it equals nothing, not even its like."""

    position: int


@dataclass(frozen=True, slots=True)
class Composite:
    """A JSON list or object as one value."""

    text: str


@dataclass(frozen=True, slots=True)
class Correlation:
    """What `same` says: the values that put actions into one group.

    ``everywhere`` is the argument named for all actions; ``by_name`` gives one by tool (or by table, for events that
    read or write). An action belongs to the group of each value it carries: every element of an array argument, every
    row changed for `key`. It belongs to none if it carries none (an empty array, no row changed).
    """

    everywhere: str | None
    by_name: Mapping[str, str]

    @classmethod
    def of(cls, same: str | Mapping[str, str]) -> Correlation:
        """Read `same` of the language."""
        return cls(same, {}) if isinstance(same, str) else cls(None, same)

    @property
    def keys_only(self) -> bool:
        """Rows are compared with rows: then the table counts, too, and ticket 3 is not customer 3."""
        return (self.everywhere or ROW_KEY) == ROW_KEY and all(name == ROW_KEY for name in self.by_name.values())

    def values(self, event: ActionEvent, match: Match | None, position: int) -> set[Hashable]:
        """The groups of an action, none if it is not the event; ``position`` tells actions without a value apart."""
        values: set[Hashable] = set()
        if match is None:
            return values
        if match.tool:
            values |= self._values(self.by_name.get(event.tool, self.everywhere), event, event.keys, position)
        for table in match.tables:
            selector = self.by_name.get(event.tool) or self.by_name.get(table, self.everywhere)
            keys = {table: event.keys[table]} if table in event.keys else {}
            values |= self._values(selector, event, keys, position)
        return values

    def _values(
        self, selector: str | None, event: ActionEvent, keys: Mapping[str, frozenset[Hashable]], position: int
    ) -> set[Hashable]:
        if selector == ROW_KEY:
            if self.keys_only:
                return {(table, key) for table, rows in keys.items() for key in rows}
            return {_unwrapped(key) for rows in keys.values() for key in rows}
        value = event.arguments.get(selector) if selector is not None else None
        if value is None:
            return {Alone(position)}
        if isinstance(value, list):
            return {_hashable(element) for element in value if element is not None}
        return {_hashable(value)}


def _unwrapped(key: Hashable) -> Hashable:
    """A key of one column as an argument would name it."""
    return key[0] if isinstance(key, tuple) and len(key) == 1 else key


def _hashable(value: JsonValue) -> Hashable:
    return Composite(canonical_json(value)) if isinstance(value, list | dict) else value
