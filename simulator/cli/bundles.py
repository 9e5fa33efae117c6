"""``export`` and ``bundle``: a scenario made into a bundle, and a bundle checked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from simulator.bundle import check_bundle, export_bundle
from simulator.cli.failures import NEGATIVE, UnusableFile
from simulator.cli.opening import open_scenario
from simulator.cli.problems import problem_json
from simulator.cli.terminal import clean, count, near, plain_table, progress, remark, show, show_json, styled
from simulator.errors import ScenarioError, UsageError
from simulator.evaluation.verification import VerificationReport
from simulator.scenario import read_json
from simulator.scenario.regular_files import read_regular

_MOST_SEEDS = 1_000
_MOST_REPORT = 50_000_000
_ACTION = "check"


def export(
    given: str,
    *,
    targets: Sequence[str],
    seeds: str,
    out: Path,
    frozen: bool,
    verification: Path | None,
    unverified: bool,
    as_json: bool,
) -> None:
    """Write a bundle and show what is in it."""
    numbers = seeds_in(seeds)
    names = [name for text in targets for name in text.split(",")]
    scenario = open_scenario(given)
    report = None if verification is None else _report(verification)
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        with progress("Exporting"):
            written = export_bundle(
                scenario,
                seeds=numbers,
                targets=names,
                out=out,
                frozen=frozen,
                verification=report,
                unverified=unverified,
            )
    except ScenarioError as error:
        raise UnusableFile(error, scenario.source or Path()) from error
    manifest = written.manifest
    if as_json:
        facts = {"folder": str(written.folder), "archive": str(written.archive), "sha256": written.sha256}
        show_json({**facts, "manifest": manifest.model_dump(by_alias=True)})
        return
    table = plain_table("split", ">worlds", ">tasks")
    for split, entry in manifest.splits.items():
        table.add_row(split, f"{len(entry.seeds):,}", f"{entry.tasks:,}")
    show(table, "")
    show(f"{near(written.archive)}, {written.archive.stat().st_size / 1e6:,.1f} MB", f"sha256 {written.sha256}")
    if manifest.unverified:
        remark("The scenario was not verified, and the manifest says so.", "yellow")
    targets = ", ".join(target.name for target in manifest.targets)
    remark(f"written to {near(written.folder)}; targets: {targets or 'none'}")


def bundle(action: str, file: Path, *, as_json: bool) -> None:
    """Check a bundle and show every problem. Exits with 1 when there is one."""
    if action != _ACTION:
        raise UsageError(f"A bundle cannot be {action[:100]!r}; it can be checked: worldwright bundle check FILE.")
    with progress("Checking"):
        problems = check_bundle(file)
    if as_json:
        show_json({"file": str(file), "ok": not problems, "problems": [problem_json(item, None) for item in problems]})
    else:
        for problem in problems:
            words = filter(None, (problem.message, problem.suggestion))
            show(styled(problem.code, "bold red"), *(f"    {clean(text)}" for text in words))
        show(f"{near(file)}: {count(len(problems), 'problem')}" if problems else f"{near(file)}: all is as it says")
    if problems:
        raise typer.Exit(NEGATIVE)


def seeds_in(text: str) -> list[int]:
    """Numbers and ranges with commas: ``1-3,10000``."""
    numbers: list[int] = []
    for word in text.split(","):
        first, dash, last = (part.strip() for part in word.partition("-"))
        ends = (first, last) if dash else (first, first)
        if not all(end.isascii() and end.isdecimal() and len(end) < 19 for end in ends) or int(ends[0]) > int(ends[1]):
            raise UsageError(
                f"--seeds takes whole numbers and ranges with commas, such as 1-3,10000, not {text[:100]!r}."
            )
        if int(ends[1]) - int(ends[0]) >= _MOST_SEEDS - len(numbers):
            raise UsageError(f"--seeds takes at most {_MOST_SEEDS:,} seeds.")
        numbers += range(int(ends[0]), int(ends[1]) + 1)
    return numbers


def _report(file: Path) -> VerificationReport:
    """The report in a file. Raises UsageError when it is none."""
    content = read_regular(file, _MOST_REPORT)
    try:
        value, _ = read_json(content, file=file.name)
    except ScenarioError as error:
        raise UnusableFile(error, file) from error
    if not isinstance(value, dict):
        raise UsageError(f"{file} is no verification report.")
    return VerificationReport.from_json(value)


__all__ = ["bundle", "export"]
