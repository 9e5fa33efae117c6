"""Many episodes of one world, in this process or in several.

What an episode becomes depends on its assignment and its world alone, so results are equal for any number of
processes. Workers are spawned, not forked, and open the world from a file, so that they share its pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from simulator.agents import Agent, Played, play
from simulator.episode import Environment
from simulator.errors import EngineFault, WorldError
from simulator.evaluation.agent_choice import AgentChoice
from simulator.evaluation.assignments import Assignment
from simulator.evaluation.processes import interrupts_held_back, worker_pool
from simulator.scenario import Positions, Scenario
from simulator.tasks import World, open_world

_CHUNK = 16
"""Episodes sent to a worker at a time: enough to make the sending cheap, few enough to share the work evenly."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an assignment: ``played``, or the engine's ``fault``, which is no score."""

    assignment: Assignment
    played: Played | None
    fault: str = ""


def play_all(
    world: World,
    assignments: Sequence[Assignment],
    *,
    workers: int = 1,
    done: Callable[[int], None] = lambda count: None,
) -> tuple[Outcome, ...]:
    """Play them all; outcomes in the order of the assignments. ``done`` is called with how many more have ended.

    Each trajectory is written when its episode ends. Raises :class:`UsageError` for an agent that cannot be made,
    :class:`WorldError` when a trajectory cannot be written or a task cannot begin, :class:`EngineFault` when a worker
    dies.
    """
    for folder in {assignment.file.parent for assignment in assignments if assignment.file is not None}:
        _make_folder(folder)
    if workers == 1 or len(assignments) <= 1:
        player = _Player(world)
        return tuple(_told(player.play(assignment), done) for assignment in assignments)
    return _play_in_processes(world, assignments, workers, done)


def _told(outcome: Outcome, done: Callable[[int], None]) -> Outcome:
    done(1)
    return outcome


class _Player:
    """Plays one assignment after the other in one world."""

    def __init__(self, world: World) -> None:
        self._environment = Environment(world)
        self._agents: dict[AgentChoice, Agent] = {}

    def play(self, assignment: Assignment) -> Outcome:
        choice = assignment.agent
        if choice not in self._agents:
            self._agents[choice] = choice.make()
        try:
            played = play(self._environment, self._agents[choice], assignment.task, assignment.seed)
            outcome = Outcome(assignment, played)
        except EngineFault as fault:
            outcome = Outcome(assignment, None, str(fault))
        if assignment.file is not None:
            try:
                self._environment.trajectory.save(assignment.file)
            except OSError as error:
                raise WorldError(f"{assignment.file} cannot be written: {error.strerror}.") from error
        return outcome


def _play_in_processes(
    world: World, assignments: Sequence[Assignment], workers: int, done: Callable[[int], None]
) -> tuple[Outcome, ...]:
    chunks = [assignments[start : start + _CHUNK] for start in range(0, len(assignments), _CHUNK)]
    with TemporaryDirectory(prefix="worldwright-") as folder:
        image = Path(folder) / "world.sqlite"
        world.save(image)
        scenario = replace(world.scenario, source=None, positions=Positions())
        with worker_pool(min(workers, len(chunks)), _open_in_worker, scenario, image) as pool:
            with interrupts_held_back():
                futures = [pool.submit(_play_chunk, tuple(chunk)) for chunk in chunks]
            try:
                for future in as_completed(futures):
                    done(len(future.result()))
            except BrokenProcessPool as error:
                raise EngineFault("A worker process died; nothing of what it played is counted.") from error
            return _in_order(futures)


def _in_order(futures: Sequence[Future[tuple[Outcome, ...]]]) -> tuple[Outcome, ...]:
    return tuple(outcome for future in futures for outcome in future.result())


_players: list[_Player] = []
"""In a worker process: its player, made by the initializer."""


def _open_in_worker(scenario: Scenario, image: Path) -> None:
    _players[:] = [_Player(open_world(image, scenario))]


def _play_chunk(assignments: Sequence[Assignment]) -> tuple[Outcome, ...]:
    (player,) = _players
    return tuple(player.play(assignment) for assignment in assignments)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorldError(f"The folder {folder} cannot be made: {error.strerror}.") from error
