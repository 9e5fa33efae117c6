"""``{name}`` in instructions, solution arguments and expected answers.

``{{`` and ``}}`` are literal braces; any other brace stands for itself. Filling has two forms: into text, where values
are worded for people, and into arguments, where a string that is one placeholder and nothing else takes the value with
its type. A solution is filled twice: with the task's parameters when it is expanded, and with what earlier calls
returned while it runs, so the first filling leaves unknown names, and doubled braces, as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_PIECE = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9_]*)\}")
_BRACE = re.compile(r"[{}]")


def names_used(value: Any) -> tuple[str, ...]:
    """The names in a text, or anywhere in nested arguments (keys aside), each once, in order of appearance."""
    return tuple(dict.fromkeys(_names(value)))


def fill_text(text: str, values: Mapping[str, Any]) -> str:
    """A text for people, values in place.

    None reads ``none``, booleans ``true`` and ``false``, floats in their shortest form (25.0 as ``25``), lists and
    mappings as JSON. Names without a value stay as written.
    """
    return _PIECE.sub(lambda match: _unescaped(match, values), text)


def fill_arguments(value: Any, values: Mapping[str, Any]) -> Any:
    """Arguments, values in place; names without a value stay as written, doubled braces become single ones."""
    return _filled(value, values, final=True)


def fill_partly(value: Any, values: Mapping[str, Any]) -> Any:
    """Arguments with the values known so far, to be filled again: the braces of what was put in are doubled."""
    return _filled(value, values, final=False)


def worded(value: Any) -> str:
    """A value in words, as `fill_text` puts it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _names(value: Any) -> list[str]:
    if isinstance(value, str):
        return [match[1] for match in _PIECE.finditer(value) if match[1] is not None]
    if isinstance(value, Mapping):
        return [name for item in value.values() for name in _names(item)]
    if isinstance(value, list):
        return [name for item in value for name in _names(item)]
    return []


def _unescaped(match: re.Match[str], values: Mapping[str, Any]) -> str:
    name = match[1]
    if name is None:
        return match[0][0]
    return worded(values[name]) if name in values else match[0]


def _filled(value: Any, values: Mapping[str, Any], *, final: bool) -> Any:
    if isinstance(value, str):
        whole = _PIECE.fullmatch(value)
        if whole is not None and whole[1] is not None and whole[1] in values:
            return values[whole[1]] if final else _doubled(values[whole[1]])
        if final:
            return fill_text(value, values)
        return _PIECE.sub(lambda match: _doubled(worded(values[match[1]])) if match[1] in values else match[0], value)
    if isinstance(value, Mapping):
        return {name: _filled(item, values, final=final) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, values, final=final) for item in value]
    return value


def _doubled(value: Any) -> Any:
    """The value with every brace in its strings doubled, so that a later filling gives it back."""
    if isinstance(value, str):
        return _BRACE.sub(lambda match: match[0] * 2, value)
    if isinstance(value, Mapping):
        return {name: _doubled(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_doubled(item) for item in value]
    return value
