"""Where each part of a document stands in the author's files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from simulator.errors import Location
from simulator.scenario.paths import Path


@dataclass(frozen=True, slots=True)
class Mark:
    """Where one node stands: its key (for a list item: the item) and its value, lines and columns counted from 1."""

    file: str
    key: tuple[int, int]
    value: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Positions:
    """Marks by path. A path that has none (a default, an expanded alias) is placed at its nearest ancestor."""

    marks: Mapping[Path, Mark] = field(default_factory=dict)

    def key(self, path: Path) -> Location:
        """The place of the key that names ``path``."""
        known, mark = self._nearest(path)
        if mark is None:
            return Location()
        return Location(mark.file, *(mark.key if known == len(path) else mark.value))

    def value(self, path: Path) -> Location:
        """The place of the value at ``path``."""
        _, mark = self._nearest(path)
        return Location(mark.file, *mark.value) if mark else Location()

    def _nearest(self, path: Path) -> tuple[int, Mark | None]:
        for length in range(len(path), -1, -1):
            mark = self.marks.get(path[:length])
            if mark is not None:
                return length, mark
        return 0, None

    def under(self, prefix: Path) -> Positions:
        """The same marks, for a document put at ``prefix`` of a larger one."""
        return Positions({prefix + path: mark for path, mark in self.marks.items()})
