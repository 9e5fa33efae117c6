"""What a verification finds: findings with evidence that can be replayed, tallies, and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pydantic import JsonValue

Severity = Literal["blocking", "warning", "review"]
"""``blocking`` keeps a scenario from being published, ``warning`` does not, ``review`` asks a person to look."""

SEVERITIES: tuple[Severity, ...] = ("blocking", "warning", "review")


@dataclass(frozen=True, slots=True)
class Evidence:
    """An episode that shows a finding: these actions, in this task of the world of this seed, with this episode seed.

    ``step`` is the action to look at, counted from 1; None where the whole counts.
    """

    world_seed: int
    task: str
    episode_seed: int
    actions: tuple[Mapping[str, Any], ...]
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or may be.

    ``check`` is the stable id of the check (``solvable.completion``). ``about`` names what it is about: a template
    (``tasks.reroute``), a rule (``rules.process.x``), an operation (``tools.x``); empty for the scenario. ``message``
    says what is the matter, ``suggestion`` how to mend it.
    """

    check: str
    severity: Severity
    about: str
    message: str
    suggestion: str
    evidence: Evidence | None = None

    def to_json(self) -> dict[str, Any]:
        """The finding as plain JSON."""
        value = asdict(self)
        if self.evidence is not None:
            value["evidence"]["actions"] = list(self.evidence.actions)
        return value


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of a kind there were, and how many were ``noticed``; ``by`` counts what noticed them, by its name.

    ``equivalent`` ones came to the same as the solution and count for nothing.
    """

    kind: str
    of: int = 0
    noticed: int = 0
    equivalent: int = 0
    by: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Tally) -> Tally:
        by = {name: self.by.get(name, 0) + other.by.get(name, 0) for name in (*self.by, *other.by)}
        return Tally(
            self.kind, self.of + other.of, self.noticed + other.noticed, self.equivalent + other.equivalent, by
        )


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found about one subject. ``figures`` are numbers for the report, by name."""

    findings: tuple[Finding, ...] = ()
    tallies: tuple[Tally, ...] = ()
    figures: Mapping[str, JsonValue] = field(default_factory=dict)


def merged(tallies: tuple[Tally, ...]) -> tuple[Tally, ...]:
    """One tally a kind, in the order in which the kinds first appear."""
    found: dict[str, Tally] = {}
    for tally in tallies:
        found[tally.kind] = found[tally.kind] + tally if tally.kind in found else tally
    return tuple(found.values())
