"""Parts of the language that this release reads but cannot run. They are refused: nothing is silently ignored."""

from __future__ import annotations

from simulator.lint.findings import Findings
from simulator.scenario.models import ScenarioDocument, SqlTool
from simulator.scenario.paths import Path
from simulator.tools import DIALECTS

CODE = "not_supported_yet"


def unsupported_parts(document: ScenarioDocument, findings: Findings) -> None:
    """Report each of them where it stands."""
    for name, tool in document.tools.items():
        if isinstance(tool, SqlTool) and tool.sql.dialect not in DIALECTS:
            what = f"SQL in the dialect `{tool.sql.dialect}`"
            known = ", ".join(DIALECTS)
            _refuse(findings, what, ("tools", name, "sql", "dialect"), f"The dialects are {known}.")


def _refuse(findings: Findings, what: str, path: Path, instead: str) -> None:
    findings.error(CODE, f"{what} cannot be run by this release.", path, instead)
