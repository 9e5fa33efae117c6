"""OpenEnv: a package that serves the bundle's episodes over websockets, in the layout its tools expect.

Its ``openenv.yaml`` declares what OpenEnv's validation asks for. Tolerance and margin of the reward are what a passed
verification guarantees: that solutions earn everything but what failed calls in them cost, and doing nothing earns
nothing. Without one, the margin is the least that may be declared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import ceil

from simulator.bundle.layout import grader_tasks
from simulator.bundle.targets.target import Exported, Target
from simulator.reward.score import SMALL_PENALTY_CAP
from simulator.tasks import SPLITS

_LEAST_MARGIN = 0.1
"""What OpenEnv's policy asks for at the least."""

_PROCESS_MEGABYTES = 512
_WORLD_COPIES = 4
"""How many times its size a world may take in memory: packed, unpacked, live, and what episodes changed."""

_STEP_SECONDS = 10
_MOST_SECONDS = 3_600
"""The longest episode that OpenEnv's policy lets be declared."""


def _values(exported: Exported) -> Mapping[str, str]:
    name = exported.id.replace("-", "_")
    verified = exported.verification is not None
    resources = exported.content.resources
    counts = {split: entry.tasks for split, entry in exported.content.splits.items() if entry.tasks}
    megabytes = ceil(resources.worlds_bytes / 1_000_000)
    return {
        "name": name,
        "client": "".join(part.capitalize() for part in name.split("_")) + "Env",
        "project": f"openenv-{name.replace('_', '-')}",
        "oracle_tolerance": str(SMALL_PENALTY_CAP if _errs(exported) else 0.0),
        "floor_margin": str(1.0 if verified else _LEAST_MARGIN),
        "verified": "what the passed verification guarantees" if verified else "not verified: the least allowed",
        "tools": json.dumps(list(exported.content.tools)),
        "task_counts": json.dumps(counts),
        "memory": str(_PROCESS_MEGABYTES + _WORLD_COPIES * megabytes),
        "disk": str(_PROCESS_MEGABYTES + megabytes),
        "seconds": str(min(_MOST_SECONDS, _STEP_SECONDS * resources.most_steps)),
        "dataset": json.dumps(f"{exported.version} {exported.scenario.digest}"),
    }


def _errs(exported: Exported) -> bool:
    """Whether a solution makes calls that fail, as it must to learn that something is not allowed."""
    lines = [line for split in SPLITS for line in exported.content.files.get(grader_tasks(split), b"").splitlines()]
    return any(step["errs"] for line in lines for solution in json.loads(line)["solutions"] for step in solution)


OPENENV = Target(
    name="openenv",
    title="OpenEnv",
    requirement="openenv>=0.10,<0.11",
    tested="0.10.0",
    values=_values,
)
