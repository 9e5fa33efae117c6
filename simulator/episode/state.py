"""The state of an episode: everything that a step reads and replaces, in one immutable value.

A fork or a snapshot is this value; nothing of an episode lives anywhere else, so restoring is laying it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from simulator.reward import Score
from simulator.rules import ActionEvent, StateBaseline, Violation
from simulator.tasks import Task
from simulator.tools import Verdict
from simulator.world import NetChanges, Pages, RowChange

Ending = Literal["finished", "ended", "stopped", "truncated", "invalid"]
"""``finished`` by `finish`, ``ended`` by an operation that ends the task, ``stopped`` from outside, ``truncated`` at
the step limit, ``invalid`` by a fault of the engine."""

Source = Literal["agent", "timeline"]

Observation = dict[str, Any]
"""What an agent receives: a JSON object."""


@dataclass(frozen=True, slots=True)
class SourcedChange:
    """A row change, who made it, and at which step."""

    step: int
    source: Source
    change: RowChange


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step as the trajectory keeps it.

    ``action`` is the action as JSON can hold it; ``at`` is world time and ``wall`` the time it took, in seconds, which
    is never compared. ``turn``, ``call_id``, ``raw`` and ``extras`` (messages, tokens, logprobs) are the adapter's.
    """

    step: int
    turn: int
    action: Any
    verdict: Verdict
    observation: Observation
    changes: tuple[SourcedChange, ...]
    violations: tuple[Violation, ...]
    state_digest: str
    reward: float
    at: int
    wall: float
    flags: tuple[str, ...] = ()
    raw: str | None = None
    call_id: str | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredReply:
    """What an idempotency key got the first time; ``fingerprint`` tells a repetition from another request."""

    fingerprint: str
    result: Any


@dataclass(frozen=True, slots=True)
class DueEvent:
    """A timeline event that takes effect at world time ``at``; ``order`` is its place among events of one moment."""

    at: int
    order: int
    name: str
    bindings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Moment:
    """The data as they were at the beginning of an earlier step; ``now`` is that moment's time."""

    pages: Pages
    issued: Mapping[str, int]
    now: int


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """What faults have done in an episode, by operation where not said otherwise.

    ``calls`` counts the calls that a fault could have struck, ``running`` the strikes since the last call that went
    well; ``limited`` is the rate limit that struck and the time until which it holds. ``struck`` counts the faults of
    the episode, ``steps_added`` what they added to its limit. ``moments`` are the latest, as far as stale reads go.
    """

    calls: Mapping[str, int] = field(default_factory=dict)
    running: Mapping[str, int] = field(default_factory=dict)
    limited: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    struck: int = 0
    steps_added: int = 0
    moments: tuple[Moment, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeState:
    """One moment of one episode. Times are world time in seconds since 1970.

    ``world`` is the digest of the world's content, ``pages`` are the database now and ``before`` as the task began;
    ``delta`` sums up all changes to the image, the task's setup included. ``issued`` counts the keys given out by
    table, ``replies`` are the idempotency records, ``changes`` every row change in order, ``agent_changes`` and
    ``timeline_changes`` their net. ``faults`` is None where none strike. ``score`` is set once the episode has ended;
    ``closing_reward`` is what stopping it from outside paid.
    """

    world: str
    task: Task
    seed: int
    pages: Pages
    before: Pages
    start: int
    now: int
    delta: int
    issued: Mapping[str, int]
    baseline: StateBaseline
    due: tuple[DueEvent, ...] = ()
    changes: tuple[SourcedChange, ...] = ()
    agent_changes: NetChanges = field(default_factory=NetChanges)
    timeline_changes: NetChanges = field(default_factory=NetChanges)
    events: tuple[ActionEvent, ...] = ()
    violations: tuple[Violation, ...] = ()
    replies: Mapping[tuple[str, str], StoredReply] = field(default_factory=dict)
    faults: FaultRecord | None = None
    steps: tuple[StepRecord, ...] = ()
    cost: float = 0.0
    ending: Ending | None = None
    reason: str = ""
    answer: str | None = None
    refusal: str | None = None
    closing_reward: float = 0.0
    score: Score | None = None

    @property
    def steps_added(self) -> int:
        """What faults have added to the step limit."""
        return 0 if self.faults is None else self.faults.steps_added

    @property
    def step_limit(self) -> int:
        """How many actions the episode may have: the task's limit, and what faults added to it."""
        return self.task.steps + self.steps_added
