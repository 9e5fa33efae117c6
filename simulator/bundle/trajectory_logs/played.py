"""What a log tells of an attempt, read from a trajectory that anybody may have written: names, times, turns, points."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from simulator.bundle.datasets import Attempt
from simulator.bundle.datasets.chat import Message, turns_of
from simulator.errors import TrajectoryError
from simulator.scenario.times import parse_timestamp
from simulator.tools.plain_values import Refused, parsed_json

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:/[A-Za-z0-9][A-Za-z0-9_-]{0,99}){0,5}")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PARTS = ("completion", "process", "efficiency", "penalties")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the model, the answers to it, and the steps it made; ``at`` is the world's time after them."""

    said: Message
    told: tuple[Message, ...]
    steps: tuple[Mapping[str, Any], ...]
    at: str


def turns(attempt: Attempt) -> Iterator[Turn]:
    """The turns of an attempt, in order. Raises TrajectoryError for a time that is none."""
    groups = groupby(attempt.trajectory.steps, key=lambda step: step.get("turn", step["step"]))
    for (said, *told), (_, group) in zip(turns_of(attempt.trajectory), groups, strict=True):
        steps = tuple(group)
        yield Turn(said, tuple(told), steps, _time(attempt, steps[-1].get("at")))


def arguments_of(call: Message) -> tuple[dict[str, Any], str | None]:
    """The arguments of a call, and what is wrong with them if they are none; they are then under ``text``."""
    text = call["function"]["arguments"]
    try:
        value = parsed_json(text)
    except Refused as error:
        return {"text": text}, str(error)
    return (value, None) if isinstance(value, dict) else ({"text": text}, "The arguments are no object.")


def scenario_id(attempt: Attempt) -> str:
    """The id of the scenario. Raises TrajectoryError when it cannot be one."""
    return _id(attempt, attempt.trajectory.header["scenario"].get("id"), "scenario").replace("/", "-")


def task_id(attempt: Attempt) -> str:
    """The id of the task. Raises TrajectoryError when it cannot be one."""
    return _id(attempt, attempt.task, "task")


def agent_name(attempt: Attempt) -> str:
    """The model that played, or else the agent, as whoever recorded the attempt called it."""
    agent = attempt.trajectory.header.get("agent")
    told = agent if isinstance(agent, Mapping) else {}
    names = (told.get("model"), told.get("name"))
    return next((name[:200] for name in names if isinstance(name, str) and name), "agent")


def began(attempt: Attempt) -> str:
    """The time of the world at which the attempt began, by ISO 8601. Raises TrajectoryError if it is none."""
    return _time(attempt, attempt.trajectory.header["observation"].get("now"))


def scores(attempt: Attempt) -> dict[str, float]:
    """The reward, whether it was a success, and the parts of the score that apply, as numbers."""
    score = (attempt.trajectory.footer or {})["score"]
    parts = {name: float(score[name]) for name in _PARTS if isinstance(score.get(name), int | float)}
    return {"reward": attempt.reward, "success": float(attempt.success), **parts}


def reasons(attempt: Attempt) -> list[str]:
    """Every point won or lost."""
    lines = (attempt.trajectory.footer or {})["score"].get("lines")
    told = [line for line in lines if isinstance(line, Mapping)] if isinstance(lines, list) else []
    return [f"{line.get('points')} {line.get('part')} {line.get('name')}: {line.get('text')}" for line in told]


def facts(attempt: Attempt) -> dict[str, Any]:
    """What an attempt is told apart by: scenario, world, task, how it ended and the digest of its data at the end."""
    header, footer, steps = attempt.trajectory.header, attempt.trajectory.footer or {}, attempt.trajectory.steps
    return {
        "file": attempt.file,
        "scenario": header["scenario"],
        "world": header["world"],
        "task": {name: value for name, value in header["task"].items() if name != "instruction"},
        "ending": footer.get("ending"),
        "reason": footer.get("reason"),
        "state_digest": steps[-1].get("state_digest") if steps else None,
    }


def json_bytes(value: Any) -> bytes:
    """The value as JSON in UTF-8, with half a surrogate pair, which a model may write, as the text of its escape."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _LONE_SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):04x}", text).encode()


def _time(attempt: Attempt, text: object) -> str:
    try:
        parse_timestamp(str(text))
    except ValueError as error:
        raise TrajectoryError(f"{attempt.file}: {error}") from error
    return f"{str(text).replace(' ', 'T')}+00:00"


def _id(attempt: Attempt, value: object, what: str) -> str:
    if not isinstance(value, str) or _ID.fullmatch(value) is None:
        raise TrajectoryError(f"{attempt.file}: {str(value)[:100]!r} is no id of a {what}.")
    return value
