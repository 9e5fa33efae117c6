"""``replay``: play a recorded trajectory again and tell the first thing that is not the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from simulator.cli.failures import NEGATIVE
from simulator.cli.opening import find_scenario, make_world, open_scenario
from simulator.cli.terminal import count, remark, show, show_json, styled
from simulator.episode import Difference, ReplayReport, Trajectory
from simulator.episode import replay as replay_trajectory
from simulator.errors import TrajectoryError, UsageError


def replay(file: Path, given: str | None, *, as_json: bool) -> None:
    """Replay the trajectory in a file, in the scenario typed or the ready one of its id.

    Exits with 1 if it differs or is not whole.
    """
    try:
        report = _replay(file, given)
    except TrajectoryError as error:
        told = str(error)
        raise UsageError(told if str(file) in told else f"{file}: {told}") from error
    if as_json:
        show_json(replay_json(report))
    else:
        show_report(report)
    if not report.same:
        raise typer.Exit(NEGATIVE)


def _replay(file: Path, given: str | None) -> ReplayReport:
    recorded = Trajectory.load(file)
    scenario_id, seed, scale = _origin(recorded)
    loaded = open_scenario(given) if given is not None else find_scenario(scenario_id)
    if loaded.document.id != scenario_id:
        remark(f"The trajectory comes from scenario {scenario_id[:100]!r}, not {loaded.document.id!r}.", "yellow")
    return replay_trajectory(recorded, make_world(loaded, seed=seed, scale=scale))


def show_report(report: ReplayReport) -> None:
    """Print what a replay found."""
    for words in report.drift:
        show(styled(f"drift: {words}", "yellow"))
    if report.difference is None and report.unfinished:
        show(styled(f"The record is not whole; it is {report.unfinished}.", "red"))
        show(f"Up to there it is the same again: {count(report.steps, 'step')}.")
    elif report.difference is None:
        same = f"The same again: {count(report.steps, 'step')}, every verdict, observation, row change and reward."
        show(styled(same, "green"))
    else:
        show(styled(f"Not the same: {report.difference}", "red"))
        if report.drift:
            show("It was recorded with what is named above as drift; the difference may come from there.")


def _origin(recorded: Trajectory) -> tuple[str, int, float]:
    """Scenario id, world seed and scale. Raises TrajectoryError when the header does not say."""
    scenario, world = recorded.header["scenario"], recorded.header["world"]
    if isinstance(scenario, dict) and isinstance(world, dict):
        scenario_id, seed, scale = scenario.get("id"), world.get("seed"), world.get("scale")
        if (
            isinstance(scenario_id, str)
            and isinstance(seed, int)
            and not isinstance(seed, bool)
            and 0 <= seed < 2**63
            and isinstance(scale, int | float)
            and 0 < scale < 1e9  # what a world allows, generation says
        ):
            return scenario_id, seed, float(scale)
    raise TrajectoryError("the header does not say from which scenario, seed and scale its world was made", line=1)


def replay_json(report: ReplayReport) -> dict[str, Any]:
    """What a replay found, as JSON."""
    return {
        "same": report.same,
        "steps": report.steps,
        "unfinished": report.unfinished or None,
        "drift": list(report.drift),
        "difference": None if report.difference is None else _difference(report.difference),
    }


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "step": difference.step,
        "place": difference.place,
        "recorded": difference.recorded,
        "replayed": difference.replayed,
    }


__all__ = ["replay", "replay_json", "show_report"]
