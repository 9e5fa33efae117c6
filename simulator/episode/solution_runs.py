"""Solutions, played: what they change, which process rules they activate, how long they are.

A task's measure (par, base rules, the cells it may change, the end states that are right) comes from playing its own
solutions in its own world, once for each task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from simulator.episode.engine import Engine
from simulator.episode.logs import judged
from simulator.episode.stepping import Effect, take_step
from simulator.rules import ProcessResult
from simulator.scenario.times import normalise_date, normalise_timestamp
from simulator.tasks import Solution, SolutionStep, Task, expand_solution, remembered_values
from simulator.world import NetChanges

_MOST_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One call of a solution, the action it became and its effect."""

    call: SolutionStep
    action: Mapping[str, Any]
    effect: Effect


@dataclass(frozen=True, slots=True)
class SolutionRun:
    """One solution, played to its end. ``elapsed`` is the world time it took, in seconds."""

    played: tuple[PlayedStep, ...]
    changes: NetChanges
    process: tuple[ProcessResult, ...]
    elapsed: int

    @property
    def steps(self) -> int:
        """Its length; `finish` counts."""
        return len(self.played)

    @property
    def told(self) -> frozenset[str]:
        """The moments and dates its calls name, in the world's form."""
        texts = [text for step in self.played for text in _texts(step.action["arguments"])]
        moments = (form(text) for text in texts for form in (normalise_timestamp, normalise_date))
        return frozenset(moment for moment in moments if moment is not None)

    @property
    def activates(self) -> frozenset[str]:
        """The process rules it activates."""
        return frozenset(result.rule for result in self.process if result.activated)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a call's arguments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


class SolutionBook:
    """The solution runs of one world's tasks, played when first asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._runs: dict[str, tuple[SolutionRun, ...]] = {}

    def solutions(self, task: Task) -> tuple[Solution, ...]:
        """The calls of every solution of a task."""
        state = self._engine.begin(task, 0)
        with self._engine.laid(state) as database:
            return expand_solution(database, self._engine.template(task), task)

    def runs(self, task: Task) -> tuple[SolutionRun, ...]:
        """Every solution of a task, played."""
        known = self._runs.get(task.id)
        if known is None:
            if len(self._runs) >= _MOST_KEPT:
                self._runs.clear()
            known = self._runs[task.id] = tuple(self._play(task, solution) for solution in self.solutions(task))
        return known

    def _play(self, task: Task, solution: Solution) -> SolutionRun:
        engine = self._engine
        # A solution longer than the step limit is still the measure of what is right, and no fault belongs to it.
        state = engine.begin(replace(task, steps=len(solution) + 1), 0, faults=False)
        remembered: dict[str, Any] = {}
        played = []
        for number, call in enumerate(solution, 1):
            action = call.call(remembered)
            state, effect = take_step(engine, state, action, turn=number)
            remembered.update(remembered_values(call, effect.result))
            played.append(PlayedStep(call, action, effect))
            if state.ending is not None:
                break
        with engine.laid(state) as database:
            process = engine.rules.process_results(
                judged(state.events), database=database, bindings={"actor": task.actor}
            )
        return SolutionRun(tuple(played), state.agent_changes, process, state.now - state.start)
