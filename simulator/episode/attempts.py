"""What one action came to before time passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from simulator.episode.faults import TOOK_EFFECT_FLAG, Strike
from simulator.episode.logs import REPLAYED
from simulator.episode.state import StoredReply
from simulator.rules import ActionEvent, Violation
from simulator.tools import Verdict, result_text
from simulator.world import RowChange


@dataclass(slots=True)
class Tried:
    """An operation's outcome before time passes."""

    verdict: Verdict
    result: Any = None
    changes: tuple[RowChange, ...] = ()
    violations: tuple[Violation, ...] = ()
    event: ActionEvent | None = None
    reply: tuple[tuple[str, str], StoredReply] | None = None
    flags: tuple[str, ...] = ()
    strike: Strike | None = None
    as_of: int | None = None

    @property
    def done(self) -> bool:
        """Whether the world did what was asked, told so or not."""
        return self.verdict.ok or TOOK_EFFECT_FLAG in self.flags

    @property
    def replayed(self) -> bool:
        """Whether an idempotency key used before answered it: nothing is done, no time passes, nothing is charged."""
        return REPLAYED in self.flags


@dataclass(frozen=True, slots=True)
class Settled:
    """What was written and may stay."""

    changes: tuple[RowChange, ...]
    violations: tuple[Violation, ...]
    event: ActionEvent

    def resulting(self, verdict: Verdict, result: Any) -> Tried:
        """The outcome, with its result."""
        event = replace(self.event, result=result_text(result))
        return Tried(verdict, result, self.changes, self.violations, event)
