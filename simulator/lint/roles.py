"""Roles that are named, and must exist."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.lint.findings import Findings
from simulator.scenario import did_you_mean
from simulator.scenario.models import ScenarioDocument
from simulator.scenario.paths import Path


def check_roles(names: Sequence[str] | None, path: Path, document: ScenarioDocument, findings: Findings) -> None:
    """Report roles that the scenario does not have."""
    for index, name in enumerate(names or ()):
        check_role(name, (*path, index), document, findings)


def check_role(name: str, path: Path, document: ScenarioDocument, findings: Findings) -> None:
    """Report a role that the scenario does not have."""
    if name not in document.roles:
        hint = did_you_mean(name, document.roles) or "Describe it under `roles`."
        findings.error("unknown_role", f"There is no role {name!r}.", path, hint)
