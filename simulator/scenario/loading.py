"""From what an author wrote to a checked scenario: a folder, one YAML or JSON file, or a value."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue, ValidationError

from simulator.errors import Location, Problem, ScenarioError
from simulator.scenario.canonical import scenario_digest
from simulator.scenario.folder import MAIN_FILE, YAML_ENDINGS, document_from_files, is_file_name
from simulator.scenario.folder_files import collect_files, read_bounded
from simulator.scenario.json_text import JSON_LIMITS, read_json
from simulator.scenario.json_value import count_nodes, plain_json
from simulator.scenario.models import ScenarioDocument
from simulator.scenario.packs import with_packs
from simulator.scenario.paths import render_path
from simulator.scenario.positions import Positions
from simulator.scenario.python_values import file_path
from simulator.scenario.scenario import Scenario
from simulator.scenario.validation import in_text_order, problems_of
from simulator.scenario.written_rows import put_rows_back, set_rows_aside
from simulator.scenario.yaml_text import YAML_LIMITS, read_yaml

MOST_NODES = 100_000
"""How many keys and values a scenario may have beside its rows; large ones have some twenty thousand."""


def read_scenario(path: str | Path) -> Scenario:
    """The scenario in a folder (or its ``scenario.yaml``), or in one ``.yaml`` or ``.json`` file.

    Raises ScenarioError with every problem that keeps the document from being a scenario: in the text, in the folder,
    in the form. Whether its names, SQL and tasks make sense is for lint. UsageError for what is no path.
    """
    path = file_path("path", path)
    if not path.exists():
        raise _not_found(path, "There is no such file or folder.")
    if path.name == MAIN_FILE and path.is_file():
        path = path.parent
    if path.is_dir():
        document, positions = document_from_files(collect_files(path))
        return _check(document, positions, path)
    if path.suffix in YAML_ENDINGS:
        value, positions = read_yaml(_content(path, YAML_LIMITS.size), file=path.name)
        return _check(value, positions, path)
    if path.suffix == ".json":
        anything, positions = read_json(_content(path, JSON_LIMITS.size), file=path.name)
        return _check(anything, positions, path)
    raise _not_found(path, "A scenario is a folder, a .yaml file or a .json file.")


def read_without_data(folder: Path, table: str) -> tuple[Scenario, JsonValue] | None:
    """The scenario in a folder as far as it stands outside its data files, and a table as written there.

    None where no such table is declared. Raises ScenarioError as `read_scenario` does.
    """
    document, positions = document_from_files(collect_files(folder), data=False)
    world = document.get("world")
    tables = world.get("tables") if isinstance(world, dict) else None
    if not isinstance(tables, dict) or table not in tables:
        return None
    return _check(document, positions, folder, data=False), tables[table]


def parse_document(
    value: Mapping[str, object], positions: Positions | None = None, source: Path | None = None
) -> Scenario:
    """The scenario that a document given as a value means; ``positions`` locate problems, if they are known.

    Raises ScenarioError with every problem.
    """
    return _check(plain_json(value), positions or Positions(), source)


def _check(value: JsonValue, positions: Positions, source: Path | None, *, data: bool = True) -> Scenario:
    if not isinstance(value, dict):
        problem = Problem("not_a_mapping", "The document must be a mapping.", location=positions.value(()))
        raise ScenarioError([problem])
    named = _file_references(value, positions) if data else []
    value, positions = with_packs(value, positions)
    light, rows, problems = set_rows_aside(value, positions)
    problems += named
    if count_nodes(light) > MOST_NODES:
        message = f"Without its rows, the document still holds more than {MOST_NODES:,} keys and values."
        raise ScenarioError([*problems, Problem("too_large", message, location=positions.value(()))])
    try:
        # The models are strict and take a tuple only from JSON text, so the value goes in as text.
        checked = ScenarioDocument.model_validate_json(json.dumps(light), by_alias=True, by_name=False)
    except ValidationError as error:
        problems += problems_of(error, light, positions)
    if problems:
        raise ScenarioError(in_text_order(problems, positions))
    document = _whole(put_rows_back(checked, rows))
    return Scenario(document, scenario_digest(document), source, positions)


def _whole(document: ScenarioDocument) -> ScenarioDocument:
    """The document without the names of its packs: what they bring stands in it, as do a policy and rows of files."""
    if not document.world.packs:
        return document
    return document.model_copy(update={"world": document.world.model_copy(update={"packs": []})})


def _file_references(document: dict[str, JsonValue], positions: Positions) -> list[Problem]:
    """File names left in a document: in a folder they were replaced by what the files hold."""
    named: list[tuple[tuple[str, ...], JsonValue, str]] = []
    policy = document.get("policy")
    if isinstance(policy, str) and is_file_name(policy, (".md",)):
        named.append((("policy",), policy, "Write the text itself, or keep the scenario as a folder."))
    world = document.get("world")
    tables = world.get("tables") if isinstance(world, dict) else None
    for name, table in tables.items() if isinstance(tables, dict) else ():
        if isinstance(table, dict) and isinstance(table.get("data"), str):
            hint = "Write {columns: [...], rows: [[...]]}, or keep the scenario as a folder."
            named.append((("world", "tables", name, "data"), table["data"], hint))
    problems: list[Problem] = []
    for path, file, hint in named:
        message = f"One document cannot name the file `{str(file)[:200]}`."
        problems.append(Problem("file_reference", message, render_path(path), positions.value(path), hint))
    return problems


def _content(path: Path, size: int) -> bytes:
    problems: list[Problem] = []
    content = read_bounded(path, Path(os.path.realpath(path)).parent, path.name, size, problems)
    if content is None:
        raise ScenarioError(problems)
    return content


def _not_found(path: Path, message: str) -> ScenarioError:
    return ScenarioError([Problem("missing_file", message, location=Location(str(path)))])
