"""Large content: kept by digest in the storage ``content``, and opened as a local file through a bounded cache."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone

from accounts.models import Workspace
from scenarios.models import StoredFile

_CHUNK = 1 << 20


class DamagedContent(Exception):
    """What the storage gave back is not what was kept."""


def keep_bytes(*, workspace: Workspace, content: bytes, kind: StoredFile.Kind) -> StoredFile:
    """Keep bytes; what is kept already is found again. Not to be called inside a transaction."""
    return _keep(workspace, hashlib.sha256(content).hexdigest(), len(content), ContentFile(content), kind)


def keep_file(*, workspace: Workspace, path: Path, kind: StoredFile.Kind) -> StoredFile:
    """Keep a file's bytes. Not to be called inside a transaction."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        return _keep(workspace, digest, path.stat().st_size, File(file), kind)


def read_bytes(stored: StoredFile) -> bytes:
    """The bytes of a small file. Raises DamagedContent."""
    with storages["content"].open(stored.storage_name, "rb") as file:
        content = bytes(file.read())
    if hashlib.sha256(content).hexdigest() != stored.sha256:
        raise DamagedContent(stored.sha256)
    return content


@contextmanager
def open_local(stored: StoredFile) -> Iterator[Path]:
    """A local, read-only file with these bytes, for as long as the block runs. Raises DamagedContent.

    It lies in a cache of bounded size; a shared lock keeps it from being cleared away while it is in use.
    """
    cache: Path = settings.CONTENT_CACHE
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / f"{stored.workspace_id}-{stored.sha256}"
    while True:
        if not path.exists():
            _fetch(stored, path)
        try:
            handle = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue
        fcntl.flock(handle, fcntl.LOCK_SH)
        if path.exists() and os.fstat(handle).st_ino == path.stat().st_ino:
            break
        os.close(handle)
    try:
        os.utime(path)
        yield path
    finally:
        os.close(handle)


def _keep(workspace: Workspace, digest: str, size: int, content: File[bytes], kind: StoredFile.Kind) -> StoredFile:
    stored = StoredFile(workspace=workspace, sha256=digest, size=size, kind=kind)
    storage = storages["content"]
    if not storage.exists(stored.storage_name):
        storage.save(stored.storage_name, content)
    stored, made = StoredFile.objects.get_or_create(
        workspace=workspace, sha256=digest, defaults={"size": size, "kind": kind}
    )
    if not made:
        StoredFile.objects.filter(pk=stored.pk).update(used_at=timezone.now())
    return stored


def _fetch(stored: StoredFile, path: Path) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as target, storages["content"].open(stored.storage_name, "rb") as source:
            shutil.copyfileobj(source, target, _CHUNK)
        with temporary.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != stored.sha256:
                raise DamagedContent(stored.sha256)
        temporary.chmod(0o444)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    _clear(path)


def _clear(newest: Path) -> None:
    """Remove the files longest unused, until the cache keeps its bound; those in use stay."""
    files = sorted(
        (path for path in newest.parent.iterdir() if not path.name.startswith(".") and path != newest),
        key=lambda path: path.stat().st_mtime,
    )
    total = newest.stat().st_size + sum(path.stat().st_size for path in files)
    for path in files:
        if total <= settings.CONTENT_CACHE_BYTES:
            return
        handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            total -= path.stat().st_size
            path.unlink()
        except BlockingIOError:
            continue
        finally:
            os.close(handle)
