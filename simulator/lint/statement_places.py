"""Where a place inside an SQL text stands in the author's file.

A document's positions tell where a value begins. Behind that, YAML may have unfolded, unescaped or dedented the text;
a place inside it is told only where the file, read again, holds the very same characters, and otherwise the value's.
"""

from __future__ import annotations

from pathlib import Path as FilePath

from simulator.errors import Location, Problem
from simulator.scenario import Scenario
from simulator.scenario.folder_files import read_bounded
from simulator.scenario.packs import PACKS_FOLDER
from simulator.scenario.paths import Path
from simulator.scenario.source_text import TextLimits


class StatementPlaces:
    """Finds places in the files of one scenario. Files are read when first asked for."""

    def __init__(self, scenario: Scenario) -> None:
        self._positions = scenario.positions
        self._source = scenario.source
        self._lines: dict[str, list[str]] = {}

    def locate(self, path: Path, text: str, line: int, column: int) -> Location:
        """The place of line and column (from 1; 0 is unknown) of ``text``, the value at ``path``."""
        value = self._positions.value(path)
        if not line or not value.line or path not in self._positions.marks:
            return value
        lines = self._file(value.file)
        wanted = text.split("\n")[line - 1]
        if value.line > len(lines):
            return value
        first = lines[value.line - 1]
        opening = first[value.column - 1 : value.column]
        if opening == "|":
            number = value.line + line
            found = lines[number - 1] if number <= len(lines) else ""
            indent = len(found) - len(wanted)
            exact = indent > 0 and found.endswith(wanted) and not found[:indent].strip(" ")
            return Location(value.file, number, indent + column) if exact else value
        start = value.column - 1 + (opening in ("'", '"'))
        exact = line == 1 and first[start : start + column - 1] == wanted[: column - 1]
        return Location(value.file, value.line, start + column) if exact else value

    def _file(self, name: str) -> list[str]:
        if name not in self._lines:
            self._lines[name] = self._read(name)
        return self._lines[name]

    def _read(self, name: str) -> list[str]:
        if self._source is None:
            return []
        folder = self._source if self._source.is_dir() else self._source.parent
        if FilePath(name).is_absolute():  # a pack's file
            folder = PACKS_FOLDER
        problems: list[Problem] = []
        content = read_bounded(folder / name, folder.resolve(), name, TextLimits().size, problems)
        return content.decode("utf-8-sig", errors="replace").splitlines() if content is not None else []
