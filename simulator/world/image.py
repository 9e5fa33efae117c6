"""An image: one world's SQLite database, immutable, shared by every episode played in it.

The file is mapped read-only, so processes share it through the operating system's page cache and a fork inherits it. It
must never be rewritten in place (a mapped file that shrinks kills its readers): write a new image under another name
and rename it.
"""

from __future__ import annotations

import mmap
from hashlib import blake2b
from pathlib import Path

from simulator.errors import WorldError
from simulator.scenario.regular_files import open_regular

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100  # bytes, https://sqlite.org/fileformat2.html#the_database_header
_SLICE = 1 << 20


class Image:
    """The bytes of one SQLite database file, checked to be one that can be served page by page.

    ``buffer`` is the whole file, ``size`` its length in bytes, ``page_size`` the size of a page in bytes. ``name`` is
    used in messages only.

    Raises :class:`WorldError` when the bytes are not a whole SQLite database in rollback-journal mode.
    """

    __slots__ = ("_content_digest", "buffer", "name", "page_size", "size")

    def __init__(self, buffer: bytes | mmap.mmap, *, name: str) -> None:
        self.buffer = buffer
        self.name = name
        self.size = len(buffer)
        self.page_size = _checked_page_size(buffer[:_HEADER], size=self.size, name=name)
        self._content_digest: str | None = None

    @classmethod
    def open(cls, path: Path) -> Image:
        """Map the database file at ``path``; :class:`WorldError` when it cannot be read or is not a usable database."""
        try:
            with open_regular(path) as file:
                buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            raise WorldError(f"{path} is empty, not a SQLite database.") from None
        except OSError as error:
            raise WorldError(f"{path} cannot be read: {error.strerror}.") from error
        try:
            return cls(buffer, name=str(path))
        except WorldError:
            buffer.close()
            raise

    @classmethod
    def from_bytes(cls, data: bytes) -> Image:
        """The image of a database held in memory, as ``Connection.serialize`` gives it."""
        return cls(data, name="the database in memory")

    def read(self, offset: int, amount: int) -> bytes:
        """``amount`` bytes from byte ``offset``; fewer where the file ends."""
        return self.buffer[offset : offset + amount]

    @property
    def content_digest(self) -> str:
        """BLAKE2b-256 of the file as hex, without the header fields that do not describe content.

        Bytes 24-27 (change counter) and 92-99 (the counter's copy and the SQLite version) count as zero.
        """
        if self._content_digest is None:
            digest = blake2b(digest_size=32)
            header = self.buffer[:_HEADER]
            digest.update(header[:24] + bytes(4) + header[28:92] + bytes(8))
            for offset in range(_HEADER, self.size, _SLICE):
                digest.update(self.buffer[offset : offset + _SLICE])
            self._content_digest = digest.hexdigest()
        return self._content_digest

    def close(self) -> None:
        """Let go of the file. Stores that still use the image can read nothing more."""
        if isinstance(self.buffer, mmap.mmap):
            self.buffer.close()


def _checked_page_size(header: bytes, *, size: int, name: str) -> int:
    if len(header) < _HEADER or header[:16] != _MAGIC:
        raise WorldError(f"{name} is not a SQLite database.")
    if header[18] != 1 or header[19] != 1:
        raise WorldError(f"{name} is in WAL mode: set journal_mode=delete on it before it is used as an image.")
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    if page_size < 512 or page_size & (page_size - 1):
        raise WorldError(f"{name} is damaged: its page size is {page_size}.")
    if header[24:28] != header[92:96]:
        raise WorldError(f"{name} is damaged, or was last written by a SQLite older than 3.7: its page count is stale.")
    expected = int.from_bytes(header[28:32], "big") * page_size
    if size < expected or size % page_size:
        raise WorldError(f"{name} is truncated: {size} bytes of {expected}.")
    return page_size
