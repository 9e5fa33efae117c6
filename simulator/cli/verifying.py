"""``verify``: whether a scenario's scores can be trusted, and what to mend where they cannot."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from simulator.cli.failures import NEGATIVE, UnusableFile
from simulator.cli.opening import open_scenario
from simulator.cli.terminal import clean, count, near, plain_table, progress, remark, show, show_json, stdout, styled
from simulator.errors import ScenarioError, UsageError
from simulator.evaluation.verification import (
    CheckOutcome,
    Finding,
    ResultCache,
    VerificationReport,
    verify_scenario,
    write_evidence,
)

_MOST_ALIKE = {"blocking": 3, "warning": 1, "review": 1}
"""How many findings of one check about one thing are shown."""

_COLOURS = {"blocking": "bold red", "warning": "bold yellow", "review": "bold cyan"}


def verify(
    given: str,
    *,
    seeds: str,
    tasks: str,
    workers: int | None,
    out: Path | None,
    html: Path | None,
    evidence: Path | None,
    cached: bool,
    as_json: bool,
) -> None:
    """Verify, and show what was found. Exits with 1 when something blocks."""
    numbers, most = _numbers(seeds), _most(tasks)
    scenario = open_scenario(given)
    cache = _cache() if cached else None
    begun = perf_counter()
    try:
        with progress("Verifying") as bar:
            report = verify_scenario(
                scenario,
                seeds=numbers,
                tasks=most,
                workers=workers or os.cpu_count() or 1,
                cache=cache,
                done=bar,
            )
        files = {}
        if evidence is not None:
            with progress("Writing evidence") as bar:
                files = write_evidence(scenario, report.findings, evidence, bar)
    except ScenarioError as error:
        raise UnusableFile(error, scenario.source or Path()) from error
    if out is not None:
        out.write_text(json.dumps(report.to_json(), indent=2, allow_nan=False) + "\n", encoding="utf-8")
    if html is not None:
        from simulator.evaluation.verification.html_report import html_report

        html.write_text(html_report(report), encoding="utf-8")
    if as_json:
        show_json(report.to_json())
    else:
        show_report(report, files)
        remark(f"{perf_counter() - begun:.1f} s", "dim")
    if not report.passed:
        raise typer.Exit(NEGATIVE)


def show_report(report: VerificationReport, files: Mapping[int, Path]) -> None:
    """Print what was verified, how each check came out, and every finding by what it is about."""
    seeds = ", ".join(map(str, report.seeds))
    verified = count(sum(report.tasks.values()), "task")
    templates = count(len(report.tasks), "template")
    show(
        styled(f"{report.title} ({report.scenario} {report.version})", "bold"),
        f"{verified} of {templates} in {count(len(report.seeds), 'world')} (seed {seeds})",
        "",
        _outcome_table(report),
        "",
    )
    console = stdout()
    for about, found in _by_subject(report.findings).items():
        show(styled(about or "the scenario", "bold"))
        for alike in _by_check(found):
            first = alike[0][1]
            shown = alike[: _MOST_ALIKE[first.severity]]
            words = [f"{len(alike) - len(shown):,} more like it"] if len(alike) > len(shown) else []
            show(Text.assemble((f"  {first.severity} ", _COLOURS[first.severity]), (clean(first.check), "bold")))
            for place, finding in shown:
                _show_indented(console, finding.message)
                if place in files:
                    _show_indented(console, f"episode: {near(files[place])}")
            _show_indented(console, *words, first.suggestion)
        show("")
    show(_verdict(report))


def _outcome_table(report: VerificationReport) -> Table:
    table = plain_table("", "check", "<what must hold>", "<counted>", "<findings>")
    for outcome in report.checks:
        mark, colour = ("✓", "green") if outcome.passed else ("✗", "red")
        tallies = report.tallies(outcome.id)
        counted = ", ".join(f"{clean(item.kind)} {item.noticed:,}/{item.of:,}" for item in tallies)
        table.add_row(Text(mark, colour), outcome.id, outcome.title, counted, _counts(outcome))
    return table


def _counts(outcome: CheckOutcome) -> str:
    return ", ".join(f"{number:,} {severity}" for severity, number in outcome.findings.items())


def _verdict(report: VerificationReport) -> Text:
    numbers = {name: sum(finding.severity == name for finding in report.findings) for name in _COLOURS}
    told = ", ".join(f"{number:,} {name}" for name, number in numbers.items() if number) or "nothing found"
    return styled(f"{'passed' if report.passed else 'not passed'}: {told}", "green" if report.passed else "red")


def _by_subject(findings: Sequence[Finding]) -> dict[str, list[tuple[int, Finding]]]:
    """The findings with their places, by the template, rule or tool they are about; what blocks comes first."""
    groups: dict[str, list[tuple[int, Finding]]] = {}
    for place, finding in enumerate(findings):
        groups.setdefault(".".join(finding.about.split(".")[:2]), []).append((place, finding))
    return groups


def _by_check(found: Sequence[tuple[int, Finding]]) -> Iterable[list[tuple[int, Finding]]]:
    groups: dict[str, list[tuple[int, Finding]]] = {}
    for place, finding in found:
        groups.setdefault(finding.check, []).append((place, finding))
    return groups.values()


def _show_indented(console: Console, *lines: str) -> None:
    for line in filter(None, lines):
        text = Text(clean(line))
        show(Padding(text, (0, 0, 0, 4)) if console.is_terminal else Text("    ") + text, console=console)


def _numbers(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 19 for word in words):
        raise UsageError(f"--seeds takes whole numbers with commas, such as 1,2,3, not {text[:100]!r}.")
    return tuple(map(int, words))


def _most(text: str) -> int | None:
    if text == "all":
        return None
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 10 and int(text)):
        raise UsageError(f"--tasks takes a number from 1, or all, not {text[:100]!r}.")
    return int(text)


def _cache() -> ResultCache | None:
    """The user's cache (https://specifications.freedesktop.org/basedir-spec/latest/), None where none can be kept."""
    root = os.environ.get("XDG_CACHE_HOME", "")
    try:
        folder = (Path(root) if Path(root).is_absolute() else Path.home() / ".cache") / "worldwright" / "verification"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        remark(f"Results are not kept for the next time: {error}")
        return None
    return ResultCache(folder)


__all__ = ["show_report", "verify"]
