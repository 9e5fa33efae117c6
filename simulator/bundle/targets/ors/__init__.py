"""ORS, the Open Reward Standard: a module that serves the bundle's episodes, and holds no logic of its own."""

from __future__ import annotations

from simulator.bundle.targets.target import Target

ORS = Target(
    name="ors",
    title="ORS (OpenReward)",
    requirement="openreward>=0.1.157,<0.2",
    tested="0.1.167",
    values=lambda exported: {"name": exported.id.replace("-", "_")},
)
