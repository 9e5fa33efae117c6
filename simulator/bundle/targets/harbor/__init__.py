"""Harbor (https://harborframework.com): a folder for each task, and the image of the sidecar that holds the world.

An agent's image has a client and nothing of the bundle; see ADR 0010.
"""

from __future__ import annotations

from simulator.bundle.targets.harbor.tasks import image_of, task_files
from simulator.bundle.targets.target import Target

HARBOR = Target(
    name="harbor",
    title="Harbor",
    requirement="harbor>=0.26,<0.27",
    tested="0.26.0",
    python=">=3.12",
    values=lambda exported: {"image": image_of(exported)},
    particular=task_files,
)
