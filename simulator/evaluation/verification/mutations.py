"""Mutants of a solution: plans that are wrong, or may be, in exactly one place.

Of each kind at most :data:`MOST` mutants of one solution are made; where there could be more, chance chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from simulator.agents import Chance
from simulator.agents.near_misses import (
    near_answers,
    near_misses,
    near_statements,
    phrases_told,
    quotations,
)
from simulator.agents.plan_edits import exchanged, followed, left_out, repeated, swapped, with_arguments
from simulator.agents.sql_instead import SqlWriter
from simulator.episode import SolutionRun
from simulator.evaluation.verification.subject import Subject
from simulator.evaluation.verification.targets import Leaf, Targets, leaves, put
from simulator.scenario.models import AnswerCheck, ProcessRule
from simulator.tasks import SolutionStep, Task
from simulator.tools import FINISH, WAIT, Verdict
from simulator.tools.sql_tool import SQL

Kind = Literal[
    "skip_read", "skip_write", "repeat_write", "swap_order", "wrong_target", "wrong_value", "collateral_write",
    "foreign_read", "padding", "sql_instead",
]  # fmt: skip

MOST: Mapping[Kind, int] = {
    "skip_read": 3,
    "skip_write": 6,
    "repeat_write": 3,
    "swap_order": 3,
    "wrong_target": 5,
    "wrong_value": 8,
    "collateral_write": 3,
    "foreign_read": 1,
    "padding": 1,
    "sql_instead": 2,
}
"""The most mutants of each kind that are made of one solution."""

PADDING = 50
"""How many redundant reads a padded solution has, if the step limit has room for them."""

_PROBES = 6
_PROSE = 5  # words: a name or code has fewer
_WHERE = re.compile(r"\bwhere\b(?![^(]*\))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutant: its plan, the step at which it differs (counted from 1), and what was done to it, in words.

    ``open`` says that nothing in the scenario may demand what it does otherwise: a read, an order, the words of prose.
    Where it is missed a person should look. ``about`` is what it does otherwise.
    """

    kind: Kind
    plan: tuple[SolutionStep, ...]
    step: int
    words: str
    open: bool = False
    about: str = ""


class Mutator:
    """Makes the mutants of one solution of one task."""

    def __init__(self, subject: Subject, task: Task, solution: Sequence[SolutionStep], run: SolutionRun) -> None:
        self._subject = subject
        self._task = task
        self._plan = list(solution[: len(run.played)])
        self._run = run
        self._values = subject.values
        self._chance = Chance("mutants", task.id, len(solution))
        self._targets = Targets(subject, task)
        self._told, self._quoted = phrases_told(task), quotations(task)
        # The environment must be in an episode of the task to tell which tools there are.
        self._operations = self._values.operations(subject.environment)
        self._writer = SqlWriter(subject.environment, self._values)
        changed = [bool(step.effect.changes) for step in run.played]
        places = range(len(self._plan))
        self._writes = [place for place in places if changed[place]]
        self._reads = [place for place in places if not changed[place] and self._is_read(place)]

    def mutants(self, kind: Kind) -> list[Mutant]:
        """The mutants of a kind, in the order of the steps at which they differ."""
        found = list(getattr(self, f"_{kind}")())
        most = MOST[kind]
        while len(found) > most:
            found.pop(self._chance.below(len(found)))
        return found

    def _is_read(self, place: int) -> bool:
        step = self._plan[place]
        return step.tool not in (FINISH, WAIT) and not self._values.writes(step.tool) and step.errs is None

    def _mutant(self, kind: Kind, plan: Sequence[SolutionStep], place: int, words: str, about: str = "") -> Mutant:
        return Mutant(kind, tuple(plan), place + 1, words, open=bool(about), about=about)

    def _ends(self, place: int) -> bool:
        operation = self._operations.get(self._plan[place].tool)
        return operation is not None and operation.ends

    def _skip_read(self) -> Iterator[Mutant]:
        for place in self._reads:
            if not self._plan[place].remember:
                words = f"without its read {self._plan[place].tool}"
                yield self._mutant("skip_read", left_out(self._plan, place), place, words, self._plan[place].tool)

    def _skip_write(self) -> Iterator[Mutant]:
        for place in self._writes:
            if not self._plan[place].remember:
                words = f"without its step {self._plan[place].tool}"
                yield self._mutant("skip_write", left_out(self._plan, place), place, words)

    def _repeat_write(self) -> Iterator[Mutant]:
        for place in self._writes:
            if not self._ends(place):
                words = f"with {self._plan[place].tool} called twice"
                yield self._mutant("repeat_write", repeated(self._plan, place), place + 1, words)

    def _swap_order(self) -> Iterator[Mutant]:
        for place in range(len(self._plan) - 1):
            first, second = self._plan[place], self._plan[place + 1]
            if place not in self._writes and place + 1 not in self._writes:
                continue  # the order of reads is nobody's business
            if FINISH in (first.tool, second.tool) or first == second or self._ends(place + 1):
                continue
            if not (first.remember and set(first.remember) & _placeholders(second)):
                words = f"with {second.tool} before {first.tool}"
                yield self._mutant("swap_order", swapped(self._plan, place, place + 1), place, words, "order")

    def _wrong_target(self) -> Iterator[Mutant]:
        for place, leaf, table in self._targets_of_writes():
            for other in self._targets.others(table, leaf.value, self._chance):
                yield from self._changed("wrong_target", place, leaf, other)

    def _wrong_value(self) -> Iterator[Mutant]:
        targets = {(place, leaf.path) for place, leaf, _ in self._targets_of_writes()}
        for place in self._writes:
            step = self._plan[place]
            if step.tool not in self._operations:
                yield from self._wrong_literals(place)
                continue
            for leaf in self._leaves(place):
                if (place, leaf.path) not in targets:
                    known = self._values.of_world(leaf.name)
                    for other in list(near_misses(leaf.value, leaf.schema, known, self._told, self._quoted))[:2]:
                        yield from self._changed("wrong_value", place, leaf, other)
        if self._plan and self._plan[-1].tool == FINISH:
            yield from self._wrong_ending(len(self._plan) - 1)

    def _wrong_ending(self, place: int) -> Iterator[Mutant]:
        given = self._plan[place].arguments
        answer, refusal = given.get("answer"), given.get("refusal")
        checks = answer_checks(self._subject)
        if isinstance(answer, str) and checks and not _placeholders(self._plan[place]):
            tolerance = max(check.tolerance for check in checks)
            text = any("exact" in check.model_fields_set for check in checks)
            for other in near_answers(answer, tolerance, self._told, text=text):
                plan = with_arguments(self._plan, place, {**given, "answer": other})
                yield self._mutant("wrong_value", plan, place, f"with the answer {_short(other)}")
        others = [code for code in self._subject.document.refusals if code != refusal]
        for other in others[:2] if refusal is not None else ():
            plan = with_arguments(self._plan, place, {**given, "refusal": other})
            yield self._mutant("wrong_value", plan, place, f"with the refusal {other}")

    def _wrong_literals(self, place: int) -> Iterator[Mutant]:
        given = self._plan[place].arguments
        for sql in near_statements(str(given.get(SQL, ""))):
            plan = with_arguments(self._plan, place, {**given, SQL: sql})
            yield self._mutant("wrong_value", plan, place, f"with {_short(sql)}")

    def _collateral_write(self) -> Iterator[Mutant]:
        for place, leaf, table in self._targets_of_writes():
            if self._ends(place):
                continue
            for other in self._targets.others(table, leaf.value, self._chance):
                arguments = put(self._plan[place].arguments, leaf.path, other)
                if self._is_callable(place, leaf, other):
                    step = SolutionStep(self._plan[place].tool, arguments)
                    words = f"with {step.tool} called for {leaf.name} {_short(other)} too"
                    yield self._mutant("collateral_write", followed(self._plan, place, step), place + 1, words)
        for place in self._writes:
            sql = self._plan[place].arguments.get(SQL)
            if self._plan[place].tool not in self._operations and isinstance(sql, str) and _WHERE.search(sql):
                cut = sql[: [*_WHERE.finditer(sql)][-1].start()].rstrip()
                plan = with_arguments(self._plan, place, {**self._plan[place].arguments, SQL: cut})
                yield self._mutant("collateral_write", plan, place, f"with {_short(cut)}")

    def _foreign_read(self) -> Iterator[Mutant]:
        """Reads that an operation refuses to this actor, or that a rule forbids: only what the scenario forbids."""
        if not self._plan or self._task.actor is None:
            return
        for name, operation in self._operations.items():
            guarded = any(":actor" in (guard.require or guard.refuse or "") for guard in operation.guards)
            if self._values.writes(name) or operation.ends or not (guarded or self._is_ruled(name)):
                continue
            for _ in range(_PROBES):
                arguments = self._values.arguments(name, operation, self._chance)
                if arguments is not None:
                    step = SolutionStep(name, arguments)
                    words = f"with {name} called for {_short(arguments)}"
                    yield self._mutant("foreign_read", [step, *self._plan], 0, words)

    def _is_ruled(self, tool: str) -> bool:
        """Whether a process rule says that this tool must not be called so."""
        rules: Iterator[ProcessRule] = iter(self._subject.document.rules.process.values())
        return any(rule.absence == tool or (rule.never is not None and f"'{tool}'" in rule.never) for rule in rules)

    def _padding(self) -> Iterator[Mutant]:
        room = min(PADDING, self._task.steps - len(self._plan))
        if not self._reads or room <= 0:
            return
        place = self._reads[0]
        step = SolutionStep(self._plan[place].tool, self._plan[place].arguments)
        if not _placeholders(step):
            plan = [*self._plan[: place + 1], *[step] * room, *self._plan[place + 1 :]]
            yield self._mutant("padding", plan, place + 1, f"with {step.tool} called {room} times more")

    def _sql_instead(self) -> Iterator[Mutant]:
        if not self._writer.has_tool:
            return
        for place in self._writes:
            step = self._plan[place]
            if step.tool in self._operations and not step.remember and not self._ends(place):
                written = self._writer.statements(step)
                if written:
                    words = f"with {_short(str(written[0].arguments[SQL]))} instead of {step.tool}"
                    yield self._mutant("sql_instead", exchanged(self._plan, place, written), place, words)

    def _targets_of_writes(self) -> Iterator[tuple[int, Leaf, str]]:
        for place in self._writes:
            if self._plan[place].tool in self._operations:
                for leaf in self._leaves(place):
                    table = self._targets.table(leaf)
                    if table is not None:
                        yield place, leaf, table

    def _leaves(self, place: int) -> Iterator[Leaf]:
        """The values of a call that the plan itself says: none that is remembered from a result."""
        step = self._plan[place]
        properties = self._subject.workplace.engine.toolbox.arguments(step.tool).properties
        names = {name for other in self._plan for name in other.remember}
        idempotency = self._operations[step.tool].idempotency
        for leaf in leaves(step.arguments, properties):
            remembered = isinstance(leaf.value, str) and any(f"{{{name}}}" in leaf.value for name in names)
            if not remembered and leaf.path[0] != idempotency:
                yield leaf

    def _changed(self, kind: Kind, place: int, leaf: Leaf, other: Any) -> Iterator[Mutant]:
        if self._is_callable(place, leaf, other):
            plan = with_arguments(self._plan, place, put(self._plan[place].arguments, leaf.path, other))
            words = f"with {_short(other)} for {_short(leaf.value)} as {leaf.name} of {self._plan[place].tool}"
            is_prose = kind == "wrong_value" and len(str(leaf.value).split()) >= _PROSE and not leaf.schema.get("enum")
            yield self._mutant(kind, plan, place, words, f"{leaf.name} of {self._plan[place].tool}" if is_prose else "")

    def _is_callable(self, place: int, leaf: Leaf, other: Any) -> bool:
        """Whether the tool takes the other value."""
        arguments = put(self._run.played[place].action["arguments"], leaf.path, other)
        action = {"tool": self._plan[place].tool, "arguments": arguments}
        return not isinstance(self._subject.workplace.engine.toolbox.read_call(action, self._task.role), Verdict)


def answer_checks(subject: Subject) -> list[AnswerCheck]:
    """What the template's checks ask of the answer."""
    return [check.answer for check in subject.template.checks.values() if check.answer is not None]


def _placeholders(step: SolutionStep) -> set[str]:
    """Names in braces in a step's arguments."""
    return set(re.findall(r"\{([a-z][a-z0-9_]*)\}", str(dict(step.arguments))))


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
