"""The engine's long works by kind. Each reads ``source/``, writes into ``out/`` and gives a small JSON result."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Progress = Callable[[int, int, str], None]
Task = Callable[[Path, Mapping[str, Any], Progress], dict[str, Any]]


def make_world(folder: Path, arguments: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Generate ``out/world.sqlite``; gives the rows of each table."""
    import apsw

    from simulator import generate_world, load_scenario

    scenario = load_scenario(folder / "source")
    world = generate_world(scenario, arguments["seed"], scale=arguments["scale"], progress=progress)
    path = folder / "out" / "world.sqlite"
    world.save(path)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    tables = {
        name: next(connection.execute(f'select count(*) from "{name}"'))[0] for name in scenario.document.world.tables
    }
    connection.close()
    return {"tables": tables, "rows": sum(tables.values()), "digest": world.digest}


def verify(folder: Path, arguments: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Verify; writes ``out/report.json`` and ``out/report.html``, gives the summary."""
    from simulator import load_scenario
    from simulator.evaluation.verification import html_report, verify_scenario

    scenario = load_scenario(folder / "source")
    report = verify_scenario(
        scenario,
        seeds=arguments["seeds"],
        tasks=arguments["tasks"],
        workers=min(4, os.cpu_count() or 1),
        done=progress,
    )
    value = report.to_json()
    (folder / "out" / "report.json").write_text(json.dumps(value, allow_nan=False), encoding="utf-8")
    (folder / "out" / "report.html").write_text(html_report(report), encoding="utf-8")
    found = {severity: sum(check.findings.get(severity, 0) for check in report.checks) for severity in _SEVERITIES}
    return {"passed": report.passed, "findings": found, "tasks": sum(report.tasks.values())}


_SEVERITIES = ("blocking", "warning", "review")


def export(folder: Path, arguments: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Write ``out/bundle.zip`` and check it as anybody could; ``report.json``, if there, is its verification."""
    from simulator import load_scenario
    from simulator.bundle import check_bundle, export_bundle
    from simulator.evaluation.verification import VerificationReport

    scenario = load_scenario(folder / "source")
    given = folder / "report.json"
    report = VerificationReport.from_json(json.loads(given.read_text(encoding="utf-8"))) if given.exists() else None
    progress(0, 2, "writing the bundle")
    made = export_bundle(
        scenario,
        seeds=arguments["seeds"],
        targets=arguments["targets"],
        out=folder / "out" / "bundle",
        verification=report,
        unverified=report is None,
    )
    progress(1, 2, "checking the bundle")
    problems = check_bundle(made.archive)
    progress(2, 2, "done")
    return {"problems": [str(problem) for problem in problems]}


TASKS: Mapping[str, Task] = {"world": make_world, "verification": verify, "export": export}
