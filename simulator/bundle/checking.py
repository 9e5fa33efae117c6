"""Whether a bundle is what it says: its digests, and that everything in it follows from its scenario and seeds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from simulator.bundle.exporting import bundle_files
from simulator.bundle.layout import ENGINE, MANIFEST, world_image
from simulator.bundle.opening import Bundle, open_bundle
from simulator.bundle.splits import split_of_seed
from simulator.bundle.targets import TARGETS
from simulator.errors import BundleError, Problem, WorldwrightError
from simulator.tasks import World, generate_world


def check_bundle(path: str | Path) -> list[Problem]:
    """Everything wrong with a bundle; empty if nothing is.

    Names, sizes and digests first. If they hold, each world is generated again and compared with the one told of, and
    all other files are made again and compared byte for byte, so a file that was exchanged is found also when its
    digest was. Raises UsageError when there is nothing at ``path``.
    """
    try:
        bundle = open_bundle(path)
        problems = list(_unlisted(bundle))
        worlds, found = _worlds(bundle)
        problems += found
        if not problems:
            problems += _differences(bundle, worlds)
    except BundleError as error:
        return list(error.problems)
    return problems


def _unlisted(bundle: Bundle) -> Iterator[Problem]:
    for name in bundle.names:
        if name != MANIFEST and name not in bundle.manifest.files:
            yield Problem("unlisted_file", f"{name} is not listed in the manifest.", name, suggestion="Remove it.")


def _worlds(bundle: Bundle) -> tuple[list[World], list[Problem]]:
    """The worlds, made again, and what is wrong with those the bundle tells of."""
    worlds, problems = [], []
    for entry in bundle.manifest.worlds:
        if entry.split != split_of_seed(entry.seed):
            message = f"World {entry.seed} is of the split {split_of_seed(entry.seed)}, not of {entry.split}."
            problems.append(Problem("other_split", message, MANIFEST))
        try:
            again = generate_world(bundle.scenario, entry.seed)
            if again.digest != entry.digest:
                message = f"Seed {entry.seed} makes a world of digest {again.digest}, not {entry.digest}."
                problems.append(Problem("other_world", message, MANIFEST))
            if bundle.manifest.frozen:
                bundle.world(entry.seed)
            worlds.append(again)
        except BundleError as error:
            problems += error.problems
        except WorldwrightError as error:
            problems.append(Problem("other_world", f"World {entry.seed} cannot be made: {error}", MANIFEST))
    return worlds, problems


def _differences(bundle: Bundle, worlds: list[World]) -> Iterator[Problem]:
    told = bundle.manifest
    targets = [target.name for target in told.targets]
    for target in targets:
        if target not in TARGETS:
            yield Problem("unknown_target", f"This engine knows no target {target[:100]!r}.", MANIFEST)
            return
    manifest, files = bundle_files(bundle.scenario, worlds, targets, frozen=told.frozen, verification=told.verification)
    images = {world_image(world.seed) for world in worlds}  # compared by their worlds: packers differ between releases
    for name in sorted({*files, *told.files} - images - {MANIFEST}):
        if name not in files:
            yield Problem("unlisted_file", f"{name} is in no bundle of this scenario and these seeds.", name)
        elif name not in told.files:
            yield Problem("missing_file", f"{name} is missing.", name)
        elif bundle.files[name] != files[name] and name.startswith(f"{ENGINE}/"):
            message = f"{name} is not the engine that checks, though of the same version."
            yield Problem(
                "other_engine", message, name, suggestion="Export again, or check with the engine that made it."
            )
        elif bundle.files[name] != files[name]:
            yield Problem("swapped_file", f"{name} does not follow from the scenario.", name)
    for key, value in manifest:
        if key != "files" and value != getattr(told, key):
            yield Problem("other_facts", f"What the manifest tells under `{key}` is not so.", MANIFEST)
