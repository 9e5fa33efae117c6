"""TRL (https://huggingface.co/docs/trl): environment factories, one for each role, and the tasks as a data set.

A data set's rows hold what a model is told first and the task's id, and nothing else of the task.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from simulator.bundle.targets.target import Exported, Target
from simulator.bundle.targets.trl.names import check_tool_names, environment_name


def _data(exported: Exported) -> Mapping[str, bytes]:
    """The rows of each split, which TRL's `environment` column leads to the environment of the task's role."""
    check_tool_names(exported.content.tools)
    module = TRL.module(exported)
    return {
        f"{module}/data/{split}.jsonl": "".join(
            json.dumps(
                {
                    "prompt": exported.messages(task),
                    "task": task.id,
                    "environment": environment_name(exported.id, task.role),
                }
            )
            + "\n"
            for task in tasks
        ).encode()
        for split, tasks in exported.content.tasks.items()
        if tasks
    }


TRL = Target(
    name="trl",
    title="TRL",
    requirement="trl>=1.16,<1.17",
    tested="1.16.0",
    values=lambda exported: {"most_steps": str(exported.content.resources.most_steps)},
    particular=_data,
)
