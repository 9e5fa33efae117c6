"""From the texts of a request to the arguments of a call. What cannot be read goes on as it is, to be answered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from simulator.tools import ArgumentReader
from simulator.tools.plain_values import Refused, parsed_json

_INTEGER = re.compile(r"[+-]?[0-9]{1,30}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?")


def arguments_of(
    reader: ArgumentReader, path: Mapping[str, str], query: Sequence[tuple[str, str]], body: str
) -> object:
    """The arguments that path, query and a JSON body give together; a body that is none stands for all of them."""
    given: dict[str, Any] = {}
    for name, text in query:
        value = _typed(text, reader.schema.properties.get(name))
        if name in given:  # no parameter is given twice: a list is one text of JSON
            value = [given[name], value]
        given[name] = value
    if body.strip():
        try:
            read = parsed_json(body)
        except Refused:
            return body
        if not isinstance(read, dict):
            return body
        given.update(read)
    given.update({name: _typed(text, reader.schema.properties.get(name)) for name, text in path.items()})
    return given


def _typed(text: str, schema: Mapping[str, Any] | None) -> Any:
    """A text as a value of its parameter's type, if it is one."""
    kind = None if schema is None else schema.get("type")
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if kind == "number" and _NUMBER.fullmatch(text):
        return float(text) if re.search(r"[.eE]", text) else int(text)
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    if kind in ("array", "object"):
        try:
            return parsed_json(text)
        except Refused:
            return text
    return text
