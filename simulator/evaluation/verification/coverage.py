"""What agents bring about: which tools solutions use, which guards refuse, which rules speak, which states are entered.

The built-in agents' episodes are looked at, and calls made on purpose: at the start and after the solution, with values
of the world, with the task's own, and with keys that nothing has; and instead of each call of the solution, the same
with one argument otherwise, which comes past the guards that look at the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulator.agents import Chance
from simulator.agents.values import NO_VALUE
from simulator.episode import EpisodeState
from simulator.evaluation.verification.subject import EPISODE_SEED, Subject
from simulator.scenario.models import Operation
from simulator.tasks import Task
from simulator.tools import FINISH, WAIT

_PROBED_TASKS = 1
_PROBES = 4
"""Calls of each operation at each moment."""
_NEAR, _NEAR_KEYS = 2, 5
"""Other values of each argument of each call of the solution, and other keys."""

_NO_SUCH_NUMBER = 987_654_321
_NO_SUCH_TEXT = "no-such-thing"


def coverage(subject: Subject) -> tuple[str, ...]:
    """What was seen, in words such as ``tool:assign``, ``guard:assign:not_open``, ``rule:x``, ``update:t.column``,
    ``insert:t``, ``delete:t`` and ``state:lifecycle:state``; sorted.
    """  # fmt: skip
    seen: set[str] = set()
    for task in subject.tasks:
        for run in subject.runs(task):
            seen.update(f"tool:{step.call.tool}" for step in run.played)
            seen.update(f"rule:{name}" for name in run.activates)
    for episodes in subject.by_agent.values():
        for episode in episodes:
            for action, observation in zip(episode.actions, episode.observations, strict=True):
                seen.update(_of_observation(action, observation))
            seen.update(f"rule:{rule}" for rule, _ in episode.violations)
            seen.update(f"rule:{line.name}" for line in episode.score.lines if line.part in ("process", "violation"))
            seen.update(_of_changes(subject, episode.changes))
    for task in subject.tasks[:_PROBED_TASKS]:
        seen.update(_probed(subject, task))
    return tuple(sorted(seen))


def _of_observation(action: Any, observation: Mapping[str, Any]) -> Iterator[str]:
    tool = action.get("tool") if isinstance(action, Mapping) else None
    if observation["kind"] in ("guard", "rule_denied"):
        yield f"{'guard:' + str(tool) if observation['kind'] == 'guard' else 'rule'}:{observation['code']}"


def _of_changes(subject: Subject, changes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    tables = subject.workplace.engine.schema.tables
    for change in changes:
        table, new, old = change["table"], change["new"] or {}, change["old"] or {}
        yield f"{change['op']}:{table}"
        for column, value in new.items():
            if change["op"] == "update" and old.get(column) != value:
                yield f"update:{table}.{column}"
        states = tables[table].lifecycle_column
        if states is not None and isinstance(new.get(states.name), str):
            yield f"state:{states.lifecycle}:{new[states.name]}"


def _probed(subject: Subject, task: Task) -> Iterator[str]:
    """What single calls bring about, at the start and where the solution has been carried out."""
    environment = subject.environment
    environment.reset(task=task, seed=EPISODE_SEED)
    start = environment.snapshot()
    last = start
    for run in subject.runs(task)[:1]:
        for played in run.played:
            if played.call.tool == FINISH:
                break
            last = environment.snapshot()
            for action in _near_calls(subject, task, played.action):
                yield from _after(subject, last, action)
            environment.restore(last)
            *_, over, _, _ = environment.step(played.action)
            if over:
                break
            last = environment.snapshot()
    for moment in [start] if last is start else [start, last]:
        for action in _calls(subject, task):
            yield from _after(subject, moment, action)


def _after(subject: Subject, moment: EpisodeState, action: Mapping[str, Any]) -> Iterator[str]:
    """What one action brings about at a moment."""
    environment = subject.environment
    environment.restore(moment)
    observation, _, _, _, information = environment.step(action)
    yield from _of_observation(action, observation)
    yield from (f"rule:{violation['rule']}" for violation in information["violations"])
    yield from _of_changes(subject, information["changes"])


def _near_calls(subject: Subject, task: Task, right: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A call of the solution with one argument otherwise: left out if it may be, or another value of the world."""
    tool, given = right["tool"], right.get("arguments", {})
    operation = subject.document.tools.get(tool)
    if not isinstance(operation, Operation):
        return
    chance = Chance("coverage", task.id, tool)
    for name, parameter in operation.parameters.items():
        if parameter.optional and name in given:
            yield {"tool": tool, "arguments": {key: value for key, value in given.items() if key != name}}
        table = subject.values.target_table(name)
        values = [
            subject.values.value(tool, name, parameter, chance) for _ in range(_NEAR if table is None else _NEAR_KEYS)
        ]
        if table is not None:  # the same twice: a ticket merged into itself
            others = (other for other in given if other != name)
            values += [given[other] for other in others if subject.values.target_table(other) == table]
        for value in values:
            if value is not NO_VALUE:
                yield {"tool": tool, "arguments": {**given, name: value}}


def _calls(subject: Subject, task: Task) -> Iterator[Mapping[str, Any]]:
    """Calls of every operation that the agent has."""
    values = subject.values
    for name in subject.workplace.engine.toolbox.names(task.role):
        operation = subject.document.tools.get(name)
        if name in (FINISH, WAIT) or not isinstance(operation, Operation):
            continue
        chance = Chance("coverage", task.id, name)
        own = {key: value for key, value in task.parameters.items() if key in operation.parameters}
        for number in range(_PROBES):
            arguments = values.arguments(name, operation, chance)
            if arguments is None:
                break
            yield {"tool": name, "arguments": {**arguments, **own} if number % 2 else arguments}
            if number:
                continue
            for parameter, given in arguments.items():
                if isinstance(given, str | int) and not isinstance(given, bool):
                    wrong = _NO_SUCH_NUMBER if isinstance(given, int) else _no_such_text(given)
                    yield {"tool": name, "arguments": {**arguments, **own, parameter: wrong}}


def _no_such_text(given: str) -> str:
    """A key that nothing has, in the form of one that is, where that has digits: ``RMA-99999``."""
    nines = re.sub(r"\d", "9", given)
    return nines if nines != given else _NO_SUCH_TEXT
