"""Trajectories: one JSON Lines file an episode, with a versioned schema.

The first line is the header (what was played: scenario, world, task, seeds, limits, tools, the first observation, the
agent), then one line a step, and the footer (how it ended and what it scored). ``docs/trajectory.md`` describes every
field. Wall times (``wall_ms``) are there for people and never compared.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulator.episode.state import SourcedChange, StepRecord
from simulator.errors import TrajectoryError
from simulator.rules import Violation
from simulator.scenario.times import format_timestamp

FORMAT = "worldwright-trajectory"
SCHEMA = 1

_MOST_BYTES = 256 * 1024 * 1024
_MOST_LINES = 10_000

Line = dict[str, Any]


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
        """Write the file whole or not at all."""
        target = Path(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
        text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in self.lines())
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(target)

    @classmethod
    def load(cls, path: str | Path) -> Trajectory:
        """Read a file. Raises :class:`TrajectoryError` naming the line that is wrong."""
        source = Path(path)
        try:
            if source.stat().st_size > _MOST_BYTES:
                raise TrajectoryError(f"{source.name} is larger than {_MOST_BYTES // 2**20} MiB")
            text = source.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise TrajectoryError(f"{source} cannot be read: {error}") from error
        lines = [_read_line(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines or lines[0].get("type") != "header" or lines[0].get("format") != FORMAT:
            raise TrajectoryError("this is no Worldwright trajectory: the first line must be its header", line=1)
        if lines[0].get("schema") != SCHEMA:
            raise TrajectoryError(
                f"the file has schema {lines[0].get('schema')!r}; this release reads schema {SCHEMA}", line=1
            )
        if len(lines) > _MOST_LINES:
            raise TrajectoryError(f"more than {_MOST_LINES} lines")
        footer = lines.pop() if len(lines) > 1 and lines[-1].get("type") == "footer" else None
        for number, line in enumerate(lines[1:], 2):
            if line.get("type") != "step":
                raise TrajectoryError(f"a step was expected, not {line.get('type')!r}", line=number)
            missing = [name for name in ("step", "action", "verdict", "observation", "reward") if name not in line]
            if missing:
                raise TrajectoryError(f"the step has no {missing[0]!r}", line=number)
        missing = [name for name in ("scenario", "world", "task", "reset_seed", "observation") if name not in lines[0]]
        if missing:
            raise TrajectoryError(f"the header has no {missing[0]!r}", line=1)
        return cls(lines[0], tuple(lines[1:]), footer)


def step_line(record: StepRecord) -> Line:
    """A step as its line."""
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
    line.update(record.extras)
    return line


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


def recordable(action: object, *, accepted: bool, most: int = 200_000) -> Any:
    """The action as JSON can hold it. ``accepted`` says whether the engine carried it out.

    What JSON cannot hold (bytes, NaN, a cycle, a lone surrogate) or takes more than ``most`` characters is described by
    an object with the one key ``unreadable``; a replay takes the recorded verdict for it.
    """
    kind = type(action).__name__[:100]
    try:
        text = json.dumps(action, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except (TypeError, ValueError, RecursionError):
        return {"unreadable": kind}
    if len(text) > most:
        return {"unreadable": f"{kind} of {len(text)} characters"}
    held = json.loads(text)
    # JSON has no tuples and only text keys: what was refused for its Python form must not become something else.
    return held if accepted or held == action else {"unreadable": kind}


def _read_line(number: int, text: str) -> Line:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"not JSON: {error}", line=number) from error
    if not isinstance(value, dict):
        raise TrajectoryError("not a JSON object", line=number)
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
