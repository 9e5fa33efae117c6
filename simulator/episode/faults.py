"""Faults: which calls the world itself lets fail, and what the agent is told of it.

Whether a call is struck is a hash of the world's seed, the task, the episode's seed, the operation and how many calls
of it there were: no generator runs, so forks, replays and restored moments agree. A fault never strikes one operation
more than twice running (an outage is one fault, however many calls meet it), and each adds :data:`STEPS` to the step
limit and to the par. All together they add at most as many steps as the task allows; then the world stays calm, so
nobody stretches an episode by calling until something fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b

from simulator.episode.state import EpisodeState, FaultRecord, Moment
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import Fault, ScenarioDocument
from simulator.tools import FaultKind

STEPS = 2
"""What one fault adds to the step limit and the par: the call that failed, and one to wait or to look."""

MOST_RUNNING = 2
"""How often running one operation is struck."""

STRUCK_FLAG = "fault"
"""``fault:NAME`` is the flag of a step that a fault struck."""

TOOK_EFFECT_FLAG = "took_effect"
"""The flag of a step whose call timed out after its effect took place."""

_BITS = 53


@dataclass(frozen=True, slots=True)
class Strike:
    """A fault that strikes a call. ``counted`` is False while a rate limit that struck before still holds.

    ``retry_after`` is in seconds of the world's time.
    """

    fault: str
    kind: FaultKind
    after_effect: bool = False
    retry_after: int = 0
    behind: int = 0
    counted: bool = True

    @property
    def flag(self) -> str:
        """What trainers are told."""
        return f"{STRUCK_FLAG}:{self.fault}"


@dataclass(frozen=True, slots=True)
class _Chance:
    """One fault that may strike an operation, when the number drawn is below ``bound``."""

    name: str
    fault: Fault
    bound: int


@dataclass(slots=True)
class _Operation:
    """What may strike one operation."""

    chances: list[_Chance] = field(default_factory=list)
    outages: list[tuple[str, Fault]] = field(default_factory=list)


class Faults:
    """The faults of one scenario, ready to strike. Holds nothing of an episode."""

    def __init__(self, document: ScenarioDocument, world_seed: int) -> None:
        self._world_seed = world_seed
        self._operations: dict[str, _Operation] = {}
        self._behind = max((item.behind for item in document.faults.values() if item.kind == "stale_read"), default=0)
        for name, fault in document.faults.items():
            for tool in fault.names:
                self._operations.setdefault(tool, _Operation())
                self._add(self._operations[tool], name, fault)

    def _add(self, operation: _Operation, name: str, fault: Fault) -> None:
        if fault.kind == "outage":
            operation.outages.append((name, fault))
            return
        before = operation.chances[-1].bound if operation.chances else 0
        operation.chances.append(_Chance(name, fault, before + int(fault.share * (1 << _BITS))))

    def at_reset(self) -> FaultRecord | None:
        """What an episode begins with; None where no fault is declared."""
        return FaultRecord() if self._operations else None

    def strike(self, state: EpisodeState, tool: str) -> Strike | None:
        """The fault that strikes the call of ``tool`` made now, None where none does."""
        record, operation = state.faults, self._operations.get(tool)
        if record is None or operation is None:
            return None
        limited = record.limited.get(tool)
        if limited is not None and state.now < limited[1]:
            return Strike(limited[0], "rate_limit", retry_after=limited[1] - state.now, counted=False)
        if record.steps_added + STEPS > state.task.steps:
            return None
        step = len(state.events) + 1
        for name, fault in operation.outages:
            if (fault.from_step or 0) <= step <= (fault.to_step or 0):
                return Strike(name, "outage")
        if record.running.get(tool, 0) >= MOST_RUNNING:
            return None
        drawn = self._drawn(state, tool, record.calls.get(tool, 0) + 1)
        chance = next((chance for chance in operation.chances if drawn < chance.bound), None)
        return None if chance is None else _strike(chance.name, chance.fault)

    def record(self, state: EpisodeState, tool: str, strike: Strike | None) -> FaultRecord | None:
        """What is known of faults after a step that began in ``state``: it called ``tool`` (empty where it was no call
        that a fault can strike), and ``strike`` struck it.
        """
        record = state.faults
        if record is None:
            return None
        if self._behind:
            moments = (*record.moments, Moment(state.pages, state.issued, state.now))[-self._behind :]
            record = replace(record, moments=moments)
        if tool not in self._operations:
            return record
        counted = strike is not None and strike.counted
        limited = record.limited
        if strike is not None and strike.kind == "rate_limit" and counted:
            limited = {**limited, tool: (strike.fault, state.now + strike.retry_after)}
        running = record.running.get(tool, 0) + 1 if counted else 0 if strike is None else record.running.get(tool, 0)
        return replace(
            record,
            calls={**record.calls, tool: record.calls.get(tool, 0) + 1},
            running={**record.running, tool: running},
            limited=limited,
            struck=record.struck + counted,
            steps_added=record.steps_added + STEPS * counted,
        )

    def _drawn(self, state: EpisodeState, tool: str, call: int) -> int:
        """A whole number below 2**53 for the n-th call of an operation in this episode."""
        text = f"fault/{self._world_seed}/{state.task.id}/{state.seed}/{tool}/{call}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> (64 - _BITS)


def _strike(name: str, fault: Fault) -> Strike:
    return Strike(
        name,
        fault.kind,
        after_effect=fault.kind == "timeout" and fault.effect == "after",
        retry_after=parse_duration(fault.retry_after) if fault.kind == "rate_limit" else 0,
        behind=fault.behind if fault.kind == "stale_read" else 0,
    )
