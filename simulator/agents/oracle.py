"""The oracle plays a task's own solution; the noisy agent plays it with mistakes of named kinds.

Both know what no agent is told; they measure the environment, not an agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.agents.chance import Chance
from simulator.agents.plan_edits import exchanged, followed, left_out, repeated, swapped, with_arguments
from simulator.agents.protocol import Action, finish
from simulator.agents.sql_instead import SqlWriter
from simulator.agents.values import NO_VALUE, WorldValues
from simulator.episode import Environment, Observation, workplace_of
from simulator.errors import UsageError
from simulator.tasks import SolutionStep, remembered_values
from simulator.tools import STALE_READ, WAIT

MISTAKES = (
    "skip_read",
    "repeat_call",
    "wrong_target",
    "wrong_value",
    "out_of_order",
    "collateral_write",
    "sql_instead",
)
"""What the noisy agent does wrong.

``sql_instead`` is there for roles that have an SQL tool: what an operation would have changed is written by SQL,
granted or not, past what the operation checks and tells.
"""


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


class NoisyAgent(OracleAgent):
    """The oracle with ``mistakes`` seeded mistakes of the kinds given; those that fit nothing in a plan are left out.

    ``made`` names those of the episode being played.
    """

    name = "noisy"

    def __init__(self, mistakes: int = 1, kinds: Sequence[str] = MISTAKES) -> None:
        super().__init__()
        unknown = [kind for kind in kinds if kind not in MISTAKES]
        if unknown or not kinds:
            raise UsageError(
                f"There is no mistake {', '.join(unknown) or '(none given)'}; there are {', '.join(MISTAKES)}."
            )
        self._mistakes = mistakes
        self._kinds = tuple(kinds)
        self._values: WorldValues | None = None
        self.made: tuple[str, ...] = ()

    def plan(self, environment: Environment, solution: Sequence[SolutionStep], seed: int) -> Sequence[SolutionStep]:
        """The solution with mistakes in it."""
        chance = Chance("noisy", environment.task.id, seed)
        if self._values is None or self._values.world is not environment.world:
            self._values = WorldValues(environment.world)
        writer = SqlWriter(environment, self._values)
        mutation = _Mutation(self._values, environment, writer, chance)
        steps, made = list(solution), []
        for _ in range(self._mistakes):
            kinds = [kind for kind in self._kinds if kind != "sql_instead" or writer.has_tool]
            while kinds:
                kind = kinds.pop(chance.below(len(kinds)))
                changed = mutation.apply(kind, steps)
                if changed is not None:
                    steps = changed
                    made.append(kind)
                    break
        self.made = tuple(made)
        return steps


class _Mutation:
    """Makes one mistake in a plan."""

    def __init__(self, values: WorldValues, environment: Environment, writer: SqlWriter, chance: Chance) -> None:
        self._values = values
        self._writer = writer
        self._chance = chance
        self._operations = values.operations(environment)

    def apply(self, kind: str, steps: list[SolutionStep]) -> list[SolutionStep] | None:
        """The plan with a mistake of this kind, None if it has no place for one."""
        calls = [index for index, step in enumerate(steps) if step.tool in self._operations]
        writes = [index for index in calls if self._values.writes(steps[index].tool)]
        # What ends the episode can be followed by nothing.
        going_on = [index for index in calls if not self._operations[steps[index].tool].ends]
        reads = [index for index in calls if index not in writes and not steps[index].remember]
        if kind == "skip_read" and reads:
            index = self._chance.choice(reads)
            return left_out(steps, index)
        if kind == "repeat_call" and going_on:
            index = self._chance.choice(going_on)
            return repeated(steps, index)
        if kind == "out_of_order" and len(calls) > 1:
            place = self._chance.below(len(calls) - 1)
            first, second = calls[place], calls[place + 1]
            return swapped(steps, first, second) if steps[first] != steps[second] else None
        if kind == "sql_instead":
            return self._with_sql_instead(steps, [index for index in writes if index in going_on])
        if kind in ("wrong_target", "wrong_value"):
            return self._with_wrong_argument(steps, writes, targets=kind == "wrong_target")
        if kind == "collateral_write":
            changed = self._with_wrong_argument(steps, [index for index in writes if index in going_on], targets=True)
            if changed is None:
                return None
            index = next(index for index, step in enumerate(steps) if changed[index] != step)
            return followed(steps, index, changed[index])
        return None

    def _with_sql_instead(self, steps: list[SolutionStep], places: list[int]) -> list[SolutionStep] | None:
        """One of these steps made by SQL; none that others remember something of."""
        places = [index for index in places if not steps[index].remember]
        while places:
            index = places.pop(self._chance.below(len(places)))
            written = self._writer.statements(steps[index])
            if written:
                return exchanged(steps, index, written)
        return None

    def _with_wrong_argument(
        self, steps: list[SolutionStep], writes: Sequence[int], *, targets: bool
    ) -> list[SolutionStep] | None:
        places = [
            (index, name)
            for index in writes
            for name in steps[index].arguments
            if (self._values.target_table(name) is not None) == targets
        ]
        while places:
            index, name = places.pop(self._chance.below(len(places)))
            step = steps[index]
            other = self._other_value(step, name)
            if other is not None:
                return with_arguments(steps, index, {**step.arguments, name: other})
        return None

    def _other_value(self, step: SolutionStep, name: str) -> Any:
        """Another value the parameter takes, None when none is found."""
        parameter = self._operations[step.tool].parameters.get(name)
        if parameter is None:
            return None
        for _ in range(8):
            value = self._values.value(step.tool, name, parameter, self._chance)
            if value is not NO_VALUE and value != step.arguments[name]:
                return value
        return None
