"""The words every part of the language is made of: identifiers, SQL text, durations, and the strict model."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from simulator.scenario.durations import parse_duration
from simulator.scenario.times import parse_timestamp

#: Words that YAML 1.1 readers turn into booleans or null; the language uses none of them as a key.
YAML_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})

#: Names the engine gives a meaning of its own in SQL; no table, view, `let` or parameter may take them.
RESERVED_TABLES = frozenset({"before", "action", "change", "old", "new", "main", "temp"})
RESERVED_PARAMETERS = frozenset({"answer", "refusal", "actor"})


class Model(BaseModel):
    """A part of a scenario: frozen, closed to unknown keys, strict about JSON types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True, allow_inf_nan=False)


def _not_a_yaml_word(name: str) -> str:
    if name in YAML_WORDS:
        raise ValueError(f"{name!r} is a YAML word for true, false or null; choose another name")
    return name


def _duration(text: str) -> str:
    parse_duration(text)
    return text


def _timestamp(text: str) -> str:
    parse_timestamp(text)
    return text


def _json_pattern(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9-]*", text):
        raise ValueError("use small letters, digits and hyphens, starting with a letter")
    return text


Identifier = Annotated[
    str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60), AfterValidator(_not_a_yaml_word)
]
"""A name: small letters, digits and underscores, starting with a letter, at most 60 characters."""

Slug = Annotated[str, StringConstraints(max_length=60), AfterValidator(_json_pattern)]
"""An id in URLs and file names: small letters, digits and hyphens."""

ColumnPath = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$", max_length=121)]
"""`column` of this table, or `table.column`."""

Sql = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
"""One SQL statement, SQLite's dialect, parameters as `:name`."""

Condition = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
"""An SQL expression that must be true. NULL does not hold."""

Duration = Annotated[str, StringConstraints(max_length=40), AfterValidator(_duration)]
"""A length of time: `90s`, `15m`, `2h`, `1d12h`, `3w`, `6mo` (of 30 days), `2y` (of 365), with `-` for the past."""

Timestamp = Annotated[str, StringConstraints(max_length=19), AfterValidator(_timestamp)]
"""A moment in UTC: `YYYY-MM-DD HH:MM:SS`."""

Text = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
"""Words for people and agents. `{name}` is replaced where parameters are known; `{{` and `}}` are literal braces."""

Severity = Literal["minor", "major", "critical"]

Scalar = str | int | float | bool | None
"""One value of a cell as JSON writes it."""

JsonObject = dict[str, Any]
