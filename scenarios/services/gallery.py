"""The ready scenarios, read from the disk."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from scenarios.services.drafts import gallery_names
from scenarios.services.source_files import facts_of, gallery_folder, parse_contents
from simulator.scenario import collect_files


class Ready(NamedTuple):
    """One ready scenario: its folder's name and what lists show of it."""

    name: str
    facts: dict[str, object]


def gallery() -> list[Ready]:
    """All ready scenarios, by name. Read again when a file of theirs changed."""
    return [_read(name, _age(name)) for name in gallery_names()]


@cache
def _read(name: str, age: int) -> Ready:
    return Ready(name, facts_of(parse_contents(collect_files(gallery_folder() / name))))


def _age(name: str) -> int:
    return max(path.stat().st_mtime_ns for path in (gallery_folder() / name).rglob("*"))
