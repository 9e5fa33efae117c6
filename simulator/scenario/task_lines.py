"""Tasks in JSON Lines: each line of ``tasks/<name>.jsonl`` is one task template with an ``id``.

The line ``{"id": "12", "instruction": "…", "solution": […]}`` of ``tasks/golden.jsonl`` is the template ``golden_12``.
It may hold whatever a template may; most leave out ``draw`` and so are one task each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from simulator.errors import Location, Problem, ScenarioError
from simulator.scenario.json_text import read_json
from simulator.scenario.paths import Path
from simulator.scenario.positions import Mark, Positions
from simulator.scenario.source_text import MOST_PROBLEMS, TextLimits, decode_text

LINES_ENDING = ".jsonl"
_SIZE = TextLimits().size
_LINE = TextLimits(size=1_000_000, nodes=20_000)
_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")


def read_task_lines(text: bytes, *, file: str, name: str) -> tuple[dict[str, JsonValue], Positions]:
    """The templates of a file called ``name``, by their names, and where they stand.

    Raises ScenarioError: ``task_line`` (no object, no id, an id that makes no name), ``duplicate_key`` (two lines with
    one id), and what `read_json` raises.
    """
    tasks: dict[str, JsonValue] = {}
    marks: dict[Path, Mark] = {(): Mark(file, (1, 1), (1, 1))}
    problems: list[Problem] = []
    for number, line in enumerate(decode_text(text, file=file, size=_SIZE).split("\n"), start=1):
        if not line.strip() or len(problems) >= MOST_PROBLEMS:
            continue
        try:
            value, positions = read_json(line, file=file, limits=_LINE)
        except ScenarioError as error:
            problems += (_on_line(problem, number) for problem in error.problems)
            continue
        template = dict(value) if isinstance(value, dict) else {}
        called = task_name(name, template.pop("id", None))
        if called is None:
            message = "Every line must be an object with an `id`: letters, digits and dashes, 40 at the most."
            problems.append(Problem("task_line", message, location=Location(file, number, 1)))
        elif called in tasks:
            message = f"An earlier line makes the task `{called}` too."
            problems.append(Problem("duplicate_key", message, location=Location(file, number, 1)))
        else:
            tasks[called] = template
            for path, mark in positions.marks.items():
                marks[(called, *path)] = Mark(file, (number, mark.key[1]), (number, mark.value[1]))
    if problems:
        raise ScenarioError(problems)
    return tasks, Positions(marks)


def write_task_lines(tasks: Iterable[Mapping[str, JsonValue]]) -> bytes:
    """The file that holds these tasks, each with its ``id``."""
    return "".join(f"{json.dumps(task, ensure_ascii=False, allow_nan=False)}\n" for task in tasks).encode()


def task_name(name: str, identity: JsonValue) -> str | None:
    """The name of the template that a line makes, None when its id is none."""
    if isinstance(identity, bool) or not isinstance(identity, int | str):
        return None
    words = re.sub(r"[-. /]", "_", str(identity).lower())
    called = f"{name}_{words}"
    return called if len(str(identity)) <= 40 and words and _NAME.fullmatch(called) else None


def _on_line(problem: Problem, line: int) -> Problem:
    location = Location(problem.location.file, line, problem.location.column)
    return Problem(problem.code, problem.message, problem.path, location, problem.suggestion)
