"""Arguments of a call, held against the parameters' JSON Schema and brought into the form the world uses.

jsonschema checks the shape; patterns (RE2, linear time), unique items and the form of times are ours. Texts are never
turned into numbers; 3.0 is taken as 3 where an integer belongs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import jsonschema
import re2
from jsonschema.protocols import Validator
from pydantic import JsonValue

from simulator.errors import ScenarioError
from simulator.scenario.canonical import canonical_json
from simulator.scenario.models import Parameter
from simulator.scenario.paths import Path, did_you_mean, render_path
from simulator.scenario.times import normalise_date, normalise_timestamp
from simulator.tools.messages import shown
from simulator.tools.parameters import Schema, arguments_schema, compiled_pattern
from simulator.tools.plain_values import LARGEST_INTEGER, SMALLEST_INTEGER, Refused, refuse
from simulator.tools.verdicts import Verdict, echo, failed

_MOST_ERRORS = 3
_TYPE_WORDS = {
    "string": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "array": "a list", "object": "an object", "null": "null",
}  # fmt: skip
_EMAIL = compiled_pattern(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class ArgumentReader:
    """Reads the arguments of one tool; ``schema`` is what is published for it.

    Raises ScenarioError for parameters that cannot be used.
    """

    def __init__(self, parameters: Mapping[str, Parameter], *, paged: bool = False) -> None:
        self.schema, problems = arguments_schema(parameters, paged=paged)
        if problems:
            raise ScenarioError(problems)
        optional = [name for name, parameter in parameters.items() if parameter.optional]
        self._optional = frozenset([*optional, "page"] if paged else optional)
        self._validator: Validator = _ArgumentValidator(self.schema.document())
        self._required = frozenset(self.schema.required)
        scalars = {name: _Scalar.of(schema) for name, schema in self.schema.properties.items()}
        self._scalars = {name: scalar for name, scalar in scalars.items() if scalar is not None}

    def read(self, arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue] | Verdict:
        """The arguments in the world's form, or ``bad_arguments`` / ``bad_time``.

        ``arguments`` are plain JSON within bounds already. An optional parameter given as null counts as left out.
        """
        given = {name: value for name, value in arguments.items() if value is not None or name not in self._optional}
        errors = [] if self._surely_fit(given) else list(islice(self._validator.iter_errors(given), _MOST_ERRORS))
        if errors:
            described = [_described(error) for error in errors]
            return failed("bad_arguments", described[0][0], " ".join(text for _, text in described))
        try:
            return {name: _normal(value, self.schema.properties[name], (name,)) for name, value in given.items()}
        except Refused as refusal:
            return refusal.verdict

    def _surely_fit(self, given: Mapping[str, JsonValue]) -> bool:
        """Whether these are nothing but scalars that fit, told at a glance; for all else the validator is asked."""
        scalars = self._scalars
        return self._required <= given.keys() and all(
            name in scalars and scalars[name].holds(value) for name, value in given.items()
        )


@dataclass(frozen=True, slots=True)
class _Scalar:
    """A parameter that is one text, number or truth value within bounds, as most are."""

    kind: type
    least: float
    most: float
    among: frozenset[str] | None

    @classmethod
    def of(cls, schema: Schema) -> _Scalar | None:
        """The scalar a schema describes, None when it says anything beyond that."""
        kind, among = _SCALAR_TYPES.get(str(schema.get("type"))), schema.get("enum")
        if kind is None or not schema.keys() <= _SCALAR_KEYWORDS or (among is not None and kind is not str):
            return None
        least, most = ("minLength", "maxLength") if kind is str else ("minimum", "maximum")
        low, high = schema.get(least, -math.inf), schema.get(most, math.inf)
        texts = frozenset(value for value in among if isinstance(value, str)) if isinstance(among, list) else None
        return cls(kind, low, high, texts) if isinstance(low, int | float) and isinstance(high, int | float) else None

    def holds(self, value: JsonValue) -> bool:
        """Whether a value is surely one of its values."""
        if type(value) is not self.kind or (self.among is not None and value not in self.among):
            return False
        size: Any = len(value) if isinstance(value, str) else value
        return bool(self.least <= size <= self.most)


_SCALAR_TYPES: Mapping[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}
_SCALAR_KEYWORDS = frozenset({
    "type", "description", "format", "enum", "minimum", "maximum", "minLength", "maxLength",
})  # fmt: skip


@lru_cache(maxsize=1024)
def _automaton(pattern: str) -> re2.Pattern:
    return compiled_pattern(pattern)


def _pattern(
    validator: Validator, pattern: str, instance: object, schema: object
) -> Iterator[jsonschema.ValidationError]:
    """The published pattern is anchored at both ends; RE2's ``$`` is the text's very end."""
    if isinstance(instance, str) and _automaton(pattern).search(instance) is None:
        yield jsonschema.ValidationError("does not match")


def _unique_items(
    validator: Validator, unique: bool, instance: object, schema: object
) -> Iterator[jsonschema.ValidationError]:
    """Linear in the list's size, where jsonschema compares all pairs."""
    items = instance if unique and isinstance(instance, list) else []
    if len({canonical_json(_one_spelling(item)) for item in items}) < len(items):
        yield jsonschema.ValidationError("has equal items")


def _one_spelling(value: JsonValue) -> JsonValue:
    """1 and 1.0 are one number to JSON Schema."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_one_spelling(item) for item in value]
    if isinstance(value, dict):
        return {name: _one_spelling(item) for name, item in value.items()}
    return value


_ArgumentValidator = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator, {"pattern": _pattern, "uniqueItems": _unique_items}
)


def _normal(value: JsonValue, schema: JsonValue, path: Path) -> JsonValue:
    """A value that fits ``schema``, in the world's form. Raises :class:`Refused`."""
    if not isinstance(schema, dict):
        return value
    if isinstance(value, float) and value.is_integer() and "integer" in _types(schema):
        if not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
            refuse("bad_arguments", "bad_number", f"`{_shown_path(path)}`: the number does not fit in 64 bits.")
        return int(value)
    if isinstance(value, str):
        return _normal_text(value, schema.get("format"), path)
    if isinstance(value, list):
        items = schema.get("items")
        return [_normal(item, items, (*path, index)) for index, item in enumerate(value)] if items else value
    if isinstance(value, dict):
        properties = schema.get("properties")
        parts = properties if isinstance(properties, dict) else {}
        return {name: _normal(item, parts.get(name), (*path, name)) for name, item in value.items()}
    return value


def _normal_text(text: str, form: JsonValue, path: Path) -> str:
    if form == "date-time":
        moment = normalise_timestamp(text)
        if moment is None:
            words = "is not a time; write YYYY-MM-DD HH:MM:SS, in UTC."
            refuse("bad_time", "bad_time", f"`{_shown_path(path)}`: `{echo(text)}` {words}")
        return moment
    if form == "date":
        day = normalise_date(text)
        if day is None:
            refuse("bad_time", "bad_time", f"`{_shown_path(path)}`: `{echo(text)}` is not a date; write YYYY-MM-DD.")
        return day
    if form == "email" and _EMAIL.fullmatch(text) is None:
        refuse("bad_arguments", "bad_email", f"`{_shown_path(path)}`: `{echo(text)}` is not an email address.")
    return text


def _described(error: Any) -> tuple[str, str]:
    """A stable code and one sentence: where, and what is expected."""
    place = f"`{_shown_path(tuple(error.absolute_path))}`" if error.absolute_path else "The call"
    keyword, wanted, value = str(error.validator), error.validator_value, error.instance
    if keyword == "required":
        missing = ", ".join(f"`{name}`" for name in wanted if name not in value)
        return "missing_argument", f"{place} lacks {missing}."
    if keyword == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        extra = next(name for name in value if name not in known)
        hint = did_you_mean(extra, known) or (f"It takes {_choices(known)}." if known else "It takes none.")
        return "unknown_argument", f"{place} has no parameter `{echo(extra)}`. {hint}"
    if keyword == "type":
        types = wanted if isinstance(wanted, list) else [wanted]
        words = " or ".join(_TYPE_WORDS[name] for name in types)
        return "wrong_type", f"{place} must be {words}, not {_kind_of(value)}."
    code, words = _BROKEN.get(keyword, ("bad_value", "does not fit its schema"))
    said = _choices(wanted) if isinstance(wanted, list) else echo(_bare(keyword, wanted))
    return code, f"{place} {words.format(said)}; it is `{echo(shown(value))}`."


_BROKEN = {
    "enum": ("not_in_list", "must be one of {}"),
    "const": ("not_in_list", "must be {}"),
    "pattern": ("bad_pattern", "must as a whole match the pattern {}"),
    "minLength": ("too_short", "must have at least {} characters"),
    "maxLength": ("too_long", "must have at most {} characters"),
    "minItems": ("too_short", "must have at least {} items"),
    "maxItems": ("too_long", "must have at most {} items"),
    "minProperties": ("too_short", "must have at least {} fields"),
    "maxProperties": ("too_long", "must have at most {} fields"),
    "minimum": ("out_of_range", "must be at least {}"),
    "maximum": ("out_of_range", "must be at most {}"),
    "exclusiveMinimum": ("out_of_range", "must be more than {}"),
    "exclusiveMaximum": ("out_of_range", "must be less than {}"),
    "multipleOf": ("out_of_range", "must be a multiple of {}"),
    "uniqueItems": ("equal_items", "must not hold the same item twice"),
}


def _bare(keyword: str, wanted: Any) -> str:
    """What a keyword demands, in words; a pattern as its author wrote it."""
    return str(wanted)[4:-2] if keyword == "pattern" else shown(wanted)


def _choices(values: list[Any]) -> str:
    words = ", ".join(f"`{echo(shown(value))}`" for value in values[:20])
    return f"{words}, …" if len(values) > 20 else words


def _kind_of(value: object) -> str:
    if isinstance(value, str):
        return f"the text `{echo(value)}`"
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    return "null" if value is None else shown(value)


def _types(schema: Mapping[str, JsonValue]) -> list[JsonValue]:
    kinds = schema.get("type")
    return kinds if isinstance(kinds, list) else [kinds]


def _shown_path(path: Path) -> str:
    return echo(render_path(path))
