"""Rows written in a document, kept apart while its models are checked.

A table may bring millions of cells; sent through the models each would be copied twice, and a fault in each would be a
finding of its own. So the rows are checked here, the models see a document with at most one row a table, and the rows
are put back as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Literal

from pydantic import JsonValue

from simulator.errors import Problem
from simulator.scenario.models import DataRows, ScenarioDocument
from simulator.scenario.paths import Path, render_path
from simulator.scenario.positions import Positions
from simulator.scenario.source_text import MOST_PROBLEMS

Place = tuple[str, Literal["rows", "data"]]
"""A table's name and the key that holds its rows."""


def set_rows_aside(
    document: Mapping[str, JsonValue], positions: Positions
) -> tuple[dict[str, JsonValue], dict[Place, list[JsonValue]], list[Problem]]:
    """The document with at most one row a table, the rows taken out of it, and ``data_row`` problems (100 at most)."""
    world = document.get("world")
    written = world.get("tables") if isinstance(world, dict) else None
    if not isinstance(world, dict) or not isinstance(written, dict):
        return dict(document), {}, []
    aside: dict[Place, list[JsonValue]] = {}
    faults: list[tuple[Path, str]] = []
    tables = dict(written)
    for name, table in written.items():
        if not isinstance(table, dict):
            continue
        path: Path = ("world", "tables", name)
        light = dict(table)
        rows, data = table.get("rows"), table.get("data")
        if isinstance(rows, list):
            faults += [((*path, "rows", index), "Every row must be a mapping.") for index in _not_mappings(rows)]
            aside[name, "rows"] = rows
            light["rows"] = [row if isinstance(row, dict) else {} for row in rows[:1]]
        columns = data.get("columns") if isinstance(data, dict) else None
        cells = data.get("rows") if isinstance(data, dict) else None
        if isinstance(data, dict) and isinstance(columns, list) and isinstance(cells, list):
            message = f"Every row must be a list of {len(columns)} cells."
            faults += [((*path, "data", "rows", index), message) for index in _not_of_length(cells, len(columns))]
            aside[name, "data"] = cells
            light["data"] = {**data, "rows": []}
        tables[name] = light
    problems = [
        Problem("data_row", message, render_path(path), positions.value(path))
        for path, message in faults[:MOST_PROBLEMS]
    ]
    return {**document, "world": {**world, "tables": tables}}, aside, problems


def put_rows_back(document: ScenarioDocument, aside: Mapping[Place, list[JsonValue]]) -> ScenarioDocument:
    """The checked document with the rows that `set_rows_aside` took out."""
    if not aside:
        return document
    tables = dict(document.world.tables)
    for (name, key), rows in aside.items():
        data = tables[name].data
        if key == "rows":
            tables[name] = tables[name].model_copy(update={"rows": rows})
        elif isinstance(data, DataRows):
            tables[name] = tables[name].model_copy(update={"data": data.model_copy(update={"rows": rows})})
    return document.model_copy(update={"world": document.world.model_copy(update={"tables": tables})})


def _not_mappings(rows: list[JsonValue]) -> Iterator[int]:
    faults = (index for index, row in enumerate(rows) if not isinstance(row, dict))
    return islice(faults, MOST_PROBLEMS)


def _not_of_length(rows: list[JsonValue], length: int) -> Iterator[int]:
    faults = (index for index, row in enumerate(rows) if not isinstance(row, list) or len(row) != length)
    return islice(faults, MOST_PROBLEMS)
