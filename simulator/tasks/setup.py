"""What prepares a task's world before its agent sees it."""

from __future__ import annotations

from simulator.scenario.models import TaskTemplate
from simulator.tasks.task import Task
from simulator.world.database import Database


def run_setup(database: Database, template: TaskTemplate, task: Task) -> None:
    """Run the template's `setup` statements in order, parameters bound. The caller stands inside a recording.

    Raises StatementFailed when a statement cannot be carried out; the caller undoes the recording.
    """
    for statement in template.setup:
        database.write(statement, task.bindings())
