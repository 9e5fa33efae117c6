"""Rows that somebody already has, in CSV, JSON Lines or JSON, made the data file of a scenario's table.

The file is rewritten in the language's forms (times in UTC, JSON in one spelling), so that it can be read and compared.
Columns that the scenario declares keep their types, and the values must fit them; the types of all others are told from
the values.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pydantic import JsonValue

from simulator.errors import Location, Problem, ScenarioError, UsageError
from simulator.scenario.canonical import canonical_json
from simulator.scenario.data_files import DATA_SIZE, read_rows, write_rows
from simulator.scenario.folder import DATA_FOLDER, MAIN_FILE
from simulator.scenario.folder_files import read_bounded
from simulator.scenario.loading import read_without_data
from simulator.scenario.models import Table
from simulator.scenario.models.words import YAML_WORDS
from simulator.scenario.source_text import MOST_PROBLEMS
from simulator.scenario.times import normalise_timestamp, parse_date
from simulator.scenario.yaml_writer import write_yaml
from simulator.sql.schema import ColumnSchema, TableSchema, build_schema
from simulator.world.generation.tables.cells import stored_text, stored_value
from simulator.world.generation.tables.written import has_source

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
    """What was imported. ``snippet`` is the table in YAML, to be put under ``world.tables``.

    ``declared`` says that the table stands there so already, and nothing is left to do.
    """

    table: str
    data_file: Path
    rows: int
    columns: tuple[ImportedColumn, ...]
    declared: bool
    snippet: str


@dataclass(frozen=True, slots=True)
class _Declaration:
    """A table as the scenario declares it: resolved, as a model, and as it was written."""

    schema: TableSchema
    model: Table
    written: JsonValue


def import_rows(source: Path, scenario_folder: Path, table: str, *, replace: bool = False) -> ImportReport:
    """Write ``source`` to ``data/<table>.csv`` (or ``.jsonl``) of a scenario's folder, and say how to declare it.

    The kind of file goes by its ending: .csv, .jsonl or .json. Raises UsageError for a table name, folder or file that
    cannot be used, or a data file that is there already (unless ``replace``); ScenarioError, with all problems, for
    content that cannot be read or does not fit the columns that the scenario declares (``bad_value``,
    ``missing_value``, ``duplicate_key``).
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
    declaration = _declaration(scenario_folder, table)
    columns = _columns(originals, rows, declaration)
    if declaration is None:
        schemas = [ColumnSchema(column.name, column.type) for column in columns]
    else:
        known = declaration.schema
        schemas = [known.column(column.name) or ColumnSchema(column.name, column.type) for column in columns]
        for found in (_misfits(columns, rows, declaration), _repeated_keys(columns, rows, known)):
            wrong = [Problem(*each, location=Location(source.name)) for each in islice(found, MOST_PROBLEMS)]
            if wrong:
                raise ScenarioError(wrong)
    texts = [[_text(cell, schema) for cell, schema in zip(row, schemas, strict=True)] for row in rows]
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
    written = declaration.written if declaration is not None else None
    declared = _declared(written, path.name, columns)
    return ImportReport(table, path, len(rows), columns, declared == written, write_yaml({table: declared}))


def _declaration(folder: Path, table: str) -> _Declaration | None:
    """The table as the scenario declares it, None where it declares no columns of such a table."""
    found = read_without_data(folder, table)
    if found is None:
        return None
    scenario, written = found
    model = scenario.document.world.tables[table]
    if model.history_of is not None:
        raise UsageError(f"{table} is a history: the engine alone writes its rows.")
    if not model.columns:
        return None
    schema, problems = build_schema(scenario.document)
    if table not in schema.tables:
        raise ScenarioError(problems)
    return _Declaration(schema.tables[table], model, written)


def _columns(
    originals: Sequence[str], rows: Sequence[Sequence[JsonValue]], declaration: _Declaration | None
) -> tuple[ImportedColumn, ...]:
    columns: list[ImportedColumn] = []
    for number, original in enumerate(originals):
        values = [row[number] for row in rows]
        present = [value for value in values if value is not None]
        name = _identifier(original)
        if name in (column.name for column in columns):
            raise UsageError(f"Two columns would both be called {name!r}; rename one of them in the file.")
        known = declaration.schema.column(name) if declaration is not None else None
        if known is not None and declaration is not None:
            key = name in declaration.schema.key
            columns.append(ImportedColumn(name, original, known.type_text, known.nullable, key))
        else:
            columns.append(ImportedColumn(name, original, _type_of(present), len(present) < len(values)))
    if declaration is not None:
        return tuple(columns)
    candidates = sorted(range(len(columns)), key=lambda number: (columns[number].name != "id", number))
    for number in candidates:
        column = columns[number]
        different = {_text(row[number], ColumnSchema(column.name, column.type)) for row in rows}
        if not column.nullable and column.type != "json" and len(different) == len(rows):
            columns[number] = ImportedColumn(column.name, column.original, column.type, nullable=False, key=True)
            return tuple(columns)
    raise UsageError("No column has a different value in every row, so there is no key; add one that numbers the rows.")


def _misfits(
    columns: Sequence[ImportedColumn], rows: Sequence[Sequence[JsonValue]], declaration: _Declaration
) -> Iterator[tuple[str, str]]:
    """Where the rows do not fit the declared columns: codes and messages."""
    numbers = {column.name: number for number, column in enumerate(columns)}
    for schema in declaration.schema.columns:
        model = declaration.model.columns.get(schema.name)
        may_lack = schema.nullable or (model is not None and has_source(model))
        if schema.name in numbers:
            yield from _misfits_of(schema, [row[numbers[schema.name]] for row in rows], may_lack)
        elif not may_lack:
            yield "missing_value", f"There is no column {schema.name}, which the scenario declares and does not make."


def _misfits_of(schema: ColumnSchema, values: Sequence[JsonValue], may_lack: bool) -> Iterator[tuple[str, str]]:
    for place, value in enumerate(values, start=1):
        if value is None:
            if not may_lack:
                yield "missing_value", f"Row {place} has no {schema.name}, and the column is not `nullable`."
            continue
        try:
            _text(value, schema)
        except ValueError as error:
            yield "bad_value", f"Row {place}, column {schema.name}: {error}."


def _repeated_keys(
    columns: Sequence[ImportedColumn], rows: Sequence[Sequence[JsonValue]], table: TableSchema
) -> Iterator[tuple[str, str]]:
    numbers = {column.name: number for number, column in enumerate(columns)}
    keys = [(numbers[schema.name], schema) for schema in table.columns if schema.name in {*table.key} & {*numbers}]
    if len(keys) < len(table.key):
        return
    seen: dict[tuple[str | None, ...], int] = {}
    for place, row in enumerate(rows, start=1):
        key = tuple(_text(row[number], schema) for number, schema in keys)
        first = seen.setdefault(key, place)
        if first != place:
            yield "duplicate_key", f"Rows {first} and {place} have the same key: {', '.join(map(str, key))[:80]}."


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


def _text(value: JsonValue, column: ColumnSchema) -> str | None:
    """The cell as the data file holds it: text that the column's type reads. Raises ValueError if it does not fit."""
    if value is None:
        return None
    if column.type == "json" and not (isinstance(value, str) and _is_json(value)):
        return canonical_json(value)
    stored = stored_text(value, column) if isinstance(value, str) else stored_value(value, column)
    if column.type == "boolean":
        return "true" if stored else "false"
    return stored if isinstance(stored, str) else repr(stored)


def _declared(written: JsonValue, file: str, columns: Sequence[ImportedColumn]) -> JsonValue:
    """The table as it is to be declared: what is written already, with the data file and the columns that are new."""
    table = dict(written) if isinstance(written, dict) else {}
    known = table.get("columns")
    declared = dict(known) if isinstance(known, dict) else {}
    for column in columns:
        if column.name not in declared:
            declared[column.name] = _declared_column(column)
    table.pop("rows", None)
    return {**table, "data": f"{DATA_FOLDER}/{file}", "columns": declared}


def _declared_column(column: ImportedColumn) -> JsonValue:
    model: dict[str, JsonValue] = {"type": column.type}
    if column.key:
        model["key"] = True
    if column.nullable:
        model["nullable"] = True
    return model


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
