"""Tool calls: an agent's action, read. Whatever it is, the outcome is a name with arguments, or a verdict."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from simulator.scenario.canonical import canonical_json
from simulator.scenario.paths import did_you_mean
from simulator.tools.plain_values import Refused, parsed_json, plain_value
from simulator.tools.verdicts import Verdict, echo, failed

_SHAPE = 'An action is an object: {"tool": "name", "arguments": {…}}.'
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool there is, with arguments it accepts, in the form the world uses."""

    tool: str
    arguments: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class RawCall:
    """The two parts of an action, the arguments not yet looked at."""

    tool: str
    arguments: object


def read_action(action: Any) -> RawCall | Verdict:
    """The parts of ``{"tool": name, "arguments": …}``; ``malformed`` for anything else. Never raises."""
    if not issubclass(type(action), dict):
        return failed("malformed", "not_an_object", f"The action is not an object. {_SHAPE}")
    parts: dict[str, Any] = {}
    for key, value in dict.items(action):
        name = str.__str__(key) if issubclass(type(key), str) else None
        if name not in ("tool", "arguments"):
            word = f"the key `{echo(name)}`" if name is not None else "a key that is not a text"
            hint = did_you_mean(name or "", ("tool", "arguments"))
            return failed("malformed", "unknown_key", " ".join(filter(None, (f"The action has {word}.", hint, _SHAPE))))
        if name in parts:  # keys of a class of their own may differ and yet read the same
            return failed("malformed", "duplicate_key", f"The action has the key `{name}` twice. {_SHAPE}")
        parts[name] = value
    if "tool" not in parts:
        return failed("malformed", "missing_tool", f"The action names no tool. {_SHAPE}")
    tool = parts["tool"]
    if not issubclass(type(tool), str) or not 0 < str.__len__(tool) <= _LONGEST_NAME:
        return failed("malformed", "bad_tool_name", f"The tool's name is not a short text. {_SHAPE}")
    return RawCall(str.__str__(tool), parts.get("arguments"))


def read_arguments(arguments: Any) -> dict[str, JsonValue] | Verdict:
    """Arguments as a plain object; given as an object, as its JSON text, or not at all. Never raises."""
    try:
        if arguments is None:
            return {}
        if issubclass(type(arguments), str):
            text = str.__str__(arguments)
            arguments = parsed_json(text) if text.strip() else {}
        value = plain_value(arguments)
    except Refused as refusal:
        return refusal.verdict
    if not isinstance(value, dict):
        return failed("malformed", "not_an_object", "The arguments are not an object with one key for each parameter.")
    return value


def request_fingerprint(call: ToolCall) -> str:
    """64 hexadecimal digits, equal for equal calls; tells a repeated request from another one under the same key."""
    return hashlib.sha256(canonical_json([call.tool, call.arguments]).encode()).hexdigest()
