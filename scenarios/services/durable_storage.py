"""A folder that keeps content: written beside, flushed to the disk, renamed into place, so never seen half."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from django.core.files import File
from django.core.files.storage import FileSystemStorage


class DurableStorage(FileSystemStorage):
    """As Django's folder, but a file is either absent or whole, whatever stops the process or the machine."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """The name itself: content is named by its digest, so writing it again changes nothing."""
        return name

    def _save(self, name: str, content: File[bytes]) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return name
