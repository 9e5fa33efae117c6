"""The language as JSON Schema (draft 2020-12), for editors that complete and check while an author types."""

from __future__ import annotations

import json
from typing import Any

from simulator.scenario.models import ScenarioDocument
from simulator.scenario.models.tasks import RESERVED_CALL_KEYS

SCHEMA_ID = "urn:worldwright:scenario:1"


def json_schema() -> dict[str, Any]:
    """The schema of one document as authors write it.

    In a folder, ``policy`` and ``data`` name files instead, which it accepts too. Packs may bring what is required.
    """
    schema = ScenarioDocument.model_json_schema(by_alias=True, mode="validation")
    definitions = schema["$defs"]
    definitions["Call"] = _call(definitions["Call"])
    _allow_packs(schema, definitions)
    for definition in [schema, *definitions.values()]:
        _close(definition)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "Worldwright scenario, language version 1",
    }
    return {**head, **{key: value for key, value in schema.items() if key != "title"}}


def json_schema_text() -> str:
    """The schema as the text of ``docs/scenario.schema.json``."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _call(full: dict[str, Any]) -> dict[str, Any]:
    """A call as authors write it, with the tool's name as key, beside the full form that the model describes."""
    reserved = {name: full["properties"][name] for name in sorted(RESERVED_CALL_KEYS)}
    arguments = {"type": ["object", "null"], "description": "The tool's arguments."}
    short = {
        "type": "object",
        "properties": {name: schema for name, schema in reserved.items() if name in ("errs", "remember")},
        "patternProperties": {rf"^(?!(?:{'|'.join([*reserved, 'tool', 'arguments'])})$)[a-z][a-z0-9_]*$": arguments},
        "minProperties": 1,
        "maxProperties": 3,
    }
    parts = {key: value for key, value in full.items() if key not in ("title", "description")}
    return {"title": full["title"], "description": full["description"], "anyOf": [short, parts]}


def _allow_packs(document: dict[str, Any], definitions: dict[str, Any]) -> None:
    """Let packs bring the tables and tools, and null take out what they bring, in place."""
    world, rules, table = definitions["World"], definitions["Rules"], definitions["Table"]
    document["required"].remove("tools")
    world["required"].remove("tables")
    for owner, names in (
        (document, ("tools",)),
        (world, ("tables", "lifecycles", "views", "timeline")),
        (rules, ("state", "change", "process")),
        (table, ("columns",)),
    ):
        for name in names:
            mapping = owner["properties"][name]
            mapping.pop("minProperties", None)
            for pattern, entry in mapping["patternProperties"].items():
                mapping["patternProperties"][pattern] = {"anyOf": [entry, {"type": "null"}]}


def _close(schema: object) -> None:
    """Refuse the names that no pattern of a mapping allows, in place and at every depth."""
    if isinstance(schema, dict):
        if "patternProperties" in schema and "additionalProperties" not in schema:
            schema["additionalProperties"] = False
        for item in schema.values():
            _close(item)
    elif isinstance(schema, list):
        for item in schema:
            _close(item)
