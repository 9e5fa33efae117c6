"""One API operation: two guards, one effect, two change rules, recorded and hashed.

The peer is what the operation comes down to: a bare apsw UPDATE of the same row in a transaction, on the same data in
``:memory:``. The phases are measured inside real steps, by a stopwatch around the methods that make them up; what the
stopwatch itself costs is in their sum, so it is a little more than a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from statistics import median
from time import perf_counter
from typing import Any

import apsw
from harness import LOOK, Case, Report, actions, interleaved, main, order_desk

import simulator.episode.environment as environment_module
from simulator import Environment, World
from simulator.episode import stepping
from simulator.rules import RuleBook
from simulator.tools import Toolbox
from simulator.world import Recorder, Store

STEPS = 20
"""Steps of the episode that is played over and over."""

_EPISODES = 100

UPDATE = "update purchase set priority = ? where id = ?"


def measure(full: bool) -> Report:
    """Time whole steps and the bare update, then the phases of a step."""
    report = Report("step", "One step of an API operation")
    world = order_desk(1)
    environment = Environment(world)
    task = world.tasks()[0].id
    changes = actions(world, STEPS)
    looks = [{"tool": LOOK, "arguments": {"purchase_id": action["arguments"]["purchase_id"]}} for action in changes]
    refused = [{"tool": "reprioritise", "arguments": {"purchase_id": -1, "priority": 1}}] * STEPS

    def begin() -> None:
        environment.reset(task=task)
        environment.step(looks[0])

    def playing(episode: list[dict[str, Any]]) -> Case:
        def run() -> None:
            for action in episode:
                environment.step(action)

        return Case(run, begin, STEPS)

    timings = interleaved({
        "change": playing(changes),
        "look": playing(looks),
        "refused": playing(refused),
        "bare": _bare_updates(world, changes),
    })  # fmt: skip
    bare = {"bare apsw update": timings["bare"]}
    report.add_timing("step that changes a row", timings["change"], goal=0.5e-3, peers=bare)
    report.add("such steps in a second", 1 / timings["change"].median, "steps/s", goal=2_000)
    report.add_timing("step that reads", timings["look"])
    report.add_timing("step that a guard refuses", timings["refused"])
    report.add_timing("peer: bare apsw update in a transaction", timings["bare"])
    for phase, seconds in _phases(begin, playing(changes).run):
        report.add(f"phase: {phase}", seconds, "s")
    return report


def _bare_updates(world: World, changes: list[dict[str, Any]]) -> Case:
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", bytes(world.image.image.buffer))
    rows = [(action["arguments"]["priority"], action["arguments"]["purchase_id"]) for action in changes]

    def run() -> None:
        for row in rows:
            connection.execute("begin")
            connection.execute(UPDATE, row)
            connection.execute("commit")

    return Case(run, calls=len(rows))


@dataclass(slots=True)
class _Stopwatch:
    """Seconds by phase. A phase inside another stops the outer one's clock."""

    phase: str = ""
    since: float = 0.0
    spent: dict[str, float] = field(default_factory=dict)

    def enter(self, phase: str) -> str:
        """Go over to a phase; the one it was before is handed back."""
        now = perf_counter()
        self.spent[self.phase] = self.spent.get(self.phase, 0.0) + now - self.since
        outer, self.phase, self.since = self.phase, phase, now
        return outer

    def around(self, function: Callable[..., Any], phase: str) -> Callable[..., Any]:
        """The same function, timed."""

        @wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            outer = self.enter(phase)
            try:
                return function(*arguments, **named)
            finally:
                self.enter(outer)

        return timed


_PHASES: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
    ("read the call", Toolbox, ("read_call",)),
    ("lay the state, take its pages", Store, ("lay", "pages")),
    ("begin and commit the transaction", Recorder, ("__enter__", "__exit__")),
    ("run guards and effect", Toolbox, ("run",)),
    ("read what changed", Recorder, ("changes",)),
    ("judge the rules", RuleBook, ("judge_changes", "judge_state", "judge_process")),
    ("make the result", Toolbox, ("result",)),
    ("let time pass", stepping._Step, ("pass_time",)),
    ("the rest of the step: events, merging, hashing", environment_module, ("take_step",)),
    ("observe and record", Environment, ("step",)),
)


def _phases(begin: Callable[[], object], run: Callable[[], object]) -> list[tuple[str, float]]:
    """Seconds that each phase takes of one step: the median over many episodes."""
    watch = _Stopwatch()
    episodes: list[dict[str, float]] = []
    with ExitStack() as restored:
        for phase, owner, names in _PHASES:
            for name in names:
                restored.enter_context(_replaced(owner, name, phase, watch))
        for _ in range(_EPISODES):
            begin()
            watch.spent = {}
            run()
            episodes.append(watch.spent)
    return [(phase, median(spent[phase] for spent in episodes) / STEPS) for phase, _, _ in _PHASES]


@contextmanager
def _replaced(owner: Any, name: str, phase: str, watch: _Stopwatch) -> Iterator[None]:
    """Time a method, a property or a function of a module for as long as the block lasts."""
    original = vars(owner)[name]
    if isinstance(original, property):
        setattr(owner, name, property(watch.around(original.fget, phase)))
    else:
        setattr(owner, name, watch.around(original, phase))
    try:
        yield
    finally:
        setattr(owner, name, original)


if __name__ == "__main__":
    main(measure, __doc__)
