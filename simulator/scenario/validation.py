"""What is wrong with a document, in the author's words: Pydantic's findings as problems.

Where a value may take several forms (a count, a list, a mapping), only the form it was meant to have speaks: the one of
its kind that shares most keys with it, then the one with the fewest faults.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue, ValidationError

from simulator.errors import Problem
from simulator.scenario.model_types import Choice, Place, find_place, fits, key_types, model_of, value_at
from simulator.scenario.paths import Path, did_you_mean, render_path
from simulator.scenario.positions import Positions
from simulator.scenario.wording import Finding, describe, words_for, wrong_type

MOST_FINDINGS = 1_000


def problems_of(error: ValidationError, document: JsonValue, positions: Positions) -> list[Problem]:
    """Everything the error reports about ``document``."""
    details = error.errors(include_url=False, include_input=False)[:MOST_FINDINGS]
    reports = [_Report(detail, find_place(detail["loc"], document)) for detail in details]
    findings = _without_echoes(_settle(reports, 0, document))
    return [_problem(finding, positions) for finding in findings]


def in_text_order(problems: Sequence[Problem], positions: Positions) -> list[Problem]:
    """The problems as they stand in the author's files, the main file first."""
    main = positions.value(()).file

    def order(problem: Problem) -> tuple[bool, str, int, int]:
        location = problem.location
        return location.file != main, location.file, location.line, location.column

    return sorted(problems, key=order)


@dataclass(frozen=True, slots=True)
class _Report:
    details: Any
    place: Place


def _settle(reports: Sequence[_Report], level: int, document: JsonValue) -> list[Finding]:
    """The findings of reports whose first ``level`` unions are settled."""
    findings: list[Finding] = []
    unions: dict[Path, dict[str, list[_Report]]] = {}
    for report in reports:
        if len(report.place.choices) <= level:
            value = value_at(document, report.place.path)
            findings.append(words_for(report.details, report.place, value))
        else:
            choice = report.place.choices[level]
            unions.setdefault(choice.path, {}).setdefault(choice.tag, []).append(report)
    for path, by_tag in unions.items():
        findings += _settle_union(path, by_tag, level, document)
    return findings


def _settle_union(path: Path, by_tag: dict[str, list[_Report]], level: int, document: JsonValue) -> list[Finding]:
    value = value_at(document, path)
    forms: list[tuple[Choice, list[Finding]]] = []
    for reports in by_tag.values():
        choice = reports[0].place.choices[level]
        if fits(choice.member, value):
            forms.append((choice, _settle(reports, level + 1, document)))
    if not forms:
        members = next(iter(by_tag.values()))[0].place.choices[level].members
        expected = list(dict.fromkeys(describe(member) for member in members))
        return [wrong_type(path, expected, value)]
    if len(forms) > 1 and all(finding.path == path for _, findings in forms for finding in findings):
        first = forms[0][1][0]
        message = " Or: ".join(dict.fromkeys(finding.message for _, findings in forms for finding in findings))
        return [Finding(first.code, path, message, first.suggestion)]
    return min(forms, key=lambda form: (-_likeness(form[0].member, value), len(form[1])))[1]


def _likeness(member: Any, value: JsonValue) -> float:
    """How many keys of a mapping a model knows; one it nearly knows counts half."""
    model = model_of(member)
    if model is None or not isinstance(value, dict):
        return 0
    known = key_types(model)
    return sum(1 if key in known else 0.5 if did_you_mean(key, known) else 0 for key in list(value)[:20])


def _without_echoes(findings: list[Finding]) -> list[Finding]:
    """Without the missing keys that are there under a misspelt name."""
    misspelt = {(finding.path[:-1], finding.suggestion) for finding in findings if finding.code == "unknown_key"}
    return [
        finding
        for finding in findings
        if finding.code != "missing_key" or (finding.path[:-1], f"Did you mean `{finding.path[-1]}`?") not in misspelt
    ]


def _problem(finding: Finding, positions: Positions) -> Problem:
    if finding.code == "missing_key":
        location = positions.key(finding.path[:-1])
    elif finding.at_key:
        location = positions.key(finding.path)
    else:
        location = positions.value(finding.path)
    return Problem(finding.code, finding.message, render_path(finding.path), location, finding.suggestion)
