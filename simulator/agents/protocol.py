"""What an agent is: something that is shown observations and answers with actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from simulator.episode import Environment, Observation
from simulator.reward import Score
from simulator.tasks import Task


class Agent(Protocol):
    """A policy that plays episodes, one after another. Equal seeds make equal episodes."""

    @property
    def name(self) -> str:
        """Its name in tables and trajectories."""

    def begin(self, environment: Environment, observation: Observation, seed: int) -> None:
        """A new episode: ``observation`` is what reset told. Built-in agents may look at the environment itself."""

    def act(self, observation: Observation) -> object | None:
        """The next action, after ``observation``; None to stop without finishing."""


@dataclass(frozen=True, slots=True)
class Played:
    """One finished episode: its score, how it ended, and the verdict kinds of its steps.

    ``difficulty`` is the task's, 1 easy to 5 hard.
    """

    task: str
    template: str
    difficulty: int
    agent: str
    seed: int
    ending: str
    score: Score
    steps: int
    kinds: tuple[str, ...]


def play(environment: Environment, agent: Agent, task: str | Task, seed: int) -> Played:
    """Let ``agent`` play one episode of ``task`` to its end. Raises what the environment raises."""
    environment.agent = {"name": agent.name, "seed": seed}
    observation, _ = environment.reset(task=task, seed=seed)
    agent.begin(environment, observation, seed)
    over = False
    while not over:
        action = agent.act(observation)
        if action is None:
            environment.stop("the agent stopped")
            break
        observation, _, terminated, truncated, _ = environment.step(action)
        over = terminated or truncated
    state = environment.snapshot()
    return Played(
        task=state.task.id,
        template=state.task.template,
        difficulty=state.task.difficulty,
        agent=agent.name,
        seed=seed,
        ending=state.ending or "",
        score=environment.score(),
        steps=len(state.events),
        kinds=tuple(event.kind for event in state.events),
    )


Action = dict[str, Any]
"""``{"tool": name, "arguments": {...}}``."""


def finish(**arguments: Any) -> Action:
    """The action that ends an episode."""
    return {"tool": "finish", "arguments": arguments}
