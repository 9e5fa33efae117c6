"""What all environments of one world share in a process: the engine, the played solutions, the scorer."""

from __future__ import annotations

import os
from weakref import WeakKeyDictionary

from simulator.episode.engine import Engine
from simulator.episode.scoring import Scorer
from simulator.episode.solution_runs import SolutionBook
from simulator.tasks import World


class Workplace:
    """The engine of a world with its solutions and its scorer."""

    def __init__(self, world: World) -> None:
        self.engine = Engine(world)
        self.solutions = SolutionBook(self.engine)
        self.scorer = Scorer(self.engine, self.solutions)


_workplaces: WeakKeyDictionary[World, tuple[int, Workplace]] = WeakKeyDictionary()


def workplace_of(world: World) -> Workplace:
    """The workplace of this world in this process; a forked child gets its own."""
    known = _workplaces.get(world)
    if known is None or known[0] != os.getpid():
        known = (os.getpid(), Workplace(world))
        _workplaces[world] = known
    return known[1]
