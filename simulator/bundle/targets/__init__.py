"""The frameworks a bundle can be loaded by: for each, a folder with its adapter and the files of its package.

A package under ``targets/<name>/`` of a bundle is thin: it names the bundle and the adapter, which is part of the
engine. No framework is imported to export; an adapter is imported where its framework is installed.
"""

from __future__ import annotations

from collections.abc import Mapping

from simulator.bundle.targets.gymnasium import GYMNASIUM
from simulator.bundle.targets.harbor import HARBOR
from simulator.bundle.targets.inspect import INSPECT
from simulator.bundle.targets.mcp import MCP
from simulator.bundle.targets.nemo_gym import NEMO_GYM
from simulator.bundle.targets.openenv import OPENENV
from simulator.bundle.targets.ors import ORS
from simulator.bundle.targets.target import Exported, Target
from simulator.bundle.targets.trl import TRL
from simulator.bundle.targets.verifiers import VERIFIERS

TARGETS: Mapping[str, Target] = {
    target.name: target for target in (GYMNASIUM, VERIFIERS, OPENENV, TRL, NEMO_GYM, ORS, MCP, INSPECT, HARBOR)
}
"""Each target by its name, in the order in which they are told of."""


def target_files(name: str, exported: Exported) -> dict[str, bytes]:
    """The files of a target's package, by their names in the bundle."""
    return {f"targets/{name}/{file}": content for file, content in TARGETS[name].package(exported).items()}


__all__ = ["TARGETS", "Exported", "Target", "target_files"]
