"""What a check looks at: some tasks of one template in one world, and ways to play them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from simulator.agents import Agent, NoisyAgent, NullAgent, OracleAgent, RandomAgent, WorldValues, play
from simulator.episode import Environment, EpisodeState, Observation, SolutionRun, workplace_of
from simulator.episode.workplace import Workplace
from simulator.errors import WorldwrightError
from simulator.evaluation.verification.findings import Evidence
from simulator.reward import Score
from simulator.scenario.models import ScenarioDocument, TaskTemplate
from simulator.tasks import Solution, SolutionStep, Task, World

EPISODE_SEED = 1
"""The seed of every episode that a check plays; faults depend on it."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode, played to its end: its score and what led to it.

    ``actions`` are those the environment was given, ``observations`` what it told, ``digests`` the state after each;
    ``changes`` the net row changes, ``process`` the names of the process rules broken, ``violations`` rule and step.
    """

    task: Task
    score: Score
    ending: str
    actions: tuple[Mapping[str, Any], ...]
    observations: tuple[Observation, ...]
    digests: tuple[str, ...]
    start_digest: str
    changes: tuple[Mapping[str, Any], ...]
    violations: tuple[tuple[str, int], ...]
    flags: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The state at the end."""
        return self.digests[-1] if self.digests else self.start_digest

    def evidence(self, step: int | None = None) -> Evidence:
        """This episode, to be replayed."""
        return Evidence(self.task.world_seed, self.task.id, EPISODE_SEED, self.actions, step)


class Subject:
    """Tasks of one template in one world, with what all checks of them share.

    ``tasks`` are those that can be begun and whose solutions can be played; ``unplayable`` tells why others cannot.
    """

    def __init__(self, world: World, template: str, tasks: Sequence[Task]) -> None:
        self.world = world
        self.name = template
        self.environment = Environment(world)
        self._solutions: dict[str, tuple[Solution, ...]] = {}
        self.unplayable: list[tuple[Task, WorldwrightError]] = []
        self.tasks = tuple(task for task in tasks if self._is_playable(task))

    @property
    def document(self) -> ScenarioDocument:
        """The scenario's document."""
        return self.world.scenario.document

    @property
    def template(self) -> TaskTemplate:
        """The template."""
        return self.document.tasks[self.name]

    @property
    def about(self) -> str:
        """The template's path, as findings name it."""
        return f"tasks.{self.name}"

    @property
    def workplace(self) -> Workplace:
        """Engine, solutions and scorer of the world."""
        return workplace_of(self.world)

    @cached_property
    def values(self) -> WorldValues:
        """Values of the world that mistakes are made with."""
        return WorldValues(self.world)

    @cached_property
    def by_agent(self) -> Mapping[str, tuple[Episode, ...]]:
        """One episode of every task by each of the built-in agents, from the best to the worst, by their names."""
        agents: Mapping[str, Agent] = {
            "oracle": OracleAgent(),
            **{f"noisy_{number}": NoisyAgent(number) for number in (1, 2, 4)},
            "random": RandomAgent(),
            "null": NullAgent(),
        }
        return {name: tuple(self.play(task, agent) for task in self.tasks) for name, agent in agents.items()}

    def solutions(self, task: Task) -> tuple[Solution, ...]:
        """The calls of every solution of a task."""
        if task.id not in self._solutions:
            self._solutions[task.id] = self.workplace.solutions.solutions(task)
        return self._solutions[task.id]

    def runs(self, task: Task) -> tuple[SolutionRun, ...]:
        """Every solution of a task as the engine played it, without faults: the measure of what is right."""
        return self.workplace.solutions.runs(task)

    def play(self, task: Task, agent: Agent) -> Episode:
        """An episode of a task by an agent."""
        return _played(self.environment, task, agent)

    def follow(self, task: Task, plan: Sequence[SolutionStep]) -> Episode:
        """An episode that follows a plan as the oracle does: it retries after faults, and finishes at the end."""
        return self.play(task, _Planned(plan))

    def act(self, task: Task, actions: Sequence[object]) -> Episode:
        """An episode of these very actions, stopped after them if nothing has ended it."""
        return self.play(task, _Acting(actions))

    def branches(self, task: Task, actions: Sequence[object], lasts: Sequence[object]) -> tuple[Episode, ...]:
        """The episodes that take these actions and then one of ``lasts``, each stopped if that has not ended it.

        The actions are played once. An episode that they end already is the only one.
        """
        environment = self.environment
        environment.agent = {"name": "scripted", "seed": EPISODE_SEED}
        environment.reset(task=task, seed=EPISODE_SEED)
        start = environment.state_digest
        for action in actions:
            _, _, terminated, truncated, _ = environment.step(action)
            if terminated or truncated:
                return (_episode(environment, start),)
        moment = environment.snapshot()
        episodes = []
        for last in lasts:
            environment.restore(moment)
            _, _, terminated, truncated, _ = environment.step(last)
            if not (terminated or truncated):
                environment.stop("the agent stopped")
            episodes.append(_episode(environment, start))
        return tuple(episodes)

    def trail(self, task: Task, plan: Sequence[SolutionStep]) -> Trail:
        """An episode that follows a plan, with the moments from which others can go on."""
        walker = _Walker(plan)
        episode = self.play(task, walker)
        return Trail(tuple(plan), episode, tuple(walker.marks))

    def resume(self, trail: Trail, plan: Sequence[SolutionStep]) -> Episode:
        """The episode of `follow`, with the steps that a plan shares with a trail's taken from there."""
        shared = 0
        for mine, theirs in zip(plan, trail.plan, strict=False):
            if mine != theirs:
                break
            shared += 1
        mark = trail.marks[min(shared, len(trail.marks) - 1)]
        environment = self.environment
        environment.restore(mark.moment)
        environment.agent = {"name": "oracle", "seed": EPISODE_SEED}
        walker = _Walker(plan)
        walker.go_on(environment, mark)
        observation, over = mark.observation, mark.moment.ending is not None
        while not over:
            observation, _, terminated, truncated, _ = environment.step(walker.act(observation))
            over = terminated or truncated
        return _episode(environment, trail.episode.start_digest)

    def _is_playable(self, task: Task) -> bool:
        try:
            self.runs(task)
        except WorldwrightError as error:
            self.unplayable.append((task, error))
            return False
        return True


class _Planned(OracleAgent):
    def __init__(self, plan: Sequence[SolutionStep]) -> None:
        super().__init__()
        self._given = tuple(plan)

    def plan(self, environment: Environment, solution: Sequence[SolutionStep], seed: int) -> Sequence[SolutionStep]:
        return self._given


@dataclass(frozen=True, slots=True)
class Mark:
    """The moment before a step of a plan, counted from 0: the state, the last observation, what was remembered."""

    step: int
    moment: EpisodeState
    observation: Observation
    remembered: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trail:
    """A plan, the episode that followed it, and a mark before each of its steps that was reached."""

    plan: tuple[SolutionStep, ...]
    episode: Episode
    marks: tuple[Mark, ...]


class _Walker(_Planned):
    """Follows a plan and leaves a mark before each step; or goes on from one."""

    def __init__(self, plan: Sequence[SolutionStep]) -> None:
        super().__init__(plan)
        self.marks: list[Mark] = []

    def go_on(self, environment: Environment, mark: Mark) -> None:
        """Begin at a mark, as if the steps before it were the plan's own."""
        self._environment = environment
        self._plan = self._given
        self._remembered = dict(mark.remembered)
        self._next = mark.step

    def act(self, observation: Observation) -> object | None:
        before, moment = self._next, self._environment.snapshot()
        action = super().act(observation)
        if self._next > before:
            self.marks.append(Mark(before, moment, observation, dict(self._remembered)))
        return action


class _Acting:
    name = "scripted"

    def __init__(self, actions: Sequence[object]) -> None:
        self._rest = list(actions)

    def begin(self, environment: Environment, observation: Observation, seed: int) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> object | None:
        """The next action."""
        return self._rest.pop(0) if self._rest else None


def _played(environment: Environment, task: Task, agent: Agent) -> Episode:
    start: list[str] = []

    class _Watching:
        name = agent.name

        def begin(self, environment: Environment, observation: Observation, seed: int) -> None:
            start.append(environment.state_digest)
            agent.begin(environment, observation, seed)

        def act(self, observation: Observation) -> object | None:
            return agent.act(observation)

    play(environment, _Watching(), task, EPISODE_SEED)
    return _episode(environment, start[0])


def _episode(environment: Environment, start_digest: str) -> Episode:
    """The episode that an environment has just played to its end."""
    state = environment.snapshot()
    return Episode(
        task=state.task,
        score=environment.score(),
        ending=state.ending or "",
        actions=tuple(step.action for step in state.steps),
        observations=tuple(step.observation for step in state.steps),
        digests=tuple(step.state_digest for step in state.steps),
        start_digest=start_digest,
        changes=tuple(environment.changes()),
        violations=tuple((violation.rule, violation.step) for violation in state.violations),
        flags=tuple(flag for step in state.steps for flag in step.flags),
    )
