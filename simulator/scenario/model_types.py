"""The models seen as types: which keys a part of a document may have, and what each of them holds.

Follows the places that Pydantic reports from model to model, so that a problem is told at the author's path, without
the names of union members that Pydantic puts into it.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, JsonValue, Tag

from simulator.scenario.models import Call, ScenarioDocument
from simulator.scenario.models.tasks import RESERVED_CALL_KEYS
from simulator.scenario.paths import Path

_WRAPPED = re.compile(r"(?:function-\w+\[\w+\(\), |nullable\[)(.*)\]")


@dataclass(frozen=True, slots=True)
class Choice:
    """A union on the way to a place: where its value stands, and the member that Pydantic tried."""

    path: Path
    tag: str
    members: tuple[Any, ...]
    member: Any


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a document: its path, the types expected there and of what holds it (None: unknown), and the unions on
    the way. ``is_key`` tells that the key is meant, not its value.
    """

    path: Path
    annotation: Any
    owner: Any
    choices: tuple[Choice, ...]
    is_key: bool


@cache
def key_types(model: type[BaseModel]) -> dict[str, Any]:
    """The type of each key of a model, by the name an author writes, in the model's order."""
    hints = get_type_hints(model, include_extras=True)
    return {field.alias or name: hints[name] for name, field in model.model_fields.items()}


def bare(annotation: Any) -> Any:
    """The type without what `Annotated` says of it."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def members_of(annotation: Any) -> tuple[Any, ...]:
    """The members of a union but None; for any other type, the type itself."""
    inner = bare(annotation)
    if get_origin(inner) in (Union, types.UnionType):
        return tuple(member for member in get_args(inner) if member is not type(None))
    return (annotation,)


def model_of(annotation: Any) -> type[BaseModel] | None:
    """The model that a type is, or None."""
    inner = bare(annotation)
    return inner if isinstance(inner, type) and issubclass(inner, BaseModel) else None


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Every model that a type mentions, in order."""
    model = model_of(annotation)
    if model is not None:
        yield model
    else:
        for argument in get_args(bare(annotation)):
            yield from models_in(argument)


def find_place(location: tuple[int | str, ...], document: JsonValue) -> Place:
    """What stands at a location that Pydantic reports of ``document``, union members and all."""
    path: list[int | str] = []
    choices: list[Choice] = []
    owner: Any = None
    annotation: Any = ScenarioDocument
    value = document
    is_key = False
    for step in location:
        if step == "[key]":
            return Place(tuple(path), None, annotation, tuple(choices), is_key=True)
        members = members_of(annotation)
        if len(members) > 1:
            annotation = next((member for member in members if _has_tag(member, str(step))), None)
            choices.append(Choice(tuple(path), str(step), members, annotation))
            continue
        owner, annotation = members[0], _inner_type(members[0], step)
        short = _short_call(owner, step, value)
        is_key = short is not None and step == "tool"
        path.append(step if short is None else short)
        value = value_at(value, (path[-1],))
    members = members_of(annotation)
    return Place(tuple(path), members[0] if len(members) == 1 else annotation, owner, tuple(choices), is_key)


def value_at(document: JsonValue, path: Path) -> JsonValue:
    """The value at a path, None where there is none."""
    value = document
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _short_call(owner: Any, step: int | str, value: JsonValue) -> str | None:
    """The key that stands for a call's tool and arguments in the short form, ``assign_ticket: {…}``."""
    if model_of(owner) is not Call or step not in ("tool", "arguments") or not isinstance(value, dict) or step in value:
        return None
    return next((key for key in value if key not in RESERVED_CALL_KEYS), None)


def _inner_type(annotation: Any, step: int | str) -> Any:
    model = model_of(annotation)
    if model is not None:
        return key_types(model).get(str(step))
    inner = bare(annotation)
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is dict:
        return arguments[1]
    if origin is tuple and isinstance(step, int) and Ellipsis not in arguments:
        return arguments[step] if step < len(arguments) else None
    return arguments[0] if origin in (list, tuple) and arguments else None


def _has_tag(member: Any, tag: str) -> bool:
    """Whether Pydantic calls a union member by this tag: its `Tag`, its class, or the kind of its schema."""
    if get_origin(member) is Annotated:
        tags = [item.tag for item in get_args(member) if isinstance(item, Tag)]
        if tags:
            return tag in tags
    while wrapped := _WRAPPED.fullmatch(tag):
        tag = wrapped[1]
    model = model_of(member)
    if model is not None:
        return tag == model.__name__
    inner = bare(member)
    origin = get_origin(inner) or inner
    name = "literal" if origin is Literal else getattr(origin, "__name__", "any")
    return tag.removeprefix("constrained-").partition("[")[0] == name


def fits(annotation: Any, value: JsonValue) -> bool:
    """Whether a value is of the kind of a type, whatever stands inside it."""
    if annotation is None:
        return False
    inner = bare(annotation)
    origin = get_origin(inner) or inner
    if model_of(inner) is not None or origin is dict:
        return isinstance(value, dict)
    if origin in (list, tuple):
        return isinstance(value, list)
    if origin is Literal:
        return type(value) in {type(item) for item in get_args(inner)}
    if origin is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is origin or origin is Any
