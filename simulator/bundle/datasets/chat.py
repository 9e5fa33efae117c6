"""A trajectory as a chat, in the format of OpenAI's API: what the model was told, what it called, what came of it.

The texts are those that every target shows a model, so a model trained on them meets nothing new.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from simulator.bundle.tool_episode import first_messages
from simulator.episode import Trajectory, render

Message = dict[str, Any]


def prompt_of(trajectory: Trajectory) -> list[Message]:
    """The messages before the model's first: the policy as the system's, the task as the user's."""
    return [dict(message) for message in first_messages(trajectory.header["observation"])]


def turns_of(trajectory: Trajectory) -> list[list[Message]]:
    """For each turn of the model its message, with all calls made at once, and the answers to them."""
    turns = []
    for _, group in groupby(trajectory.steps, key=lambda step: step.get("turn", step["step"])):
        steps = list(group)
        calls = [_call(step) for step in steps]
        answers = [render(step["observation"]) for step in steps]
        if all(call is not None for call in calls):
            said: Message = {"role": "assistant", "content": "", "tool_calls": calls}
            told = [
                {"role": "tool", "tool_call_id": call["id"], "content": answer}
                for call, answer in zip(calls, answers, strict=True)
                if call is not None
            ]
            turns.append([said, *told])
        else:  # what was no call is said as it was, and answered as by a user
            text = "\n".join(_said(step) for step in steps)
            turns.append([{"role": "assistant", "content": text}, {"role": "user", "content": "\n".join(answers)}])
    return turns


def completion_of(trajectory: Trajectory) -> list[Message]:
    """All messages from the model's first on, to its last: nothing is said after that."""
    messages = [message for turn in turns_of(trajectory) for message in turn]
    while messages and messages[-1]["role"] != "assistant":
        messages.pop()
    return messages


def _call(step: Mapping[str, Any]) -> Message | None:
    """A step's action as a call, None where it was none."""
    action = step["action"]
    if not isinstance(action, Mapping) or not isinstance(action.get("tool"), str) or "unreadable" in action:
        return None
    arguments = action.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    name = step.get("call_id")
    return {
        "id": name if isinstance(name, str) and name else f"call_{step['step']}",
        "type": "function",
        "function": {"name": action["tool"], "arguments": text},
    }


def _said(step: Mapping[str, Any]) -> str:
    raw = step.get("raw")
    return raw if isinstance(raw, str) else json.dumps(step["action"], ensure_ascii=False)
