"""From a scenario to a bundle: a folder and a zip file of it. The same scenario and seeds give the same bytes."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.bundle.archive import write_zip
from simulator.bundle.content import REWARD_RANGE, content_of
from simulator.bundle.engine_wheel import engine_wheel
from simulator.bundle.images import packed
from simulator.bundle.layout import ENGINE, FORMAT, MANIFEST, README, REQUIREMENTS, SCHEMA, world_image
from simulator.bundle.manifest import (
    CheckEntry,
    EngineEntry,
    FileEntry,
    Licence,
    Manifest,
    ScenarioEntry,
    TargetEntry,
    VerificationEntry,
)
from simulator.bundle.readme import readme
from simulator.bundle.targets import TARGETS, Exported, target_files
from simulator.errors import UsageError
from simulator.evaluation.verification import VerificationReport
from simulator.scenario import Scenario, did_you_mean, write_folder
from simulator.scenario.python_values import file_path, instance, whole_number
from simulator.tasks import World, generate_world
from simulator.version import ENGINE_VERSION


@dataclass(frozen=True, slots=True)
class BundleReport:
    """What was written: the folder, the zip file with its SHA-256, and the manifest in both."""

    folder: Path
    archive: Path
    sha256: str
    manifest: Manifest


def export_bundle(
    scenario: Scenario,
    *,
    seeds: Sequence[int],
    targets: Sequence[str],
    out: Path,
    frozen: bool = True,
    verification: VerificationReport | None = None,
    unverified: bool = False,
) -> BundleReport:
    """Write the bundle of the worlds of ``seeds`` to the new folder ``out``, and beside it as ``out``.zip.

    Of each world come the tasks of the split its seed belongs to. ``frozen`` puts the worlds' images in; without it
    they are generated again where they are used. ``verification`` is the report of a verification that passed; without
    one, ``unverified`` must say that this is meant, and the manifest then says so.

    Raises UsageError for a seed, target, report or place that cannot be used, ScenarioError when tasks cannot be drawn,
    WorldError when a world cannot be made.
    """
    instance("scenario", scenario, Scenario, "Read one with load_scenario.")
    out = file_path("out", out)
    archive = out.with_name(f"{out.name}.zip")
    if archive.exists():
        raise UsageError(f"{archive} is there already; choose another place or remove it.")
    numbers, names = _seeds(seeds), _targets(targets)
    summary = _verification(scenario, verification, unverified=unverified)
    worlds = [generate_world(scenario, seed) for seed in numbers]
    if not any(world.tasks() for world in worlds):
        raise UsageError("These worlds have no tasks.")
    manifest, files = bundle_files(scenario, worlds, names, frozen=frozen, verification=summary)
    write_folder(files, out)
    digest = _write_archive(files, archive)
    return BundleReport(out, archive, digest, manifest)


def bundle_files(
    scenario: Scenario,
    worlds: Sequence[World],
    targets: Sequence[str],
    *,
    frozen: bool,
    verification: VerificationEntry | None,
) -> tuple[Manifest, dict[str, bytes]]:
    """The manifest and all files of a bundle, by name."""
    content = content_of(scenario, worlds)
    engine = engine_wheel()
    wheel = f"{ENGINE}/{engine.name}"
    files = {**content.files, wheel: engine.content, REQUIREMENTS: engine.requirements}
    if frozen:
        files.update({world_image(world.seed): packed(world) for world in worlds})
    exported = Exported(scenario, content, verification, {world.seed: world for world in worlds})
    for target in targets:
        files.update(target_files(target, exported))
    files[README] = readme(scenario, content, targets, frozen=frozen, unverified=verification is None)
    document = scenario.document
    manifest = Manifest(
        format=FORMAT,
        schema=SCHEMA,
        engine=EngineEntry(
            version=ENGINE_VERSION, requires_python=engine.requires_python, wheel=wheel, requirements=REQUIREMENTS
        ),
        scenario=ScenarioEntry(id=document.id, version=document.version, title=document.title, digest=scenario.digest),
        frozen=frozen,
        worlds=list(content.worlds),
        splits=dict(content.splits),  # type: ignore[arg-type]
        tools=list(content.tools),
        reward_range=list(REWARD_RANGE),
        resources=content.resources,
        unverified=verification is None,
        verification=verification,
        licence=Licence(scenario=document.licence or "not stated"),
        targets=[_target_entry(name) for name in targets],
        files={
            name: FileEntry(size=len(files[name]), sha256=hashlib.sha256(files[name]).hexdigest())
            for name in sorted(files)
        },
    )
    return manifest, {MANIFEST: manifest.to_bytes(), **dict(sorted(files.items()))}


def _target_entry(name: str) -> TargetEntry:
    target = TARGETS[name]
    return TargetEntry(name=name, requirement=target.requirement, tested=target.tested, requires_python=target.python)


def _seeds(seeds: Sequence[int]) -> list[int]:
    numbers = [whole_number("seeds", seed) for seed in seeds]
    if not numbers:
        raise UsageError("A bundle needs at least one seed.")
    if len(set(numbers)) != len(numbers):
        raise UsageError("A seed is given twice.")
    return sorted(numbers)


def _targets(targets: Sequence[str]) -> list[str]:
    for target in targets:
        if target not in TARGETS:
            hint = did_you_mean(target, TARGETS)
            raise UsageError(f"There is no target {target[:100]!r}; there are {', '.join(TARGETS)}. {hint}".strip())
    return [target for target in TARGETS if target in targets]


def _verification(
    scenario: Scenario, report: VerificationReport | None, *, unverified: bool
) -> VerificationEntry | None:
    if report is None:
        if not unverified:
            raise UsageError(
                "The scenario is not verified: give the report of `worldwright verify --out`, or say --unverified."
            )
        return None
    if unverified:
        raise UsageError("Either a verification is given, or the bundle is unverified; not both.")
    if report.digest != scenario.digest:
        raise UsageError(
            f"The verification is of the scenario with digest {report.digest[:100]}, this one has {scenario.digest}."
        )
    if report.engine != ENGINE_VERSION:
        raise UsageError(f"The verification was done by engine {report.engine[:40]}; this is {ENGINE_VERSION}.")
    if not report.passed:
        raise UsageError("The verification was not passed; mend what blocks, or say --unverified instead.")
    return VerificationEntry(
        fingerprint=report.fingerprint,
        engine=report.engine,
        seeds=list(report.seeds),
        tasks=sum(report.tasks.values()),
        checks=[
            CheckEntry(id=item.id, passed=item.passed, places=item.places, findings=dict(item.findings))
            for item in report.checks
        ],
    )


def _write_archive(files: Mapping[str, bytes], archive: Path) -> str:
    """Write the zip file, whole or not at all; its SHA-256."""
    handle, name = tempfile.mkstemp(prefix=f".{archive.name}-", dir=archive.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        write_zip(files, temporary)
        temporary.chmod(0o644)
        with temporary.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        temporary.replace(archive)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return digest
