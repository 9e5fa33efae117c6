"""From what was typed to a scenario and a world: folders, files, and the names of ready scenarios."""

from __future__ import annotations

from pathlib import Path

import simulator
from simulator.cli.failures import UnusableFile
from simulator.cli.terminal import progress
from simulator.errors import ScenarioError, UsageError
from simulator.lint import load_scenario
from simulator.scenario import Scenario, did_you_mean, read_scenario
from simulator.tasks import World, generate_world

_PACKAGE = Path(simulator.__file__).parent


def gallery() -> Path | None:
    """The folder of the ready scenarios: inside an installed package, or beside it in a source tree."""
    places = (_PACKAGE / "gallery", _PACKAGE.parent / "scenarios" / "gallery")
    return next((place for place in places if place.is_dir()), None)


def source_tree() -> Path | None:
    """The source tree this package runs from; None when it was installed from a wheel."""
    root = _PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() and (root / "benchmarks").is_dir() else None


def scenario_path(given: str) -> Path:
    """The path that was typed, or the gallery's scenario of that name. Raises UsageError when there is neither."""
    path = Path(given)
    if path.exists():
        return path
    ready = _ready_scenarios()
    name = given.replace("-", "_")
    if name in ready:
        return ready[name]
    hint = did_you_mean(name, ready) or f"Ready scenarios: {', '.join(ready) or 'none'}."
    raise UsageError(f"There is no file, folder or ready scenario {given[:200]!r}. {hint}")


def open_scenario(given: str) -> Scenario:
    """The checked scenario. Raises UsageError, or UnusableFile with all its problems."""
    path = scenario_path(given)
    try:
        return load_scenario(path)
    except ScenarioError as error:
        raise UnusableFile(error, path) from error


def find_scenario(scenario_id: str) -> Scenario:
    """The gallery's scenario of this id. Raises UsageError when the gallery has none."""
    ready = _ready_scenarios()
    usual = scenario_id.replace("-", "_")
    for name in sorted(ready, key=lambda name: name != usual):
        try:
            if read_scenario(ready[name]).document.id != scenario_id:
                continue
        except ScenarioError:
            continue  # not the one that is looked for; `check` tells what is wrong with it
        return open_scenario(str(ready[name]))
    raise UsageError(f"No ready scenario has the id {scenario_id[:100]!r}; name the scenario's folder as well.")


def make_world(scenario: Scenario, *, seed: int, scale: float) -> World:
    """Generate a world, with progress. Raises what `generate_world` raises."""
    try:
        with progress(f"Generating world {seed}") as report:
            return generate_world(scenario, seed, scale=scale, progress=report)
    except ScenarioError as error:
        raise UnusableFile(error, scenario.source or Path()) from error


def _ready_scenarios() -> dict[str, Path]:
    folder = gallery()
    if folder is None:
        return {}
    return {entry.name: entry for entry in sorted(folder.iterdir()) if (entry / "scenario.yaml").is_file()}
