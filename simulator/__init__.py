"""Worldwright's engine: scenarios become worlds, tasks and scored episodes. Pure Python, no web framework.

    from simulator import load_scenario, generate_world, Environment

The names below are the public interface; they are loaded when first asked for, so that importing one room does not
import all.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulator.version import ENGINE_VERSION

if TYPE_CHECKING:
    from simulator.episode import Environment, Trajectory, replay
    from simulator.errors import (
        EngineFault,
        Problem,
        ScenarioError,
        TrajectoryError,
        UsageError,
        WorldError,
        WorldwrightError,
    )
    from simulator.lint import load_scenario
    from simulator.scenario import Scenario
    from simulator.tasks import Task, World, generate_world, open_world

__version__ = ENGINE_VERSION

_HOMES = {
    "simulator.episode": ("Environment", "Trajectory", "replay"),
    "simulator.errors": (
        "EngineFault", "Problem", "ScenarioError", "TrajectoryError", "UsageError", "WorldError", "WorldwrightError",
    ),
    "simulator.lint": ("load_scenario",),
    "simulator.scenario": ("Scenario",),
    "simulator.tasks": ("Task", "World", "generate_world", "open_world"),
}  # fmt: skip

__all__ = [
    "EngineFault", "Environment", "Problem", "Scenario", "ScenarioError", "Task", "Trajectory", "TrajectoryError",
    "UsageError", "World", "WorldError", "WorldwrightError", "__version__", "generate_world", "load_scenario",
    "open_world", "replay",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
