"""What a server is told to do, and the bounds it keeps. Times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass

MOST_BODY = 1_000_000
MOST_HEAD = 65_536
MOST_WAITING = 2_000


@dataclass(frozen=True, slots=True)
class Settings:
    """How to serve the bundle at ``bundle``, with the worlds of ``seeds`` (all of them without).

    ``key`` is the trainer's: who has it makes, scores and ends episodes. At most ``most_episodes`` exist at once; one
    that nobody touched for ``longest_idle`` or that is older than ``longest_age`` is dropped. A head or body of a
    request may take ``slowest_request``, an answer ``slowest_reader`` to be taken, an operation ``longest_operation``
    before its worker is taken for stuck. A stopping server waits ``longest_drain`` for running requests.
    """

    bundle: str
    key: str
    seeds: tuple[int, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8080
    workers: int = 1
    most_episodes: int = 10_000
    most_connections: int = 10_000
    longest_idle: float = 3_600.0
    longest_age: float = 86_400.0
    slowest_request: float = 20.0
    slowest_reader: float = 30.0
    longest_operation: float = 120.0
    longest_drain: float = 30.0
