"""The noisy agent plays a task's own solution with mistakes of named kinds, such as a careless person makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from simulator.agents.chance import Chance
from simulator.agents.near_misses import near_answers, near_statements
from simulator.agents.oracle import OracleAgent
from simulator.agents.plan_edits import exchanged, followed, left_out, repeated, swapped, with_arguments
from simulator.agents.sql_instead import SqlWriter
from simulator.agents.values import NO_VALUE, WorldValues
from simulator.episode import Environment
from simulator.errors import UsageError
from simulator.scenario.models import SqlTool
from simulator.tasks import SolutionStep
from simulator.tools import FINISH
from simulator.tools.sql_tool import SQL

_REMEMBERED = re.compile(r"\{[a-z][a-z0-9_]*\}")

MISTAKES = (
    "skip_read",
    "repeat_call",
    "wrong_target",
    "wrong_value",
    "out_of_order",
    "collateral_write",
    "wrong_answer",
    "wrong_sql",
    "sql_instead",
)
"""What the noisy agent does wrong.

``wrong_answer`` gives an answer that is almost right, ``wrong_sql`` changes one literal of the agent's own SQL, as a
careless person would. ``sql_instead`` is there for roles that have an SQL tool: what an operation would have changed is
written by SQL, granted or not, past what the operation checks and tells.
"""


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
        document = environment.world.scenario.document
        self._sql_tools = {name for name, tool in document.tools.items() if isinstance(tool, SqlTool)}
        checks = document.tasks[environment.task.template].checks.values()
        self._answers = [check.answer for check in checks if check.answer is not None]

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
        if kind == "wrong_answer":
            return self._with_wrong_answer(steps)
        if kind == "wrong_sql":
            return self._with_wrong_sql(steps)
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

    def _with_wrong_answer(self, steps: list[SolutionStep]) -> list[SolutionStep] | None:
        answer = steps[-1].arguments.get("answer") if steps and steps[-1].tool == FINISH else None
        if not self._answers or not isinstance(answer, str) or _REMEMBERED.search(answer):
            return None
        tolerance = max(check.tolerance for check in self._answers)
        others = list(near_answers(answer, tolerance, [answer], text=True))
        if not others:
            return None
        return with_arguments(steps, len(steps) - 1, {**steps[-1].arguments, "answer": self._chance.choice(others)})

    def _with_wrong_sql(self, steps: list[SolutionStep]) -> list[SolutionStep] | None:
        places = [
            (index, changed)
            for index, step in enumerate(steps)
            if step.tool in self._sql_tools
            for changed in near_statements(str(step.arguments.get(SQL, "")))
        ]
        if not places:
            return None
        index, changed = self._chance.choice(places)
        return with_arguments(steps, index, {**steps[index].arguments, SQL: changed})

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
