"""Names that the data set and the environments share, and names that TRL keeps for itself."""

from __future__ import annotations

from collections.abc import Iterable

from simulator.errors import UsageError

_KEPT = ("get_reward", "reset")
"""Methods of an environment that are no tools."""


def environment_name(scenario: str, role: str | None) -> str:
    """The name of the environment in which tasks of a role are played: unlike those of other scenarios."""
    return f"{scenario}:{role}" if role else scenario


def check_tool_names(names: Iterable[str]) -> None:
    """Raises UsageError for a tool that TRL would not take for one."""
    for name in names:
        if name in _KEPT:
            raise UsageError(f"TRL has a meaning of its own for `{name}`: export needs another name for that tool.")
