"""A verification's report as a page shows it: what was found, by the place it is about, and the checks' shares."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scenarios.models import Verification
from scenarios.services.stored_files import read_bytes
from simulator.evaluation.verification import Finding, Tally, VerificationReport

SEVERITIES = ("blocking", "warning", "review")
_MOST_ACTIONS = 60


@dataclass(frozen=True, slots=True)
class Told:
    """Findings that say the same of one place: the first of them, and how many more there are."""

    finding: Finding
    more: int
    actions: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Place:
    """What was found about one part of the scenario, the gravest first."""

    about: str
    severity: str
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A report in the order of reading. ``mutants`` are the tallies of the mutants by kind, ``score`` their share."""

    report: VerificationReport
    places: tuple[Place, ...]
    counts: Mapping[str, int]
    mutants: tuple[Tally, ...]
    score: float | None


def reading(verification: Verification) -> Reading | None:
    """The report of a verification, None while there is none."""
    if verification.report is None:
        return None
    report = VerificationReport.from_json(json.loads(read_bytes(verification.report)))
    groups: dict[str, dict[str, list[Finding]]] = {}
    for finding in report.findings:
        about = ".".join(finding.about.split(".")[:2]) or "scenario"
        groups.setdefault(about, {}).setdefault(finding.check, []).append(finding)
    places = [_place(about, checks) for about, checks in groups.items()]
    places.sort(key=lambda place: SEVERITIES.index(place.severity))
    mutants = report.tallies("mutants")
    of = sum(tally.of for tally in mutants)
    return Reading(
        report,
        tuple(places),
        {severity: sum(check.findings.get(severity, 0) for check in report.checks) for severity in SEVERITIES},
        mutants,
        sum(tally.noticed for tally in mutants) / of if of else None,
    )


def _place(about: str, checks: Mapping[str, list[Finding]]) -> Place:
    told = [_told(findings) for findings in checks.values()]
    told.sort(key=lambda item: SEVERITIES.index(item.finding.severity))
    return Place(about, told[0].finding.severity, tuple(told))


def _told(findings: list[Finding]) -> Told:
    first = findings[0]
    actions = first.evidence.actions[:_MOST_ACTIONS] if first.evidence is not None else ()
    shown = tuple(
        {
            "number": number,
            "text": json.dumps(action, ensure_ascii=False)[:2_000],
            "here": first.evidence is not None and number == first.evidence.step,
        }
        for number, action in enumerate(actions, 1)
    )
    return Told(first, len(findings) - 1, shown)
