"""Tools as methods that TRL takes for tools: it reads a tool's JSON Schema from type hints and a docstring.

What hints cannot say (bounds, formats, the fields of objects) stands in the descriptions. The arguments reach the
episode as they were sent, so that it is the episode that judges them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any, Literal, Protocol

_HINTS: Mapping[str, Any] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": float,
    "object": dict,
    "string": str,
}
_BOUNDS = ("minimum", "maximum", "minLength", "minItems", "maxItems", "pattern", "format")
_SECTIONS = re.compile(r"(Args|Returns|Raises|\((?i:choices)):")
"""What a docstring's reader would take for the beginning of a section, or for a list of choices."""
_RECEIVER = "_"
"""What the object itself is called in a signature: not ``self``, as a tool's parameter may be."""


class Callee(Protocol):
    """What has such methods."""

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool and tell what came of it."""


def tool_method(function: Mapping[str, Any]) -> Callable[..., str]:
    """A method for a function in OpenAI's format."""
    name, parameters = str(function["name"]), function["parameters"]
    properties: Mapping[str, Mapping[str, Any]] = parameters.get("properties", {})
    required = set(parameters.get("required", ()))

    def method(self: Callee, /, **arguments: Any) -> str:
        return self._call(name, arguments)

    hints = {parameter: _hint(schema) for parameter, schema in properties.items()}
    # Positional-only, of all kinds, may be called like a word of Python's; those without a default come first.
    told = [
        Parameter(
            parameter,
            Parameter.POSITIONAL_ONLY,
            default=Parameter.empty if parameter in required else None,
            annotation=hints[parameter],
        )
        for parameter in sorted(properties, key=lambda parameter: parameter not in required)
    ]
    method.__name__ = method.__qualname__ = name
    method.__doc__ = _docstring(_plain(function.get("description", "")) or name, properties)
    method.__annotations__ = hints
    vars(method)["__signature__"] = Signature([Parameter(_RECEIVER, Parameter.POSITIONAL_ONLY), *told])
    return method


def _hint(schema: Mapping[str, Any]) -> Any:
    """The type hint from which a schema with the same type comes."""
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    kind = schema.get("type")
    if isinstance(kind, list):
        hint = _HINTS[kind[0]]
        for other in kind[1:]:
            hint |= _HINTS[other]
        return hint
    if kind == "array" and "items" in schema:
        return list[_hint(schema["items"])]  # type: ignore[misc] # a hint made at run time
    return Any if kind is None else _HINTS[kind]


def _docstring(summary: str, properties: Mapping[str, Mapping[str, Any]]) -> str:
    if not properties:
        return summary
    lines = [f"    {parameter}: {_description(parameter, schema)}" for parameter, schema in properties.items()]
    return "\n".join([summary, "", "Args:", *lines])


def _description(parameter: str, schema: Mapping[str, Any]) -> str:
    bounds = [f"{bound} {json.dumps(schema[bound])}" for bound in _BOUNDS if bound in schema]
    if schema.get("type") == "object":
        bounds.append(f"schema {json.dumps(schema)}")
    elif schema.get("items", {}).get("type") == "object":
        bounds.append(f"items {json.dumps(schema['items'])}")
    said = schema.get("description", "") or parameter.replace("_", " ")
    return _plain(f"{said} [{'; '.join(bounds)}]" if bounds else said)


def _plain(text: str) -> str:
    """A text in one line, in which nothing reads as a section of a docstring."""
    return _SECTIONS.sub(r"\1 -", " ".join(text.split()))
