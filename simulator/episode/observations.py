"""What an agent sees: at reset its task, after each step what became of its action. One rendering for all adapters."""

from __future__ import annotations

import json
from typing import Any

from simulator.episode.engine import Engine
from simulator.episode.state import EpisodeState, Observation
from simulator.rules import Violation
from simulator.scenario.times import format_timestamp
from simulator.tools import Verdict


def first_observation(engine: Engine, state: EpisodeState) -> Observation:
    """What the agent is told at reset: policy, instruction, role, now, tools, steps_left."""
    role = state.task.role
    return {
        "policy": engine.document.policy,
        "instruction": state.task.instruction,
        "role": None if role is None else {"name": role, "summary": engine.document.roles[role].summary},
        "now": format_timestamp(state.now),
        "tools": list(engine.tools(role)),
        "steps_left": state.task.steps,
    }


def observation(
    state: EpisodeState,
    verdict: Verdict,
    result: Any,
    violations: tuple[Violation, ...] = (),
    as_of: int | None = None,
) -> Observation:
    """What the agent is told after an action: ok, kind, code, status, message, result, now, steps_left.

    ``notices`` appears when a rule that says `tell` was broken. What timed out tells nothing of what it did.
    ``as_of`` appears when the result shows the data of an earlier moment, and is that moment.
    """
    told: Observation = {
        "ok": verdict.ok,
        "kind": verdict.kind,
        "code": verdict.code,
        "status": verdict.status,
        "message": verdict.message,
        "result": result,
        "now": format_timestamp(state.now),
        "steps_left": max(0, state.step_limit - len(state.events)),
    }
    if as_of is not None:
        told["as_of"] = format_timestamp(as_of)
    notices = [violation.message for violation in violations if violation.tell and verdict.kind != "fault"]
    if notices:
        told["notices"] = notices
    return told


def render(told: Observation) -> str:
    """The text of an observation, as every adapter shows it."""
    if "instruction" in told:
        role = told["role"]
        part = [told["policy"].strip()] if told["policy"] else []
        if role is not None:
            part.append(f"Your role: {role['name']}. {role['summary']}".strip())
        part.append(f"It is {told['now']} (UTC). You have {told['steps_left']} steps.")
        part.append(f"Your task:\n{told['instruction'].strip()}")
        return "\n\n".join(part)
    lines = []
    if told["ok"]:
        lines.append(json.dumps(told["result"], ensure_ascii=False))
        if told["message"]:
            lines.append(f"Note: {told['message']}")
    else:
        lines.append(f"Error {told['status']} {told['code']}: {told['message']}")
    lines += [f"Note: {notice}" for notice in told.get("notices", ())]
    lines.append(f"[{told['now']}; {told['steps_left']} steps left]")
    return "\n".join(lines)
