"""The oracle plays a task's own solution. It knows what no agent is told; it measures the environment, not an agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.agents.protocol import Action, finish
from simulator.episode import Environment, Observation, workplace_of
from simulator.tasks import SolutionStep, remembered_values
from simulator.tools import STALE_READ, WAIT


class OracleAgent:
    """Plays the first solution of each task, or the one of that index if the task has so many.

    A call that a fault struck it makes again, with the same arguments and so the same idempotency key, after waiting as
    long as it was told to. Whether a call that timed out took effect, which others find out by reading, it knows: only
    where an idempotency key brings back a result that was lost does it ask again. What it must remember of a read it
    takes from no stale answer.
    """

    name = "oracle"

    def __init__(self, solution: int = 0) -> None:
        self._solution = solution
        self._plan: Sequence[SolutionStep] = ()
        self._next = 0
        self._remembered: dict[str, Any] = {}
        self._sent: Action = finish()
        self._waits = False

    def begin(self, environment: Environment, observation: Observation, seed: int) -> None:
        """Look up the solution. A task without one is finished at once."""
        solutions = workplace_of(environment.world).solutions.solutions(environment.task)
        self._environment = environment
        self._next, self._remembered, self._waits = 0, {}, False
        self._plan = self.plan(
            environment, solutions[min(self._solution, len(solutions) - 1)] if solutions else (), seed
        )

    def plan(self, environment: Environment, solution: Sequence[SolutionStep], seed: int) -> Sequence[SolutionStep]:
        """The steps to play."""
        return solution

    def act(self, observation: Observation) -> object | None:
        """The next call, with what earlier results told in place; or the last one again if a fault struck it."""
        retry = self._retry(observation) if self._next else None
        if retry is not None:
            return retry
        if self._next:
            self._remembered.update(remembered_values(self._plan[self._next - 1], observation.get("result")))
        if self._next >= len(self._plan):
            return finish()
        self._next += 1
        self._sent = self._plan[self._next - 1].call(self._remembered)
        return self._sent

    def _retry(self, observation: Observation) -> Action | None:
        """What a fault makes necessary before the plan goes on, None if nothing."""
        if self._waits:
            self._waits = False
            return self._sent
        if observation.get("code") == STALE_READ:
            return self._sent if self._plan[self._next - 1].remember else None
        if observation.get("kind") != "fault":
            return None
        result = observation["result"]
        if "retry_after" in result:
            self._waits = True
            return {"tool": WAIT, "arguments": {"duration": f"{result['retry_after']}s"}}
        return None if self._is_done() else self._sent

    def _is_done(self) -> bool:
        """Whether the call that timed out took effect, and asking again would do it twice."""
        last = self._environment.snapshot().events[-1]
        operation = workplace_of(self._environment.world).engine.toolbox.operation(last.tool)
        has_key = operation is not None and operation.idempotency in last.arguments
        return last.took_effect and not has_key
