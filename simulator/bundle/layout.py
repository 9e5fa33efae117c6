"""Where everything stands in a bundle, and how much of everything there may be.

What an agent may be shown is under ``agent/``, all else that only a grader may know under ``grader/``; ``engine/``
holds the engine's wheel, which is the same in all bundles of one release.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Literal

FORMAT: Literal["worldwright-bundle"] = "worldwright-bundle"
SCHEMA: Literal[2] = 2
"""2 carries the engine, and tells of each target what it needs; 1 named targets only."""

MANIFEST = "MANIFEST.json"
README = "README.md"
SCENARIO = "grader/scenario.json"
POLICY = "agent/policy.md"
TOOLS = "agent/tools.json"
ENGINE = "engine"
REQUIREMENTS = f"{ENGINE}/requirements.lock"

MOST_FILES = 10_000
MOST_BYTES = 4_000_000_000
"""All files of a bundle together, as they are stored."""
MOST_MANIFEST = 8_000_000
MOST_WORLD = 4_000_000_000
"""One world, unpacked."""
FREE_WORLD = 64_000_000
MOST_RATIO = 200
"""How many times its packed size a world of more than ``FREE_WORLD`` bytes may have; usual are three to twenty."""

_NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}/){0,7}[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def agent_tasks(split: str) -> str:
    """What an agent may know of a split's tasks, a line each."""
    return f"agent/tasks/{split}.jsonl"


def grader_tasks(split: str) -> str:
    """Parameters, solutions and checks of a split's tasks, a line each."""
    return f"grader/tasks/{split}.jsonl"


def world_image(seed: int) -> str:
    """The frozen world of a seed: its SQLite database, compressed with xz."""
    return f"grader/worlds/{seed}.sqlite.xz"


def is_file_name(name: str) -> bool:
    """Whether a name is a plain relative path: no way up, no drive, nothing hidden, nothing that differs by system."""
    return _NAME.fullmatch(name) is not None


def same_name(names: Iterable[str]) -> str | None:
    """A name that is given twice, also where a system that does not tell capitals apart would see it twice.

    A file that is also the folder of another counts. None if there is none.
    """
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            return name
        seen.add(name.lower())
    for name in sorted(seen):
        if any(str(folder) in seen for folder in PurePosixPath(name).parents):
            return name
    return None
