"""The environment: one attempt at a task, shaped like Gymnasium's (https://gymnasium.farama.org/api/env/).

An environment holds an :class:`EpisodeState` and nothing else; the world's live database is shared by all environments
of a process, and a state is laid on it before it is used. So a fork copies a reference, and ten thousand episodes
cost only the pages they changed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from hashlib import blake2b
from time import perf_counter
from typing import Any, Self

from simulator.episode.observations import first_observation, observation
from simulator.episode.recordable import recordable
from simulator.episode.state import EpisodeState, Observation, Source, SourcedChange, StepRecord
from simulator.episode.stepping import take_step
from simulator.episode.trajectory import (
    EXTRAS,
    FORMAT,
    SCHEMA,
    Line,
    Trajectory,
    change_json,
    step_line,
    violation_json,
)
from simulator.episode.workplace import Workplace, workplace_of
from simulator.errors import EngineFault, UsageError
from simulator.reward import Score
from simulator.scenario.python_values import instance, mapping, shown_value, text, whole_number
from simulator.tasks import Task, World
from simulator.tools import failed
from simulator.version import ENGINE_VERSION
from simulator.world import NetChanges, state_digest

Step = tuple[Observation, float, bool, bool, dict[str, Any]]
"""Observation, reward, terminated, truncated, info."""


class Environment:
    """Episodes in one world, one after another. ``agent`` describes who plays, for the trajectory's header (JSON)."""

    def __init__(self, world: World, *, agent: Mapping[str, Any] | None = None) -> None:
        self.world = instance("world", world, World, "Make one with generate_world.")
        self.agent = _json_object("agent", agent)
        self._state: EpisodeState | None = None

    # Playing

    def reset(
        self, *, task: str | Task | None = None, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode of ``task``; without one, a task of the train split is drawn by ``seed``.

        ``seed`` also decides chance within the episode; it defaults to a hash of the task's id, so that attempts at one
        task meet the same. ``options`` may hold ``agent``. Raises :class:`UsageError` for an unknown task or option and
        a seed that is none. The tools in the observation are shared by all episodes and cannot be altered.
        """
        given = mapping("options", options) if options is not None else {}
        for name in given:
            if name != "agent":
                raise UsageError(f"There is no reset option {name!r}; there is `agent`.")
        if "agent" in given:
            self.agent = _json_object("agent", given["agent"])
        number = None if seed is None else whole_number("seed", seed)
        chosen = self._choose_task(task, number or 0)
        engine = self._shared.engine
        self._state = engine.begin(chosen, _default_seed(chosen) if number is None else number)
        information = {"task": _task_json(chosen), "state_digest": self.state_digest}
        return first_observation(engine, self._state), information

    def step(
        self,
        action: object,
        *,
        turn: int | None = None,
        call_id: str | None = None,
        raw: str | None = None,
        extras: Mapping[str, Any] | None = None,
    ) -> Step:
        """Do ``action``: ``{"tool": name, "arguments": {...}}``. Anything else is a mistake and gets a verdict.

        ``turn`` counts the model's turns (parallel calls share one), ``call_id`` and ``raw`` are the model's tool-call
        id and output; ``extras`` (JSON: messages, tokens, logprobs) is kept with the step. The reward is paid at the
        end: the rewards of all steps sum to the score. The observation is the caller's own. Raises :class:`EngineFault`
        when the engine fails, and the episode is then invalid and has no reward; :class:`UsageError` for a ``turn``,
        ``call_id``, ``raw`` or extras that a trajectory cannot hold.
        """
        if call_id is not None:
            call_id = text("call_id", call_id)
        if raw is not None:
            raw = text("raw", raw)
        if turn is not None:
            turn = whole_number("turn", turn)
        state = self._current()
        begun = perf_counter()
        number = len(state.events) + 1
        if state.ending is not None:
            verdict = failed("episode_over", "episode_over", "The episode is over; nothing more can be done.")
            return observation(state, verdict, None), 0.0, *_flags(state), {"step": number, "ending": state.ending}
        counted = number if turn is None else turn
        kept = _json_object("extras", extras, EXTRAS)
        with self._faults(state):
            after, effect = take_step(self._shared.engine, state, action, turn=counted)
            after, reward, closing = self._pay(state, after)
        event = after.events[-1]
        record = StepRecord(
            step=number,
            turn=counted,
            action=recordable(action, event.tool),
            verdict=effect.verdict,
            observation=observation(after, effect.verdict, effect.result, effect.violations, effect.as_of),
            changes=effect.changes,
            violations=effect.violations,
            state_digest=state_digest(self.world.digest, after.delta),
            reward=reward,
            at=after.now,
            wall=perf_counter() - begun,
            flags=(*effect.verdict.flags, *effect.flags),
            raw=raw,
            call_id=call_id,
            extras=kept,
        )
        self._state = after = replace(after, steps=(*after.steps, record))
        information: dict[str, Any] = {
            "step": number,
            "state_digest": record.state_digest,
            "changes": [change_json(item) for item in effect.changes],
            "violations": [violation_json(item) for item in effect.violations],
            "flags": list(record.flags),
            **closing,
        }
        # The record keeps its own result, and so does an idempotency key: the caller may alter what it gets.
        result = json.loads(event.result) if isinstance(effect.result, dict | list) else effect.result
        told = observation(after, effect.verdict, result, effect.violations, effect.as_of)
        return told, reward, *_flags(after), information

    def stop(self, reason: str) -> Step:
        """End the episode from outside: the model stopped calling tools, or its context ran out.

        The state is scored as it stands, with no answer; this is no success. An episode that is over stays as it is.
        Raises :class:`UsageError` for a reason that is no text.
        """
        reason = text("reason", reason)
        state = self._current()
        if state.ending is None:
            stopped = replace(state, ending="stopped", reason=reason[:200])
            with self._faults(state):
                after, reward, closing = self._pay(state, stopped)
            self._state = state = replace(after, closing_reward=reward)
        else:
            reward, closing = 0.0, {"ending": state.ending}
        verdict = failed("episode_over", "stopped", f"The episode was stopped: {state.reason}")
        return observation(state, verdict, None), reward, *_flags(state), {"step": len(state.events), **closing}

    # Branching

    def fork(self) -> Self:
        """Another environment that goes on from this moment, independent of this one."""
        branch = type(self)(self.world, agent=self.agent)
        branch._state = self._current()
        return branch

    def snapshot(self) -> EpisodeState:
        """This moment, to be restored any number of times, here or in another environment of the same world."""
        return self._current()

    def restore(self, moment: EpisodeState) -> None:
        """Go back (or over) to a moment. Raises :class:`UsageError` for one of another world."""
        instance("moment", moment, EpisodeState, "Take one with snapshot().")
        if moment.world != self.world.digest:
            raise UsageError("This moment belongs to another world; restore it in an environment of its own.")
        self._state = moment

    # Looking

    @property
    def state_digest(self) -> str:
        """The digest of the data as it is now; equal data give equal digests, whatever led there."""
        return state_digest(self.world.digest, self._current().delta)

    @property
    def task(self) -> Task:
        """The task of this episode."""
        return self._current().task

    def changes(self) -> list[dict[str, Any]]:
        """The net row changes since reset, by source, table and key, each with the step that last had a part in it."""
        state = self._current()
        last = {(item.source, item.change.table, item.change.key): item.step for item in state.changes}
        sources: tuple[tuple[Source, NetChanges], ...] = (
            ("agent", state.agent_changes), ("timeline", state.timeline_changes),
        )  # fmt: skip
        return [
            change_json(SourcedChange(last[source, change.table, change.key], source, change))
            for source, net in sources
            for change in net.rows()
        ]

    def score(self) -> Score:
        """The score as it stands, every part by name; before the end, what stopping here would earn.

        Raises :class:`UsageError` for an invalid episode.
        """
        state = self._current()
        return state.score or self._shared.scorer.score(state)

    @property
    def trajectory(self) -> Trajectory:
        """The record of this episode so far."""
        state = self._current()
        engine = self._shared.engine
        document = engine.document
        told = first_observation(engine, replace(state, now=state.start))
        header: Line = {
            "type": "header",
            "format": FORMAT,
            "schema": SCHEMA,
            "engine": ENGINE_VERSION,
            "scenario": {"id": document.id, "version": document.version, "digest": self.world.scenario.digest},
            "world": {"seed": self.world.seed, "scale": self.world.scale, "digest": self.world.digest},
            "task": _task_json(state.task),
            "reset_seed": state.seed,
            "limits": {"steps": state.task.steps},
            "agent": deepcopy(self.agent),
            "tools": deepcopy(told.pop("tools")),
            "observation": told,
        }
        return Trajectory(header, tuple(map(step_line, state.steps)), self._footer(state))

    def _footer(self, state: EpisodeState) -> Line | None:
        if state.ending is None:
            return None
        footer: Line = {
            "type": "footer",
            "ending": state.ending,
            "reason": state.reason,
            "steps": len(state.events),
            "reward": state.closing_reward,
            "cost": state.cost,
            "success": None,
            "score": None,
            "invalid": state.reason if state.ending == "invalid" else None,
        }
        if state.ending != "invalid":
            score = state.score or self._shared.scorer.score(state)
            footer.update(success=score.success, score=score.to_json())
        return footer

    @property
    def _shared(self) -> Workplace:
        """What this process shares among the environments of the world; a forked child makes its own."""
        return workplace_of(self.world)

    def _choose_task(self, task: str | Task | None, seed: int) -> Task:
        """The task asked for; without one, one of the train split by ``seed``."""
        if task is not None:
            if not isinstance(task, str | Task):
                raise UsageError(f"`task` is a Task or its id, not {shown_value(task)}.")
            return self.world.task(task.id if isinstance(task, Task) else task)
        train = self.world.tasks("train")
        if not train:
            raise UsageError("This world has no task in the train split; name a task.")
        digest = blake2b(f"choose/{self.world.seed}/{seed}".encode(), digest_size=8).digest()
        return train[int.from_bytes(digest, "big") % len(train)]

    @contextmanager
    def _faults(self, state: EpisodeState) -> Iterator[None]:
        """Whatever fails in here is not the agent's doing: the episode becomes invalid."""
        try:
            yield
        except Exception as error:
            fault = error if isinstance(error, EngineFault) else EngineFault(f"{type(error).__name__}: {error}")
            self._state = replace(state, ending="invalid", reason=str(fault)[:1_000])
            if fault is error:
                raise
            raise fault from error

    def _current(self) -> EpisodeState:
        if self._state is None:
            raise UsageError("There is no episode yet; call reset() first.")
        return self._state

    def _pay(self, before: EpisodeState, after: EpisodeState) -> tuple[EpisodeState, float, dict[str, Any]]:
        """``after``, scored if it has ended; the reward of going there; and what info says of an ending."""
        scorer = self._shared.scorer
        if after.ending is not None:
            score = scorer.score(after)
            paid = sum(record.reward for record in before.steps)
            closing = {"ending": after.ending, "success": score.success, "score": score.to_json()}
            return replace(after, score=score), score.total - paid, closing
        if self._shared.engine.document.reward.shaping == "potential":
            return after, scorer.potential(after) - scorer.potential(before), {}
        return after, 0.0, {}


def _flags(state: EpisodeState) -> tuple[bool, bool]:
    """Terminated, truncated."""
    return state.ending is not None and state.ending != "truncated", state.ending == "truncated"


def _json_object(what: str, value: Mapping[str, Any] | None, names: Collection[str] | None = None) -> dict[str, Any]:
    """A copy of an object that goes into the trajectory. Raises :class:`UsageError` if JSON cannot hold it."""
    if value is None:
        return {}
    try:
        copy: dict[str, Any] = json.loads(json.dumps(dict(mapping(what, value)), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"`{what}` must be a JSON object: {error}") from error
    unknown = [name for name in copy if names is not None and name not in names]
    if unknown:
        raise UsageError(f"`{what}` has {unknown[0][:100]!r}; it may have {', '.join(names or ())}.")
    return copy


def _default_seed(task: Task) -> int:
    """The reset seed of a task when none is given: 31 bits of a hash of its id."""
    return int.from_bytes(blake2b(task.id.encode(), digest_size=4).digest(), "big") >> 1


def _task_json(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "template": task.template,
        "split": task.split,
        "difficulty": task.difficulty,
        "role": task.role,
        "instruction": task.instruction,
    }
