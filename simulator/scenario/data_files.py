"""Rows in files: CSV, JSON Lines and JSON become the columns and rows of a table, and back.

In the document a table's rows are ``{"columns": [...], "rows": [[...], ...]}``. A CSV cell is text, or null when it is
empty; the column's type converts it. JSON keeps its types, and a key that a row lacks is null.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from simulator.errors import Location, Problem, ScenarioError
from simulator.scenario.json_text import JSON_LIMITS, read_json
from simulator.scenario.json_value import VALUE_LIMITS, count_nodes
from simulator.scenario.positions import Mark, Positions
from simulator.scenario.source_text import MOST_PROBLEMS, TextLimits, decode_text

DATA_ENDINGS = (".csv", ".jsonl", ".json")
DATA_SIZE = 64_000_000
"""The most bytes of one data file, and of all of a scenario's together."""

MOST_CELLS = VALUE_LIMITS.nodes // 2
"""The most cells of all of a scenario's data files together; JSON is bounded further, by `JSON_LIMITS`."""

MOST_COLUMNS = 1_000
_LINE_LIMITS = TextLimits(size=4_000_000, nodes=100_000)

Rows = tuple[list[str], list[list[JsonValue]]]
"""Column names, and the rows as lists of cells in that order."""


def read_rows(text: bytes, *, file: str, cells: int = MOST_CELLS) -> tuple[Rows, Positions]:
    """The rows of a data file of at most so many cells, by the ending of its name; positions hold its parts as wholes.

    Raises ScenarioError: ``data_row`` (a row that does not fit the columns), ``data_columns`` (no names, or one twice),
    ``data_ending``, ``csv_syntax``, and what `read_json` raises.
    """
    if file.endswith(".csv"):
        columns, rows = _read_csv(text, file, cells)
    elif file.endswith(".jsonl"):
        columns, rows = _rows_of(_lines(text, file), file, cells)
    elif file.endswith(".json"):
        columns, rows = _read_json(text, file, cells)
    else:
        endings = ", ".join(DATA_ENDINGS)
        raise ScenarioError([_problem("data_ending", f"A data file ends in one of {endings}.", file, 0)])
    _check_columns(columns, file)
    mark = Mark(file, (1, 1), (1, 1))
    return (columns, rows), Positions({(): mark, ("columns",): mark, ("rows",): mark})


def write_rows(columns: list[str], rows: list[list[JsonValue]]) -> tuple[str, bytes]:
    """The ending and content of a file that `read_rows` reads back: CSV where no cell would change, else JSON Lines."""
    if rows and not _csv_keeps(columns, rows):
        lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False, allow_nan=False) for row in rows)
        return ".jsonl", "".join(f"{line}\n" for line in lines).encode()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", strict=True)
    writer.writerow(columns)
    writer.writerows(rows)
    return ".csv", text.getvalue().encode()


def _csv_keeps(columns: list[str], rows: list[list[JsonValue]]) -> bool:
    """Whether every cell is null or a text with content, and no row would be an empty line."""
    field_size = csv.field_size_limit()
    return all(
        cell is None or (isinstance(cell, str) and 0 < len(cell) < field_size) for row in rows for cell in row
    ) and (len(columns) > 1 or all(row[0] is not None for row in rows))


def _read_csv(text: bytes, file: str, cells: int) -> Rows:
    reader = csv.reader(io.StringIO(decode_text(text, file=file, size=DATA_SIZE), newline=""), strict=True)
    columns: list[str] = []
    rows: list[list[JsonValue]] = []
    problems: list[Problem] = []
    try:
        for row in reader:
            if not columns:
                columns = row
                continue
            if not row:
                continue
            cells -= len(row)
            if cells < 0:
                message = f"The data hold more than {MOST_CELLS:,} cells."
                raise ScenarioError([*problems, _problem("too_large", message, file, reader.line_num)])
            if len(row) != len(columns) and len(problems) < MOST_PROBLEMS:
                message = f"The row has {len(row)} cells, but there are {len(columns)} columns."
                problems.append(
                    _problem("data_row", message, file, reader.line_num, "Quote a cell that holds a comma.")
                )
            rows.append([cell or None for cell in row])
    except csv.Error as error:
        problems.append(_problem("csv_syntax", f"This is not valid CSV: {error}.", file, reader.line_num))
    if problems:
        raise ScenarioError(problems)
    return columns, rows


def _read_json(text: bytes, file: str, cells: int) -> Rows:
    nodes = min(JSON_LIMITS.nodes, 3 * cells + 3)
    value, _ = read_json(text, file=file, limits=TextLimits(size=DATA_SIZE, nodes=nodes))
    if isinstance(value, list):
        return _rows_of(((0, row) for row in value), file, cells)
    columns = value.get("columns") if isinstance(value, dict) else None
    rows = value.get("rows") if isinstance(value, dict) else None
    if not isinstance(columns, list) or not isinstance(rows, list):
        message = 'The file must hold a list of objects, or {"columns": [...], "rows": [[...], ...]}.'
        raise ScenarioError([_problem("data_row", message, file, 1)])
    names = [name for name in columns if isinstance(name, str)]
    lists = [row for row in rows if isinstance(row, list) and len(row) == len(columns)]
    if len(names) != len(columns):
        raise ScenarioError([_problem("data_columns", "Every column name must be a text.", file, 1)])
    if len(lists) != len(rows):
        raise ScenarioError([_problem("data_row", f"Every row must be a list of {len(columns)} cells.", file, 1)])
    return names, lists


def _lines(text: bytes, file: str) -> Iterator[tuple[int, JsonValue]]:
    lines = decode_text(text, file=file, size=DATA_SIZE).split("\n")
    nodes = 0
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                value = read_json(line, file=file, limits=_LINE_LIMITS)[0]
            except ScenarioError as error:
                raise ScenarioError([_on_line(problem, number) for problem in error.problems]) from None
            nodes += 2 * count_nodes(value)
            if nodes > JSON_LIMITS.nodes:
                message = f"The lines hold more than {JSON_LIMITS.nodes:,} keys and values."
                raise ScenarioError([_problem("too_large", message, file, number, "Keep so many rows in a CSV file.")])
            yield number, value


def _rows_of(objects: Iterator[tuple[int, JsonValue]], file: str, cells: int) -> Rows:
    """Rows of JSON objects; the columns stand in the order in which they first appear."""
    seen: dict[str, int] = {}
    kept: list[dict[str, JsonValue]] = []
    for line, value in objects:
        if not isinstance(value, dict):
            message = f"Every row must be an object, but row {len(kept) + 1} is not."
            raise ScenarioError([_problem("data_row", message, file, line)])
        for name in value:
            seen.setdefault(name, len(seen))
        cells -= len(seen)
        if len(seen) > MOST_COLUMNS or cells < 0:
            message = f"The data hold more than {MOST_COLUMNS:,} columns or {MOST_CELLS:,} cells."
            raise ScenarioError([_problem("too_large", message, file, line)])
        kept.append(value)
    return list(seen), [[row.get(name) for name in seen] for row in kept]


def _check_columns(columns: list[str], file: str) -> None:
    problem = ""
    if not columns or not all(name.strip() for name in columns):
        problem = "The file names no columns." if not any(columns) else "A column has no name."
    elif len(columns) > MOST_COLUMNS:
        problem = f"The file has more than {MOST_COLUMNS:,} columns."
    else:
        twice = sorted({name for name in columns if columns.count(name) > 1})
        if twice:
            problem = f"The column `{twice[0][:80]}` stands here twice."
    if problem:
        hint = "The first line of a CSV file names the columns." if file.endswith(".csv") else ""
        raise ScenarioError([_problem("data_columns", problem, file, 1, hint)])


def data_of(value: JsonValue) -> tuple[list[str], list[list[JsonValue]]] | None:
    """Columns and rows of a table's inlined ``data``, or None when the value is anything else."""
    if not isinstance(value, Mapping):
        return None
    columns, rows = value.get("columns"), value.get("rows")
    if set(value) != {"columns", "rows"} or not isinstance(columns, list) or not isinstance(rows, list):
        return None
    names = [name for name in columns if isinstance(name, str) and name.strip()]
    lists = [row for row in rows if isinstance(row, list) and len(row) == len(columns)]
    if not names or len(names) != len(columns) or len(set(names)) != len(names) or len(lists) != len(rows):
        return None
    return names, lists


def _problem(code: str, message: str, file: str, line: int, suggestion: str = "") -> Problem:
    return Problem(code, message, location=Location(file, line, 1 if line else 0), suggestion=suggestion)


def _on_line(problem: Problem, line: int) -> Problem:
    location = Location(problem.location.file, line, problem.location.column)
    return Problem(problem.code, problem.message, problem.path, location, problem.suggestion)
