"""Places in a document: tuples of keys and indexes, and how an author reads them.

``('tools', 'refund_order', 'guards', 1, 'require')`` is written ``tools.refund_order.guards[1].require``. A key that
holds a dot, bracket, quote or space is written as a JSON string in brackets: ``choice["a.b"]``.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable

Path = tuple[str | int, ...]
"""A place in a document: mapping keys (str) and list indexes (int), from the root."""

_PLAIN_KEY = re.compile(r"""[^\s.\[\]"'\\\x00-\x1f]+""")
_STEP = re.compile(
    r"""\[(?P<index>\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]|(?P<dot>\.?)(?P<key>[^\s.\[\]"'\\\x00-\x1f]+)"""
)
_LONGEST_WORD = 100
_MOST_CANDIDATES = 2000


def render_path(path: Path) -> str:
    """The path as an author reads it; the empty path is the empty string."""
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif _PLAIN_KEY.fullmatch(step):
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f"[{json.dumps(step)}]")
    return "".join(parts)


def parse_path(text: str) -> Path:
    """The path that `render_path` wrote as ``text``. Raises ValueError when it is no path."""
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None or (match["key"] is not None and bool(match["dot"]) != bool(steps)):
            raise ValueError(f"not a path: {text!r} (at character {at + 1})")
        if match["index"] is not None:
            steps.append(int(match["index"]))
        elif match["quoted"] is not None:
            steps.append(json.loads(match["quoted"]))
        else:
            steps.append(match["key"])
        at = match.end()
    return tuple(steps)


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """``Did you mean `x`?`` for the candidate nearest to ``word``, or the empty string when none is near."""
    if len(word) > _LONGEST_WORD:
        return ""
    names = [name for name in candidates if len(name) <= _LONGEST_WORD and name != word][:_MOST_CANDIDATES]
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(_fold(name), name)
    near = difflib.get_close_matches(_fold(word), list(folded), n=1, cutoff=0.7)
    return f"Did you mean `{folded[near[0]]}`?" if near else ""


def _fold(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
