"""From a scenario and a seed to a world: one SQLite image that says what it was made from.

The same scenario, seed, scale and engine version give the same image, byte for byte, on any machine.
"""

from __future__ import annotations

import gc
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import apsw
import faker

from simulator.errors import Problem, ScenarioError, WorldError
from simulator.scenario.paths import parse_path
from simulator.scenario.scenario import Scenario
from simulator.scenario.times import parse_timestamp
from simulator.sql.schema import Schema, build_schema
from simulator.version import ENGINE_VERSION
from simulator.world.generation.pools import PoolSet
from simulator.world.generation.tables import Making, Progress, WorldDatabase, check_size, make_tables, plan_world
from simulator.world.image import Image


@dataclass(frozen=True, slots=True, eq=False)
class WorldImage:
    """A generated world: its database, and what it was made from."""

    scenario: Scenario
    schema: Schema
    seed: int
    scale: float
    engine_version: str
    image: Image

    @property
    def digest(self) -> str:
        """The digest of its content."""
        return self.image.content_digest

    def save(self, path: str | Path) -> None:
        """Write the database to a file, replacing one that is there; readers of the old file keep it.

        Raises WorldError when the file cannot be written.
        """
        path = Path(path)
        try:
            handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(self.image.buffer)
            Path(name).replace(path)
        except OSError as error:
            raise WorldError(f"{path} cannot be written: {error.strerror}.") from error


def build_world(
    scenario: Scenario,
    seed: int,
    *,
    scale: float = 1.0,
    progress: Progress | None = None,
    directory: Path | None = None,
) -> WorldImage:
    """Make a world.

    ``scale`` multiplies row counts; written rows stay as they are, and children follow their parents. The database is
    made in memory, or, with ``directory``, as a new file there, which is for worlds too large for that.

    Raises ScenarioError with every problem of the document's world that can be told beforehand, WorldError, naming
    table and column, for what shows only while rows are made.
    """
    if seed < 0:
        raise WorldError(f"A seed is a whole number from 0, not {seed}.")
    document = scenario.document
    schema = checked_schema(scenario)
    plan = plan_world(document, schema)
    _raise_errors(scenario, plan.problems)
    estimates = check_size(document, scale)
    now = parse_timestamp(document.world.now)
    path = _new_file(directory) if directory is not None else None
    try:
        with _no_collection(), WorldDatabase(now, path) as database:
            pools = PoolSet()
            making = Making(document, schema, seed, scale, now, pools, database)
            make_tables(making, plan, estimates, progress)
            database.finish(schema, _facts(scenario, seed, scale, pools))
            data = database.connection.serialize("main") if path is None else b""
    except BaseException:
        if path is not None:
            path.unlink(missing_ok=True)
        raise
    image = Image.from_bytes(data) if path is None else Image.open(path)
    return WorldImage(scenario, schema, seed, scale, ENGINE_VERSION, image)


def open_world(path: str | Path, scenario: Scenario) -> WorldImage:
    """Open a world that was saved, for the scenario it was made from.

    Raises WorldError when the file is no world, or another scenario's, or was made by another engine version, or when
    its tables are not the scenario's.
    """
    path = Path(path)
    image = Image.open(path)
    try:
        schema = checked_schema(scenario)
        facts, statements = _read_facts(path)
        _check_origin(path, "scenario", facts.get("digest"), scenario.digest)
        _check_origin(path, "engine version", facts.get("engine"), ENGINE_VERSION)
        missing = {*schema.statements(), *schema.view_statements()} - statements
        if missing:
            raise WorldError(f"{path} is damaged: it lacks `{min(missing)[:200]}`.")
        try:
            seed, scale = int(facts["seed"]), float(facts["scale"])
        except (KeyError, ValueError) as error:
            raise WorldError(f"{path} is damaged: its seed or scale cannot be read.") from error
    except BaseException:
        image.close()
        raise
    return WorldImage(scenario, schema, seed, scale, ENGINE_VERSION, image)


def checked_schema(scenario: Scenario) -> Schema:
    """The scenario's tables. Raises ScenarioError when they make no schema."""
    schema, problems = build_schema(scenario.document)
    _raise_errors(scenario, problems)
    return schema


@contextmanager
def _no_collection() -> Iterator[None]:
    """Millions of rows hold no cycles, and looking for them takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _raise_errors(scenario: Scenario, problems: Sequence[Problem]) -> None:
    if any(problem.severity == "error" for problem in problems):
        located = [replace(problem, location=scenario.positions.key(parse_path(problem.path))) for problem in problems]
        raise ScenarioError(located)


def _facts(scenario: Scenario, seed: int, scale: float, pools: PoolSet) -> dict[str, str]:
    document = scenario.document
    facts = {
        "language": str(document.worldwright),
        "scenario": document.id,
        "version": document.version,
        "digest": scenario.digest,
        "seed": str(seed),
        "scale": repr(float(scale)),
        "engine": ENGINE_VERSION,
        "sqlite": apsw.sqlite_lib_version(),
    }
    if pools.built:  # text that this release of Faker made here, not the committed pools
        facts["faker"] = faker.VERSION
        facts["pools"] = json.dumps(sorted(pools.built))
    return facts


def _read_facts(path: Path) -> tuple[dict[str, str], set[str]]:
    """What a world says it was made from, and the statements of its schema."""
    try:
        connection = apsw.Connection(
            f"{path.resolve().as_uri()}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        try:
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            statements = {str(sql) for (sql,) in connection.execute("select sql from sqlite_schema")}
            if not any(sql.lower().startswith("create table _world ") for sql in statements):
                raise WorldError(f"{path} is a SQLite database, but not a world.")
            facts = {str(key): str(value) for key, value in connection.execute("select key, value from _world")}
        finally:
            connection.close()
    except apsw.Error as error:
        raise WorldError(f"{path} cannot be read as a world: {error}.") from error
    return facts, statements


def _check_origin(path: Path, what: str, found: str | None, expected: str) -> None:
    if found != expected:
        raise WorldError(f"{path} was made from another {what}: {found or 'none is named'}, not {expected}.")


def _new_file(directory: Path) -> Path:
    try:
        handle, name = tempfile.mkstemp(prefix="world-", suffix=".sqlite", dir=directory)
    except OSError as error:
        raise WorldError(f"No world can be written to {directory}: {error.strerror}.") from error
    os.close(handle)
    return Path(name)
