"""The episodes that a server holds: made by a trainer, acted in by whoever has an episode's token.

A token is 256 random bits and opens one episode's tools, nothing else. What is left alone for an hour is let go.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any

from simulator.bundle.opening import Bundle
from simulator.bundle.tool_episode import Outcome, ToolEpisode
from simulator.errors import UsageError

MOST_EPISODES = 1_000
IDLE = 3_600.0
"""Seconds after which an episode that nobody has called is let go."""


class TooManyError(UsageError):
    """The server holds as many episodes as it may."""


@dataclass(slots=True)
class _Held:
    name: str
    token: str
    episode: ToolEpisode
    used: float


class Episodes:
    """Episodes of one bundle, by name for the trainer and by token for the agent. For several threads at once."""

    def __init__(self, bundle: Bundle, *, most: int = MOST_EPISODES, idle: float = IDLE) -> None:
        self.bundle = bundle
        self._most, self._idle = most, idle
        self._lock = Lock()
        self._named: dict[str, _Held] = {}
        self._by_token: dict[str, _Held] = {}

    def begin(self, task: str, seed: int | None = None) -> Mapping[str, Any]:
        """Begin an attempt: its name, the agent's token, messages and tools.

        Raises UsageError for a task the bundle does not have, :class:`TooManyError` when there is no room.
        """
        with self._lock:
            self._let_go()
            if len(self._named) >= self._most:
                raise TooManyError(f"There are {self._most:,} episodes already; end some of them.")
        episode = ToolEpisode(self.bundle, task, seed=seed)
        held = _Held(secrets.token_hex(8), secrets.token_urlsafe(32), episode, monotonic())
        with self._lock:
            self._named[held.name] = held
            self._by_token[_digest(held.token)] = held
        return {"episode": held.name, "token": held.token, "messages": episode.messages, "tools": list(episode.tools)}

    def of_token(self, token: str) -> ToolEpisode | None:
        """The episode that a token opens, None for any other text."""
        with self._lock:
            held = self._by_token.get(_digest(token))
            if held is not None:
                held.used = monotonic()
            return held.episode if held is not None else None

    def outcome(self, name: str) -> Mapping[str, Any] | None:
        """How an episode came out; one that goes on is stopped. None where there is none. Raises EngineFault."""
        with self._lock:
            held = self._named.get(name)
            return _told(held.episode.outcome()) if held is not None else None

    def trajectory(self, name: str) -> tuple[Mapping[str, Any], ...] | None:
        """The lines of an episode's record, None where there is none."""
        with self._lock:
            held = self._named.get(name)
            return held.episode.trajectory.lines() if held is not None else None

    def end(self, name: str) -> bool:
        """Forget an episode and its token. False where there is none."""
        with self._lock:
            held = self._named.pop(name, None)
            if held is not None:
                del self._by_token[_digest(held.token)]
            return held is not None

    def _let_go(self) -> None:
        now = monotonic()
        for held in [held for held in self._named.values() if now - held.used > self._idle]:
            del self._named[held.name]
            del self._by_token[_digest(held.token)]


def _digest(token: str) -> str:
    """What a token is kept under: comparing it tells nothing by the time it takes."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _told(outcome: Outcome) -> Mapping[str, Any]:
    return {**asdict(outcome), "parts": dict(outcome.parts)}
