"""A statement's text with pieces put in or replaced, and the way back to the places of the original."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters ``start`` to ``end`` of a text become ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The edited text. ``pieces`` are (start in ``sql``, start in the original, length) of what was kept."""

    sql: str
    pieces: tuple[tuple[int, int, int], ...]

    def original_offset(self, offset: int) -> int:
        """Where a character of ``sql`` stood in the original; -1 for characters put in."""
        index = bisect_right(self.pieces, (offset, len(self.sql), 0)) - 1
        if index < 0:
            return -1
        start, original, length = self.pieces[index]
        return original + offset - start if offset - start < length or offset == len(self.sql) else -1


def rewrite(sql: str, edits: Iterable[Edit]) -> Rewritten:
    """``sql`` with edits that do not overlap; those at one place apply in the order given."""
    parts: list[str] = []
    pieces: list[tuple[int, int, int]] = []
    length = position = 0
    for edit in sorted(edits, key=lambda item: (item.start, item.end)):
        kept = sql[position : edit.start]
        if kept:
            pieces.append((length, position, len(kept)))
        parts += (kept, edit.text)
        length += len(kept) + len(edit.text)
        position = max(position, edit.end)
    rest = sql[position:]
    pieces.append((length, position, len(rest)))
    return Rewritten("".join((*parts, rest)), tuple(pieces))
