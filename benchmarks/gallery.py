"""The ready businesses: reset, steps by kind of call, and whole episodes of the noisy agent in two processes.

The calls are those of the oracle, which solves each task as its author did; SQL is mostly analytical. The first episode
in each task, where its SQL is judged for the first time, is played before the clock runs. A reset carries out the setup
of a task that has one; finishing runs the checks and makes the score, every part explained. With ``--full``, 10,000
noisy episodes are played, otherwise 400; their time contains what starting two processes takes.
"""

from __future__ import annotations

import gc
import resource
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

from harness import SEED, Report, Timing, gallery, main, resident

from simulator import Environment, Task, World
from simulator.agents import OracleAgent
from simulator.evaluation import AgentChoice, assign, play_all
from simulator.scenario.models import Operation, SqlTool

ROUNDS = 3
TASKS = 40
"""How many tasks of each business are played in a round, spread over all there are."""

WORKERS = 2

RESET, READ, WRITE, SQL, WAIT, FINISH = (
    "reset", "operation that reads", "operation that writes", "agent's SQL", "wait", "finish, with the score",
)  # fmt: skip
GOALS = {RESET: 50e-6, READ: 0.5e-3, WRITE: 0.5e-3}


def measure(full: bool) -> Report:
    """Time the parts of episodes in every business, then whole episodes."""
    report = Report("gallery", "Steps and episodes in the ready businesses")
    worlds = gallery()
    for name, world in worlds.items():
        for kind, timing in _parts(world).items():
            report.add_timing(f"{name}: {kind}", timing, goal=GOALS.get(kind))
    each = (10_000 if full else 400) // len(worlds)
    spent, steps = 0.0, 0
    for name, world in worlds.items():
        took, made = _episodes(world, each)
        report.add(f"{name}: {each:,} noisy episodes, {WORKERS} processes", each / took, "episodes/s")
        report.add(f"{name}: their {made:,} steps", made / took, "steps/s")
        spent, steps = spent + took, steps + made
    report.add(f"all businesses: {each * len(worlds):,} noisy episodes", each * len(worlds) / spent, "episodes/s")
    report.add(f"all businesses: their {steps:,} steps", steps / spent, "steps/s")
    report.add("memory of the largest worker process", _largest_child(), "B")
    if memory := resident():
        report.add(f"memory of the process that holds all {len(worlds)} worlds and outcomes", memory["VmRSS"], "B")
    return report


def _parts(world: World) -> dict[str, Timing]:
    """The mean of all calls of a kind in a round; the median and the fastest of the rounds."""
    tasks = world.tasks()
    sample = tasks[:: max(1, len(tasks) // TASKS)]
    environment = Environment(world)
    means: dict[str, list[float]] = defaultdict(list)
    _play(environment, sample)
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()
        try:
            for kind, times in _play(environment, sample).items():
                means[kind].append(sum(times) / len(times))
        finally:
            gc.enable()
    kinds = (RESET, READ, WRITE, SQL, WAIT, FINISH)
    return {kind: Timing(median(means[kind]), min(means[kind])) for kind in kinds if kind in means}


def _play(environment: Environment, tasks: Sequence[Task]) -> dict[str, list[float]]:
    """One episode of the oracle in each task: seconds of every call, by kind."""
    tools = environment.world.scenario.document.tools
    times: dict[str, list[float]] = defaultdict(list)

    def timed(kind: str, call: Callable[[], Any]) -> Any:
        begun = perf_counter()
        result = call()
        times[kind].append(perf_counter() - begun)
        return result

    for task in tasks:
        observation, _ = timed(RESET, partial(environment.reset, task=task.id, seed=SEED))
        agent = OracleAgent()
        agent.begin(environment, observation, SEED)
        ended = False
        while not ended and (action := agent.act(observation)) is not None:
            kind = _kind(str(action["tool"]), tools) if isinstance(action, dict) else FINISH
            observation, _, terminated, truncated, _ = timed(kind, partial(environment.step, action))
            ended = terminated or truncated
    return times


def _kind(name: str, tools: Mapping[str, Operation | SqlTool]) -> str:
    tool = tools.get(name)
    if tool is None:
        return FINISH if name == "finish" else WAIT
    if isinstance(tool, SqlTool):
        return SQL
    return WRITE if tool.effects else READ


def _episodes(world: World, episodes: int) -> tuple[float, int]:
    """Seconds and steps of so many episodes of the noisy agent."""
    assignments = assign([AgentChoice("noisy")], world.tasks(), episodes=episodes, seed=0)
    gc.collect()
    begun = perf_counter()
    outcomes = play_all(world, assignments, workers=WORKERS)
    took = perf_counter() - begun
    return took, sum(outcome.played.steps for outcome in outcomes if outcome.played is not None)


def _largest_child() -> int:
    """Bytes that the largest process started from here had in memory at its peak (getrusage(2): kB, on macOS B)."""
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    main(measure, __doc__)
