"""A scenario's folder and its one document, each made from the other.

The folder holds ``scenario.yaml``, a Markdown file named by ``policy:``, and where the author likes smaller files:
``tasks/*.yaml`` and ``tools/*.yaml`` (by name), ``tables/*.yaml`` (merged into ``world.tables``), ``rules/*.yaml`` (by
kind, then name), ``tasks/*.jsonl`` with a task a line, and ``data/*`` that a table's ``data:`` names. In the document
the policy is its text, and a table's data are ``{"columns": [...], "rows": [[...]]}``. What stands in two places is an
error; nothing overrides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pydantic import JsonValue

from simulator.errors import Location, Problem, ScenarioError
from simulator.scenario.data_files import DATA_ENDINGS, MOST_CELLS, data_of, read_rows, write_rows
from simulator.scenario.json_value import plain_json
from simulator.scenario.paths import Path, did_you_mean, render_path
from simulator.scenario.positions import Mark, Positions
from simulator.scenario.source_text import MOST_PROBLEMS, decode_text
from simulator.scenario.task_lines import LINES_ENDING, read_task_lines
from simulator.scenario.yaml_text import read_yaml
from simulator.scenario.yaml_writer import write_yaml

MAIN_FILE = "scenario.yaml"
POLICY_FILE = "policy.md"

#: Where the entries of a sub-folder's files go in the document, and how many levels of names they hold.
PARTS: Mapping[str, tuple[Path, int]] = {
    "tables": (("world", "tables"), 1),
    "tools": (("tools",), 1),
    "rules": (("rules",), 2),
    "tasks": (("tasks",), 1),
}
MORE_ENDINGS: Mapping[str, tuple[str, ...]] = {"tasks": (LINES_ENDING,)}
"""What files of a sub-folder may end in beside the endings of YAML."""

DATA_FOLDER = "data"
YAML_ENDINGS = (".yaml", ".yml")

_TABLE_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_POLICY_SIZE = 1_000_000


def document_from_files(files: Mapping[str, bytes], *, data: bool = True) -> tuple[dict[str, JsonValue], Positions]:
    """The document that a folder's files mean, and where its parts stand; ``files`` is content by relative path.

    Without ``data``, tables go on naming their files, which need not be there.

    Raises ScenarioError with the problems of all files: ``missing_file``, ``duplicate_key`` (in two files),
    ``not_a_mapping``, and what `read_yaml` and `read_rows` raise.
    """
    joiner = _Joiner(files)
    joiner.join(data=data)
    if joiner.problems:
        raise ScenarioError(joiner.problems)
    return joiner.document, Positions(joiner.marks)


def files_from_document(document: Mapping[str, JsonValue]) -> dict[str, bytes]:
    """The files, content by relative path, that `document_from_files` reads back as the same document.

    Rows go to CSV where every cell is text or null, to JSON Lines otherwise. Raises ScenarioError when the document is
    not JSON.
    """
    value = plain_json(document)
    if not isinstance(value, dict):
        raise ScenarioError([Problem("not_a_mapping", "The document must be a mapping.")])
    files: dict[str, bytes] = {}
    policy = value.get("policy")
    if isinstance(policy, str) and policy:
        files[POLICY_FILE] = policy.encode()
        value["policy"] = POLICY_FILE
    for name, table in _tables(value).items():
        rows = data_of(table.get("data")) if isinstance(table, dict) and _TABLE_NAME.fullmatch(name) else None
        if rows is not None and isinstance(table, dict):
            ending, content = write_rows(*rows)
            files[f"{DATA_FOLDER}/{name}{ending}"] = content
            table["data"] = f"{DATA_FOLDER}/{name}{ending}"
    return {MAIN_FILE: write_yaml(value).encode(), **files}


def is_file_name(text: str, endings: tuple[str, ...]) -> bool:
    """Whether a text is one path with one of these endings, and not prose."""
    return text.endswith(endings) and text.split() == [text]


def _tables(document: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    world = document.get("world")
    tables = world.get("tables") if isinstance(world, dict) else None
    return tables if isinstance(tables, dict) else {}


@dataclass(slots=True)
class _Joiner:
    """Reads file by file into one document; a file that cannot be read leaves its problems and the rest goes on."""

    files: Mapping[str, bytes]
    document: dict[str, JsonValue] = field(default_factory=dict)
    marks: dict[Path, Mark] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def join(self, *, data: bool) -> None:
        if MAIN_FILE not in self.files:
            near = did_you_mean(MAIN_FILE, self.files)
            self._report("missing_file", f"There is no file {MAIN_FILE}.", (), near or "Every scenario has one.")
            return
        main = self._read(MAIN_FILE)
        if main is not None:
            self.document, positions = main
            self.marks.update(positions.marks)
        for name in sorted(self.files):
            part, _, rest = name.partition("/")
            if part in PARTS and "/" not in rest and rest.endswith((*YAML_ENDINGS, *MORE_ENDINGS.get(part, ()))):
                self._join_part(name, *PARTS[part])
        if main is not None:
            self._inline_policy()
            if data:
                self._inline_data()

    def _read(self, name: str) -> tuple[dict[str, JsonValue], Positions] | None:
        try:
            if name.endswith(LINES_ENDING):
                return read_task_lines(self.files[name], file=name, name=PurePosixPath(name).stem)
            return read_yaml(self.files[name], file=name)
        except ScenarioError as error:
            self.problems += error.problems
            return None

    def _join_part(self, name: str, path: Path, levels: int) -> None:
        part = self._read(name)
        if part is None:
            return
        value, positions = part
        target: dict[str, JsonValue] = self.document
        for length, key in enumerate(path, start=1):
            inner = target.get(str(key))
            if inner is None:
                inner = target[str(key)] = {}
                self.marks.setdefault(path[:length], Mark(name, (1, 1), (1, 1)))
            if not isinstance(inner, dict):
                self._report(
                    "not_a_mapping", f"`{key}` must be a mapping, so that {name} can add to it.", path[:length]
                )
                return
            target = inner
        inner_positions = positions.under(path)
        self._merge(target, value, inner_positions, path, levels)
        for where, mark in inner_positions.marks.items():
            self.marks.setdefault(where, mark)

    def _merge(
        self, target: dict[str, JsonValue], value: dict[str, JsonValue], positions: Positions, path: Path, levels: int
    ) -> None:
        for key, item in value.items():
            inner = target.get(key)
            where = (*path, key)
            if levels > 1 and isinstance(inner, dict) and isinstance(item, dict):
                self._merge(inner, item, positions, where, levels - 1)
            elif key not in target:
                target[key] = item
            elif len(self.problems) < MOST_PROBLEMS:
                first = Positions(self.marks).key(where)
                hint = f"The first is in {first.file}, line {first.line}; remove or rename one."
                message = f"`{key[:80]}` stands in two files."
                place = positions.key(where)
                self.problems.append(Problem("duplicate_key", message, render_path(where), place, hint))

    def _inline_policy(self) -> None:
        policy = self.document.get("policy")
        if not isinstance(policy, str) or not is_file_name(policy, (".md",)):
            return
        content = self._named_file(policy, ("policy",), ".md files at the top of the folder")
        if content is not None:
            try:
                self.document["policy"] = decode_text(content, file=policy, size=_POLICY_SIZE)
            except ScenarioError as error:
                self.problems += error.problems

    def _inline_data(self) -> None:
        cells = MOST_CELLS
        for name, table in _tables(self.document).items():
            data = table.get("data") if isinstance(table, dict) else None
            path: Path = ("world", "tables", name, "data")
            if not isinstance(table, dict) or not isinstance(data, str):
                continue
            content = self._named_file(data, path, f"files in {DATA_FOLDER}/ that end in {', '.join(DATA_ENDINGS)}")
            if content is None:
                continue
            try:
                (columns, rows), positions = read_rows(content, file=data, cells=cells)
            except ScenarioError as error:
                self.problems += error.problems
                continue
            cells -= len(columns) * len(rows)
            table["data"] = {"columns": [*columns], "rows": [*rows]}
            for inner, mark in positions.marks.items():
                self.marks.setdefault(path + inner, mark)

    def _named_file(self, name: str, path: Path, known: str) -> bytes | None:
        content = self.files.get(str(PurePosixPath(name)))
        if content is not None:
            return content
        if name.startswith("/") or ".." in PurePosixPath(name).parts or "\\" in name:
            message = f"`{name[:200]}` leaves the scenario's folder."
            self._report("path_escape", message, path, "Name a file of the folder, with / between its parts.")
        else:
            near = did_you_mean(name, self.files)
            self._report("missing_file", f"There is no file `{name[:200]}`.", path, near or f"It can name {known}.")
        return None

    def _report(self, code: str, message: str, path: Path, suggestion: str = "") -> None:
        location = Positions(self.marks).value(path) if self.marks else Location(MAIN_FILE)
        self.problems.append(Problem(code, message, render_path(path), location, suggestion))
