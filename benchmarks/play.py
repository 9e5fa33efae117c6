"""Whole episodes: the noisy agent in the support desk, in one process and in two.

An episode is reset, the agent's steps with their judging and recording, and the final score with every part explained.
The trajectories are not written. The time of two processes contains what starting them takes.
"""

from __future__ import annotations

import gc
from statistics import median
from time import perf_counter

from harness import Report, main, support_desk

from simulator.evaluation import AgentChoice, assign, play_all

ROUNDS = 3


def measure(full: bool) -> Report:
    """Play the same episodes with one worker and with two, in turn."""
    report = Report("play", "Episodes of the noisy agent in the support desk")
    world = support_desk(1)
    episodes = 5_000 if full else 1_000
    assignments = assign([AgentChoice("noisy")], world.tasks(), episodes=episodes, seed=0)
    play_all(world, assignments[:50])
    seconds: dict[int, list[float]] = {1: [], 2: []}
    steps = 0
    for _ in range(ROUNDS):
        for workers, spent in seconds.items():
            gc.collect()
            begun = perf_counter()
            outcomes = play_all(world, assignments, workers=workers)
            spent.append(perf_counter() - begun)
            steps = sum(outcome.played.steps for outcome in outcomes if outcome.played is not None)
    for workers, spent in seconds.items():
        took = median(spent)
        times = {"one process": median(seconds[1]) / took} if workers > 1 else {}
        label = "1 process" if workers == 1 else f"{workers} processes"
        report.add(f"{label}: {episodes:,} episodes", episodes / took, "episodes/s", times=times)
        report.add(f"{label}: their {steps:,} steps", steps / took, "steps/s")
    return report


if __name__ == "__main__":
    main(measure, __doc__)
