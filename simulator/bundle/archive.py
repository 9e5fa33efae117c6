"""A bundle on disk: a folder, or a zip file of it that is the same to the byte wherever it is written.

A zip file is read where it lies, and nothing of it is ever unpacked to disk. Its files are stored as they are: so no
compression library decides its bytes, and none can make more of a file than the archive holds. Sizes are checked
before anything is read.
"""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Protocol

from simulator.bundle.layout import MANIFEST, MOST_BYTES, MOST_FILES, is_file_name, same_name
from simulator.errors import BundleError, Problem, UsageError
from simulator.scenario.regular_files import NotRegular, open_regular

_MOMENT = (1980, 1, 1, 0, 0, 0)  # the earliest there is in a zip file
_MODE = stat.S_IFREG | 0o644
_UNIX = 3
_ENCRYPTED = 0x1


class Source(Protocol):
    """Where the files of a bundle are read from."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """How many bytes each file has."""

    def read(self, name: str) -> bytes:
        """The content of a file. Raises BundleError when it cannot be read whole."""


def source_of(path: Path) -> Source:
    """The files of a folder or zip file, its names and sizes checked.

    Raises BundleError: ``unreadable``, ``bad_name``, ``not_a_file`` (a link, a device), ``duplicate_name``,
    ``too_large``, ``not_stored``, ``encrypted``. UsageError when there is nothing at ``path``.
    """
    if not path.exists():
        raise UsageError(f"There is no file or folder {path}.")
    return _Folder(path) if path.is_dir() else _Zip(path)


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path
        sizes: dict[str, int] = {}
        self._walk(path, "", sizes)
        self.sizes = _checked(sizes)

    def _walk(self, folder: Path, prefix: str, sizes: dict[str, int]) -> None:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            raise _problem("unreadable", f"{folder} cannot be read: {error.strerror}.", prefix) from error
        for entry in entries:
            name = prefix + entry.name
            if not is_file_name(name):
                raise _problem("bad_name", f"The bundle holds a file of the name {name[:200]!r}.", name)
            if entry.is_dir(follow_symlinks=False):
                self._walk(folder / entry.name, f"{name}/", sizes)
            elif not entry.is_file(follow_symlinks=False):
                raise _problem("not_a_file", f"{name} is a link or no regular file.", name)
            else:
                sizes[name] = entry.stat(follow_symlinks=False).st_size
            if len(sizes) > MOST_FILES:
                raise _problem("too_large", f"The bundle holds more than {MOST_FILES:,} files.")

    def read(self, name: str) -> bytes:
        path = self._path / name
        try:
            if path.is_symlink():
                raise NotRegular(0, "it is a link")
            with open_regular(path) as file:
                content = file.read(self.sizes[name] + 1)
        except OSError as error:
            raise _problem("unreadable", f"{name} cannot be read: {error.strerror}.", name) from error
        if len(content) != self.sizes[name]:
            raise _problem("unreadable", f"{name} changed while it was read.", name)
        return content


class _Zip:
    def __init__(self, path: Path) -> None:
        try:
            with open_regular(path) as file:
                self._length = os.fstat(file.fileno()).st_size
                self._archive = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError, RecursionError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise _problem("unreadable", f"{path.name} cannot be read as a zip file: {why}.") from error
        entries = self._archive.infolist()
        if len(entries) > MOST_FILES:
            raise _problem("too_large", f"The bundle holds more than {MOST_FILES:,} files.")
        for entry in entries:
            _check_entry(entry)
        again = same_name(entry.filename for entry in entries)
        if again is not None:
            raise _problem("duplicate_name", f"The archive holds {again[:200]!r} twice.", again)
        # Entries may point at the same bytes; together they are never more than the archive is.
        if sum(entry.file_size for entry in entries) > self._length:
            raise _problem("too_large", "The archive says its files are larger than it is itself.")
        self.sizes = _checked({entry.filename: entry.file_size for entry in entries})

    def read(self, name: str) -> bytes:
        try:
            with self._archive.open(name) as file:
                content = file.read(self.sizes[name] + 1)
        except (OSError, zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError) as error:
            raise _problem("unreadable", f"{name} cannot be read from the archive: {error}.", name) from error
        if len(content) != self.sizes[name]:
            raise _problem("unreadable", f"{name} is cut off.", name)
        return content


def write_zip(files: Mapping[str, bytes], file: Path | BinaryIO) -> None:
    """Write the files to a zip file: in the order of their names, all of one moment and mode, stored."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, strict_timestamps=True) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.create_system = _UNIX
            entry.external_attr = _MODE << 16
            archive.writestr(entry, files[name])


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    if not is_file_name(name) or entry.orig_filename != name:
        raise _problem("bad_name", f"The archive holds a file of the name {entry.orig_filename[:200]!r}.", name[:200])
    if entry.flag_bits & _ENCRYPTED:
        raise _problem("encrypted", f"{name} is encrypted.", name)
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise _problem("not_a_file", f"{name} is a link or no regular file.", name)
    if entry.compress_type != zipfile.ZIP_STORED or entry.compress_size != entry.file_size:
        message = f"{name} is compressed within the archive; a bundle's files are stored."
        raise _problem("not_stored", message, name, "Unpack the archive yourself and name its folder.")


def _checked(sizes: dict[str, int]) -> dict[str, int]:
    again = same_name(sizes)
    if again is not None:
        raise _problem("duplicate_name", f"The bundle holds {again[:200]!r} twice, capitals apart.", again)
    if sum(sizes.values()) > MOST_BYTES:
        raise _problem("too_large", f"The bundle is larger than {MOST_BYTES:,} bytes.")
    if MANIFEST not in sizes:
        raise _problem("missing_file", f"There is no {MANIFEST}; this is no bundle.", MANIFEST)
    return sizes


def _problem(code: str, message: str, path: str = "", suggestion: str = "") -> BundleError:
    return BundleError([Problem(code, message, path, suggestion=suggestion)])
