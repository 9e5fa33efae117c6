"""The language reference, written from the models: every part of a scenario, its keys, their types and defaults."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from simulator.scenario.canonical import document_value_of
from simulator.scenario.model_types import bare, key_types, members_of, model_of, models_in
from simulator.scenario.models import ScenarioDocument
from simulator.scenario.models.rules import Event
from simulator.scenario.wording import describe

_HEAD = """\
# Language reference

Version 1 of the scenario language, written from the engine's own models. The same models give the JSON Schema,
[scenario.schema.json](scenario.schema.json).

A scenario is one folder or one document; [ScenarioDocument](#scenariodocument) is its root. A key in **bold** is
required, every other may be left out. Keys that are not listed are errors.

*Names* are made of small letters, digits and `_`, start with a letter and have at most 60 characters. *Durations* are
whole numbers with the units `y`, `mo`, `w`, `d`, `h`, `m`, `s`, largest first: `90s`, `1d12h`, `-3y`. *Moments* are
`YYYY-MM-DD HH:MM:SS` in UTC. An *event* is the name of a tool, a [ReadsEvent](#readsevent) or a
[WritesEvent](#writesevent), or a list of these, any of which counts.
"""


def reference_markdown() -> str:
    """The text of ``docs/language-reference.md``."""
    return _HEAD + "".join(f"\n{_section(model)}" for model in _reachable(ScenarioDocument))


def _reachable(root: type[BaseModel]) -> list[type[BaseModel]]:
    """Every model a document can hold, each before the models it mentions."""
    found = [root]
    for model in found:
        for annotation in key_types(model).values():
            found += [inner for inner in models_in(annotation) if inner not in found]
    return list(dict.fromkeys(found))


def _section(model: type[BaseModel]) -> str:
    lines = [
        f"## {model.__name__}",
        "",
        inspect.cleandoc(model.__doc__ or ""),
        "",
        "| key | type | default | meaning |",
    ]
    lines.append("|---|---|---|---|")
    types = key_types(model)
    for name, field in model.model_fields.items():
        key = field.alias or name
        shown = f"**`{key}`**" if field.is_required() else f"`{key}`"
        cells = [
            shown,
            _type(types[key]),
            _default(field),
            " ".join([field.description or "", *_bounds(field)]).strip(),
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _type(annotation: Any) -> str:
    """A type in words, with links to the models it mentions."""
    members, of_event = members_of(annotation), members_of(Event)
    is_event = all(member in members for member in of_event)
    parts = [_one_type(member) for member in members if not (is_event and member in of_event)]
    parts = list(dict.fromkeys([*parts, "event"] if is_event else parts))
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]


def _one_type(member: Any) -> str:
    model = model_of(member)
    if model is not None:
        return f"[{model.__name__}](#{model.__name__.lower()})"
    inner = bare(member)
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is list:
        return f"list of {_grouped(arguments[0])}"
    if origin is dict:
        return f"mapping of {_type(arguments[0])} to {_grouped(arguments[1])}"
    if origin is tuple:
        return "[" + ", ".join(_type(argument) for argument in arguments) + "]"
    return describe(member).removeprefix("a ").removeprefix("an ")


def _grouped(annotation: Any) -> str:
    text = _type(annotation)
    return f"({text})" if len(members_of(annotation)) > 1 or ", " in text else text


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return ""
    default = field.get_default(call_default_factory=True, validated_data={})
    if default is None:
        return "none"
    if isinstance(default, BaseModel):
        return "its defaults"
    value = document_value_of(default)
    return "empty" if value in ({}, [], "") else f"`{json.dumps(value, ensure_ascii=False)}`"


def _bounds(field: FieldInfo) -> Iterator[str]:
    """The limits that stand on the field itself, as sentences."""
    limits = {"ge": "At least", "gt": "More than", "le": "At most", "lt": "Less than"}
    for item in field.metadata:
        for name, words in limits.items():
            value = getattr(item, name, None)
            if value is not None:
                yield f"{words} {value:,}."
