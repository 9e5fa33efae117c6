"""Files from outside: only regular ones are opened, and no more is read than is allowed.

So no pipe blocks, no device runs on without end, and a file that grows is still bounded.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from simulator.errors import UsageError


class NotRegular(OSError):
    """The path is no regular file: a folder, a pipe, a socket or a device."""


def open_regular(path: Path) -> BinaryIO:
    """The file, open for reading. Raises OSError when it cannot be read; :class:`NotRegular` when it is something else.

    What is no regular file is not even opened; it is looked at again once open, so that it cannot be exchanged between.
    """
    _check(path.stat())
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        _check(os.fstat(descriptor))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: Path, most: int) -> bytes:
    """The whole file, of at most ``most`` bytes. Raises :class:`UsageError` that names it and what is wrong."""
    try:
        with open_regular(path) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:  # a null character in the path
        raise UsageError(f"{str(path)!r} is no path: {error}.") from error
    if len(content) > most:
        raise UsageError(f"{path} is larger than {most:,} bytes.")
    return content


def _check(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise NotRegular(0, "it is no regular file")
