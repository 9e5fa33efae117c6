"""Cutting a result to what an observation may hold: by whole rows, then texts, and never silently."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from simulator.scenario.paths import Path, render_path

RESULT_LIMIT = 16_000
_RESERVE = 200  # characters for the notes that say what was cut
_LEAST_TEXT = 100


@dataclass(frozen=True, slots=True)
class Truncation:
    """What was cut: characters before, and rows shown of the rows there were (0 of 0 when only texts were cut)."""

    characters: int
    shown: int
    total: int


def result_text(result: JsonValue) -> str:
    """A result as compact JSON text, in the order the author gave. Its length is what the limit counts."""
    return json.dumps(result, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def cap_result(result: JsonValue, limit: int = RESULT_LIMIT) -> tuple[JsonValue, Truncation | None]:
    """The result if it has at most ``limit`` characters, else as much of it as fits, and what was cut.

    A list becomes ``{"items", "truncated": true, "total", "next_page": null}``, a page keeps its own total and next
    page; in any other object the longest lists lose rows from their ends, and ``total`` says how many rows those had.
    A first row too long for all that, or a single text, is cut inside its texts, with a note at the cut.
    """
    characters = len(result_text(result))
    if characters <= limit:
        return result, None
    if isinstance(result, list):
        page: dict[str, JsonValue] = {"items": result, "truncated": True, "total": len(result), "next_page": None}
        return _cut_page(page, result, limit, characters)
    if isinstance(result, dict):
        rows = result.get("items")
        if isinstance(rows, list) and rows and "next_page" in result:
            return _cut_page({**result, "truncated": True}, rows, limit, characters)
        return _cut_object(result, limit, characters)
    return _cut_texts(result, limit), Truncation(characters, 0, 0)


def _cut_page(
    page: dict[str, JsonValue], rows: list[JsonValue], limit: int, characters: int
) -> tuple[JsonValue, Truncation]:
    room = limit - len(result_text({**page, "items": []}))
    kept = rows[: _fitting(rows, room)]
    if not kept:
        first = rows[0]
        kept = [_cut_object(first, room, characters)[0] if isinstance(first, dict) else first]
    cut: JsonValue = {**page, "items": kept}
    return _cut_texts(cut, limit), Truncation(characters, len(kept), len(rows))


def _cut_object(result: dict[str, JsonValue], limit: int, characters: int) -> tuple[JsonValue, Truncation]:
    """Lists inside an object, and inside its objects: the longest loses rows first, all but one if need be."""
    lists = sorted(_lists(result, ()), key=lambda item: (-len(result_text(item[1])), item[0]))
    totals: dict[str, JsonValue] = {}
    cuts: dict[Path, list[JsonValue]] = {}
    shown = total = 0
    excess = len(result_text(result)) + _RESERVE - limit
    for path, rows in lists:
        if excess <= 0:
            break
        size = len(result_text(rows))
        kept = rows[: max(1, _fitting(rows, size - excess))]
        if len(kept) < len(rows):
            cuts[path] = kept
            totals[render_path(path)] = len(rows)
            shown, total = shown + len(kept), total + len(rows)
            excess -= size - len(result_text(kept))
    cut = _replaced(result, (), cuts)
    cut["truncated"] = True
    if totals:
        cut["total"] = totals
    return _cut_texts(cut, limit), Truncation(characters, shown, total)


def _lists(value: dict[str, JsonValue], path: Path) -> Iterator[tuple[Path, list[JsonValue]]]:
    for name, item in value.items():
        if isinstance(item, list):
            yield (*path, name), item
        elif isinstance(item, dict):
            yield from _lists(item, (*path, name))


def _replaced(value: dict[str, JsonValue], path: Path, cuts: Mapping[Path, list[JsonValue]]) -> dict[str, JsonValue]:
    """A copy with other lists in some places."""
    copy: dict[str, JsonValue] = {}
    for name, item in value.items():
        place = (*path, name)
        copy[name] = _replaced(item, place, cuts) if isinstance(item, dict) else cuts.get(place, item)
    return copy


def _fitting(rows: list[JsonValue], room: int) -> int:
    """How many rows from the start fit into so many characters."""
    used = 2
    for count, row in enumerate(rows):
        used += len(result_text(row)) + 1
        if used > room:
            return count
    return len(rows)


def _cut_texts(value: JsonValue, limit: int) -> JsonValue:
    """Every text cut to the greatest common length with which the whole fits; if none does, the head of its JSON."""
    if len(result_text(value)) <= limit:
        return value
    longest = limit
    while longest >= _LEAST_TEXT:
        cut = _with_short_texts(value, longest)
        if len(result_text(cut)) <= limit:
            return cut
        longest = longest * 3 // 4
    text = result_text(value)
    note = f"… [{len(text):,} characters in all]"
    head = text[: max(0, limit - _RESERVE) // 2]  # quotes and backslashes double inside a JSON text
    return {"truncated": True, "text": head + note}


def _with_short_texts(value: JsonValue, longest: int) -> JsonValue:
    if isinstance(value, str) and len(value) > longest:
        return f"{value[:longest]}… [cut: {longest:,} of {len(value):,} characters]"
    if isinstance(value, list):
        return [_with_short_texts(item, longest) for item in value]
    if isinstance(value, dict):
        return {name: _with_short_texts(item, longest) for name, item in value.items()}
    return value
