"""The episodes that show findings, as trajectories that `replay` opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from simulator.episode import Environment
from simulator.errors import EngineFault
from simulator.evaluation.verification.findings import Evidence, Finding
from simulator.scenario import Scenario
from simulator.tasks import World, generate_world


def write_evidence(
    scenario: Scenario,
    findings: Sequence[Finding],
    folder: Path,
    done: Callable[[int, int, str], None] = lambda finished, of, words: None,
) -> dict[int, Path]:
    """Write the trajectory of every finding that has one to ``folder``; the files by the findings' places.

    A file is called after the finding's place, counted from 1, its check and the task. Worlds are made again. Raises
    OSError when a file cannot be written, and what making a world raises.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shown = [(place, item.check, item.evidence) for place, item in enumerate(findings) if item.evidence is not None]
    shown.sort(key=lambda item: (item[2].world_seed, item[0]))
    files: dict[int, Path] = {}
    world: World | None = None
    for place, check, evidence in shown:
        if world is None or world.seed != evidence.world_seed:
            world = generate_world(scenario, evidence.world_seed)
        file = folder / f"{place + 1:04d}_{check}_{evidence.task.replace('/', '_')}.jsonl"
        _play(world, evidence).trajectory.save(file)
        files[place] = file
        done(len(files), len(shown), file.name)
    return files


def _play(world: World, evidence: Evidence) -> Environment:
    environment = Environment(world, agent={"name": "verification", "seed": evidence.episode_seed})
    environment.reset(task=evidence.task, seed=evidence.episode_seed)
    try:
        for action in evidence.actions:
            environment.step(action)
    except EngineFault:
        pass  # the fault is what is shown: the trajectory says that it is invalid, and why
    environment.stop("the evidence ends here")
    return environment
