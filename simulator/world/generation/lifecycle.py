"""Walks of a state machine, all entities of a table at once, so that status and history cannot disagree.

From each state one outgoing step is chosen by weight; its distribution says how long the entity dwells before the
step happens. A step with moments of its own happens then, unless the entity has left before. A walk ends in a state
without outgoing steps, or when the next step would happen after the world's clock: that step has simply not happened
yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.errors import WorldError
from simulator.world.generation.distributions import Numbers, WeightedChoice
from simulator.world.generation.streams import Integers, Stream

NEVER = 2**62
"""A moment that does not come."""

MOST_TRANSITIONS = 200
"""An entity makes at most this many transitions; a machine that cycles faster stands still afterwards."""


@dataclass(frozen=True, slots=True)
class Step:
    """A transition from ``source`` to ``target``.

    Either after a dwell time in seconds, chosen with ``weight`` against the others of this sort; or at each entity's
    moment in ``at`` (epoch seconds, `NEVER` where there is none), or as soon as it comes to ``source`` later than that.
    """

    source: str
    target: str
    after: Numbers | None = None
    weight: float = 1.0
    at: Integers | None = None


@dataclass(frozen=True, slots=True)
class Walks:
    """What happened to ``n`` entities.

    ``states`` names the states; ``final[i]`` is entity i's state at the clock and ``since[i]`` when it came there
    (its start time if it never moved). Transition rows, sorted by entity and then time (strictly increasing within
    an entity): ``entity``, ``source``, ``target`` (positions in ``states``) and ``at`` (epoch seconds).
    """

    states: tuple[str, ...]
    final: Integers
    since: Integers
    entity: Integers
    source: Integers
    target: Integers
    at: Integers


def walk(start: str, steps: Sequence[Step], stream: Stream, starts: Integers, clock: int) -> Walks:
    """Walk every entity from ``start`` at its time in ``starts`` (epoch seconds) until ``clock``.

    A dwell time is at least one second. The k-th transition of an entity depends on the stream, the entity's
    position and k alone. Raises WorldError when a state's outgoing weights are negative or all zero.
    """
    states = tuple(dict.fromkeys([start, *(name for step in steps for name in (step.source, step.target))]))
    position = {name: index for index, name in enumerate(states)}
    outgoing: dict[int, list[Step]] = {}
    for step in steps:
        outgoing.setdefault(position[step.source], []).append(step)
    drawn = {state: [step for step in options if step.after is not None] for state, options in outgoing.items()}
    timed = {state: [step for step in options if step.at is not None] for state, options in outgoing.items()}
    chooser = {state: _choice_among(states[state], options) for state, options in drawn.items() if options}

    state = np.zeros(starts.size, dtype=np.int64)
    now = starts.astype(np.int64, copy=True)
    alive = np.arange(starts.size, dtype=np.int64)
    rows: list[tuple[Integers, Integers, Integers, Integers]] = []
    for k in range(MOST_TRANSITIONS):
        alive = alive[np.isin(state[alive], list(outgoing))]
        if not alive.size:
            break
        reach = int(alive[-1]) + 1
        chance = stream.split(f"choose:{k}").uniform(reach)[alive]
        luck = stream.split(f"dwell:{k}").uniform(reach)[alive]
        source = state[alive]
        target = np.zeros_like(source)
        at = np.full_like(source, NEVER)
        for origin in outgoing:
            here = np.flatnonzero(source == origin)
            chosen = chooser[origin].pick(chance[here]) if origin in chooser else np.zeros(0, dtype=np.int64)
            for number, option in enumerate(drawn[origin]):
                there = here[chosen == number]
                target[there] = position[option.target]
                if option.after is not None:
                    at[there] = now[alive[there]] + np.maximum(option.after.integer_quantile(luck[there]), 1)
            for option in timed[origin]:
                if option.at is not None:
                    moment = np.maximum(option.at[alive[here]], now[alive[here]] + 1)
                    sooner = moment < at[here]
                    target[here[sooner]] = position[option.target]
                    at[here[sooner]] = moment[sooner]
        happened = at <= clock
        alive, source, target, at = alive[happened], source[happened], target[happened], at[happened]
        state[alive] = target
        now[alive] = at
        rows.append((alive, source, target, at))

    none = np.zeros(0, dtype=np.int64)
    entity, source, target, at = (np.concatenate([none, *(row[column] for row in rows)]) for column in range(4))
    order = np.argsort(entity, kind="stable")  # rows were made in time order, which a stable sort keeps
    return Walks(states, state, now, entity[order], source[order], target[order], at[order])


def _choice_among(state: str, options: Sequence[Step]) -> WeightedChoice:
    try:
        return WeightedChoice([option.weight for option in options])
    except WorldError as error:
        raise WorldError(f"the steps from `{state}`: {error}") from error
