"""The problems of a scenario, one after the other, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from simulator.cli.terminal import clean, count, near, show
from simulator.errors import Problem

_COLOURS = {"error": "bold red", "warning": "bold yellow"}


def show_problems(problems: Sequence[Problem], source: Path | None, console: Console) -> None:
    """Print every problem: place, code and path, then the message and what to do about it."""
    for problem in problems:
        head = Text(clean(place_of(problem, source)))
        head.append(f"  {problem.severity} ", _COLOURS.get(problem.severity, ""))
        head.append(clean(problem.code), "bold")
        show(head.append(f"  {clean(problem.path)}" if problem.path else "", "dim"), console=console)
        for words in (problem.message, problem.suggestion):
            text = Text(clean(words))
            if words:
                show(Padding(text, (0, 0, 0, 4)) if console.is_terminal else Text("    ") + text, console=console)


def tally(problems: Sequence[Problem]) -> str:
    """``2 errors, 1 warning``."""
    errors = sum(problem.severity == "error" for problem in problems)
    parts = [count(number, noun) for number, noun in ((errors, "error"), (len(problems) - errors, "warning")) if number]
    return ", ".join(parts) or "no problems"


def problem_json(problem: Problem, source: Path | None) -> dict[str, Any]:
    """A problem as JSON; ``file`` as it can be opened from here."""
    location = problem.location
    return {
        "severity": problem.severity,
        "code": problem.code,
        "message": problem.message,
        "suggestion": problem.suggestion,
        "path": problem.path,
        "file": _file_of(problem, source),
        "line": location.line,
        "column": location.column,
    }


def place_of(problem: Problem, source: Path | None) -> str:
    """``folder/file:line:column``, as far as it is known."""
    file = _file_of(problem, source)
    return f"{file}:{problem.location.line}:{problem.location.column}" if problem.location.line else file


def _file_of(problem: Problem, source: Path | None) -> str:
    name = problem.location.file
    if source is None or not name:
        return name or str(source or "")
    in_folder = source.is_dir() or Path(name).is_absolute()  # the file of a pack
    return str(near(source / name if in_folder else source))
