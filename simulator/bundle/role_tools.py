"""The tools of a bundle before a task is chosen, for frameworks in which an environment, not a task, has tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.bundle.opening import Bundle
from simulator.episode import workplace_of


def tools_by_role(bundle: Bundle) -> dict[str, Sequence[Mapping[str, Any]]]:
    """The tools of each role that has a task (``""`` for tasks without one), in the format of OpenAI's functions."""
    roles = sorted({str(task.get("role") or "") for task in bundle.tasks()})
    engine = workplace_of(bundle.world(bundle.manifest.worlds[0].seed)).engine
    return {role: engine.tools(role or None) for role in roles}


def all_tools(bundle: Bundle) -> list[Mapping[str, Any]]:
    """Each tool once; one that differs between roles, as the first of them has it."""
    named: dict[str, Mapping[str, Any]] = {}
    for tools in tools_by_role(bundle).values():
        for tool in tools:
            named.setdefault(tool["function"]["name"], tool)
    return list(named.values())
