"""One document from a scenario and the packs it names.

What packs define comes first, in the order in which they are named; then what only the scenario defines. The
scenario's own entry of a name that a pack defines too adjusts the pack's: in a table, each key and each column it
writes replaces the pack's and the rest stays; anything else it replaces as a whole. Null takes it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from simulator.scenario.json_value import copy_json
from simulator.scenario.packs.reading import PACKS, Pack, read_pack
from simulator.scenario.paths import Path
from simulator.scenario.positions import Mark, Positions

ENTRIES: tuple[Path, ...] = (
    ("world", "tables"),
    ("world", "lifecycles"),
    ("world", "views"),
    ("world", "timeline"),
    ("tools",),
    ("rules", "state"),
    ("rules", "change"),
    ("rules", "process"),
)
"""Where the entries stand that packs bring."""

_TABLES: Path = ("world", "tables")
_WAYS_TO_HAVE_ROWS = ("rows", "data")


def with_packs(document: dict[str, JsonValue], positions: Positions) -> tuple[dict[str, JsonValue], Positions]:
    """The document with the packs it names joined to it, and where its parts stand now.

    Names that are no pack are left for the models to refuse. The document given is not changed.
    """
    packs = list(_packs_of(document))
    if not packs:
        return document, positions
    joined = _Joined(document, positions)
    for pack in packs:
        joined.add(pack)
    return joined.result()


def _packs_of(document: Mapping[str, JsonValue]) -> Iterator[Pack]:
    """The packs named, each once, after the fragments it includes."""
    world = document.get("world")
    named = world.get("packs") if isinstance(world, dict) else None
    seen: set[str] = set()
    for name in named if isinstance(named, list) else ():
        if not isinstance(name, str) or name not in PACKS:
            continue
        pack = read_pack(name)
        for needed in (*pack.includes, name):
            if needed not in seen:
                seen.add(needed)
                yield read_pack(needed)


class _Joined:
    """The packs' parts, to which the author's are added last."""

    def __init__(self, document: Mapping[str, JsonValue], positions: Positions) -> None:
        self._own = document
        self._own_positions = positions
        self._entries: dict[Path, dict[str, JsonValue]] = {}
        self._policies: list[str] = []
        self._marks: dict[Path, Mark] = {}

    def add(self, pack: Pack) -> None:
        for path in ENTRIES:
            entries = part_at(pack.parts, path)
            if isinstance(entries, dict):
                self._entries.setdefault(path, {}).update({name: copy_json(item) for name, item in entries.items()})
        policy = pack.parts.get("policy")
        if isinstance(policy, str):
            self._policies.append(policy.strip())
        self._marks.update({path: mark for path, mark in pack.positions.marks.items() if len(path) > 1})

    def result(self) -> tuple[dict[str, JsonValue], Positions]:
        document = dict(self._own)
        for path, entries in self._entries.items():
            own = part_at(document, path)
            if own is None:
                _put(document, path, entries)
            elif isinstance(own, dict):
                _put(document, path, self._adjusted(entries, own, path, deep=path == _TABLES))
        own_policy = document.get("policy", "")
        if self._policies and isinstance(own_policy, str):
            document["policy"] = "\n\n".join([*([own_policy.rstrip()] if own_policy.strip() else []), *self._policies])
        return document, Positions({**self._marks, **self._own_positions.marks})

    def _adjusted(
        self, theirs: dict[str, JsonValue], own: dict[str, JsonValue], path: Path, *, deep: bool
    ) -> dict[str, JsonValue]:
        """A pack's entries with the author's among them, in the pack's order, then those that are new."""
        entries = dict(theirs)
        for name, item in own.items():
            inner = entries.get(name)
            if name not in entries:
                entries[name] = item
            elif deep and isinstance(item, dict) and isinstance(inner, dict):
                entries[name] = self._table(inner, item, (*path, name))
            else:
                self._forget((*path, name))
                if item is None:
                    del entries[name]
                else:
                    entries[name] = item
        return entries

    def _table(self, theirs: dict[str, JsonValue], own: dict[str, JsonValue], path: Path) -> dict[str, JsonValue]:
        table = dict(theirs)
        if any(own.get(key) is not None for key in _WAYS_TO_HAVE_ROWS):
            for key in _WAYS_TO_HAVE_ROWS:
                self._forget((*path, key))
                table.pop(key, None)
        columns, own_columns = table.pop("columns", {}), own.get("columns")
        if isinstance(columns, dict) and isinstance(own_columns, dict):
            table["columns"] = self._adjusted(columns, own_columns, (*path, "columns"), deep=False)
        else:
            table["columns"] = columns
        rest = {key: item for key, item in own.items() if key != "columns" or not isinstance(item, dict)}
        return self._adjusted(table, rest, path, deep=False)

    def _forget(self, path: Path) -> None:
        """Drop the marks of a pack's part that the author has replaced."""
        for gone in [place for place in self._marks if place[: len(path)] == path]:
            del self._marks[gone]


def part_at(value: Any, path: Path) -> JsonValue:
    """What stands at a path of mappings; None where nothing does."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    found: JsonValue = value
    return found


def _put(document: dict[str, JsonValue], path: Path, entries: dict[str, JsonValue]) -> None:
    """Put entries at a path, copying what lies on the way; what the author wrote there instead of a mapping stays."""
    for key in path[:-1]:
        outer = document.get(str(key))
        if outer is not None and not isinstance(outer, dict):
            return
        inner: dict[str, JsonValue] = dict(outer or {})
        document[str(key)] = inner
        document = inner
    document[str(path[-1])] = entries
