"""Results: figures with their goals and their peers, shown as a table and kept in ``build/bench/<script>.json``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.machine import machine
from harness.timing import Timing

RESULTS = Path(__file__).parents[2] / "build" / "bench"

_SECONDS = ((1.0, 1.0, "s"), (1e-3, 1e3, "ms"), (0.0, 1e6, "µs"))
_BYTES = ((1e9, 1e-9, "GB"), (1e6, 1e-6, "MB"), (0.0, 1e-3, "kB"))


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number. ``unit`` is ``s``, ``B`` or a word for what is counted per second.

    ``goal`` is in the same unit: at most that for times and sizes, at least that for rates; None for what is only told,
    as the peers are. ``times`` says how this compares with others, as "name": ratio, above 1 where this is better.
    """

    name: str
    value: float
    unit: str
    goal: float | None = None
    fastest: float | None = None
    times: dict[str, float] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without one."""
        if self.goal is None:
            return None
        return self.value <= self.goal if self.unit in ("s", "B") else self.value >= self.goal


@dataclass(slots=True)
class Report:
    """What one script found. ``notes`` are sentences under its table."""

    name: str
    title: str
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(
        self, name: str, value: float, unit: str, *, goal: float | None = None, times: Mapping[str, float] | None = None
    ) -> None:
        """Add a number."""
        self.figures.append(Figure(name, value, unit, goal, None, dict(times or {})))

    def add_timing(
        self, name: str, timing: Timing, *, goal: float | None = None, peers: Mapping[str, Timing] | None = None
    ) -> None:
        """Add a time, compared with those of ``peers`` by name."""
        times = {peer: other.median / timing.median for peer, other in (peers or {}).items()}
        self.figures.append(Figure(name, timing.median, "s", goal, timing.fastest, times))

    def to_json(self) -> dict[str, Any]:
        """The report as JSON, with the machine."""
        figures = [{**asdict(figure), "met": figure.met} for figure in self.figures]
        return {"name": self.name, "title": self.title, "machine": machine(), "figures": figures, "notes": self.notes}


def main(measure: Callable[[bool], Report], description: str | None) -> None:
    """Run a script: measure, keep the result, print it. ``measure`` is told whether ``--full`` was asked for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--full", action="store_true", help="also what takes minutes")
    options = parser.parse_args()
    result = measure(options.full).to_json()
    RESULTS.mkdir(parents=True, exist_ok=True)
    text = json.dumps(result, indent=2, ensure_ascii=False)
    (RESULTS / f"{result['name']}.json").write_text(text + "\n", encoding="utf-8")
    if options.json:
        print(text)
    else:
        print("\n".join(_plain(result)))
    sys.stdout.flush()


def table(result: dict[str, Any]) -> list[list[str]]:
    """A result's rows as text: what, median, fastest, goal, comparison. The first row is the heading."""
    rows = [["", "median", "fastest round", "goal", "compared with"]]
    for figure in result["figures"]:
        goal = ""
        if figure["goal"] is not None:
            bound = "≤" if figure["unit"] in ("s", "B") else "≥"
            goal = f"{bound} {amount(figure['goal'], figure['unit'])}{'' if figure['met'] else ': missed'}"
        rows.append([
            figure["name"],
            amount(figure["value"], figure["unit"]),
            amount(figure["fastest"], figure["unit"]) if figure["fastest"] is not None else "",
            goal,
            "; ".join(f"{name}: {_ratio(ratio)}" for name, ratio in figure["times"].items()),
        ])  # fmt: skip
    return rows


def amount(value: float, unit: str) -> str:
    """A number with its unit, in three digits."""
    if unit in ("s", "B"):
        scales = _SECONDS if unit == "s" else _BYTES
        factor, name = next((factor, name) for least, factor, name in scales if value >= least)
        return f"{_digits(value * factor)} {name}"
    return f"{_digits(value)} {unit}"


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _ratio(ratio: float) -> str:
    return f"{_digits(ratio)}× faster" if ratio >= 1 else f"{_digits(1 / ratio)}× slower"


def _plain(result: dict[str, Any]) -> list[str]:
    rows = table(result)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [result["title"], ""]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines += ["", *result["notes"], "; ".join(f"{name} {value}" for name, value in result["machine"].items())]
    return lines
