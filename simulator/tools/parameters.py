"""Parameters as JSON Schema: what agents, MCP clients and OpenAPI documents see, and what arguments are held against.

A parameter is required unless it says ``optional``, and so is a property of an object inside it (unless the author
wrote ``required``); objects with ``properties`` take no others. The author's own schemas (``items``, ``properties``)
may use the flat keywords of draft 2020-12 listed in KEYWORDS: no references, no combinators, so that the time a check
takes is bounded by the size of what is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import jsonschema
import re2
from jsonschema.exceptions import best_match
from pydantic import JsonValue

from simulator.errors import Problem
from simulator.scenario.json_value import copy_json
from simulator.scenario.models import Parameter
from simulator.scenario.paths import Path, did_you_mean, render_path

Schema: TypeAlias = dict[str, JsonValue]

LONGEST_STRING = 4_000
MOST_ITEMS = 200
MOST_PAGES = 1_000_000
_MOST_NODES = 1_000
_DEEPEST = 12
_PATTERN_MEMORY = 1 << 20  # bytes of RE2's automaton

_META_SCHEMA = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)

KEYWORDS = frozenset({
    "type", "title", "description", "enum", "const", "examples", "default", "format", "pattern", "minLength",
    "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "items", "minItems",
    "maxItems", "uniqueItems", "properties", "required", "optional", "additionalProperties", "minProperties",
    "maxProperties",
})  # fmt: skip

_FORMATS = {"date": "date", "timestamp": "date-time", "date-time": "date-time", "email": "email"}
_MOMENT = "A moment in UTC, YYYY-MM-DD HH:MM:SS."
_ALLOWED_BY_TYPE = {
    "string": {"enum", "format", "min_length", "max_length", "pattern"},
    "integer": {"enum", "minimum", "maximum"},
    "number": {"enum", "minimum", "maximum"},
    "boolean": set[str](),
    "array": {"items", "max_items"},
    "object": {"properties"},
}
_TYPED_KEYWORDS = (
    "enum", "format", "minimum", "maximum", "min_length", "max_length", "pattern", "items", "max_items", "properties",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArgumentsSchema:
    """The JSON Schema of an arguments object: each parameter's own, and the names that must be given."""

    properties: Mapping[str, Schema]
    required: tuple[str, ...]

    def document(self) -> Schema:
        """The schema as JSON; a copy of the caller's own."""
        properties = {name: copy_json(schema) for name, schema in self.properties.items()}
        required: list[JsonValue] = list(self.required)
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def arguments_schema(
    parameters: Mapping[str, Parameter], *, paged: bool, path: Path = ()
) -> tuple[ArgumentsSchema, tuple[Problem, ...]]:
    """The schema of a tool's arguments, and what is wrong with the parameters (``path`` is where they stand)."""
    writer = _SchemaWriter()
    properties: dict[str, Schema] = {
        name: writer.parameter(parameter, (*path, name)) for name, parameter in parameters.items()
    }
    if paged:
        if "page" in parameters:
            writer.problem("page_taken", "`page:` adds a parameter `page`; there is one already.", (*path, "page"))
        description = "Which page; the first when left out."
        properties["page"] = {"type": "integer", "minimum": 1, "maximum": MOST_PAGES, "description": description}
    required = tuple(name for name, parameter in parameters.items() if not parameter.optional)
    return ArgumentsSchema(properties, required), tuple(writer.problems)


def compiled_pattern(pattern: str) -> re2.Pattern:
    """RE2's automaton for a pattern: matching takes time linear in the text. Raises re2.error."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _PATTERN_MEMORY
    return re2.compile(pattern, options)


class _SchemaWriter:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.nodes = 0

    def problem(self, code: str, message: str, path: Path, suggestion: str = "") -> None:
        self.problems.append(Problem(code, message, render_path(path), suggestion=suggestion))

    def parameter(self, parameter: Parameter, path: Path) -> Schema:
        self._check_parameter(parameter, path)
        schema: Schema = {"type": parameter.type}
        if parameter.description:
            schema["description"] = parameter.description
        keywords: tuple[tuple[str, Any], ...] = (
            ("enum", parameter.enum), ("format", parameter.format), ("pattern", parameter.pattern),
            ("minimum", parameter.minimum), ("maximum", parameter.maximum),
            ("minLength", parameter.min_length), ("maxLength", parameter.max_length),
            ("items", parameter.items), ("maxItems", parameter.max_items), ("properties", parameter.properties),
        )  # fmt: skip
        for keyword, value in keywords:
            if value is not None:
                schema[keyword] = int(value) if isinstance(value, float) and value.is_integer() else value
        return self._schema(schema, path, 0)

    def _check_parameter(self, parameter: Parameter, path: Path) -> None:
        allowed = _ALLOWED_BY_TYPE[parameter.type]
        for keyword in _TYPED_KEYWORDS:
            if getattr(parameter, keyword) is not None and keyword not in allowed:
                self.problem("misplaced_keyword", f"`{keyword}` means nothing for type {parameter.type}.", path)
        for low, high in (("minimum", "maximum"), ("min_length", "max_length")):
            smallest, largest = getattr(parameter, low), getattr(parameter, high)
            if smallest is not None and largest is not None and smallest > largest:
                self.problem("empty_range", f"no value has {low} {smallest:g} and {high} {largest:g}.", path)
        if parameter.items is not None or parameter.properties is not None:
            return  # the author's own schema: checked as a whole where it is written out
        validator = jsonschema.Draft202012Validator({"type": parameter.type})
        for value in parameter.enum or ():
            if not validator.is_valid(value):
                self.problem("enum_type", f"{value!r} is no {parameter.type}.", (*path, "enum"))

    def _schema(self, schema: Mapping[str, JsonValue], path: Path, depth: int) -> Schema:
        """One schema as published: defaults written out, whole-text patterns, formats by JSON Schema's names."""
        self.nodes += 1
        if depth > _DEEPEST or self.nodes > _MOST_NODES:
            self.problem("schema_too_large", f"at most {_DEEPEST} levels and {_MOST_NODES} schemas.", path)
            return {}
        written: Schema = {}
        for keyword, value in schema.items():
            if keyword not in KEYWORDS:
                hint = did_you_mean(keyword, sorted(KEYWORDS))
                self.problem("unknown_keyword", f"`{keyword}` cannot be used here.", path, hint)
            elif keyword == "items":
                written["items"] = self._part(value, (*path, "items"), depth)
            elif keyword == "properties":
                written["properties"] = self._properties(value, (*path, "properties"), depth)
            elif keyword == "pattern":
                written["pattern"] = self._pattern(value, (*path, "pattern"))
            elif keyword == "format":
                written["format"] = self._format(value, (*path, "format"))
            elif keyword != "optional":
                written[keyword] = value
        self._defaults(schema, written)
        if depth:  # the models have checked a parameter's own keywords
            self._check_written(written, path)
        return written

    def _part(self, value: JsonValue, path: Path, depth: int) -> Schema:
        if isinstance(value, dict):
            return self._schema(value, path, depth + 1)
        self.problem("bad_schema", "write a JSON Schema here, as in {type: string}.", path)
        return {}

    def _properties(self, value: JsonValue, path: Path, depth: int) -> Schema:
        if isinstance(value, dict):
            return {name: self._part(part, (*path, name), depth) for name, part in value.items()}
        self.problem("bad_schema", "write the properties by name, each with its JSON Schema.", path)
        return {}

    def _pattern(self, value: JsonValue, path: Path) -> str:
        whole = f"^(?:{value})$"
        try:
            for pattern in (str(value), whole):  # alone too: `a)|(b` is none, though the whole would be
                compiled_pattern(pattern)
        except re2.error as error:
            reason = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
            self.problem("bad_pattern", f"not a regular expression RE2 understands: {reason}.", path)
            return ""
        return whole

    def _format(self, value: JsonValue, path: Path) -> str:
        if isinstance(value, str) and value in _FORMATS:
            return _FORMATS[value]
        self.problem("unknown_format", "the formats are date, timestamp and email.", path)
        return ""

    def _defaults(self, schema: Mapping[str, JsonValue], written: Schema) -> None:
        kinds = written.get("type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if "string" in kinds and "enum" not in written and written.get("format") not in ("date", "date-time"):
            written.setdefault("maxLength", LONGEST_STRING)
        if "array" in kinds:
            written.setdefault("maxItems", MOST_ITEMS)
        if written.get("format") == "date-time":
            words = written.get("description")
            written["description"] = f"{words} {_MOMENT}" if isinstance(words, str) and words else _MOMENT
        properties = schema.get("properties")
        if isinstance(properties, dict):
            optional = [name for name, part in properties.items() if isinstance(part, dict) and part.get("optional")]
            written.setdefault("required", [name for name in properties if name not in optional])
            written.setdefault("additionalProperties", False)

    def _check_written(self, written: Schema, path: Path) -> None:
        """The keywords' own values; parts below were checked when they were written."""
        own = {keyword: value for keyword, value in written.items() if keyword not in ("items", "properties")}
        if not isinstance(own.get("additionalProperties", False), bool):
            self.problem("bad_schema", "`additionalProperties` is true or false here.", path)
            written["additionalProperties"] = False
            return
        error = best_match(_META_SCHEMA.iter_errors(own))
        if error is not None:
            self.problem("bad_schema", f"{error.message[:200]}.", (*path, *error.absolute_path))
