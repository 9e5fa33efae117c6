"""The small business of ``world.yaml`` as a database and as a catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
import yaml

from simulator.sql.connection import connection_setup
from simulator.sql.dialects import TableCatalogue, register_dialect_functions
from simulator.sql.functions import FunctionProblem
from simulator.sql.schema import ColumnSchema, Schema, TableSchema, quoted

WORLD: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "world.yaml").read_text())


class Clock:
    """The world's time, standing still; it makes no keys."""

    def now(self) -> str:
        return str(WORLD["clock"])

    def new_id(self, table: str) -> int:
        raise FunctionProblem(f"no keys for {table}")


def _column(name: str, written: str) -> ColumnSchema:
    kind, _, parameters = written.rstrip("?").rstrip(")").partition("(")
    precision, scale = map(int, parameters.split(",")) if parameters else (0, 0)
    return ColumnSchema(name, kind, nullable=written.endswith("?"), precision=precision, scale=scale)


def world_schema() -> Schema:
    tables = {
        name: TableSchema(name, tuple(_column(*item) for item in table["columns"].items()), tuple(table["key"]))
        for name, table in WORLD["tables"].items()
    }
    return Schema(tables, {})


def _stored(value: Any, column: ColumnSchema) -> Any:
    return float(value) if column.type == "decimal" and value is not None else value


@pytest.fixture(scope="session")
def catalogue() -> TableCatalogue:
    return TableCatalogue.of(world_schema().tables.values())


@pytest.fixture(scope="session")
def database() -> Iterator[apsw.Connection]:
    connection = apsw.Connection(":memory:")
    schema = world_schema()
    connection_setup(connection, context=Clock())
    register_dialect_functions(connection)
    for statement in schema.statements():
        connection.execute(statement)
    for name, table in schema.tables.items():
        marks = ", ".join("?" * len(table.columns))
        rows = [
            tuple(_stored(value, column) for value, column in zip(row, table.columns, strict=True))
            for row in WORLD["tables"][name]["rows"]
        ]
        connection.executemany(f"INSERT INTO {quoted(name)} VALUES ({marks})", rows)
    yield connection
    connection.close()
