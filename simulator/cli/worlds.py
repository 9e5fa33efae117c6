"""``world`` and ``tasks``: what a scenario becomes, and the work there is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from simulator.cli.checking import scenario_json
from simulator.cli.opening import make_world, open_scenario
from simulator.cli.terminal import clean, count, plain_table, progress, remark, show, show_json, styled
from simulator.sql.schema import quoted
from simulator.tasks import SPLITS, Task, World
from simulator.world import Database


def world(given: str, *, seed: int, scale: float, out: Path | None, as_json: bool) -> None:
    """Generate a world and show its tables, their row counts, its digest; ``out`` keeps it as a SQLite file."""
    loaded = open_scenario(given)
    begun = perf_counter()
    made = make_world(loaded, seed=seed, scale=scale)
    seconds = perf_counter() - begun
    rows = row_counts(made)
    if out is not None:
        made.save(out)
    if as_json:
        size = made.image.image.size
        facts = {"tables": rows, "rows": sum(rows.values()), "bytes": size, "file": str(out) if out else None}
        show_json({**world_json(made), **facts})
        return
    table = plain_table("table", ">rows")
    for name, number in rows.items():
        table.add_row(clean(name), f"{number:,}")
    show(table, "")
    show(
        f"{count(sum(rows.values()), 'row')} in {count(len(rows), 'table')}, "
        f"{made.image.image.size / 1e6:,.1f} MB, made in {seconds:.2f} s",
        f"digest {made.digest}",
    )
    if out is not None:
        remark(f"written to {out}")


def tasks(given: str, *, seed: int, scale: float, split: str | None, listed: bool, as_json: bool) -> None:
    """Show how many tasks a world has by template, split and difficulty, or the tasks themselves."""
    made = make_world(open_scenario(given), seed=seed, scale=scale)
    found = draw(made, split)
    if as_json:
        show_json(
            {**world_json(made), "templates": _counts(made, found), "tasks": [_task_json(task) for task in found]}
        )
    elif listed:
        for task in found:
            show(
                styled(task.id, "bold"), f"    {task.split}, difficulty {task.difficulty}, {count(task.steps, 'step')}"
            )
            show(*(f"    {line}" for line in task.instruction.splitlines()))
    else:
        _show_counts(made, found, (split,) if split else SPLITS)


def draw(world: World, split: str | None) -> tuple[Task, ...]:
    """The world's tasks, with a sign of life while they are drawn."""
    with progress("Drawing tasks"):
        return world.tasks(split)


def world_json(world: World) -> dict[str, Any]:
    """What names a world, as JSON."""
    return {
        "scenario": scenario_json(world.scenario),
        "world": {"seed": world.seed, "scale": world.scale, "digest": world.digest},
    }


def row_counts(world: World) -> dict[str, int]:
    """How many rows each table has."""
    with Database(world.image) as database:
        names = world.image.schema.tables
        counted = {name: database.value(f"select count(*) from {quoted(name)}", {}) for name in names}
        return {name: number for name, number in counted.items() if isinstance(number, int)}


def _task_json(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "template": task.template,
        "split": task.split,
        "difficulty": task.difficulty,
        "role": task.role,
        "steps": task.steps,
        "instruction": task.instruction,
    }


def _counts(world: World, tasks: Sequence[Task]) -> dict[str, Any]:
    """For each template, in the author's order, how many tasks each split and each difficulty has."""
    return {
        template: {
            "tasks": len(group),
            "splits": _ordered(Counter(task.split for task in group), SPLITS),
            "difficulties": {str(level): number for level, number in sorted(_difficulties(group).items())},
        }
        for template, group in _by_template(world, tasks).items()
    }


def _show_counts(world: World, tasks: Sequence[Task], splits: Sequence[str]) -> None:
    table = plain_table("template", "difficulty", *(f">{name}" for name in splits), ">tasks")
    for template, group in _by_template(world, tasks).items():
        numbers = Counter(task.split for task in group)
        levels = sorted(_difficulties(group))
        shown = "–".join(dict.fromkeys((str(levels[0]), str(levels[-1])))) if levels else ""
        table.add_row(clean(template), shown, *(f"{numbers[name]:,}" for name in splits), f"{len(group):,}")
    total = Counter(task.split for task in tasks)
    table.add_section()
    table.add_row("all", "", *(f"{total[name]:,}" for name in splits), f"{len(tasks):,}", style="bold")
    show(table)
    if tasks:
        numbers_by_level = sorted(_difficulties(tasks).items())
        show("", "by difficulty: " + ", ".join(f"{level}: {number:,}" for level, number in numbers_by_level))


def _by_template(world: World, tasks: Sequence[Task]) -> dict[str, list[Task]]:
    groups: dict[str, list[Task]] = {template: [] for template in world.scenario.document.tasks}
    for task in tasks:
        groups[task.template].append(task)
    return groups


def _difficulties(tasks: Sequence[Task]) -> Mapping[int, int]:
    return Counter(task.difficulty for task in tasks)


def _ordered(numbers: Mapping[str, int], names: Sequence[str]) -> dict[str, int]:
    return {name: numbers.get(name, 0) for name in names}


__all__ = ["draw", "row_counts", "tasks", "world", "world_json"]
