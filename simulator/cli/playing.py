"""``play``: let agents play the tasks of a world, and tell what they achieved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

from simulator.agents import MISTAKES
from simulator.cli.failures import NEGATIVE
from simulator.cli.opening import make_world, open_scenario
from simulator.cli.results import all_tables
from simulator.cli.terminal import count, progress, remark, show, show_json
from simulator.cli.worlds import draw, world_json
from simulator.errors import UsageError
from simulator.evaluation import AGENT_NAMES, AgentChoice, Outcome, assign, compare_agents, play_all, summarise
from simulator.tasks import Task, World


def chosen_agents(
    names: Sequence[str], *, mistakes: int, kinds: str | None, script: Path | None
) -> tuple[AgentChoice, ...]:
    """The agents that were typed, in that order. Raises UsageError for one that there is not or that cannot be made."""
    wanted = dict.fromkeys(name for given in names for name in _words(given))
    if not wanted:
        raise UsageError(f"Name an agent; there are {', '.join(AGENT_NAMES)}.")
    mistaken = MISTAKES if kinds is None else _words(kinds)
    chosen = tuple(AgentChoice(name, mistakes, mistaken, script) for name in wanted)
    for choice in chosen:
        choice.make()  # what cannot be made is told before a world is generated
    return chosen


def play(
    given: str,
    agents: Sequence[AgentChoice],
    *,
    episodes: int,
    split: str | None,
    task_ids: Sequence[str],
    seed: int,
    scale: float,
    out: Path | None,
    workers: int,
    as_json: bool,
) -> None:
    """Play, and show what the agents achieved. Exits with 1 when the engine failed in an episode."""
    made = make_world(open_scenario(given), seed=seed, scale=scale)
    outcomes = play_with_progress(made, agents, _chosen_tasks(made, split, task_ids), episodes, out, workers)
    summaries = summarise(outcomes, seed=seed)
    comparisons = compare_agents(outcomes, seed=seed)
    if as_json:
        report = {
            "agents": [summary.to_json() for summary in summaries],
            "comparisons": [asdict(comparison) for comparison in comparisons],
            "episodes": [_json(item) for item in outcomes],
        }
        show_json({**world_json(made), **report})
    else:
        show(*all_tables(summaries, comparisons))
        show("", "Below each number: its 95 % interval.")
        if out is not None:
            remark(f"trajectories: {out}")
    faults = [outcome for outcome in outcomes if outcome.played is None]
    if faults:
        first = faults[0].assignment
        remark(f"The engine failed in {count(len(faults), 'episode')}, first in {first.task}: {faults[0].fault}", "red")
        raise typer.Exit(NEGATIVE)


def play_with_progress(
    world: World,
    agents: Sequence[AgentChoice],
    tasks: Sequence[Task],
    episodes: int,
    folder: Path | None,
    workers: int,
) -> tuple[Outcome, ...]:
    """Play ``episodes`` episodes for each agent behind a progress bar. Raises what `play_all` raises."""
    assignments = assign(agents, tasks, episodes=episodes, seed=world.seed, folder=folder)
    begun, played = perf_counter(), 0
    with progress("Playing") as report:

        def ended(more: int) -> None:
            nonlocal played
            played += more
            report(played, len(assignments), f"{played / (perf_counter() - begun):,.0f} episodes/s")

        report(0, len(assignments), "")
        outcomes = play_all(world, assignments, workers=workers, done=ended)
    steps = sum(outcome.played.steps for outcome in outcomes if outcome.played)
    seconds = perf_counter() - begun
    remark(f"{count(len(outcomes), 'episode')}, {count(steps, 'step')} in {seconds:.1f} s", "dim")
    return outcomes


def _chosen_tasks(world: World, split: str | None, ids: Sequence[str]) -> tuple[Task, ...]:
    if ids:
        if split is not None:
            raise UsageError("Give --task or --split, not both.")
        return tuple(world.task(task_id) for task_id in dict.fromkeys(ids))
    found = draw(world, split)
    if not found:
        where = f" in the split {split!r}" if split else ""
        raise UsageError(f"This world has no task{where}.")
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _json(outcome: Outcome) -> dict[str, Any]:
    assignment, played = outcome.assignment, outcome.played
    facts: dict[str, Any] = {
        "agent": assignment.agent.name,
        "number": assignment.number,
        "task": assignment.task,
        "seed": assignment.seed,
        "trajectory": str(assignment.file) if assignment.file else None,
        "invalid": outcome.fault or None,
    }
    if played is not None:
        score = played.score
        facts |= {
            "template": played.template,
            "difficulty": played.difficulty,
            "ending": played.ending,
            "steps": played.steps,
            "success": score.success,
            "reward": score.total,
            "completion": score.completion,
            "process": score.process,
            "efficiency": score.efficiency,
            "penalties": score.penalties,
            "verdicts": list(played.kinds),
        }
    return facts


__all__ = ["chosen_agents", "play", "play_with_progress"]
