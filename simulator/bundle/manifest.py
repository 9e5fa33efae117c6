"""The manifest: what a bundle is, and the size and digest of every file in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from simulator.bundle.layout import FORMAT, MANIFEST, MOST_MANIFEST, MOST_WORLD, SCHEMA, is_file_name, same_name
from simulator.errors import BundleError, Problem, ScenarioError
from simulator.scenario import read_json
from simulator.scenario.source_text import TextLimits
from simulator.tasks import SPLITS

_LIMITS = TextLimits(size=MOST_MANIFEST, depth=16, nodes=200_000, scalar=10_000)

Line = Annotated[str, StringConstraints(max_length=1_000)]
Count = Annotated[int, Field(ge=0, le=(1 << 63) - 1)]
Split = Literal["train", "validation", "test"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class FileEntry(_Part):
    """One file: its size in bytes and the SHA-256 of its content, in hexadecimal."""

    size: Count
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class ScenarioEntry(_Part):
    """Which scenario it is."""

    id: Line
    version: Line
    title: Line
    digest: Line


class WorldEntry(_Part):
    """One world: its digest, its size in bytes when unpacked, and whose tasks come from it."""

    seed: Count
    split: Split
    digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    size: Annotated[int, Field(ge=1, le=MOST_WORLD)]


class SplitEntry(_Part):
    """The seeds a split is drawn from, and how many tasks it has, in all and by template."""

    seeds: list[Count]
    tasks: Count
    templates: dict[Line, Count]


class Resources(_Part):
    """What running it takes: the largest world and all of them in bytes, the longest episode in steps."""

    largest_world_bytes: Count
    worlds_bytes: Count
    most_steps: Count
    network: Literal["none"] = "none"


class CheckEntry(_Part):
    """How one check of the verification came out."""

    id: Line
    passed: bool
    places: Count
    findings: dict[Line, Count]


class VerificationEntry(_Part):
    """The verification the scenario passed, in short. ``fingerprint`` names its full report."""

    fingerprint: Line
    engine: Line
    seeds: list[Count]
    tasks: Count
    checks: list[CheckEntry]


class EngineEntry(_Part):
    """The engine that made the bundle and plays it: its version, the Python it needs, its wheel, what that runs on."""

    version: Line
    requires_python: Line
    wheel: Line
    requirements: Line


class TargetEntry(_Part):
    """One target's package: the framework it is for, as pip takes it with its upper bound, and the tested version."""

    name: Line
    requirement: Line
    tested: Line
    requires_python: Line


class Licence(_Part):
    """The licence of the engine, and of the scenario as its `licence` says."""

    engine: Line = "Apache-2.0"
    scenario: Line = "not stated"


class Manifest(_Part):
    """All of ``MANIFEST.json``. ``verification`` is None exactly where ``unverified`` is true."""

    format: Literal["worldwright-bundle"]
    schema_: Literal[2] = Field(alias="schema")
    engine: EngineEntry
    scenario: ScenarioEntry
    frozen: bool
    worlds: list[WorldEntry]
    splits: dict[Split, SplitEntry]
    tools: list[Line]
    reward_range: list[float]
    resources: Resources
    unverified: bool
    verification: VerificationEntry | None
    licence: Licence
    targets: list[TargetEntry]
    files: dict[Line, FileEntry]

    def to_bytes(self) -> bytes:
        """The text of the file."""
        return (json.dumps(self.model_dump(by_alias=True), indent=2, allow_nan=False) + "\n").encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Manifest:
        """The manifest in a file's content.

        Raises BundleError: ``unreadable_manifest``, ``unknown_format``, ``bad_manifest`` (each place that is wrong),
        ``bad_name``, ``duplicate_name``.
        """
        try:
            value, _ = read_json(content, file=MANIFEST, limits=_LIMITS)
        except ScenarioError as error:
            raise BundleError(
                [
                    Problem("unreadable_manifest", problem.message, location=problem.location)
                    for problem in error.problems
                ]
            ) from error
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise BundleError(
                [Problem("unknown_format", f"{MANIFEST} does not say that this is a {FORMAT}.", MANIFEST)]
            )
        if value.get("schema") != SCHEMA:
            message = f"The bundle is of schema {str(value.get('schema'))[:40]!r}; this engine reads schema {SCHEMA}."
            suggestion = "Use the engine that made it, or export the scenario again."
            raise BundleError([Problem("unknown_format", message, MANIFEST, suggestion=suggestion)])
        try:
            manifest = cls.model_validate_json(content)
        except ValidationError as error:
            raise BundleError(list(_problems(error))) from error
        problems = list(manifest._contradictions())
        if problems:
            raise BundleError(problems)
        return manifest

    def _contradictions(self) -> Iterable[Problem]:
        for name in self.files:
            if not is_file_name(name) or name == MANIFEST:
                yield Problem("bad_name", f"The manifest lists a file of the name {name[:200]!r}.", MANIFEST)
        again = same_name(self.files)
        if again is not None:
            yield Problem("duplicate_name", f"The manifest lists {again[:200]!r} twice.", MANIFEST)
        seeds = [world.seed for world in self.worlds]
        if len(set(seeds)) != len(seeds):
            yield Problem("bad_manifest", "The manifest lists a world twice.", MANIFEST)
        if list(self.splits) != list(SPLITS):
            yield Problem("bad_manifest", f"The manifest must tell of the splits {', '.join(SPLITS)}.", MANIFEST)
        if self.unverified != (self.verification is None):
            yield Problem("bad_manifest", "The manifest contradicts itself about the verification.", MANIFEST)


def _problems(error: ValidationError) -> Iterable[Problem]:
    for item in error.errors(include_url=False, include_input=False)[:20]:
        where = ".".join(str(part)[:60] for part in item["loc"])
        yield Problem("bad_manifest", f"{item['msg']}.", f"{MANIFEST}: {where}")
