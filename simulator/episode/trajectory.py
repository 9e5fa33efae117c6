"""Trajectories: one JSON Lines file an episode, with a versioned schema.

The first line is the header (what was played: scenario, world, task, seeds, limits, tools, the first observation, the
agent), then one line a step, and the footer (how it ended and what it scored). ``docs/trajectory.md`` describes every
field. Wall times (``wall_ms``) are there for people and never compared.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from simulator.episode.state import SourcedChange, StepRecord
from simulator.errors import TrajectoryError, UsageError
from simulator.rules import Violation
from simulator.scenario.python_values import file_path
from simulator.scenario.regular_files import read_regular
from simulator.scenario.times import format_timestamp

FORMAT = "worldwright-trajectory"
SCHEMA = 1

_MOST_BYTES = 256 * 1024 * 1024
_MOST_LINES = 10_000

Line = dict[str, Any]

EXTRAS = ("messages", "tokens", "logprobs")
"""What an adapter may add to a step."""

# What reading a trajectory relies on; a replay compares everything else.
_HEADER = {"scenario": dict, "world": dict, "task": dict, "reset_seed": int, "observation": dict}
_STEP = {"step": int, "action": object, "verdict": dict, "observation": dict, "reward": (int, float)}
_FOOTER = {"ending": str, "reward": (int, float)}


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The record of one episode, as JSON lines. ``footer`` is None while the episode goes on."""

    header: Line
    steps: tuple[Line, ...] = ()
    footer: Line | None = field(default=None)

    @property
    def total_reward(self) -> float:
        """The sum of the steps' rewards."""
        return float(sum(step["reward"] for step in self.steps)) + float((self.footer or {}).get("reward", 0.0))

    def lines(self) -> tuple[Line, ...]:
        """All lines, in file order."""
        return (self.header, *self.steps, *([self.footer] if self.footer is not None else []))

    def save(self, path: str | Path) -> None:
        """Write the file whole or not at all. Raises OSError."""
        target = file_path("path", path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
        text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in self.lines())
        try:
            # Half a surrogate pair (a model's raw output may hold one) becomes its escape, which is JSON's as well.
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: str | Path) -> Trajectory:
        """Read a file. Raises :class:`TrajectoryError` naming the line that is wrong."""
        source = Path(path) if isinstance(path, str) else file_path("path", path)
        try:
            text = read_regular(source, _MOST_BYTES).decode("utf-8")
        except UsageError as error:
            raise TrajectoryError(str(error)) from error
        except UnicodeDecodeError as error:
            raise TrajectoryError(f"{source} cannot be read: {error}") from error
        # Only "\n" parts lines: JSON texts may hold other characters that `splitlines` takes for an end.
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) > _MOST_LINES:
            raise TrajectoryError(f"more than {_MOST_LINES} lines")
        read = [(number, _read_line(number, line)) for number, line in lines]
        if not read:
            raise TrajectoryError("the file is empty", line=1)
        number, header = read.pop(0)
        _check_header(number, header)
        footer = None
        if read and read[-1][1].get("type") == "footer":
            number, footer = read.pop()
            _check(number, footer, "footer", _FOOTER)
        for number, line in read:
            if line.get("type") != "step":
                raise TrajectoryError(f"a step was expected, not {str(line.get('type'))[:100]!r}", line=number)
            _check(number, line, "step", _STEP)
        return cls(header, tuple(line for _, line in read), footer)


def step_line(record: StepRecord) -> Line:
    """A step as its line, a copy of its own."""
    line: Line = {
        "type": "step",
        "step": record.step,
        "turn": record.turn,
        "call_id": record.call_id,
        "raw": record.raw,
        "action": record.action,
        "verdict": {
            "kind": record.verdict.kind,
            "code": record.verdict.code,
            "status": record.verdict.status,
            "message": record.verdict.message,
        },
        "observation": record.observation,
        "changes": [change_json(item) for item in record.changes],
        "violations": [violation_json(item) for item in record.violations],
        "flags": list(record.flags),
        "state_digest": record.state_digest,
        "reward": record.reward,
        "at": format_timestamp(record.at),
        "wall_ms": round(record.wall * 1000, 3),
    }
    return deepcopy({**line, **record.extras})


def change_json(item: SourcedChange) -> Line:
    """A row change as JSON."""
    change = item.change
    return {
        "step": item.step,
        "source": item.source,
        "table": change.table,
        "op": change.op,
        "key": list(change.key),
        "old": None if change.old is None else dict(change.old),
        "new": None if change.new is None else dict(change.new),
    }


def violation_json(item: Violation) -> Line:
    """A violation as JSON."""
    return {
        "rule": item.rule,
        "severity": item.severity,
        "step": item.step,
        "row": item.row,
        "message": item.message,
    }


def _read_line(number: int, text: str) -> Line:
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"not JSON: {error}", line=number) from error
    if not isinstance(value, dict):
        raise TrajectoryError("not a JSON object", line=number)
    return value


def _check_header(number: int, header: Line) -> None:
    if header.get("type") != "header" or header.get("format") != FORMAT:
        raise TrajectoryError("this is no Worldwright trajectory: the first line must be its header", line=number)
    if type(header.get("schema")) is not int or header["schema"] != SCHEMA:
        told = str(header.get("schema"))[:100]
        raise TrajectoryError(f"the file has schema {told!r}; this release reads schema {SCHEMA}", line=number)
    _check(number, header, "header", _HEADER)


def _check(number: int, line: Line, what: str, expected: Mapping[str, Any]) -> None:
    for name, kind in expected.items():
        if name not in line:
            raise TrajectoryError(f"the {what} has no {name!r}", line=number)
        if not isinstance(line[name], kind) or (kind is not object and isinstance(line[name], bool)):
            raise TrajectoryError(f"the {what}'s {name!r} is of the wrong type", line=number)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is no number JSON can hold")
