"""Which agent plays, as plain data, so that every process can make its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.agents import AGENTS, MISTAKES, Agent, NoisyAgent, ScriptedAgent
from simulator.errors import UsageError
from simulator.scenario import did_you_mean

SCRIPTED = "scripted"
AGENT_NAMES = (*AGENTS, SCRIPTED)


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """An agent by name; ``mistakes`` and ``kinds`` are the noisy agent's, ``script`` the file of the scripted one.

    Raises :class:`UsageError`, naming what there is, for an agent or a kind of mistake that does not exist.
    """

    name: str
    mistakes: int = 1
    kinds: tuple[str, ...] = MISTAKES
    script: Path | None = None

    def __post_init__(self) -> None:
        if self.name not in AGENT_NAMES:
            hint = did_you_mean(self.name, AGENT_NAMES)
            raise UsageError(
                f"There is no agent {self.name[:100]!r}; there are {', '.join(AGENT_NAMES)}. {hint}".strip()
            )
        if self.name == SCRIPTED and self.script is None:
            raise UsageError("The scripted agent needs a file of actions: --script FILE.")

    def make(self) -> Agent:
        """The agent. Raises :class:`UsageError` for a script that cannot be read."""
        if self.name == NoisyAgent.name:
            return NoisyAgent(self.mistakes, self.kinds)
        if self.script is not None and self.name == SCRIPTED:
            return ScriptedAgent.load(self.script)
        return AGENTS[self.name]()

    def description(self) -> dict[str, Any]:
        """What distinguishes it, as JSON."""
        if self.name == NoisyAgent.name:
            return {"name": self.name, "mistakes": self.mistakes, "kinds": list(self.kinds)}
        return {"name": self.name}
