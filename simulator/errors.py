"""Every exception the engine raises, in one small hierarchy.

An agent's mistake is data (a verdict), never an exception. What is raised here is either the author's problem
(:class:`ScenarioError`, with every problem found), the caller's (:class:`UsageError`), a damaged file
(:class:`TrajectoryError`, :class:`WorldError`, :class:`BundleError`), or a fault of the engine itself
(:class:`EngineFault`), which never becomes a reward.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


class WorldwrightError(Exception):
    """Root of every exception raised on purpose by this package."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the author's text. ``line`` and ``column`` count from 1; 0 means unknown."""

    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a scenario.

    ``code`` is stable and machine-readable (``unknown_column``), ``path`` the place in the document
    (``tools.refund_order.guards[1].require``), ``suggestion`` what to do about it, if known.
    ``severity`` is ``error`` (the scenario does not load) or ``warning`` (it loads; the author should look).
    """

    code: str
    message: str
    path: str = ""
    location: Location = field(default_factory=Location)
    suggestion: str = ""
    severity: str = "error"

    def __str__(self) -> str:
        place = self.location.file
        if self.location.line:
            place += f":{self.location.line}:{self.location.column}"
        words = [word for word in (place, f"{self.severity} {self.code}", self.path) if word]
        text = " ".join(words) + ": " + self.message
        return f"{text} {self.suggestion}" if self.suggestion else text


class ScenarioError(WorldwrightError):
    """A scenario cannot be used as written. ``problems`` holds all of them, in document order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class WorldError(WorldwrightError):
    """A world cannot be generated, opened or trusted; the message says which table or file, and what to change."""


class UsageError(WorldwrightError):
    """The caller asked for something that does not exist or cannot be; the message names what would."""


class TrajectoryError(WorldwrightError):
    """A trajectory file cannot be read. ``line`` is the line of the file, counted from 1 (0: the whole file)."""

    def __init__(self, message: str, *, line: int = 0) -> None:
        self.line = line
        super().__init__(f"line {line}: {message}" if line else message)


class BundleError(WorldwrightError):
    """A bundle cannot be opened or trusted. ``problems`` tells why; their ``path`` names the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class EngineFault(WorldwrightError):
    """The engine failed, not the agent: the episode becomes invalid and has no reward."""
