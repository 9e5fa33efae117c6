"""Gymnasium: the package registers one environment and holds no logic of its own.

Run where it lies, it finds the bundle around it; built into a wheel, it carries a copy.
"""

from __future__ import annotations

from simulator.bundle.targets.target import Exported, Target


def _environment_id(exported: Exported) -> str:
    """The id under which importing the package registers the environment; its version is the scenario's first part."""
    return f"{exported.id}-v{exported.version.partition('.')[0]}"


GYMNASIUM = Target(
    name="gymnasium",
    title="Gymnasium",
    requirement="gymnasium>=1.2,<2",
    tested="1.4.0",
    values=lambda exported: {"environment": _environment_id(exported)},
)
