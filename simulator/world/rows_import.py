"""Rows that somebody already has, in CSV, JSON Lines or JSON, made the data file of a scenario's table.

The file is rewritten in the language's forms (times in UTC, JSON in one spelling), so that it can be read and compared;
the columns' types are told from the values.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from simulator.errors import Problem, ScenarioError, UsageError
from simulator.scenario.canonical import canonical_json
from simulator.scenario.data_files import DATA_SIZE, read_rows, write_rows
from simulator.scenario.folder import DATA_FOLDER, MAIN_FILE
from simulator.scenario.folder_files import read_bounded
from simulator.scenario.models.words import YAML_WORDS
from simulator.scenario.times import normalise_timestamp, parse_date
from simulator.scenario.yaml_writer import write_yaml
from simulator.sql.schema import ColumnSchema
from simulator.world.generation.tables.cells import stored_text, stored_value

_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")  # no leading zeros: 007 is a code, not a number
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?([eE][+-]?[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class ImportedColumn:
    """A column of the file: its name in the scenario, the name it had, and what its values are like."""

    name: str
    original: str
    type: str
    nullable: bool
    key: bool = False


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was imported. ``snippet`` is the table in YAML, to be put under ``world.tables``."""

    table: str
    data_file: Path
    rows: int
    columns: tuple[ImportedColumn, ...]
    snippet: str


def import_rows(source: Path, scenario_folder: Path, table: str, *, replace: bool = False) -> ImportReport:
    """Write ``source`` to ``data/<table>.csv`` (or ``.jsonl``) of a scenario's folder, and say how to declare it.

    The kind of file goes by its ending: .csv, .jsonl or .json. Raises UsageError for a table name, folder or file that
    cannot be used, or a data file that is there already (unless ``replace``); ScenarioError, with all problems, for
    content that cannot be read.
    """
    if not _NAME.fullmatch(table) or table in YAML_WORDS:
        raise UsageError(f"{table[:80]!r} is no table name: use small letters, digits and underscores.")
    if not (scenario_folder / MAIN_FILE).is_file():
        raise UsageError(f"{scenario_folder} is no scenario's folder: there is no {MAIN_FILE} in it.")
    problems: list[Problem] = []
    content = read_bounded(source, Path(os.path.realpath(source)).parent, source.name, DATA_SIZE, problems)
    if content is None:
        raise ScenarioError(problems)
    (originals, rows), _ = read_rows(content, file=source.name)
    if not rows:
        raise UsageError(f"{source} holds no rows.")
    columns = _columns(originals, rows)
    texts = [[_text(cell, column) for cell, column in zip(row, columns, strict=True)] for row in rows]
    names = [column.name for column in columns]
    ending, data = write_rows(names, [list[JsonValue](row) for row in texts])
    path = scenario_folder / DATA_FOLDER / f"{table}{ending}"
    others = [path.with_suffix(other) for other in (".csv", ".jsonl", ".json")]
    existing = [other for other in others if other.exists()]
    if existing and not replace:
        raise UsageError(f"{existing[0]} is there already.")
    _write(path, data)
    for other in existing:
        if other != path:
            other.unlink()
    return ImportReport(table, path, len(rows), columns, _snippet(table, path.name, columns))


def _columns(originals: Sequence[str], rows: Sequence[Sequence[JsonValue]]) -> tuple[ImportedColumn, ...]:
    columns: list[ImportedColumn] = []
    for number, original in enumerate(originals):
        values = [row[number] for row in rows]
        present = [value for value in values if value is not None]
        name = _identifier(original)
        if name in (column.name for column in columns):
            raise UsageError(f"Two columns would both be called {name!r}; rename one of them in the file.")
        columns.append(ImportedColumn(name, original, _type_of(present), len(present) < len(values)))
    candidates = sorted(range(len(columns)), key=lambda number: (columns[number].name != "id", number))
    for number in candidates:
        column = columns[number]
        different = {_text(row[number], column) for row in rows}
        if not column.nullable and column.type != "json" and len(different) == len(rows):
            columns[number] = ImportedColumn(column.name, column.original, column.type, nullable=False, key=True)
            return tuple(columns)
    raise UsageError("No column has a different value in every row, so there is no key; add one that numbers the rows.")


def _identifier(original: str) -> str:
    """The name a column has in the scenario: `Customer ID` becomes `customer_id`."""
    name = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", original).lower()).strip("_")[:60]
    if not name:
        raise UsageError(f"The column {original[:80]!r} has no Latin letter or digit in its name; rename it.")
    if not name[0].isalpha():
        name = f"c_{name}"[:60]
    return f"{name}_value" if name in YAML_WORDS else name


def _type_of(values: Sequence[JsonValue]) -> str:
    if any(isinstance(value, dict | list) for value in values):
        return "json"
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        return _type_of_texts(texts)
    if texts:
        return "json"  # texts among numbers: each keeps its kind
    if all(isinstance(value, bool) for value in values):
        return "boolean"
    if any(isinstance(value, bool) for value in values):
        return "json"
    return "integer" if all(isinstance(value, int) and abs(value) < 2**63 for value in values) else "real"


def _type_of_texts(texts: Sequence[str]) -> str:
    if not texts:
        return "text"
    if all(_INTEGER.fullmatch(text) for text in texts):
        return "integer"
    if all(_NUMBER.fullmatch(text) for text in texts):
        return "real"
    if all(text.lower() in ("true", "false") for text in texts):
        return "boolean"
    if all(map(_is_date, texts)):
        return "date"
    if all(normalise_timestamp(text) is not None for text in texts):
        return "timestamp"
    if all(text.lstrip()[:1] in ("{", "[") and _is_json(text) for text in texts):
        return "json"
    return "text"


def _is_date(text: str) -> bool:
    try:
        parse_date(text)
    except ValueError:
        return False
    return True


def _is_json(text: str) -> bool:
    try:
        stored_text(text, ColumnSchema("", "json"))
    except ValueError:
        return False
    return True


def _text(value: JsonValue, column: ImportedColumn) -> str | None:
    """The cell as the data file holds it: text that the column's type reads."""
    if value is None:
        return None
    schema = ColumnSchema(column.name, column.type)
    if column.type == "json" and not (isinstance(value, str) and _is_json(value)):
        return canonical_json(value)
    stored = stored_text(value, schema) if isinstance(value, str) else stored_value(value, schema)
    if column.type == "boolean":
        return "true" if stored else "false"
    return stored if isinstance(stored, str) else repr(stored)


def _snippet(table: str, file: str, columns: Sequence[ImportedColumn]) -> str:
    declared: dict[str, JsonValue] = {}
    for column in columns:
        model: dict[str, JsonValue] = {"type": column.type}
        if column.key:
            model["key"] = True
        if column.nullable:
            model["nullable"] = True
        declared[column.name] = model
    return write_yaml({table: {"data": f"{DATA_FOLDER}/{file}", "columns": declared}})


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
