"""The report of a verification as one HTML page that needs no network and no script.

Everything in it that comes from a scenario is escaped, and the page's own policy forbids it to load or run anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from statistics import fmean
from typing import Any

from simulator.evaluation.verification.findings import SEVERITIES, Evidence, Finding
from simulator.evaluation.verification.html_style import STYLE
from simulator.evaluation.verification.report import VerificationReport
from simulator.evaluation.verification.svg_plots import bars, line

_MARKS = {"blocking": "✗", "warning": "!", "review": "?"}
_GRADIENT = (("oracle", 0), ("noisy_1", 1), ("noisy_2", 2), ("noisy_4", 4))
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_MOST_ACTIONS = 40
_LONGEST = 400


def html_report(report: VerificationReport) -> str:
    """The page: verdict, checks, findings by what they are about with their evidence, plots, and what things cost."""
    body = "".join(
        (
            _head(report),
            _checks(report),
            _findings(report),
            _plots(report),
            _templates(report),
            _cost(report),
        )
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.title)}: verification</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _head(report: VerificationReport) -> str:
    numbers = {name: sum(finding.severity == name for finding in report.findings) for name in SEVERITIES}
    score = _mutation_score(report)
    tiles = [
        ("Verdict", "passed" if report.passed else "not passed"),
        ("Mutation score", "not measured" if score is None else f"{score:.1%}"),
        *((name.capitalize(), f"{number:,}") for name, number in numbers.items()),
        ("Tasks verified", f"{sum(report.tasks.values()):,}"),
    ]
    shown = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in tiles)
    seeds = ", ".join(map(str, report.seeds))
    return (
        f'<header class="{"passed" if report.passed else "failed"}"><h1>{escape(report.title)}</h1>'
        f"<p>{escape(report.scenario)} {escape(report.version)}, worlds of seed {seeds}, "
        f"engine {escape(report.engine)}</p><dl>{shown}</dl>"
        f"<p class='fine'>scenario {escape(report.digest)}<br>report {escape(report.fingerprint)}</p></header>"
    )


def _mutation_score(report: VerificationReport) -> float | None:
    """The share of the mutants that count which were noticed; None without any."""
    tallies = report.tallies("mutants")
    counted = sum(tally.of for tally in tallies)
    return sum(tally.noticed for tally in tallies) / counted if counted else None


def _checks(report: VerificationReport) -> str:
    rows = []
    for outcome in report.checks:
        mark = "✓ holds" if outcome.passed else "✗ fails"
        counts = ", ".join(f"{number:,} {severity}" for severity, number in outcome.findings.items()) or "none"
        tallies = ", ".join(f"{tally.kind} {tally.noticed:,}/{tally.of:,}" for tally in report.tallies(outcome.id))
        rows.append(
            f'<tr class="{"passed" if outcome.passed else "failed"}"><th scope="row">{escape(outcome.id)}</th>'
            f"<td>{mark}</td><td>{escape(outcome.title)}</td><td>{escape(counts)}</td><td>{escape(tallies)}</td></tr>"
        )
    return _section("Checks", _table(("check", "", "what must hold", "findings", "counted"), rows))


def _findings(report: VerificationReport) -> str:
    groups: dict[str, list[Finding]] = {}
    for finding in report.findings:
        groups.setdefault(".".join(finding.about.split(".")[:2]) or "the scenario", []).append(finding)
    if not groups:
        return _section("Findings", "<p>Nothing was found.</p>")
    parts = []
    for about, found in groups.items():
        shown = "".join(map(_finding, found))
        parts.append(f"<section class='group'><h3>{escape(about)}</h3>{shown}</section>")
    return _section("Findings", "".join(parts))


def _finding(finding: Finding) -> str:
    evidence = "" if finding.evidence is None else _evidence(finding.evidence)
    return (
        f'<article class="{finding.severity}"><h4><span class="badge">{_MARKS[finding.severity]} {finding.severity}'
        f"</span> <code>{escape(finding.check)}</code></h4><p>{escape(finding.message)}</p>"
        f'<p class="advice">{escape(finding.suggestion)}</p><p class="fine">{escape(finding.about)}</p>'
        f"{evidence}</article>"
    )


def _evidence(evidence: Evidence) -> str:
    lines = []
    for number, action in enumerate(evidence.actions[:_MOST_ACTIONS], 1):
        here = number == evidence.step
        mark = ' class="here" aria-current="step"' if here else ""
        lines.append(f"<li{mark}><code>{escape(_call(action))}</code>{' ← look here' if here else ''}</li>")
    more = len(evidence.actions) - len(lines)
    rest = f"<p class='fine'>and {more:,} more</p>" if more > 0 else ""
    steps = f"<ol>{''.join(lines)}</ol>" if lines else "<p class='fine'>Nothing is done.</p>"
    return (
        f"<details><summary>Evidence: {escape(evidence.task)}, {len(evidence.actions):,} "
        f"{'action' if len(evidence.actions) == 1 else 'actions'}</summary>{steps}{rest}</details>"
    )


def _call(action: object) -> str:
    """An action as a readable line: ``assign_ticket(ticket_id=3)``."""
    if not isinstance(action, Mapping) or not isinstance(action.get("arguments", {}), Mapping):
        return _cut(json.dumps(action, ensure_ascii=False, default=str))
    arguments = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False, default=str)}"
        for name, value in action.get("arguments", {}).items()
    )
    return _cut(f"{action.get('tool')}({arguments})")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _plots(report: VerificationReport) -> str:
    mutants = [
        (
            tally.kind,
            tally.noticed / (tally.of),
            f"{tally.noticed:,} of {tally.of:,}",
        )
        for tally in report.tallies("mutants")
        if tally.of
    ]
    passed = {tally.kind: (tally.noticed, tally.of) for tally in report.tallies("difficulty") if tally.of}
    rates = [(name, hits / of, f"{hits:,} of {of:,}") for name, (hits, of) in passed.items()]
    rewards = [(name, value, f"{value:.2f}") for name, value in _rewards(report).items()]
    gradient = [
        (float(mistakes), passed[name][0] / passed[name][1], f"{mistakes} mistakes")
        for name, mistakes in _GRADIENT
        if name in passed
    ]
    plots = {
        "Mutants noticed, by kind": bars("Share of mutants noticed, by kind", mutants),
        "Pass rate by agent": bars("Share of tasks passed, by agent", rates),
        "Reward by agent": bars("Mean reward, by agent", rewards, low=min([0.0, *(row[1] for row in rewards)])),
        "Pass rate by number of mistakes": line("Share of tasks passed, by number of mistakes", gradient),
    }
    shown = "".join(f"<figure><figcaption>{name}</figcaption>{plot}</figure>" for name, plot in plots.items() if plot)
    return _section("Measured", f"<div class='plots'>{shown}</div>") if shown else ""


def _rewards(report: VerificationReport) -> dict[str, float]:
    """The mean reward of each agent over the templates and worlds."""
    found: dict[str, list[float]] = {}
    for _, _, figures in report.figures("difficulty"):
        for name, measured in _object(figures.get("agents")).items():
            found.setdefault(name, []).append(_object(measured)["reward"][0])
    return {name: fmean(values) for name, values in found.items()}


def _templates(report: VerificationReport) -> str:
    """For each template: what its tasks are made of, and who passes them."""
    agents: list[str] = []
    rows = []
    for template, tasks in report.tasks.items():
        tallies = report.tallies("difficulty", template)
        agents = agents or [tally.kind for tally in tallies]
        rates = {tally.kind: tally.noticed / tally.of for tally in tallies if tally.of}
        cells = "".join(_rate(rates.get(name)) for name in agents)
        rows.append(
            f'<tr><th scope="row">{escape(template)}</th><td>{tasks:,}</td>{_structure(report, template)}{cells}</tr>'
        )
    if not agents:
        return ""
    return _section(
        "Difficulty", _table(("template", "tasks", "level", "steps", "tools", "distractors", *agents), rows)
    )


def _structure(report: VerificationReport, template: str) -> str:
    found = [_object(figures.get("structure")) for name, _, figures in report.figures("difficulty") if name == template]
    cells = []
    for name in ("difficulty", "steps", "tools", "distractors"):
        values = [row[name] for row in found if name in row]
        cells.append(f"<td>{fmean(values):.1f}</td>" if values else "<td></td>")
    return "".join(cells)


def _rate(share: float | None) -> str:
    if share is None:
        return "<td></td>"
    return f'<td class="rate r{round(share * 10)}">{share:.0%}</td>'


def _cost(report: VerificationReport) -> str:
    rows = []
    for template, seed, figures in report.figures("cost"):
        where = template or ("all worlds" if seed is None else "the world")
        told, world = ", ".join(_numbers(figures)), "" if seed is None else str(seed)
        rows.append(f'<tr><th scope="row">{escape(where)}</th><td>{world}</td><td>{escape(told)}</td></tr>')
    return _section("Cost", _table(("what", "seed", "figures"), rows)) if rows else ""


def _numbers(figures: Mapping[str, Any]) -> Iterator[str]:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _numbers({f"{name} {inner}": item for inner, item in value.items()})
        elif value is not None:
            yield f"{name} {value:,}" if isinstance(value, int | float) else f"{name} {value}"


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>"


def _table(names: tuple[str, ...], rows: list[str]) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    return f"<div class='wide'><table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
