"""What a target is: the framework it is for, and how the files of its package are made from what is exported.

The fixed part of a package lies as files in the target's folder, under ``package/``: ``MODULE`` in a name, and
``@name@`` in a text, stand for what is particular to a scenario.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from simulator.bundle.content import Content
from simulator.bundle.manifest import VerificationEntry
from simulator.bundle.tool_episode import messages_of
from simulator.errors import EngineFault
from simulator.scenario import Scenario
from simulator.tasks import Task, World
from simulator.version import ENGINE_VERSION

_PLACE = re.compile(r"@([a-z_]+)@")
_SUFFIX = ".template"


@dataclass(frozen=True, slots=True)
class Exported:
    """What a package is made from: the scenario, its worlds by seed with their tasks and tools, and the verification if
    there is one.
    """  # fmt: skip

    scenario: Scenario
    content: Content
    verification: VerificationEntry | None
    worlds: Mapping[int, World]

    def messages(self, task: Task) -> list[dict[str, str]]:
        """What a model is told at first of a task, as a system and a user message."""
        return messages_of(self.worlds[task.world_seed], task.id)

    @property
    def id(self) -> str:
        """The scenario's id: small letters, digits and single hyphens or underscores."""
        return self.scenario.document.id

    @property
    def version(self) -> str:
        """The scenario's version, three numbers with points."""
        return self.scenario.document.version


@dataclass(frozen=True, slots=True)
class Target:
    """One framework.

    ``requirement`` is what pip must install beside the engine, with its upper bound; ``tested`` the version that the
    tests run; ``python`` what the framework needs. ``particular`` makes files that depend on tasks and tools, by name.
    """

    name: str
    title: str
    requirement: str
    tested: str
    python: str = ">=3.11"
    values: Callable[[Exported], Mapping[str, str]] = lambda _: {}
    particular: Callable[[Exported], Mapping[str, bytes]] = lambda _: {}

    def module(self, exported: Exported) -> str:
        """The name of the package to import."""
        return f"{exported.id.replace('-', '_')}_{self.name}"

    def package(self, exported: Exported) -> dict[str, bytes]:
        """The files of the package, by name."""
        module = self.module(exported)
        values = {
            "id": exported.id,
            "version": exported.version,
            "module": module,
            "project": module.replace("_", "-"),
            "engine": ENGINE_VERSION,
            "requirement": self.requirement,
            "tested": self.tested,
            "python": self.python,
            "split": next(split for split, entry in exported.content.splits.items() if entry.tasks),
            **self.values(exported),
        }
        made = {_filled(name, module): _text(text, values).encode() for name, text in _templates(self.name)}
        return {**made, **self.particular(exported)}


def _filled(name: str, module: str) -> str:
    return name.removesuffix(_SUFFIX).replace("MODULE", module)


def _text(text: str, values: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise EngineFault(f"A target's package has no value for @{match[1]}@.")
        return values[match[1]]

    return _PLACE.sub(value, text)


@cache
def _templates(target: str) -> tuple[tuple[str, str], ...]:
    """The fixed files of a target's package, by name, in the order of their names."""
    folder = files("simulator.bundle.targets") / target / "package"
    return tuple(sorted(_walk(folder, ""))) if folder.is_dir() else ()


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            found += _walk(entry, f"{name}/")
        elif name.endswith(_SUFFIX):
            found.append((name, entry.read_text(encoding="utf-8")))
    return found
