"""The language as JSON Schema (draft 2020-12), for editors that complete and check while an author types."""

from __future__ import annotations

import json
from typing import Any

from simulator.scenario.models import ScenarioDocument
from simulator.scenario.models.tasks import RESERVED_CALL_KEYS

SCHEMA_ID = "urn:worldwright:scenario:1"


def json_schema() -> dict[str, Any]:
    """The schema of one document. In a folder, ``policy`` and ``data`` name files instead, which it accepts too."""
    schema = ScenarioDocument.model_json_schema(by_alias=True, mode="validation")
    definitions = schema["$defs"]
    definitions["Call"] = _call(definitions["Call"])
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
