"""``bench``: the speed measurements of the source tree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

from simulator.cli.failures import NEGATIVE
from simulator.cli.opening import source_tree
from simulator.cli.terminal import remark, show_json
from simulator.errors import UsageError
from simulator.scenario import did_you_mean

TABLES = "report.py"
"""The script that measures nothing: it makes tables of what the others left."""


def bench(name: str | None, *, full: bool, write: bool, as_json: bool) -> None:
    """Run the scripts, or one; their tables are their own output. Exits with 1 when one fails.

    ``full`` also measures what takes long; ``write`` puts the tables of what has been measured into the page on speed.
    """
    scripts = _scripts(name)
    results = [_run(script, ["--full"] if full else [], captured=as_json) for script in scripts]
    if write and not any(result["exit_code"] for result in results):
        results.append(_run(scripts[0].with_name(TABLES), ["--write"], captured=as_json))
    if as_json:
        show_json({"benchmarks": results})
    failed = [str(result["script"]) for result in results if result["exit_code"]]
    if failed:
        remark(f"Failed: {', '.join(failed)}", "red")
        raise typer.Exit(NEGATIVE)


def _scripts(name: str | None) -> list[Path]:
    root = source_tree()
    if root is None:
        raise UsageError("There are no benchmarks in an installed package; run this in a source tree.")
    found = sorted((root / "benchmarks").glob("*.py"))
    scripts = {script.stem: script for script in found if script.name != TABLES}
    if name is None:
        return list(scripts.values())
    if name not in scripts:
        hint = did_you_mean(name, scripts) or f"There are: {', '.join(scripts) or 'none'}."
        raise UsageError(f"There is no benchmark {name[:100]!r}. {hint}")
    return [scripts[name]]


def _run(script: Path, options: list[str], *, captured: bool) -> dict[str, Any]:
    remark(f"==> {script.name}")
    begun = perf_counter()
    ended = subprocess.run(  # noqa: S603 - a script of this very source tree
        [sys.executable, str(script), *options],
        cwd=script.parent.parent,
        stdout=subprocess.PIPE if captured else None,
        text=True,
        check=False,
    )
    return {
        "script": script.name,
        "seconds": round(perf_counter() - begun, 3),
        "exit_code": ended.returncode,
        "output": ended.stdout or "",
    }


__all__ = ["bench"]
