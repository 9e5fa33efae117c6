"""A trajectory in ATIF 1.8, the Agent Trajectory Interchange Format of Harbor (https://harborframework.com/docs).

Times are those of the world. The format has no place for a reward: it stands in ``extra``.
"""

from __future__ import annotations

from typing import Any

from simulator.bundle.datasets import Attempt
from simulator.bundle.datasets.chat import prompt_of
from simulator.bundle.trajectory_logs.played import (
    Turn,
    agent_name,
    arguments_of,
    began,
    facts,
    reasons,
    scenario_id,
    scores,
    task_id,
    turns,
)

VERSION = "ATIF-v1.8"


def atif_of(attempt: Attempt) -> dict[str, Any]:
    """The attempt as one ATIF document. Raises TrajectoryError when an id or a time of it cannot be one."""
    header, start = attempt.trajectory.header, began(attempt)
    steps: list[dict[str, Any]] = [
        {"timestamp": start, "source": message["role"], "message": message["content"]}
        for message in prompt_of(attempt.trajectory)
    ]
    for turn in turns(attempt):
        steps += _steps(turn)
    return {
        "schema_version": VERSION,
        "session_id": f"{scenario_id(attempt)}/{task_id(attempt)}",
        "agent": {
            "name": agent_name(attempt),
            "version": str(header.get("engine"))[:100],
            "tool_definitions": list(header.get("tools", ())),
        },
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
        "final_metrics": {"total_steps": len(steps)},
        "extra": {**scores(attempt), "why": reasons(attempt), **facts(attempt)},
    }


def _steps(turn: Turn) -> list[dict[str, Any]]:
    """A turn as the agent's step and, where it called no tool, the answer as the user's."""
    extra = {
        "reward": sum(float(step["reward"]) for step in turn.steps),
        "state_digest": turn.steps[-1].get("state_digest"),
    }
    said = {"timestamp": turn.at, "source": "agent", "message": turn.said["content"], "extra": extra}
    calls = turn.said.get("tool_calls")
    if calls is None:
        return [said, *({"timestamp": turn.at, "source": "user", "message": item["content"]} for item in turn.told)]
    said["tool_calls"] = [
        {"tool_call_id": call["id"], "function_name": call["function"]["name"], "arguments": arguments_of(call)[0]}
        for call in calls
    ]
    said["observation"] = {
        "results": [{"source_call_id": item["tool_call_id"], "content": item["content"]} for item in turn.told]
    }
    return [said]
