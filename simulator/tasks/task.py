"""A task: one piece of work in one world, and what makes it the same task elsewhere.

A task is its scenario, its template and its parameters. The version of the scenario and the seed of the world have no
part in that: equal parameters fall into the same split in every world. The world's seed stands in the id, because the
same work in another world is another episode.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.scenario.canonical import canonical_json
from simulator.scenario.models import Scalar

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, slots=True)
class Task:
    """One task. ``parameters`` are the columns of the row that was drawn, ``actor`` the value of ``:actor``.

    ``steps`` is the limit of an episode's actions, ``difficulty`` 1 easy to 5 hard. ``instruction`` is what the agent
    is told; the parameters are the author's.
    """

    id: str
    template: str
    parameters: Mapping[str, Scalar]
    instruction: str
    split: str
    difficulty: int
    role: str | None
    actor: Scalar
    steps: int
    world_seed: int

    def bindings(self, *, answer: str | None = None, refusal: str | None = None) -> dict[str, Any]:
        """What the task's SQL may name: the parameters, ``:actor``, and how the agent finished."""
        return {**self.parameters, "actor": self.actor, "answer": answer, "refusal": refusal}


def canonical_parameters(parameters: Mapping[str, Scalar]) -> str:
    """Parameters in one spelling, whatever their order; 25.0 and 25 are the same. ValueError for an infinite number."""
    return canonical_json({name: _plain_number(value) for name, value in parameters.items()})


def parameters_digest(scenario_id: str, template: str, parameters: str, *salt: str) -> bytes:
    """32 bytes that depend on scenario, template and canonical parameters, and on what else is given."""
    digest = hashlib.sha256()
    for part in (scenario_id, template, parameters, *salt):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))  # lengths keep ("a", "bc") apart from ("ab", "c")
        digest.update(data)
    return digest.digest()


def split_of(digest: bytes) -> str:
    """The split of a parameters digest: 80 % train, 10 % validation, 10 % test."""
    tenth = int.from_bytes(digest[:8], "big") % 10
    return SPLITS[max(0, tenth - 7)]


def _plain_number(value: Scalar) -> Scalar:
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return int(value)
    return value
