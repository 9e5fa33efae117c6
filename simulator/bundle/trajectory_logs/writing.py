"""Writing logs to a new folder: of Inspect one for each scenario and agent, of ATIF one for each trajectory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal

from simulator.bundle.datasets import Attempt
from simulator.bundle.trajectory_logs.atif import atif_of
from simulator.bundle.trajectory_logs.inspect_log import inspect_log_of
from simulator.bundle.trajectory_logs.played import agent_name, json_bytes
from simulator.errors import UsageError
from simulator.scenario import write_folder

LogFormat = Literal["inspect", "atif"]
LOG_FORMATS: tuple[LogFormat, ...] = ("inspect", "atif")
MOST_SAMPLES = 1_000
"""So many attempts are in one log of Inspect: its viewer is slow with larger ones."""


def write_logs(attempts: Sequence[Attempt], out: Path, form: LogFormat) -> tuple[str, ...]:
    """Write the attempts to the new folder ``out``; the names of its files. The same attempts give the same bytes.

    Raises UsageError when there is no attempt or the place cannot be used, TrajectoryError for a record with an id or a
    time that cannot be one.
    """
    if not attempts:
        raise UsageError("There is no scored attempt to write.")
    files = dict(_inspect(attempts) if form == "inspect" else _atif(attempts))
    write_folder(files, out)
    return tuple(files)


def _inspect(attempts: Sequence[Attempt]) -> Iterator[tuple[str, bytes]]:
    groups: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault((attempt.scenario, agent_name(attempt)), []).append(attempt)
    for group in groups.values():
        for first in range(0, len(group), MOST_SAMPLES):
            yield inspect_log_of(group[first : first + MOST_SAMPLES])


def _atif(attempts: Sequence[Attempt]) -> Iterator[tuple[str, bytes]]:
    for attempt in attempts:
        yield str(PurePosixPath(attempt.file).with_suffix(".json")), json_bytes(atif_of(attempt)) + b"\n"
