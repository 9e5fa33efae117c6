"""Agents: policies that play episodes. Another one is any object with the methods of :class:`Agent`."""

from collections.abc import Callable

from simulator.agents.chance import Chance
from simulator.agents.noisy import MISTAKES, NoisyAgent
from simulator.agents.oracle import OracleAgent
from simulator.agents.protocol import Action, Agent, Played, finish, play
from simulator.agents.simple import NullAgent, RandomAgent, ScriptedAgent
from simulator.agents.values import WorldValues

AGENTS: dict[str, Callable[[], Agent]] = {
    "oracle": OracleAgent,
    "noisy": NoisyAgent,
    "random": RandomAgent,
    "null": NullAgent,
}
"""The built-in agents that need nothing but their name."""

__all__ = [
    "AGENTS", "MISTAKES", "Action", "Agent", "Chance", "NoisyAgent", "NullAgent", "OracleAgent", "Played",
    "RandomAgent", "ScriptedAgent", "WorldValues", "finish", "play",
]  # fmt: skip
