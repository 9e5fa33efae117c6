"""Frozen worlds: SQLite images packed with xz, and unpacked no further than they say they go."""

from __future__ import annotations

import lzma
from pathlib import Path
from tempfile import TemporaryDirectory

from simulator.bundle.layout import FREE_WORLD, MOST_RATIO
from simulator.errors import BundleError, Problem, UsageError, WorldError
from simulator.scenario import Scenario
from simulator.tasks import World, open_world

_MEMORY = 128 << 20  # bytes an unpacker may take; the preset we pack with needs 9 MB
_PRESET = 6


def packed(world: World) -> bytes:
    """The image of a world, packed: the same bytes for the same world and release of liblzma.

    Raises UsageError for a world so uniform that nobody would dare to unpack it.
    """
    image = world.image.image
    data = lzma.compress(image.read(0, image.size), format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC64, preset=_PRESET)
    if _suspicious(len(data), image.size):
        raise UsageError(f"World {world.seed} packs to less than 1/{MOST_RATIO}; export its seed instead of its image.")
    return data


def unpacked(content: bytes, *, name: str, size: int) -> bytes:
    """The image in ``content``, which must be ``size`` bytes: no more are ever made.

    Raises BundleError (``damaged_image``).
    """
    if _suspicious(len(content), size):
        raise _damaged(name, f"{size:,} bytes are said to be packed in {len(content):,}")
    unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MEMORY)
    try:
        image = unpacker.decompress(content, max_length=size + 1)
    except lzma.LZMAError as error:
        raise _damaged(name, f"it cannot be unpacked: {error}") from error
    if len(image) > size or not unpacker.eof or unpacker.unused_data:
        raise _damaged(name, f"it does not unpack to the {size:,} bytes the manifest tells of")
    if len(image) != size:
        raise _damaged(name, f"it unpacks to {len(image):,} bytes, the manifest tells of {size:,}")
    return image


def opened(content: bytes, scenario: Scenario, *, name: str, size: int, digest: str) -> World:
    """The packed world, checked to be this scenario's and of this digest.

    Raises BundleError (``damaged_image``, ``other_world``).
    """
    with TemporaryDirectory(prefix="worldwright-") as folder:
        file = Path(folder) / "world.sqlite"
        file.write_bytes(unpacked(content, name=name, size=size))
        try:
            world = open_world(file, scenario)  # mapped, so it outlives its name
        except WorldError as error:
            raise _damaged(name, str(error).replace(str(file), "the image")) from error
    if world.digest != digest:
        message = f"{name} holds a world of digest {world.digest}, the manifest tells of {digest[:100]}."
        raise BundleError([Problem("other_world", message, name)])
    return world


def _suspicious(packed_size: int, size: int) -> bool:
    return size > FREE_WORLD and size > MOST_RATIO * packed_size


def _damaged(name: str, why: str) -> BundleError:
    return BundleError([Problem("damaged_image", f"{name} is damaged: {why.rstrip('.')}.", name)])
