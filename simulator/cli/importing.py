"""``import-rows`` and ``import-tasks``: what somebody already has becomes part of a scenario."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from simulator.cli.failures import UnusableFile
from simulator.cli.opening import open_scenario, scenario_path
from simulator.cli.terminal import clean, count, near, plain_table, show, show_json, styled, write_text
from simulator.errors import ScenarioError, UsageError
from simulator.evaluation import TaskImportReport
from simulator.evaluation import import_tasks as import_file_of_tasks
from simulator.world.rows_import import ImportReport
from simulator.world.rows_import import import_rows as import_file


def import_rows(given: str, table: str, file: Path, *, replace: bool, as_json: bool) -> None:
    """Write the rows into the scenario's folder; show what was understood, and the YAML that declares the table."""
    try:
        report = import_file(file, scenario_path(given), table, replace=replace)
    except ScenarioError as error:
        raise UnusableFile(error, file) from error
    if as_json:
        show_json(_json(report))
        return
    show(styled(f"{count(report.rows, 'row')} written to {near(report.data_file)}", "green"), "")
    columns = plain_table("column", "type", "", "in the file")
    for column in report.columns:
        note = "key" if column.key else "may be empty" if column.nullable else ""
        columns.add_row(clean(column.name), column.type, note, clean(column.original))
    if report.declared:
        show(columns, "", "The scenario declares the table so already.")
        return
    show(columns, "", "Declare the table under `world.tables`, or in a file of the folder `tables`:", "")
    write_text(report.snippet)


def import_tasks(
    given: str, name: str, file: Path, *, seed: int, refusal: str | None, replace: bool, as_json: bool
) -> None:
    """Write the tasks into the scenario's folder; show what judges them, and the calls that do nothing.

    Raises UsageError when nothing can judge a task.
    """
    open_scenario(given)
    try:
        report = import_file_of_tasks(file, scenario_path(given), name, seed=seed, refusal=refusal, replace=replace)
    except ScenarioError as error:
        raise UnusableFile(error, file) from error
    if report.unjudged:
        names = ", ".join(task.id for task in report.unjudged[:20])
        raise UsageError(
            f"{count(len(report.unjudged), 'task')} cannot be judged: no call changes anything or ends the episode, "
            f"and there is no answer ({names}). Give them an `answer` or `checks`, or name the refusal that is right "
            "with --refusal."
        )
    if as_json:
        show_json(_tasks_json(report))
        return
    show(styled(f"{count(len(report.tasks), 'task')} written to {near(report.file)}", "green"), "")
    kinds = Counter(task.judged_by for task in report.tasks)
    judged = plain_table("judged by", "tasks")
    for kind in sorted(kinds):
        judged.add_row(kind, str(kinds[kind]))
    errors = sum(task.errors for task in report.tasks)
    show(
        judged, "", f"{count(sum(task.calls for task in report.tasks), 'call')}, of which {errors} fail as they should."
    )
    if report.without_effect:
        show("", styled("These should change something, and all ends the same without them; are they right?", "yellow"))
        for task in report.without_effect:
            for call in task.idle:
                show(f"  {task.id}: call {call.number}, {call.tool} ({call.why})")


def _tasks_json(report: TaskImportReport) -> dict[str, object]:
    return {
        "file": str(report.file),
        "tasks": [
            {
                "id": task.id,
                "calls": task.calls,
                "errors": task.errors,
                "changes": task.changes,
                "judged_by": task.judged_by,
                "idle": [{"call": call.number, "tool": call.tool, "why": call.why} for call in task.idle],
            }
            for task in report.tasks
        ],
    }


def _json(report: ImportReport) -> dict[str, object]:
    return {
        "table": report.table,
        "file": str(report.data_file),
        "rows": report.rows,
        "columns": [
            {
                "name": column.name,
                "original": column.original,
                "type": column.type,
                "nullable": column.nullable,
                "key": column.key,
            }
            for column in report.columns
        ],
        "declared": report.declared,
        "snippet": report.snippet,
    }
