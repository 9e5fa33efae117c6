"""Small scenarios, and the rows of the worlds made from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw

from simulator.scenario.loading import parse_document
from simulator.scenario.scenario import Scenario
from simulator.sql.schema import build_schema
from simulator.world import WorldImage, build_world, world_problems

NOW = "2026-03-02 09:00:00"


def scenario(tables: dict[str, Any], **world: Any) -> Scenario:
    """A scenario with these tables and nothing an agent could do."""
    return parse_document(
        {
            "worldwright": 1,
            "id": "small",
            "title": "Small",
            "world": {"now": NOW, "tables": tables, **world},
            "tools": {"look": {"api": "GET /look", "summary": "Look.", "returns": {"one": "select 1 as one"}}},
        }
    )


def things(rows: int, **columns: Any) -> dict[str, Any]:
    """A table `thing` with an integer key and these columns."""
    return {"thing": {"rows": rows, "columns": {"id": {"type": "integer", "key": True}, **columns}}}


class Rows:
    """The rows of a world."""

    def __init__(self, image: WorldImage) -> None:
        self.image = image
        self.connection = apsw.Connection(":memory:")
        self.connection.deserialize("main", bytes(image.image.buffer))

    def __call__(self, sql: str, *values: Any) -> list[Any]:
        """The rows of a query; single values where it has one column."""
        rows = self.connection.execute(sql, values).fetchall()
        return [row[0] if len(row) == 1 else row for row in rows]


def made(
    tables: dict[str, Any], *, seed: int = 7, scale: float = 1.0, directory: Path | None = None, **world: Any
) -> Rows:
    """The world of these tables."""
    return Rows(build_world(scenario(tables, **world), seed, scale=scale, directory=directory))


def column(seed: int = 7, rows: int = 300, **model: Any) -> list[Any]:
    """The values of one generated column."""
    return made(things(rows, value=model), seed=seed)("select value from thing order by id")


def problems(tables: dict[str, Any], **world: Any) -> dict[str, str]:
    """What is wrong with a world: paths below `world` and codes, told without making it."""
    found = scenario(tables, **world)
    schema, _ = build_schema(found.document)
    return {item.path.removeprefix("world."): item.code for item in world_problems(found.document, schema)}
