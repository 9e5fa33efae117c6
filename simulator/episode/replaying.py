"""Replaying a trajectory: the same actions again, and the first thing that is not the same.

Compared are verdicts, observations, row changes, violations, flags, state digests, rewards and world time of every
step, and the ending and score. Wall times are not. A record that was cut off, or that ends in a fault of the engine,
says nothing about its end, and that is told. Against another version of the scenario the replay still runs, and what
differs is drift, not damage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simulator.episode.environment import Environment
from simulator.episode.recordable import UnreadableAction, is_unreadable
from simulator.episode.trajectory import Line, Trajectory, step_line
from simulator.errors import TrajectoryError, UsageError
from simulator.scenario.python_values import instance
from simulator.tasks import World
from simulator.tools import STATUSES, Verdict, failed
from simulator.version import ENGINE_VERSION

_COMPARED = (
    "step", "turn", "verdict", "observation", "changes", "violations", "flags", "state_digest", "reward", "at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that came out otherwise. ``step`` 0 is the reset; ``place`` names the field (``verdict.code``)."""

    step: int
    place: str
    recorded: Any
    replayed: Any

    def __str__(self) -> str:
        where = "at reset" if self.step == 0 else f"at step {self.step}"
        return f"{where}, {self.place}: recorded {_short(self.recorded)}, now {_short(self.replayed)}"


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """The outcome of a replay. ``drift`` names what the world is made from that has changed since the recording.

    ``difference`` is the first thing that differed; ``unfinished`` says where the record breaks off, empty where it has
    an end that could be compared. ``same`` is whether all came out the same, to the end.
    """

    steps: int
    difference: Difference | None
    drift: tuple[str, ...]
    trajectory: Trajectory
    unfinished: str = ""

    @property
    def same(self) -> bool:
        """Whether the replay came out the same to the end."""
        return self.difference is None and not self.unfinished


def replay(trajectory: Trajectory, world: World) -> ReplayReport:
    """Play a trajectory's actions again in ``world``.

    Raises :class:`UsageError` when the world is not the one recorded (another seed or scale, or a task it lacks), and
    :class:`TrajectoryError` when the file does not say what to play.
    """
    instance("trajectory", trajectory, Trajectory, "Read one with Trajectory.load.")
    instance("world", world, World, "Make one with generate_world.")
    header = trajectory.header
    try:
        task, seed = str(header["task"]["id"]), int(header["reset_seed"])
        recorded_world, recorded_scenario = dict(header["world"]), dict(header["scenario"])
    except (KeyError, TypeError, ValueError) as error:
        raise TrajectoryError(f"the header does not say what was played: {error}", line=1) from error
    if (recorded_world.get("seed"), recorded_world.get("scale")) != (world.seed, world.scale):
        raise UsageError(
            f"The trajectory was recorded in world {recorded_world.get('seed')} at scale "
            f"{recorded_world.get('scale')}, not in world {world.seed} at scale {world.scale}."
        )
    environment = Environment(world, agent=header.get("agent") if isinstance(header.get("agent"), dict) else None)
    environment.reset(task=task, seed=seed)
    drift = _drift(header, recorded_scenario, world)
    # The digest of a state begins with that of its world; in another world it says nothing about the steps.
    compared = [name for name in _COMPARED if name != "state_digest" or recorded_world.get("digest") == world.digest]
    difference = _first(0, header, environment.trajectory.header, ("task", "limits", "tools", "observation"))
    for number, line in enumerate(trajectory.steps, 1):
        if difference is not None:
            break
        difference = _replay_step(environment, number, line, compared)
    footer = trajectory.footer
    unfinished = _unfinished(trajectory)
    if difference is None and footer is not None:
        if footer.get("ending") == "stopped":
            environment.stop(str(footer.get("reason", "")))
        again = environment.trajectory.footer
        if again is None and unfinished:
            pass  # the fault need not come again
        elif again is None:
            difference = Difference(len(trajectory.steps), "ending", footer.get("ending"), None)
        else:
            difference = _first(len(trajectory.steps), footer, again, ("ending", "steps", "reward", "success", "score"))
    return ReplayReport(len(trajectory.steps), difference, drift, environment.trajectory, unfinished)


def _unfinished(trajectory: Trajectory) -> str:
    """Where the record breaks off, empty if it does not."""
    count = len(trajectory.steps)
    place = f"after step {count}" if count else "before the first step"
    if trajectory.footer is None:
        return f"cut off {place}: there is no footer, which would tell how it ended"
    if trajectory.footer.get("ending") == "invalid":
        return f"invalid {place}: {str(trajectory.footer.get('reason', ''))[:200] or 'no reason is given'}"
    return ""


def _replay_step(environment: Environment, number: int, line: Line, compared: Sequence[str]) -> Difference | None:
    action = line["action"]
    played = UnreadableAction(action, _verdict(line)) if is_unreadable(action) else action
    environment.step(
        played, turn=_integer(line.get("turn")), call_id=_text(line.get("call_id")), raw=_text(line.get("raw"))
    )
    steps = environment.snapshot().steps
    if len(steps) < number:
        return Difference(number, "step", "a step", "the episode was over")
    return _first(number, line, step_line(steps[-1]), compared)


def _verdict(line: Line) -> Verdict:
    """The verdict recorded for an action that the file could not hold."""
    recorded = line["verdict"]
    try:
        kind = recorded["kind"]
        if kind == "ok" or kind not in STATUSES:
            raise ValueError(f"an unreadable action cannot have the verdict {kind!r}")
        return failed(kind, str(recorded["code"]), str(recorded["message"]), status=int(recorded["status"]))
    except (KeyError, TypeError, ValueError) as error:
        raise TrajectoryError(f"step {line['step']}: {error}") from error


def _first(step: int, recorded: Any, replayed: Any, names: Sequence[str]) -> Difference | None:
    for name in names:
        found = _difference(step, name, recorded.get(name), replayed.get(name))
        if found is not None:
            return found
    return None


def _difference(step: int, place: str, recorded: Any, replayed: Any) -> Difference | None:
    """The first place in which two JSON values differ; numbers compare by value."""
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for name in (*recorded, *(name for name in replayed if name not in recorded)):
            found = _difference(step, f"{place}.{name}", recorded.get(name), replayed.get(name))
            if found is not None:
                return found
        return None
    if isinstance(recorded, list) and isinstance(replayed, list) and len(recorded) == len(replayed):
        for index, (mine, theirs) in enumerate(zip(recorded, replayed, strict=True)):
            found = _difference(step, f"{place}[{index}]", mine, theirs)
            if found is not None:
                return found
        return None
    same = recorded == replayed and isinstance(recorded, bool) == isinstance(replayed, bool)
    return None if same else Difference(step, place, recorded, replayed)


def _drift(header: Line, scenario: dict[str, Any], world: World) -> tuple[str, ...]:
    document = world.scenario.document
    found = []
    recorded = f"{scenario.get('id')} {scenario.get('version')}"
    if scenario.get("digest") != world.scenario.digest:
        now = f"{document.id} {document.version}"
        found.append(f"the text of scenario {now}" if recorded == now else f"scenario {recorded} is now {now}")
    if header.get("engine") != ENGINE_VERSION:
        found.append(f"engine {header.get('engine')} is now {ENGINE_VERSION}")
    if header["world"].get("digest") != world.digest:
        found.append("the world's content")
    return tuple(found)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63 else None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:199] + "…"
