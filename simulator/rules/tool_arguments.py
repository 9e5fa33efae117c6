"""The arguments that the tools of a scenario take."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.scenario.models import Operation, ScenarioDocument

SQL_ARGUMENTS = frozenset({"sql"})
BUILT_IN_ARGUMENTS: Mapping[str, frozenset[str]] = {
    "finish": frozenset({"answer", "refusal"}),
    "wait": frozenset({"duration"}),
}


def tool_arguments(document: ScenarioDocument) -> dict[str, frozenset[str]]:
    """Names of the arguments of every tool, the built-in ones included."""
    own = {
        name: frozenset(tool.parameters) | ({"page"} if tool.page is not None else set())
        if isinstance(tool, Operation) else SQL_ARGUMENTS
        for name, tool in document.tools.items()
    }  # fmt: skip
    return {**own, **BUILT_IN_ARGUMENTS}
