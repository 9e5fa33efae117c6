"""NeMo Gym: a resources server with its configuration, and a row for each task; the server holds no logic of its own.

A row holds what a model is told, its tools and the task's id. What only the grader may know stays in the server.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from simulator.bundle.targets.target import Exported, Target
from simulator.errors import UsageError
from simulator.tasks import Task

RESERVED = frozenset({"aggregate_metrics", "close_session", "mcp", "reverify_mode", "seed_session", "verify"})
"""Routes of NeMo Gym's own; a tool is a route of its name."""

_EXAMPLES = 5
_TYPES = {"train": "train", "validation": "validation", "test": "validation"}


def _package(exported: Exported) -> str:
    return f"resources_servers/{NEMO_GYM.module(exported)}"


def _values(exported: Exported) -> Mapping[str, str]:
    return {
        "longest": str(exported.content.resources.most_steps),
        "datasets": "\n".join(
            _dataset(exported, split, kind) for split, kind in _TYPES.items() if _has(exported, split)
        ),
    }


def _has(exported: Exported, split: str) -> bool:
    return bool(exported.content.tasks[split])


def _dataset(exported: Exported, split: str, kind: str) -> str:
    where = f"{_package(exported)}/data/{split}.jsonl"
    return f"      - {{name: {split}, type: {kind}, jsonl_fpath: {where}, license: TBD}}"


def _data(exported: Exported) -> Mapping[str, bytes]:
    taken = sorted(RESERVED.intersection(exported.content.tools))
    if taken:
        raise UsageError(f"NeMo Gym cannot serve the tool `{taken[0]}`: its servers have a route of that name.")
    splits = {split: tasks for split, tasks in exported.content.tasks.items() if tasks}
    examples = next(iter(splits.values()))[:_EXAMPLES]
    return {
        f"{_package(exported)}/data/{name}.jsonl": _lines(exported, tasks)
        for name, tasks in {**splits, "example": examples}.items()
    }


def _lines(exported: Exported, tasks: Iterable[Task]) -> bytes:
    rows = (_row(exported, task) for task in tasks)
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows).encode()


def _row(exported: Exported, task: Task) -> dict[str, Any]:
    tools = exported.content.role_tools[task.role or ""]
    return {
        "responses_create_params": {
            "input": exported.messages(task),
            "tools": [{"type": "function", **tool["function"], "strict": False} for tool in tools],
            "parallel_tool_calls": False,
        },
        "task": task.id,
    }


NEMO_GYM = Target(
    name="nemo_gym",
    title="NeMo Gym",
    requirement="nemo-gym>=0.4,<0.8",
    tested="0.4.0",
    python=">=3.12",
    values=_values,
    particular=_data,
)
