"""Inspect (https://inspect.aisi.org.uk): a task, its solver and its scorer; the package holds no logic of its own."""

from __future__ import annotations

from simulator.bundle.targets.target import Target

INSPECT = Target(
    name="inspect",
    title="Inspect",
    requirement="inspect-ai>=0.3.280,<0.4",
    tested="0.3.285",
    values=lambda exported: {"task": exported.id.replace("-", "_")},
)
