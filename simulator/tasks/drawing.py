"""The tasks of a world: each row of a template's `draw` is one possible task, and a seeded sample of them is taken.

Rows are ordered and chosen by their values alone, so a query plan never decides. Which tasks a world has depends on its
seed; which split a task is in, and in which words it is put, depends only on the scenario's id, the template and the
parameters.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from simulator.errors import Problem, ScenarioError
from simulator.scenario.models import RESERVED_PARAMETERS, Actor, Scalar, TaskTemplate
from simulator.tasks.drawn_values import scalar
from simulator.tasks.placeholders import fill_arguments, fill_text
from simulator.tasks.solutions import difficulty
from simulator.tasks.task import Task, canonical_parameters, parameters_digest, split_of
from simulator.world.build import WorldImage
from simulator.world.changes import Value
from simulator.world.database import ROW_CAP, Database, Rows, StatementFailed

MOST_DRAWN = ROW_CAP
"""The most rows a draw may return in a world of scale 1, and so many more in a larger one."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a template's draw gives in one world: parameters in a fixed order, and every problem found."""

    columns: tuple[str, ...]
    parameters: tuple[Mapping[str, Scalar], ...]
    problems: tuple[Problem, ...]


def draw_tasks(database: Database, image: WorldImage) -> tuple[Task, ...]:
    """All tasks of a world, on its start state: by template in the author's order, then by id.

    Raises ScenarioError with the problems of every template whose draw cannot be used. A draw that yields nothing gives
    no tasks here; lint reports it (`task_problems`).
    """
    tasks: list[Task] = []
    problems: list[Problem] = []
    for name, template in image.scenario.document.tasks.items():
        drawn = draw(database, name, template)
        problems += [problem for problem in drawn.problems if problem.code != "draw_is_empty"]
        tasks += _sampled(database, image, name, template, drawn)
    if problems:
        raise ScenarioError(problems)
    return tuple(tasks)


def draw(database: Database, name: str, template: TaskTemplate) -> Drawn:
    """Run a template's draw on the start state. Rows come sorted by all columns and without repetition."""
    if template.draw is None:
        return Drawn((), ({},), ())
    path = f"tasks.{name}.draw"
    most = int(MOST_DRAWN * max(1.0, database.world.scale))
    try:
        rows = database.query(template.draw, {}, limit=most)
    except StatementFailed as failure:
        if failure.code == "too_many_rows":
            message = f"the draw gives more than {most:,} rows."
            problem = Problem("draw_too_large", message, path, suggestion="Narrow it with a condition.")
            return Drawn((), (), (problem,))
        return Drawn((), (), (Problem("draw_fails", f"the draw could not be run: {failure.message}", path),))
    problems = [*_column_problems(rows.columns, path)]
    if not rows.rows:
        message = "the draw gives no row, so this world has no such task."
        problems.append(Problem("draw_is_empty", message, path, suggestion="Widen it, or change the data."))
    if problems:
        return Drawn(rows.columns, (), tuple(problems))
    return _distinct(rows, path)


def row_order(row: Sequence[Value]) -> tuple[tuple[int, float | str], ...]:
    """A total order of rows: NULL before numbers before text, as SQLite sorts."""
    return tuple(
        (0, 0) if value is None else (1, value) if isinstance(value, int | float) else (2, str(value)) for value in row
    )


def _column_problems(columns: Sequence[str], path: str) -> Iterator[Problem]:
    for column, count in Counter(columns).items():
        if count > 1:
            message = f"the draw has {count} columns named `{column}`; each is a parameter and needs its own name."
            yield Problem("duplicate_parameter", message, path, suggestion="Name them with `as`.")
        if column in RESERVED_PARAMETERS:
            message = f"`{column}` has a meaning of its own in checks; a parameter cannot take the name."
            yield Problem("reserved_parameter", message, path, suggestion="Name the column otherwise with `as`.")
        elif not _NAME.fullmatch(column):
            message = f"the column `{column[:60]}` is no name for a parameter (small letters, digits, underscores)."
            yield Problem("parameter_name", message, path, suggestion="Name it with `as`.")


def _distinct(rows: Rows, path: str) -> Drawn:
    """The rows as parameters, sorted, each once."""
    seen: set[str] = set()
    found = []
    for row in sorted(rows.rows, key=row_order):
        if any(isinstance(value, bytes) or (isinstance(value, float) and not math.isfinite(value)) for value in row):
            message = "the draw gives a blob or an infinite number, which cannot be a parameter."
            return Drawn(rows.columns, (), (Problem("parameter_value", message, path),))
        parameters = dict(zip(rows.columns, map(scalar, row, rows.types), strict=True))
        canonical = canonical_parameters(parameters)
        if canonical not in seen:
            seen.add(canonical)
            found.append(parameters)
    return Drawn(rows.columns, tuple(found), ())


def _sampled(database: Database, image: WorldImage, name: str, template: TaskTemplate, drawn: Drawn) -> Iterator[Task]:
    """The rows whose seeded digests are lowest, as tasks, by id."""
    document = image.scenario.document
    take = max(1, math.floor(template.take * image.scale + 0.5))
    ranked = []
    for parameters in drawn.parameters:
        canonical = canonical_parameters(parameters)
        rank = parameters_digest(document.id, name, canonical, f"world {image.seed}")
        ranked.append((rank, canonical, parameters))
    chosen = sorted(ranked, key=lambda item: item[:2])[:take]
    if not chosen:
        return
    default_actor = _default_actor(database, template)
    effort = difficulty(document, template)
    steps = (template.limits or document.limits).steps
    tasks: dict[str, Task] = {}
    for _, canonical, parameters in chosen:
        digest = parameters_digest(document.id, name, canonical)
        phrases = [template.instruction] if isinstance(template.instruction, str) else template.instruction
        phrase = phrases[int.from_bytes(digest[8:16], "big") % len(phrases)]
        role, actor = template.as_, default_actor
        if isinstance(role, Actor):
            actor = default_actor if role.actor is None else fill_arguments(role.actor, parameters)
            role = role.role
        task = Task(
            id=f"w{image.seed}/{name}/{digest.hex()[:12]}",
            template=name,
            parameters=parameters,
            instruction=fill_text(phrase, parameters),
            split=template.split or split_of(digest),
            difficulty=effort,
            role=role,
            actor=actor,
            steps=steps,
            world_seed=image.seed,
        )
        tasks.setdefault(task.id, task)
    yield from (tasks[task_id] for task_id in sorted(tasks))


def _default_actor(database: Database, template: TaskTemplate) -> Scalar:
    """The value of `:actor` that the template's role gives, None when it names none."""
    name = template.as_.role if isinstance(template.as_, Actor) else template.as_
    role = None if name is None else database.world.scenario.document.roles.get(name)
    if role is None or role.actor is None:
        return None
    value = database.value(role.actor, {})
    return None if isinstance(value, bytes) else value
