"""Arrays and JSON documents, both kept as JSON texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from simulator.sql.dialects.runtime.intervals import interval
from simulator.sql.dialects.runtime.texts import joined
from simulator.sql.dialects.runtime.times import moment, shifted, written
from simulator.sql.functions import FunctionProblem

MAX_ELEMENTS = 10_000
MAX_NESTING = 64


class _Number(str):
    """A JSON number as it is written, so that nothing is lost."""

    __slots__ = ()


def parse(text: str) -> Any:
    """A JSON text as Python values, numbers kept as written."""
    try:
        value = json.loads(text, parse_float=_Number, parse_int=_Number, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise FunctionProblem("invalid input syntax for type json") from None
    if text.count("[") + text.count("{") > MAX_NESTING:
        _check_nesting(value)
    return value


def _check_nesting(value: Any) -> None:
    """What writes a document goes down it by calls of its own, which must not become too many."""
    level = [value]
    for _ in range(MAX_NESTING + 1):
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return
    raise FunctionProblem(f"a document nested more than {MAX_NESTING} deep is too deep here")


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def dump(value: Any) -> str:
    """A value as PostgreSQL writes jsonb: keys by length and then by bytes, a blank after ``:`` and ``,``."""
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, dict):
        items = sorted(value.items(), key=lambda item: (len(item[0].encode()), item[0].encode()))
        return "{" + ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {dump(item)}" for key, item in items) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def read_json(text: str) -> str:
    """A text cast to jsonb."""
    return dump(parse(text))


def _step(value: Any, key: str | int) -> Any:
    """One step down; :class:`KeyError` where there is none."""
    if isinstance(value, dict) and isinstance(key, str):
        return value[key]
    if isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value):
        return value[key]
    raise KeyError(key)


def json_get(text: str, key: str | int) -> str | None:
    """``document -> key``."""
    try:
        return dump(_step(parse(text), key))
    except KeyError:
        return None


def json_get_text(text: str, key: str | int) -> str | None:
    """``document ->> key``."""
    try:
        return _as_text(_step(parse(text), key))
    except KeyError:
        return None


def json_path(text: str, path: str) -> str | None:
    """``document #> path``, the path a JSON array of keys and positions."""
    return _walk(text, path, dump)


def json_path_text(text: str, path: str) -> str | None:
    """``document #>> path``."""
    return _walk(text, path, _as_text)


def _walk(text: str, path: str, finish: Callable[[Any], str | None]) -> str | None:
    value = parse(text)
    try:
        for key in json.loads(path):
            value = _step(value, int(key) if isinstance(value, list) else key)
    except (KeyError, ValueError):
        return None
    return finish(value)


def _as_text(value: Any) -> str | None:
    return None if value is None else value if type(value) is str else dump(value)


def json_has_key(text: str, key: str) -> int:
    """``document ? key``: a key of an object, or a text in an array."""
    value = parse(text)
    return int(isinstance(value, dict | list) and key in [item for item in value if type(item) is str])


def json_contains(text: str, part: str) -> int:
    """``document @> part``."""
    return int(_contains(parse(text), parse(part), top=True))


def _contains(whole: Any, part: Any, *, top: bool = False) -> bool:
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and _contains(whole[key], part[key]) for key in part)
    if isinstance(part, list):
        return isinstance(whole, list) and all(any(_contains(item, wanted) for item in whole) for wanted in part)
    if top and isinstance(whole, list):
        return any(_same(item, part) for item in whole)
    return _same(whole, part)


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, _Number) and isinstance(second, _Number):
        return Decimal(first) == Decimal(second)
    return type(first) is type(second) and bool(first == second)


def json_length(text: str) -> int:
    """``jsonb_array_length``."""
    value = parse(text)
    if not isinstance(value, list):
        raise FunctionProblem("cannot get array length of a non-array")
    return len(value)


def json_kind(text: str) -> str:
    """``jsonb_typeof``."""
    value = parse(text)
    kinds = {dict: "object", list: "array", _Number: "number", str: "string", bool: "boolean", type(None): "null"}
    return kinds[type(value)]


def json_elements(text: str, as_text: int) -> str:
    """The elements of a JSON array as an array of documents, or of texts."""
    value = parse(text)
    if not isinstance(value, list):
        raise FunctionProblem("cannot extract elements from a non-array")
    return json.dumps([_as_text(item) if as_text else dump(item) for item in value], ensure_ascii=False)


def json_entries(text: str, as_text: int) -> str:
    """The entries of a JSON object as an array of pairs."""
    value = parse(text)
    if not isinstance(value, dict):
        raise FunctionProblem("cannot call jsonb_each on a non-object")
    items = sorted(value.items(), key=lambda item: (len(item[0].encode()), item[0].encode()))
    return json.dumps([[key, _as_text(item) if as_text else dump(item)] for key, item in items], ensure_ascii=False)


def json_keys(text: str) -> str:
    """The keys of a JSON object as an array."""
    return json.dumps([pair[0] for pair in json.loads(json_entries(text, 1))], ensure_ascii=False)


def json_concat(first: str, second: str) -> str:
    """``document || document``."""
    left, right = parse(first), parse(second)
    if isinstance(left, dict) and isinstance(right, dict):
        return dump({**left, **right})
    left = left if isinstance(left, list) else [left]
    return dump(left + (right if isinstance(right, list) else [right]))


def json_without(text: str, key: str) -> str:
    """``document - key``."""
    value = parse(text)
    if isinstance(value, dict):
        return dump({name: item for name, item in value.items() if name != key})
    if isinstance(value, list):
        return dump([item for item in value if item != key or isinstance(item, _Number)])
    raise FunctionProblem("cannot delete from scalar")


def json_with(text: str, path: str, new: str) -> str:
    """``jsonb_set(document, path, new)`` for a path of keys."""
    document = parse(text)
    *parents, last = json.loads(path)
    value = document
    for key in parents:
        try:
            value = _step(value, int(key) if isinstance(value, list) else key)
        except (KeyError, ValueError):
            return dump(document)
    if isinstance(value, dict):
        value[last] = parse(new)
    elif isinstance(value, list) and last.lstrip("-").isdigit() and -len(value) <= int(last) < len(value):
        value[int(last)] = parse(new)
    return dump(document)


def json_object(*pairs: Any) -> str:
    """An object of keys and JSON values in turns."""
    return dump({str(key): parse(value) for key, value in zip(pairs[::2], pairs[1::2], strict=True)})


def json_array(*items: str) -> str:
    """A JSON array of JSON values."""
    return dump([parse(item) for item in items])


def json_quoted(text: str) -> str:
    """A text as a JSON string."""
    return json.dumps(text, ensure_ascii=False)


# -- Arrays ------------------------------------------------------------------------------------------------------------


def array_text(text: str) -> str:
    """An array as PostgreSQL writes it: ``{a,"b c",NULL}``."""
    return "{" + ",".join(map(_array_item, json.loads(text))) + "}"


def _array_item(item: Any) -> str:
    if item is None:
        return "NULL"
    text = item if isinstance(item, str) else json.dumps(item)
    if text and text.upper() != "NULL" and not any(sign in text for sign in '{}," \\\t\n'):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def array_element(text: str, index: int) -> Any:
    """The element at a position counted from 1; ``None`` outside."""
    items = json.loads(text)
    return items[index - 1] if 1 <= index <= len(items) else None


def array_length(text: str) -> int | None:
    """``array_length(array, 1)``, NULL for an empty one."""
    return len(json.loads(text)) or None


def array_size(text: str) -> int:
    """``cardinality``."""
    return len(json.loads(text))


def array_joined(text: str, separator: str) -> str:
    """``array_to_string`` of texts: NULLs left out."""
    items = [item for item in json.loads(text) if item is not None]
    return joined(piece for index, item in enumerate(items) for piece in ((separator, item) if index else (item,)))


def array_of_parts(text: str, separator: str | None) -> str:
    """``string_to_array``."""
    if separator is None:
        parts = list(text)
    elif not text:
        parts = []
    else:
        parts = text.split(separator) if separator else [text]
    return as_array(parts)


def as_array(items: list[Any]) -> str:
    """Values as an array, which is not too long to hand on."""
    if len(items) > MAX_ELEMENTS:
        raise FunctionProblem(f"an array of more than {MAX_ELEMENTS:,} elements is too long here")
    return json.dumps(items, ensure_ascii=False)


def array_position(text: str, item: Any) -> int | None:
    """``array_position``."""
    items = json.loads(text)
    return items.index(item) + 1 if item in items else None


def array_appended(text: str, item: Any) -> str:
    """``array_append``."""
    return as_array([*json.loads(text), item])


def array_removed(text: str, item: Any) -> str:
    """``array_remove``."""
    return as_array([other for other in json.loads(text) if other != item])


def array_concat(first: str, second: str) -> str:
    """``array || array``."""
    return as_array(json.loads(first) + json.loads(second))


def array_contains(first: str, second: str) -> int:
    """``array @> array``."""
    items = json.loads(first)
    return int(all(item is not None and item in items for item in json.loads(second)))


def array_overlaps(first: str, second: str) -> int:
    """``array && array``."""
    items = json.loads(first)
    return int(any(item is not None and item in items for item in json.loads(second)))


def integer_series(start: int, stop: int, step: int) -> str:
    """The integers from ``start`` to ``stop`` as an array."""
    if step == 0:
        raise FunctionProblem("step size cannot equal zero")
    count = len(range(start, stop + (1 if step > 0 else -1), step))
    if count > MAX_ELEMENTS:
        raise FunctionProblem(f"generate_series() makes at most {MAX_ELEMENTS:,} rows here")
    return json.dumps(list(range(start, stop + (1 if step > 0 else -1), step)))


def timestamp_series(start: str, stop: str, step: str) -> str:
    """The timestamps from ``start`` to ``stop``, an interval apart, as an array."""
    span = interval(step)
    if span.length == 0:
        raise FunctionProblem("step size cannot equal zero")
    value, last = moment(start), moment(stop)
    found: list[str] = []
    while value <= last if span.length > 0 else value >= last:
        if len(found) >= MAX_ELEMENTS:
            raise FunctionProblem(f"generate_series() makes at most {MAX_ELEMENTS:,} rows here")
        found.append(written(value))
        value = shifted(value, span)
    return json.dumps(found)


# -- As warehouses have them -------------------------------------------------------------------------------------------


def compact(value: Any) -> str:
    """A document without blanks, keys in order."""
    if isinstance(value, dict):
        items = sorted(value.items())
        return "{" + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{compact(item)}" for key, item in items) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    return dump(value)


def json_compact(text: str) -> str:
    """A document as a compact text."""
    return compact(parse(text))


def json_as_text(text: str) -> str | None:
    """A document as a text: a string is its own, null is NULL, the others are compact."""
    value = parse(text)
    return None if value is None else value if type(value) is str else compact(value)


def json_scalar(text: str, path: str) -> str | None:
    """The scalar at a path as a text; NULL for none, null, an object or an array."""
    return _walk(text, path, lambda value: None if isinstance(value, dict | list) else _as_text(value))


def json_inner(text: str, path: str) -> str | None:
    """The document at a path, NULL for none."""
    return _walk(text, path, compact)


def json_scalars(text: str, path: str) -> str | None:
    """The scalars of the array at a path as an array of texts; NULL where there is no such array."""

    def finish(value: Any) -> str | None:
        if not isinstance(value, list) or any(isinstance(item, dict | list) for item in value):
            return None
        return as_array([_as_text(item) for item in value])

    return _walk(text, path, finish)


def json_parts(text: str, path: str) -> str | None:
    """The elements of the array at a path as an array of documents; NULL where there is no array."""
    return _walk(text, path, lambda value: as_array(list(map(compact, value))) if isinstance(value, list) else None)


def json_flattened(text: str, outer: int) -> str:
    """``FLATTEN``: (key, index, value) of each element or entry; with ``outer``, one row of NULLs for none."""
    value = parse(text)
    rows: list[Any] = []
    if isinstance(value, dict):
        rows = [[key, None, compact(item)] for key, item in sorted(value.items())]
    elif isinstance(value, list):
        rows = [[None, index, compact(item)] for index, item in enumerate(value)]
    return as_array(rows or ([[None, None, None]] if outer else []))


def json_present(*pairs: Any) -> str:
    """An object of keys and JSON values in turns, without those that are NULL."""
    present = [
        (str(key), parse(value))
        for key, value in zip(pairs[::2], pairs[1::2], strict=True)
        if key is not None and value is not None
    ]
    return dump(dict(present))


def json_size(text: str) -> int | None:
    """The number of elements of an array, NULL for another document."""
    value = parse(text)
    return len(value) if isinstance(value, list) else None


def array_head(text: str, count: int) -> str:
    """The first elements."""
    return as_array(json.loads(text)[:count])


def array_without_null(text: str) -> str:
    """An array that must not have NULL in it."""
    if None in json.loads(text):
        raise FunctionProblem("an array cannot have a null element; use ARRAY_AGG(x IGNORE NULLS)")
    return text


def array_slot(text: str, index: int, safe: int) -> Any:
    """The element at a position counted from 0; outside NULL if ``safe``, else an error."""
    items = json.loads(text)
    if 0 <= index < len(items):
        return items[index]
    if safe:
        return None
    raise FunctionProblem(f"Array index {index} is out of bounds")
