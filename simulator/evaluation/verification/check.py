"""A check: something that must hold of a scenario before its scores can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from simulator.evaluation.verification.findings import CheckResult

Level = Literal["template", "world", "scenario"]
"""What a check looks at, one after the other:

- ``template``: ``run(subject)``, some tasks of one template in one world;
- ``world``: ``run(world, tasks)``, the verified tasks of one world;
- ``scenario``: ``run(scenario, worlds, parts)``, the worlds and what the other checks found of each template and world.
"""


@dataclass(frozen=True, slots=True)
class Check:
    """One check. ``id`` begins the id of each of its findings (``floor.null``); ``title`` says what must hold.

    Equal subjects must give equal results, unless ``measures`` says that its figures are measurements, which stay
    outside the digest of a report. A check that looks at several levels is several checks of one id and title.
    """

    id: str
    title: str
    level: Level
    run: Callable[..., CheckResult]
    measures: bool = False
