"""One spelling for one meaning: canonical JSON, and the digest that names a scenario.

The digest is taken from what the document *means*: a default written out and a default left out are the same. The
order of keys is kept where it is the author's (tables, columns, tools, tasks), because it decides what a world looks
like; the keys of the language itself come in the order of the models.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache

from pydantic import BaseModel, JsonValue

from simulator.scenario.models import AnswerCheck, ScenarioDocument, Source


def canonical_json(value: JsonValue) -> str:
    """The value as JSON with sorted keys, no spaces, and every character but the escaped ones as itself.

    Numbers stay what they are: 1 and 1.0 differ. Raises ValueError for NaN and infinities.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def document_value(document: ScenarioDocument) -> dict[str, JsonValue]:
    """The document as plain JSON in the author's words, without what equals a default."""
    return _meaning(document)


def scenario_digest(document: ScenarioDocument) -> str:
    """``sha256:`` and 64 hexadecimal digits that name the document's meaning."""
    text = json.dumps(document_value(document), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


_REQUIRED = object()
"""Stands where a field has no default: no value equals it."""


def _meaning(model: BaseModel) -> dict[str, JsonValue]:
    meaning: dict[str, JsonValue] = {}
    for name, alias, default in _fields(type(model)):
        value = getattr(model, name)
        is_default = default is not _REQUIRED and type(value) is type(default) and value == default
        if not is_default or (name in model.model_fields_set and _null_is_a_value(model, name)):
            meaning[alias] = document_value_of(value)
    return meaning


@cache
def _fields(model: type[BaseModel]) -> tuple[tuple[str, str, object], ...]:
    """Of each field its name, its name in the document and its default, or `_REQUIRED`."""
    return tuple(
        (
            name,
            field.alias or name,
            _REQUIRED if field.is_required() else field.get_default(call_default_factory=True, validated_data={}),
        )
        for name, field in model.model_fields.items()
    )


def _null_is_a_value(model: BaseModel, name: str) -> bool:
    """Whether a null that was written differs from a key that was not: the constant NULL, the expected answer null."""
    return (isinstance(model, Source) and name == "constant") or (isinstance(model, AnswerCheck) and name == "exact")


def document_value_of(value: object) -> JsonValue:
    """A part of a document, a model or what stands in one, as plain JSON without what equals a default."""
    if isinstance(value, BaseModel):
        return _meaning(value)
    if isinstance(value, dict):
        return {str(key): document_value_of(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [document_value_of(item) for item in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"a scenario document cannot hold {type(value).__name__}")
