"""``check``: everything that is wrong with a scenario, or what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from simulator.cli.failures import UNUSABLE
from simulator.cli.opening import scenario_path
from simulator.cli.options import DEFAULT_SEED
from simulator.cli.problems import problem_json, show_problems, tally
from simulator.cli.terminal import count, near, plain_table, show, show_json, stdout, styled
from simulator.episode import readiness_problems
from simulator.errors import Problem, ScenarioError, WorldError
from simulator.lint import lint_scenario
from simulator.scenario import Scenario, ScenarioDocument, read_scenario
from simulator.tasks import generate_world
from simulator.world import estimate_rows

_MOST_ROWS_TRIED = 200_000


def check(given: str, *, world: bool, as_json: bool) -> None:
    """Show the problems of the scenario that was typed, or what it holds. Exits with 2 when there is an error.

    With ``world``, a scenario whose text has no error is also tried: a world is made of it and its tasks are begun.
    """
    path = scenario_path(given)
    found, problems = _examine(path)
    if world and found is not None and not any(problem.severity == "error" for problem in problems):
        problems = [*problems, *_try(found)]
    unusable = any(problem.severity == "error" for problem in problems)
    if as_json:
        show_json(_report(found, problems, path))
    else:
        show_problems(problems, path, stdout())
        show(styled(f"{near(path)}: {tally(problems)}", "red" if unusable else "green"))
        if found is not None and not unusable:
            _show_parts(found)
    if unusable:
        raise typer.Exit(UNUSABLE)


def _examine(path: Path) -> tuple[Scenario | None, Sequence[Problem]]:
    """The scenario, None when it is not even readable, and its problems."""
    try:
        found = read_scenario(path)
    except ScenarioError as error:
        return None, error.problems
    return found, lint_scenario(found)


def _try(scenario: Scenario) -> Sequence[Problem]:
    """What shows only in a world. A scenario with very many rows is tried on a smaller one."""
    rows = sum(estimate_rows(scenario.document, 1.0).values())
    scale = 1.0 if rows <= _MOST_ROWS_TRIED else _MOST_ROWS_TRIED / rows
    try:
        return readiness_problems(generate_world(scenario, DEFAULT_SEED, scale=scale))
    except ScenarioError as error:
        return error.problems
    except WorldError as error:
        return [Problem("world_cannot_be_made", str(error), "world")]


def _report(found: Scenario | None, problems: Sequence[Problem], path: Path) -> dict[str, Any]:
    errors = sum(problem.severity == "error" for problem in problems)
    return {
        "scenario": None if found is None else scenario_json(found),
        "errors": errors,
        "warnings": len(problems) - errors,
        "problems": [problem_json(problem, path) for problem in problems],
        "parts": None if found is None else {name: list(names) for name, names in _parts(found.document).items()},
    }


def scenario_json(scenario: Scenario) -> dict[str, Any]:
    """What names a scenario, as JSON."""
    document = scenario.document
    return {"id": document.id, "version": document.version, "title": document.title, "digest": scenario.digest}


def _show_parts(scenario: Scenario) -> None:
    document = scenario.document
    show("", styled(f"{document.title} ({document.id} {document.version})", "bold"))
    table = plain_table("", "", "<names>")
    table.show_header = False
    for name, names in _parts(document).items():
        if names:
            table.add_row(f"{len(names):,}", name if len(names) > 1 else name.removesuffix("s"), ", ".join(names))
    table.columns[0].justify = "right"
    show("", table)
    if not document.tasks:
        show(f"{count(0, 'task template')}: nothing can be played yet.")


def _parts(document: ScenarioDocument) -> dict[str, tuple[str, ...]]:
    """What the scenario holds, by kind."""
    rules = document.rules
    return {
        "roles": tuple(document.roles),
        "tables": tuple(document.world.tables),
        "views": tuple(document.world.views),
        "lifecycles": tuple(document.world.lifecycles),
        "operations": tuple(document.tools),
        "state rules": tuple(rules.state),
        "change rules": tuple(rules.change),
        "process rules": tuple(rules.process),
        "task templates": tuple(document.tasks),
    }
