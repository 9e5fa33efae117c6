"""What process rules look at: one event for each action an agent took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from simulator.world.changes import Key

FINISH = "finish"
"""The built-in tool that ends an episode; `init`, `last` and the `chain_` templates look past it."""

DENIED = "rule_denied"
"""The verdict kind of an action that a rule refused."""


@dataclass(frozen=True, slots=True)
class ActionEvent:
    """One action and what became of it.

    ``step`` counts actions from 1, ``turn`` the agent's turns. ``tool`` is the name that was called, the built-in ones
    included, and empty where the action was not a tool call. ``arguments`` are as the tool received them (plain JSON
    that SQLite can hold; empty where they could not be read). ``ok``, ``kind`` and ``code`` come from the verdict and
    ``result`` is the result as JSON text. ``at`` is the world's time when it ran, ``YYYY-MM-DD HH:MM:SS``.

    ``took_effect`` says that it changed the world although a fault kept that from the agent (``ok`` is False): for a
    rule it has happened.

    ``reads`` names the tables it read. ``writes`` holds (table, column) for each column it changed; an insert or delete
    lists every column of the table, and (table, ""). ``keys`` gives the keys of the rows changed in each table.

    ``outcomes`` remembers which rules' `where` held, by the rule's name: it depends on nothing but the arguments and
    the task's actor, and is asked again at every later step.
    """

    step: int
    turn: int
    tool: str
    arguments: Mapping[str, JsonValue]
    ok: bool
    kind: str
    code: str
    result: str
    at: str
    took_effect: bool = False
    reads: frozenset[str] = frozenset()
    writes: frozenset[tuple[str, str]] = frozenset()
    keys: Mapping[str, frozenset[Key]] = field(default_factory=dict)
    outcomes: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)

    @property
    def happened(self) -> bool:
        """Whether the world did what was asked, whatever the agent was told."""
        return self.ok or self.took_effect
