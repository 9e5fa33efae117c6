"""Plain words for what Pydantic finds, and for the types an author may write."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import JsonValue

from simulator.scenario.model_types import Place, bare, key_types, members_of, model_of
from simulator.scenario.models import words
from simulator.scenario.paths import Path, did_you_mean

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_SWITCHES = frozenset({"yes", "no", "on", "off", "y", "n", "true", "false", "0", "1"})
_NAME_RULE = "A name is made of small letters, digits and _, starts with a letter and has at most 60 characters."
_ORDERS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}
_NAMED_TYPES: tuple[tuple[Any, str], ...] = (
    (words.Identifier, "a name"),
    (words.Slug, "an id"),
    (words.ColumnPath, "a column"),
    (words.Duration, "a duration"),
    (words.Timestamp, "a moment"),
)
_PLAIN_TYPES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem before it is located. ``at_key`` tells that the key at ``path`` is wrong, not its value."""

    code: str
    path: Path
    message: str
    suggestion: str = ""
    at_key: bool = False


def words_for(details: Any, place: Place, value: JsonValue) -> Finding:
    """One of Pydantic's findings about ``value``, which stands at ``place``."""
    kind, context = str(details["type"]), details.get("ctx", {})
    if place.is_key:
        message = f"`{_short(str(place.path[-1]))}` is no name."
        return Finding("bad_name", place.path, message, _name_hint(str(place.path[-1])), at_key=True)
    if kind == "extra_forbidden":
        return _unknown_key(place)
    if kind == "missing":
        return _missing(place)
    if kind.endswith("_type") or kind == "int_from_float":
        return wrong_type(place.path, [describe(place.annotation)], value)
    if kind == "literal_error":
        return _not_listed(place, value)
    if kind == "string_pattern_mismatch":
        return _bad_form(place, value)
    if kind in _ORDERS:
        name, order = _ORDERS[kind]
        return Finding(
            "bad_value", place.path, f"{_show(value)} is out of range: it must be {order} {_number(context[name])}."
        )
    if kind in ("too_long", "too_short", "string_too_long", "string_too_short"):
        return _bad_length(kind, context, place, value)
    message = str(context["error"]) if kind == "value_error" else str(details["msg"])
    return Finding("bad_value", place.path, message[:1].upper() + message[1:] + ("" if message.endswith(".") else "."))


def wrong_type(path: Path, expected: list[str], value: JsonValue) -> Finding:
    """A value of another kind than any of those expected."""
    either = expected[0] if len(expected) == 1 else ", ".join(expected[:-1]) + " or " + expected[-1]
    suggestion = ""
    if isinstance(value, str) and "true or false" in expected and value.lower() in _SWITCHES:
        suggestion = "Write true or false."
    elif isinstance(value, str) and _NUMBER.fullmatch(value) and {"a number", "a whole number"} & set(expected):
        suggestion = "Remove the quotes."
    elif isinstance(value, (int, float)) and {"text", "a name", "an id"} & set(expected):
        suggestion = f'Quote it: "{json.dumps(value)}".'
    return Finding("wrong_type", path, f"Expected {either}, but this is {kind_of(value)}.", suggestion)


def describe(annotation: Any) -> str:
    """What a type expects, as in "a list of names": the words of messages and of the language reference."""
    members = members_of(annotation)
    if len(members) > 1:
        parts = list(dict.fromkeys(describe(member) for member in members))
        return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]
    member = members[0]
    for named, name in _NAMED_TYPES:
        if member == named:
            return name
    inner = bare(member)
    if model_of(inner) is not None:
        return "a mapping"
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is Literal:
        shown = [f"`{_plain(item)}`" for item in arguments]
        return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]
    if origin is dict or inner is dict:
        return "a mapping"
    if origin is tuple:
        return f"a list of {len(arguments)}"
    if origin is list or inner is list:
        return "a list"
    return _PLAIN_TYPES.get(inner, "any value")


def kind_of(value: JsonValue) -> str:
    """What a value is, shown if it is short."""
    if value is None:
        return "empty (null)"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return f"the text {_show(value)}"
    return f"the number {_show(value)}"


def _unknown_key(place: Place) -> Finding:
    key = str(place.path[-1])
    model = model_of(place.owner)
    known = list(key_types(model)) if model else []
    suggestion = did_you_mean(key, known)
    if not suggestion and known:
        more = ", …" if len(known) > 16 else ""
        suggestion = f"The keys here are {', '.join(known[:16])}{more}."
    return Finding("unknown_key", place.path, f"There is no key `{_short(key)}` here.", suggestion, at_key=True)


def _missing(place: Place) -> Finding:
    if isinstance(place.path[-1], int):
        count = len(get_args(bare(place.owner)))
        return Finding("bad_value", place.path[:-1], f"The list must have {count} values.")
    model = model_of(place.owner)
    hint = ""
    if model:
        hint = next((field.description or "" for name, field in model.model_fields.items()
                     if (field.alias or name) == place.path[-1]), "")  # fmt: skip
    return Finding("missing_key", place.path, f"The key `{place.path[-1]}` is missing.", hint)


def _not_listed(place: Place, value: JsonValue) -> Finding:
    allowed = [_plain(item) for item in get_args(bare(place.annotation))]
    if place.path == ("worldwright",):
        message = f"This engine reads version {allowed[0]} of the language, not {_show(value)}."
        return Finding("unsupported_version", place.path, message)
    if not isinstance(value, str):
        return wrong_type(place.path, [describe(place.annotation)], value)
    suggestion = did_you_mean(value, allowed)
    return Finding("bad_value", place.path, f"{_show(value)} is not {describe(place.annotation)}.", suggestion)


def _bad_form(place: Place, value: JsonValue) -> Finding:
    if place.annotation == words.Identifier:
        return Finding("bad_name", place.path, f"{_show(value)} is no name.", _name_hint(str(value)))
    model = model_of(place.owner)
    field = model.model_fields.get(str(place.path[-1])) if model and place.path else None
    hint = (field.description or "") if field else ""
    return Finding("bad_value", place.path, f"{_show(value)} does not have the form expected here.", hint)


def _bad_length(kind: str, context: Any, place: Place, value: JsonValue) -> Finding:
    if isinstance(value, str):
        what, unit = "text", "characters"
    else:
        what, unit = ("mapping", "entries") if isinstance(value, dict) else ("list", "values")
    if kind.endswith("long"):
        message = f"The {what} has more than {context['max_length']:,} {unit}."
    elif context["min_length"] == 1:
        message = f"The {what} is empty."
    else:
        message = f"The {what} has fewer than {context['min_length']:,} {unit}."
    return Finding("bad_value", place.path, message)


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"


def _name_hint(text: str) -> str:
    if text in words.YAML_WORDS:
        return f"`{text}` is a YAML word for true, false or null; choose another name."
    return _NAME_RULE


def _plain(item: object) -> str:
    return item if isinstance(item, str) else json.dumps(item)


def _show(value: JsonValue) -> str:
    return _short(json.dumps(value, ensure_ascii=False))


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
