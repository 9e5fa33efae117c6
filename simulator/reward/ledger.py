"""What one episode is scored on, as plain data: nothing here reads a database, so any ledger can be scored again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from simulator.rules import ProcessResult, Violation
from simulator.tasks import CheckResult, Damage

Ending = Literal["running", "finished", "ended", "stopped", "truncated"]
"""How the episode stands: ``finished`` by `finish`, ``ended`` by an operation that says `ends`, ``stopped`` from
outside (`env.stop`), ``truncated`` at the step limit. Only the first two are the agent's own ending."""


@dataclass(frozen=True, slots=True)
class FailedAction:
    """An action that got an error: the verdict's kind and code."""

    step: int
    tool: str
    kind: str
    code: str


@dataclass(frozen=True, slots=True)
class SolutionTrace:
    """What one solution sets as a measure: its length in steps (`finish` counts) and the process rules it activates."""

    steps: int
    activates: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything the score of one episode depends on.

    ``violations`` are the recorded ones of state, change and lifecycle rules (what was denied was rolled back, and is a
    failed action); those of process rules stand in ``process``, which has one result for every process rule. ``steps``
    counts every action taken, ``limit`` the actions allowed; ``allowance`` is what faults added to that limit, added to
    the par as well. ``check_steps`` tells, where it is known, at which step a check came to stand as it does.
    """

    ending: Ending
    steps: int
    limit: int
    checks: tuple[CheckResult, ...]
    allowance: int = 0
    solutions: tuple[SolutionTrace, ...] = ()
    process: tuple[ProcessResult, ...] = ()
    violations: tuple[Violation, ...] = ()
    damages: tuple[Damage, ...] = ()
    failed_actions: tuple[FailedAction, ...] = ()
    check_steps: Mapping[str, int] = field(default_factory=dict)

    def all_violations(self) -> tuple[Violation, ...]:
        """The violations of every kind of rule, in step order."""
        process = (violation for result in self.process for violation in result.violations)
        return tuple(sorted((*self.violations, *process), key=lambda violation: violation.step))
