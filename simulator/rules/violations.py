"""What judging yields: violations of rules, and how each process rule fared over a whole episode."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule broken once.

    ``rule`` is ``state.<name>``, ``change.<name>``, ``process.<name>`` or ``lifecycle.<table>``. ``severity`` is None
    for a process rule that states none: only the process part of the score prices it. ``step`` is the step that broke
    it. ``row`` is canonical JSON: ``[table, key]`` of the row concerned, the returned row where a query names no table,
    and empty for a Declare template. ``message`` is for the agent, ``sentence`` for the author and the score. With
    ``deny`` the action is to be rolled back; with ``tell`` the agent learns of the violation.
    """

    rule: str
    severity: str | None
    step: int
    row: str
    message: str
    deny: bool
    tell: bool
    sentence: str


def unchecked(rule: str, severity: str | None, step: int, reason: str) -> Violation:
    """The violation of leaving data behind on which a rule cannot be computed (a number too large, malformed JSON).

    Otherwise breaking a rule's SQL would be a way around the rule.
    """
    message = f"The rule {rule} cannot be checked on the data as it is: {reason}"
    return Violation(rule, severity, step, "", message, False, False, message)


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """One process rule at the end of an episode.

    ``activated``: the rule had something to say (see :mod:`simulator.rules.templates`). A rule that was never activated
    is neither kept nor, unless something it demands never came, violated.
    """

    rule: str
    activated: bool
    violations: tuple[Violation, ...]

    @property
    def kept(self) -> bool:
        """Activated and never violated."""
        return self.activated and not self.violations
