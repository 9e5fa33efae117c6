"""The language of scenarios: models, reading and writing, problems in the author's words."""

from simulator.scenario.canonical import canonical_json, document_value, scenario_digest
from simulator.scenario.diagram import mermaid_diagram
from simulator.scenario.folder import document_from_files, files_from_document
from simulator.scenario.folder_files import collect_files, write_folder
from simulator.scenario.json_schema import json_schema, json_schema_text
from simulator.scenario.json_text import read_json
from simulator.scenario.loading import parse_document, read_scenario
from simulator.scenario.models import ScenarioDocument
from simulator.scenario.paths import did_you_mean, parse_path, render_path
from simulator.scenario.positions import Positions
from simulator.scenario.reference import reference_markdown
from simulator.scenario.scenario import Scenario
from simulator.scenario.task_lines import read_task_lines, write_task_lines
from simulator.scenario.yaml_text import read_yaml
from simulator.scenario.yaml_writer import write_yaml

__all__ = [
    "Positions",
    "Scenario",
    "ScenarioDocument",
    "canonical_json",
    "collect_files",
    "did_you_mean",
    "document_from_files",
    "document_value",
    "files_from_document",
    "json_schema",
    "json_schema_text",
    "mermaid_diagram",
    "parse_document",
    "parse_path",
    "read_json",
    "read_scenario",
    "read_task_lines",
    "read_yaml",
    "reference_markdown",
    "render_path",
    "scenario_digest",
    "write_folder",
    "write_task_lines",
    "write_yaml",
]
