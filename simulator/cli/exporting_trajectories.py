"""``export-trajectories``: what agents did, as data to train on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import cast

from simulator.bundle.datasets import FORMATS, KINDS, Format, Kind, Selection, read_attempts, write_dataset
from simulator.cli.terminal import count, near, plain_table, progress, remark, show, show_json
from simulator.errors import UsageError
from simulator.scenario import did_you_mean
from simulator.tasks import SPLITS


def export_trajectories(
    folder: Path,
    out: Path,
    *,
    kinds: Sequence[str],
    formats: Sequence[str],
    splits: Sequence[str],
    least: float,
    margin: float,
    as_json: bool,
) -> None:
    """Write the datasets and show what is in them."""
    wanted_kinds = cast("list[Kind]", _chosen(kinds, KINDS, "kind"))
    wanted_formats = cast("list[Format]", _chosen(formats, FORMATS, "format"))
    wanted_splits = _chosen(splits, SPLITS, "split")
    with progress("Reading"):
        attempts = read_attempts(folder)
    with progress("Writing"):
        written = write_dataset(
            attempts.scored,
            out,
            kinds=wanted_kinds,
            formats=wanted_formats,
            splits=wanted_splits,
            selection=Selection(least=least, margin=margin),
        )
    if as_json:
        facts = {"attempts": len(attempts.scored), "left_out": dict(attempts.left_out)}
        show_json({"out": str(out), "files": [asdict(item) for item in written], **facts})
        return
    table = plain_table("file", ">records")
    for item in written:
        table.add_row(item.file, f"{item.records:,}")
    show(table, "", f"{near(out)}: from {count(len(attempts.scored), 'scored attempt')}")
    for reason, number in sorted(attempts.left_out.items()):
        remark(f"left out, {reason}: {number:,}", "yellow")


def _chosen(given: Sequence[str], known: Sequence[str], what: str) -> list[str]:
    words = list(dict.fromkeys(word.strip() for text in given for word in text.split(",") if word.strip()))
    for word in words:
        if word not in known:
            hint = did_you_mean(word, known)
            raise UsageError(f"There is no {what} {word[:100]!r}; there are {', '.join(known)}. {hint}".strip())
    return words or list(known[:1])


__all__ = ["export_trajectories"]
