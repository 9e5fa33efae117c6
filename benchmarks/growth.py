"""How reset, fork and step grow with the world: the gallery's support desk at scale 1, 10 and (``--full``) 100.

Nothing but deeper trees should come on top where an operation finds its rows by an index. The steps are those of the
first task's solution, so they read and change what an agent does in this desk. Worlds are kept in
``build/bench/worlds``: making the largest takes a while.
"""

from __future__ import annotations

from typing import Any

from harness import Case, Report, interleaved, kept_support_desk, main, rows_of

from simulator import Environment, World, WorldwrightError
from simulator.agents import OracleAgent


def measure(full: bool) -> Report:
    """Time one episode's parts at each scale."""
    report = Report("growth", "The support desk as it grows")
    for scale in (1, 10, 100) if full else (1, 10):
        try:
            _measure(kept_support_desk(scale), f"scale {scale}", report)
        except WorldwrightError as error:
            report.notes.append(f"Scale {scale} was not measured: {error}")
    if not full:
        report.notes.append("Scale 100 is measured with --full.")
    return report


def _measure(world: World, label: str, report: Report) -> None:
    environment = Environment(world)
    task = world.tasks("train")[0].id
    episode = _solution(world, task)
    environment.reset(task=task)

    def begin() -> None:
        environment.reset(task=task)

    def run() -> None:
        for action in episode:
            environment.step(action)

    def fork_and_step() -> None:
        environment.fork().step(episode[0])

    timings = interleaved({
        "reset": Case(begin),
        "fork": Case(fork_and_step, begin),
        "step": Case(run, begin, len(episode)),
    })  # fmt: skip
    size = f"{label}: {rows_of(world):,} rows, {world.image.image.size / 1e6:.3g} MB"
    report.add_timing(f"{size}: reset (with the task's setup)", timings["reset"])
    report.add_timing(f"{label}: fork and first step", timings["fork"])
    report.add_timing(f"{label}: step, the mean of a solution's {len(episode)}", timings["step"])


def _solution(world: World, task: str) -> list[Any]:
    """The oracle's actions, without the last, which ends the episode."""
    environment, agent = Environment(world), OracleAgent()
    observation, _ = environment.reset(task=task)
    agent.begin(environment, observation, 0)
    found = []
    over = False
    while not over:
        action = agent.act(observation)
        found.append(action)
        observation, _, terminated, truncated, _ = environment.step(action)
        over = terminated or truncated
    return found[:-1]


if __name__ == "__main__":
    main(measure, __doc__)
