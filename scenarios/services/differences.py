"""What differs between two sets of files, line by line, bounded in size."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from accounts.models import Workspace
from scenarios.services.source_files import contents_of

_MOST_LINES = 4_000
"""Lines of one file that are compared; a longer one is told of as a whole."""
_MOST_SHOWN = 2_000
_CONTEXT = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a comparison. ``mark`` is ``+``, ``-``, ``@`` for a heading, or a blank."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class FileDifference:
    """One file that is not the same in both: how it differs, and its lines unless it is too long or no text."""

    name: str
    how: str
    lines: tuple[Line, ...]
    whole: bool = True


def differences(workspace: Workspace, old: Mapping[str, str], new: Mapping[str, str]) -> list[FileDifference]:
    """The files that differ, by name. ``old`` and ``new`` map paths to digests."""
    names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    before = contents_of(workspace=workspace, files={name: old[name] for name in names if name in old})
    after = contents_of(workspace=workspace, files={name: new[name] for name in names if name in new})
    return [_difference(name, before.get(name), after.get(name)) for name in names]


def _difference(name: str, old: bytes | None, new: bytes | None) -> FileDifference:
    how = "added" if old is None else "removed" if new is None else "changed"
    try:
        sides = [(content or b"").decode("utf-8").splitlines() for content in (old, new)]
    except UnicodeDecodeError:
        return FileDifference(name, how, (), whole=False)
    if max(map(len, sides)) > _MOST_LINES:
        return FileDifference(name, how, (), whole=False)
    lines = list(_lines(*sides))
    return FileDifference(name, how, tuple(lines[:_MOST_SHOWN]), whole=len(lines) <= _MOST_SHOWN)


def _lines(old: list[str], new: list[str]) -> Iterator[Line]:
    for line in list(difflib.unified_diff(old, new, lineterm="", n=_CONTEXT))[2:]:
        mark = line[:1]
        yield Line("@", line.strip("@ ")) if mark == "@" else Line(mark, line[1:][:1_000])
