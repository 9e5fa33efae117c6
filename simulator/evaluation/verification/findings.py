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

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Finding:
        """The finding that became this JSON. Raises KeyError or TypeError for JSON that no finding became."""
        evidence = value["evidence"]
        if evidence is not None:
            evidence = Evidence(**{**evidence, "actions": tuple(evidence["actions"])})
        return cls(**{**value, "evidence": evidence})


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

    def to_json(self) -> dict[str, Any]:
        """The tally as plain JSON."""
        return {**asdict(self), "by": dict(self.by)}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found about one subject. ``figures`` are numbers for the report, by name."""

    findings: tuple[Finding, ...] = ()
    tallies: tuple[Tally, ...] = ()
    figures: Mapping[str, JsonValue] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON."""
        return {
            "findings": [finding.to_json() for finding in self.findings],
            "tallies": [tally.to_json() for tally in self.tallies],
            "figures": dict(self.figures),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> CheckResult:
        """The result that became this JSON. Raises KeyError or TypeError for JSON that no result became."""
        return cls(
            tuple(Finding.from_json(finding) for finding in value["findings"]),
            tuple(Tally(**tally) for tally in value["tallies"]),
            dict(value["figures"]),
        )


@dataclass(frozen=True, slots=True)
class Part:
    """What one check found in one place: a template in a world, a world, or the scenario.

    ``seed`` is the world's; None, like ``template``, where that is not one.
    """

    check: str
    template: str | None
    seed: int | None
    result: CheckResult


def merged(tallies: tuple[Tally, ...]) -> tuple[Tally, ...]:
    """One tally a kind, in the order in which the kinds first appear."""
    found: dict[str, Tally] = {}
    for tally in tallies:
        found[tally.kind] = found[tally.kind] + tally if tally.kind in found else tally
    return tuple(found.values())
