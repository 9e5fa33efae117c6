"""Who is where: the episodes there are, in which worker, and of those that are gone, why."""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

_MOST_REMEMBERED = 100_000

REASONS = {
    "worker_lost": "The process that held this episode ended; the episode is lost and has no reward. Begin it again.",
    "idle": "Nobody touched this episode for too long, and it was dropped.",
    "too_old": "This episode reached the age at which episodes are dropped.",
    "deleted": "This episode was deleted.",
    "unknown": "This server does not hold this episode: it ended long ago, or the server was started again since.",
}
"""Why an episode is gone, by code."""


@dataclass(slots=True)
class Episode:
    """An episode that a worker holds. ``begun`` and ``touched`` are moments of the loop's clock, in seconds."""

    name: str
    place: int
    role: str | None
    begun: float
    touched: float
    over: bool = False


class Registry:
    """The episodes of a server."""

    def __init__(self, *, longest_idle: float, longest_age: float) -> None:
        self._run = secrets.token_hex(4)
        self._longest_idle = longest_idle
        self._longest_age = longest_age
        self._count = 0
        self._live: dict[str, Episode] = {}
        self._held: Counter[int] = Counter()
        self._gone: OrderedDict[str, str] = OrderedDict()

    def __len__(self) -> int:
        return len(self._live)

    def new_name(self) -> str:
        """A name that no episode has had, in this run of the server or another."""
        self._count += 1
        return f"{self._run}-{self._count}"

    def add(self, episode: Episode) -> None:
        """A worker holds it from now on."""
        self._live[episode.name] = episode
        self._held[episode.place] += 1

    def find(self, name: str, now: float) -> Episode | None:
        """The episode, which is touched by this; None when it is not held."""
        episode = self._live.get(name)
        if episode is not None:
            episode.touched = now
        return episode

    def why_gone(self, name: str) -> str | None:
        """The code of the reason; None for a name that this run has never given."""
        known = self._gone.get(name)
        if known is not None:
            return known
        run, _, number = name.partition("-")
        given = run == self._run and number.isascii() and number.isdecimal() and 0 < int(number[:19]) <= self._count
        return "unknown" if given else None

    def remove(self, name: str, reason: str) -> None:
        """It is gone, and this is why."""
        episode = self._live.pop(name, None)
        if episode is not None:
            self._held[episode.place] -= 1
            self._gone[name] = reason
            if len(self._gone) > _MOST_REMEMBERED:
                self._gone.popitem(last=False)

    def lose(self, place: int) -> int:
        """The episodes of a worker are lost. How many there were."""
        lost = [episode.name for episode in self._live.values() if episode.place == place]
        for name in lost:
            self.remove(name, "worker_lost")
        return len(lost)

    def expired(self, now: float) -> Iterator[tuple[Episode, str]]:
        """The episodes whose time is up, each with the code of the reason."""
        for episode in list(self._live.values()):
            if now - episode.begun > self._longest_age:
                yield episode, "too_old"
            elif now - episode.touched > self._longest_idle:
                yield episode, "idle"

    def held_by(self, place: int) -> int:
        """How many episodes a place holds."""
        return self._held[place]
