"""Plots as inline SVG: bars of shares and a line, with the numbers in words for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH = 640
_LABEL = 190
_ROW = 26
_BAR = 14
_VALUE = 110
_LONGEST = 26


def bars(title: str, rows: Sequence[tuple[str, float, str]], *, low: float = 0.0, high: float = 1.0) -> str:
    """A bar for each (name, value, value in words), on an axis from ``low`` to ``high``; empty without rows."""
    if not rows:
        return ""
    room = _WIDTH - _LABEL - _VALUE
    height = _ROW * len(rows) + 8

    def place(value: float) -> float:
        return _LABEL + room * (min(max(value, low), high) - low) / (high - low)

    origin = place(0.0)
    parts = [_opening(title, "; ".join(f"{name}: {words}" for name, _, words in rows), height)]
    parts.append(f'<line class="axis" x1="{origin:.1f}" x2="{origin:.1f}" y1="2" y2="{height - 4}"/>')
    for number, (name, value, words) in enumerate(rows):
        top = 4 + number * _ROW
        start, end = sorted((origin, place(value)))
        middle = top + _BAR - 2
        parts.append(f'<text class="label" x="{_LABEL - 10}" y="{middle}" text-anchor="end">{_short(name)}</text>')
        parts.append(
            f'<rect class="bar" x="{start:.1f}" y="{top}" width="{max(end - start, 1):.1f}" height="{_BAR}" rx="3">'
            f"<title>{escape(name)}: {escape(words)}</title></rect>"
        )
        parts.append(f'<text class="value" x="{max(end, origin) + 8:.1f}" y="{middle}">{escape(words)}</text>')
    return "".join((*parts, "</svg>"))


def line(title: str, points: Sequence[tuple[float, float, str]]) -> str:
    """A line through (x, share, x in words); empty for less than two points."""
    if len(points) < 2:
        return ""
    height, left, bottom = 200, 56, 160
    most = max(x for x, _, _ in points) or 1.0

    def place(x: float, share: float) -> tuple[float, float]:
        return left + (_WIDTH - left - 70) * x / most, bottom - (bottom - 20) * share

    told = "; ".join(f"{words}: {share:.0%}" for _, share, words in points)
    parts = [_opening(title, told, height)]
    for share in (0.0, 0.5, 1.0):
        _, y = place(0, share)
        parts.append(f'<line class="grid" x1="{left}" x2="{_WIDTH - 40}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="value" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(x, share) for x, share, _ in points))
    parts.append(f'<polyline class="line" points="{path}"/>')
    for x, share, words in points:
        across, down = place(x, share)
        parts.append(
            f'<circle class="dot" cx="{across:.1f}" cy="{down:.1f}" r="4">'
            f"<title>{escape(words)}: {share:.0%}</title></circle>"
        )
        parts.append(
            f'<text class="value" x="{across:.1f}" y="{bottom + 20}" text-anchor="middle">{_short(words)}</text>'
        )
    return "".join((*parts, "</svg>"))


def _opening(title: str, told: str, height: int) -> str:
    return (
        f'<svg role="img" viewBox="0 0 {_WIDTH} {height}" aria-label="{escape(title)}. {escape(told)}">'
        f"<title>{escape(title)}</title><desc>{escape(told)}</desc>"
    )


def _short(text: str) -> str:
    return escape(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
