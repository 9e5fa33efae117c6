"""The report of a verification: what was looked at, what is wrong, and the numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from simulator.errors import UsageError
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import SEVERITIES, CheckResult, Finding, Part, Tally, merged
from simulator.scenario.canonical import canonical_json

FORMAT = "worldwright-verification"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What one check came to: how many findings of each severity it has, and in how many places it looked.

    ``measures`` marks a check whose figures are measurements, which differ from run to run.
    """

    id: str
    title: str
    places: int
    findings: Mapping[str, int]
    measures: bool = False

    @property
    def passed(self) -> bool:
        """Whether it found nothing that blocks."""
        return not self.findings.get("blocking", 0)


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """What a verification found.

    ``tasks`` counts the verified tasks of each template, over all worlds; ``asked`` is how many were asked for of each
    template and world, None for all. ``parts`` are in the order of the checks, then of templates, then of seeds.
    """

    scenario: str
    version: str
    title: str
    digest: str
    engine: str
    seeds: tuple[int, ...]
    asked: int | None
    tasks: Mapping[str, int]
    checks: tuple[CheckOutcome, ...]
    parts: tuple[Part, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings: what blocks first, otherwise in the order of the parts."""
        found = [finding for part in self.parts for finding in part.result.findings]
        return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))

    @property
    def passed(self) -> bool:
        """Whether nothing blocks."""
        return not any(finding.severity == "blocking" for finding in self.findings)

    def tallies(self, check: str, template: str | None = None) -> tuple[Tally, ...]:
        """What a check counted, over all worlds; only of one template if named."""
        parts = [part for part in self.parts if part.check == check and template in (None, part.template)]
        return merged(tuple(tally for part in parts for tally in part.result.tallies))

    def figures(self, check: str) -> tuple[tuple[str | None, int | None, Mapping[str, JsonValue]], ...]:
        """Each (template, seed) at which a check has figures, with them; None where that is not one."""
        return tuple(
            (part.template, part.seed, part.result.figures)
            for part in self.parts
            if part.check == check and part.result.figures
        )

    @property
    def fingerprint(self) -> str:
        """``sha256:`` and 64 digits that name all of the report but its measurements."""
        measured = {outcome.id for outcome in self.checks if outcome.measures}
        value = self._value()
        value["parts"] = [part for part in value["parts"] if part["check"] not in measured]
        return "sha256:" + hashlib.sha256(canonical_json(value).encode("utf-8", "backslashreplace")).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The report as plain JSON."""
        return {"format": FORMAT, "schema": SCHEMA, "fingerprint": self.fingerprint, **self._value()}

    def _value(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "scenario": {"id": self.scenario, "version": self.version, "title": self.title, "digest": self.digest},
            "engine": self.engine,
            "seeds": list(self.seeds),
            "asked": self.asked,
            "tasks": dict(self.tasks),
            "checks": [
                {
                    "id": outcome.id,
                    "title": outcome.title,
                    "passed": outcome.passed,
                    "places": outcome.places,
                    "findings": dict(outcome.findings),
                    "measures": outcome.measures,
                }
                for outcome in self.checks
            ],
            "parts": [
                {"check": part.check, "template": part.template, "seed": part.seed, **part.result.to_json()}
                for part in self.parts
            ],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> VerificationReport:
        """The report that became this JSON. Raises :class:`UsageError` for anything else."""
        try:
            if value["format"] != FORMAT or value["schema"] != SCHEMA:
                raise UsageError(f"This is no verification report of schema {SCHEMA}.")
            scenario = value["scenario"]
            return cls(
                scenario=scenario["id"],
                version=scenario["version"],
                title=scenario["title"],
                digest=scenario["digest"],
                engine=value["engine"],
                seeds=tuple(value["seeds"]),
                asked=value["asked"],
                tasks=dict(value["tasks"]),
                checks=tuple(
                    CheckOutcome(item["id"], item["title"], item["places"], dict(item["findings"]), item["measures"])
                    for item in value["checks"]
                ),
                parts=tuple(
                    Part(part["check"], part["template"], part["seed"], CheckResult.from_json(part))
                    for part in value["parts"]
                ),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"This is no verification report: {type(error).__name__}: {error}") from error


def outcomes(checks: Sequence[Check], parts: Sequence[Part]) -> tuple[CheckOutcome, ...]:
    """What each check came to; checks of one id are one."""
    found: dict[str, CheckOutcome] = {}
    for check in checks:
        mine = [part for part in parts if part.check == check.id]
        severities = [finding.severity for part in mine for finding in part.result.findings]
        counts: dict[str, int] = {name: severities.count(name) for name in SEVERITIES if name in severities}
        measures = check.measures or (check.id in found and found[check.id].measures)
        found[check.id] = CheckOutcome(check.id, check.title, len(mine), counts, measures)
    return tuple(found.values())
