"""What lint has found so far, and the order in which it is told: that of the author's document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from simulator.errors import Problem
from simulator.lint.statement_places import StatementPlaces
from simulator.scenario import Scenario, parse_path, render_path
from simulator.scenario.paths import Path
from simulator.scenario.validation import in_text_order
from simulator.sql.problems import SqlProblem, line_and_column
from simulator.sql.tokens import significant

MOST_FINDINGS = 1_000
"""How many problems are told; of more, errors before warnings."""

_ADVICE = frozenset(
    {"nullable_comparison", "lost_json_subtype", "tautological_where", "sum_of_nothing", "whole_division"}
)


class Findings:
    """Problems, each given its place in the author's files."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._places = StatementPlaces(scenario)
        self._found: dict[Problem, Path] = {}

    def error(self, code: str, message: str, path: Path, suggestion: str = "", *, at_key: bool = False) -> None:
        """The scenario cannot be used. ``at_key`` says that the key is at fault, not its value."""
        self._report(Problem(code, message, render_path(path), suggestion=suggestion), path, at_key)

    def warning(self, code: str, message: str, path: Path, suggestion: str = "", *, at_key: bool = False) -> None:
        """The scenario can be used; the author should look."""
        problem = Problem(code, message, render_path(path), suggestion=suggestion, severity="warning")
        self._report(problem, path, at_key)

    def add(self, problems: Iterable[Problem]) -> None:
        """Problems that other rooms found, which know the path. One already told there, perhaps better, is left out."""
        told = {(problem.code, problem.path) for problem in self._found}
        for problem in problems:
            if (problem.code, problem.path) not in told:
                self._report(problem, parse_path(problem.path), at_key=False)

    def statement(self, problem: SqlProblem, path: Path, text: str) -> None:
        """A problem in the SQL ``text`` at ``path``, at its very place where that can be told."""
        severity = "warning" if problem.code in _ADVICE else "error"
        line, column = (problem.line, problem.column) if problem.line else _place_of_name(text, problem)
        location = self._places.locate(path, text, line, column)
        told = Problem(problem.code, problem.message, render_path(path), location, problem.suggestion, severity)
        self._found.setdefault(told, path)

    def parameter(self, message: str, path: Path, text: str, name: str, suggestion: str) -> None:
        """A parameter of the SQL ``text`` at ``path`` that nobody binds."""
        offset = next(token.start for token in significant(text) if token.text == f":{name}")
        location = self._places.locate(path, text, *line_and_column(text, offset))
        told = Problem("unbound_parameter", message, render_path(path), location, suggestion)
        self._found.setdefault(told, path)

    def result(self) -> tuple[Problem, ...]:
        """Everything found, in the order of the author's files, or of the document where it came without a file."""
        document = self._scenario.document
        ordered = sorted(self._found, key=lambda problem: _order(document, self._found[problem]))
        if self._scenario.positions.marks:
            ordered = in_text_order(ordered, self._scenario.positions)
        errors = [problem for problem in ordered if problem.severity == "error"]
        if len(ordered) <= MOST_FINDINGS:
            return tuple(ordered)
        return tuple(errors[:MOST_FINDINGS])

    def _report(self, problem: Problem, path: Path, at_key: bool) -> None:
        if not problem.location.line:
            positions = self._scenario.positions
            place = positions.key(path) if at_key else positions.value(path)
            problem = replace(problem, location=place)
        self._found.setdefault(problem, path)


def _place_of_name(text: str, problem: SqlProblem) -> tuple[int, int]:
    """Where the last name that a problem speaks of first stands in a text; (0, 0) where it does not."""
    wanted = problem.names[-1].lower() if problem.names else ""
    for token in significant(text) if wanted else ():
        if (token.name or token.text.removeprefix(":")).lower() == wanted:
            return line_and_column(text, token.start)
    return 0, 0


def _order(document: Any, path: Path) -> tuple[int, ...]:
    """The place of a path among all paths: for each step, how many siblings stand before it."""
    order: list[int] = []
    part = document
    for step in path:
        if isinstance(part, BaseModel):
            names = {field.alias or name: name for name, field in type(part).model_fields.items()}
            order.append(list(names).index(str(step)) if step in names else len(names))
            part = getattr(part, names[str(step)]) if step in names else None
        elif isinstance(part, dict):
            order.append(list(part).index(str(step)) if step in part else len(part))
            part = part.get(step)
        elif isinstance(part, (list, tuple)) and isinstance(step, int):
            order.append(step)
            part = part[step] if step < len(part) else None
        else:
            break
    return tuple(order)
