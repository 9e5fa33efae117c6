"""The frameworks a bundle can be loaded by, each with the files of its package under ``targets/<name>/``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from simulator.bundle.gymnasium_target import gymnasium_files
from simulator.scenario import Scenario

TARGETS: Mapping[str, Callable[[Scenario], Mapping[str, bytes]]] = {"gymnasium": gymnasium_files}
"""What makes the files of each target's package, by the target's name."""


def target_files(target: str, scenario: Scenario) -> dict[str, bytes]:
    """The files of a target's package, by their names in the bundle."""
    return {f"targets/{target}/{name}": content for name, content in TARGETS[target](scenario).items()}
