"""What only a world can tell about a scenario: draws that yield nothing, checks that hold before anything is done,
state rules that are broken as it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from simulator.episode.state import EpisodeState
from simulator.episode.workplace import Workplace, workplace_of
from simulator.errors import Problem, WorldError
from simulator.scenario.paths import parse_path
from simulator.tasks import Task, World, start_problems, task_problems

TASKS_LOOKED_AT = 5
"""Tasks of each template that are begun."""


def readiness_problems(world: World) -> tuple[Problem, ...]:
    """Every problem that shows in this world, with its place in the author's text; one for each place and kind."""
    workplace = workplace_of(world)
    found = [*_problems_of_draws(workplace)]
    if not any(problem.severity == "error" and problem.code != "draw_is_empty" for problem in found):
        found += _problems_at_start(workplace, world)
    once: dict[tuple[str, str], Problem] = {}
    for problem in found:
        once.setdefault((problem.code, problem.path), problem)
    positions = world.scenario.positions
    return tuple(replace(problem, location=positions.key(parse_path(problem.path))) for problem in once.values())


def _problems_of_draws(workplace: Workplace) -> tuple[Problem, ...]:
    with workplace.engine.laid_bare() as database:
        return task_problems(database)


def _problems_at_start(workplace: Workplace, world: World) -> Iterator[Problem]:
    engine = workplace.engine
    with engine.laid_bare() as database:
        for name, rows in engine.rules.broken_at_start(database):
            count = f"{rows} row" if rows == 1 else f"{rows:,} rows"
            yield Problem(
                "broken_at_start",
                f"the rule is broken by {count} as this world begins, and those are not the agent's doing.",
                f"rules.state.{name}",
                suggestion="Mend the data, or narrow the rule.",
                severity="warning",
            )
    looked_at: dict[str, int] = {}
    for task in world.tasks():
        looked_at[task.template] = looked_at.get(task.template, 0) + 1
        if looked_at[task.template] <= TASKS_LOOKED_AT:
            yield from _problems_of_task(workplace, task)


def _problems_of_task(workplace: Workplace, task: Task) -> Iterator[Problem]:
    try:
        state: EpisodeState = workplace.engine.begin(task, 0)
    except WorldError as error:
        yield Problem("setup_fails", f"{error}", f"tasks.{task.template}.setup")
        return
    yield from start_problems(workplace.scorer.checks(state), task)
