"""The overlay: a SQLite file system in memory where an episode's pages lie over an image that nobody can write.

A database file of the overlay reads a page from the state laid upon it if the state has that page, else from the image;
it writes to the state only. Which state is laid can change under an open connection. SQLite then has to notice: at the
start of each read transaction it compares the file's change counter with that of its page cache
(https://sqlite.org/fileformat2.html#file_change_counter), so each laying serves the first page with a counter never
seen before. In the same way, once a schema other than the image's has been shown, every laying is served with a schema
cookie never seen before, so that statements are prepared again. Both need ``locking_mode=normal``.

The methods named ``x...`` are SQLite's: https://sqlite.org/c3ref/io_methods.html and https://sqlite.org/c3ref/vfs.html.
"""

# ruff: noqa: D102 - SQLite documents the methods it calls

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import apsw

from simulator.errors import EngineFault
from simulator.world.image import Image

_UNIX_EPOCH = 210_866_760_000_000  # 1970-01-01 00:00:00 UTC in milliseconds since the start of Julian day 0
_MASK = 0xFFFF_FFFF  # the header's counters are 32 bits wide, and wrap
_names = itertools.count()


@dataclass(frozen=True, slots=True, eq=False)
class Pages:
    """One state of a database: the pages that differ from the image. Immutable; copies and forks share it.

    ``pages`` maps the byte offset of a page to its content; ``size`` is the size of the whole database in bytes.
    Two states with the same rows need not have the same pages.
    """

    pages: Mapping[int, bytes]
    size: int

    @classmethod
    def none(cls, image: Image) -> Pages:
        """The state that is the image itself."""
        return cls({}, image.size)


class _PrivateFile:
    """What files of one connection alone have in common: every lock is granted, and nothing waits for a disk."""

    __slots__ = ("locked",)

    def __init__(self) -> None:
        self.locked = 0

    def xLock(self, level: int) -> None:
        self.locked = level

    def xUnlock(self, level: int) -> None:
        self.locked = level

    def xCheckReservedLock(self) -> bool:
        return False

    def xFileControl(self, operation: int, pointer: int) -> bool:
        return False

    def xSectorSize(self) -> int:
        return 4096

    def xDeviceCharacteristics(self) -> int:
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE | apsw.SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN

    def xSync(self, flags: int) -> None:
        pass

    def xClose(self) -> None:
        pass


class OverlayFile(_PrivateFile):
    """A database file as SQLite sees it: the image under the state that was laid last.

    ``state`` is that state, and ``schema`` the schema cookie SQLite sees. ``locked`` is not zero while a statement or a
    transaction uses the file.
    """

    __slots__ = (
        "_altered", "_counter", "_first", "_highest_schema", "_image_schema", "_mask", "_own", "_pages", "_size",
        "image", "page_size", "schema", "state", "writable",
    )  # fmt: skip

    def __init__(self, image: Image, *, writable: bool) -> None:
        super().__init__()
        header = image.read(0, 100)
        self.image = image
        self.page_size = image.page_size
        self.writable = writable
        self.state = Pages.none(image)
        self.schema = int.from_bytes(header[40:44], "big")
        self._mask = image.page_size - 1
        self._pages = self.state.pages
        self._own: dict[int, bytes] | None = None  # the same as _pages once this file may change them
        self._size = image.size
        self._first: bytes | None = None  # the first page with the served counters; None: not made yet
        self._counter = int.from_bytes(header[24:28], "big")
        self._image_schema = header[40:44]
        self._highest_schema = self.schema
        self._altered = False  # whether SQLite has ever been shown another schema than the image's

    @property
    def changed(self) -> bool:
        """Whether the file was written to since the last :meth:`lay` or :meth:`snapshot`."""
        return self._own is not None

    def lay(self, state: Pages) -> None:
        """Show ``state`` from now on. What was written since the last :meth:`snapshot` is lost."""
        if self.locked:
            raise EngineFault("A state was laid while a statement was still reading the database.")
        self.state = state
        self._pages = state.pages
        self._own = None
        self._size = state.size
        self._first = None
        self._counter = self._counter + 1 & _MASK
        first = state.pages.get(0)
        self._altered = self._altered or (first is not None and first[40:44] != self._image_schema)
        if self._altered:
            self.schema = self._highest_schema = self._highest_schema + 1 & _MASK

    def snapshot(self) -> Pages:
        """The state as it is now; the same object as before when nothing was written."""
        if self._own is not None:
            self.state = Pages(self._own, self._size)
            self._own = None
        return self.state

    def xRead(self, amount: int, offset: int) -> bytes:
        page_size = self.page_size
        if offset >= page_size and amount == page_size:
            page = self._pages.get(offset)
            if page is not None:
                return page
            return self.image.buffer[offset : offset + amount] if offset < self._size else b""
        return self._read_pieces(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        if not self.writable:
            raise apsw.ReadOnlyError("The start state cannot be written.")
        own = self._take() if self._own is None else self._own
        amount = len(data)
        if amount == self.page_size and not offset & self._mask:
            if offset > self._size:
                self._fill(own, offset)
            own[offset] = bytes(data)
        else:
            self._write_pieces(own, bytes(data), offset)
        self._size = max(self._size, offset + amount)
        if offset < self.page_size:
            self._first = first = own[0]
            self._counter = _later(self._counter, int.from_bytes(first[24:28], "big"))
            self.schema = int.from_bytes(first[40:44], "big")
            self._altered = self._altered or first[40:44] != self._image_schema
            self._highest_schema = _later(self._highest_schema, self.schema)

    def xTruncate(self, size: int) -> None:
        if not self.writable:
            raise apsw.ReadOnlyError("The start state cannot be written.")
        own = self._take() if self._own is None else self._own
        rest = size & self._mask
        if rest:
            own[size - rest] = self._page(size - rest)[:rest] + bytes(self.page_size - rest)
        for offset in [offset for offset in own if offset >= size]:
            del own[offset]
        self._size = size
        self._first = None

    def xFileSize(self) -> int:
        return self._size

    def _take(self) -> dict[int, bytes]:
        self._own = own = dict(self._pages)
        self._pages = own
        return own

    def _page(self, offset: int) -> bytes:
        """The page at ``offset``, a multiple of the page size."""
        if offset >= self._size:
            return bytes(self.page_size)
        if offset:
            return self._pages.get(offset) or self.image.read(offset, self.page_size)
        if self._first is None:
            page = self._pages.get(0) or self.image.read(0, self.page_size)
            counter = self._counter.to_bytes(4, "big")
            schema = self.schema.to_bytes(4, "big")
            # The counter's copy at 92 must agree, or SQLite distrusts the page count of the header.
            self._first = page[:24] + counter + page[28:40] + schema + page[44:92] + counter + page[96:]
        return self._first

    def _read_pieces(self, amount: int, offset: int) -> bytes:
        """Reads of the first page, of part of a page, or across pages (after VACUUM to another page size)."""
        page_size = self.page_size
        if offset + amount <= page_size and self._size >= page_size:
            first = self._first or self._page(0)
            return first if amount == page_size else first[offset : offset + amount]
        pieces = []
        end = min(offset + amount, self._size)
        while offset < end:
            within = offset & self._mask
            piece = self._page(offset - within)[within : within + end - offset]
            pieces.append(piece)
            offset += len(piece)
        return b"".join(pieces)

    def _write_pieces(self, own: dict[int, bytes], data: bytes, offset: int) -> None:
        self._fill(own, offset)
        done = 0
        while done < len(data):
            within = (offset + done) & self._mask
            start = offset + done - within
            page = self._page(start)
            piece = data[done : done + self.page_size - within]
            own[start] = page[:within] + piece + page[within + len(piece) :]
            done += len(piece)

    def _fill(self, own: dict[int, bytes], offset: int) -> None:
        """Zero the pages between the end of the file and a write at ``offset``: the image's must not show there."""
        start = self._size + self._mask & ~self._mask
        for gap in range(start, offset & ~self._mask, self.page_size):
            own[gap] = bytes(self.page_size)


class _TemporaryFile(_PrivateFile):
    """An anonymous file of SQLite's own (a large sort, VACUUM), in memory."""

    __slots__ = ("_data",)

    def __init__(self) -> None:
        super().__init__()
        self._data = bytearray()

    def xRead(self, amount: int, offset: int) -> bytes:
        return bytes(self._data[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        if offset > len(self._data):
            self._data.extend(bytes(offset - len(self._data)))
        self._data[offset : offset + len(data)] = data

    def xTruncate(self, size: int) -> None:
        del self._data[size:]

    def xFileSize(self) -> int:
        return len(self._data)


class OverlayFileSystem(apsw.VFS):
    """The file system of one store: the databases given by name, each to be opened once, and anonymous files.

    Every other name is refused, so a connection here reaches no real file. Its clock is the world's: ``now`` in whole
    seconds since 1970-01-01 UTC. ``name`` is the name to connect by.
    """

    def __init__(self, files: Mapping[str, OverlayFile]) -> None:
        self.name = f"worldwright-{os.getpid()}-{next(_names)}"
        self._unopened = dict(files)
        self.now = 0
        super().__init__(self.name, None)

    @property
    def now(self) -> int:
        """The world's time."""
        return self._now

    @now.setter
    def now(self, seconds: int) -> None:
        self._now = seconds
        self._julian_milliseconds = _UNIX_EPOCH + seconds * 1000

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        # apsw accepts any object with the methods of a VFSFile, but its stubs ask for one by name.
        if name is None:
            return cast(apsw.VFSFile, _TemporaryFile())
        text = name.filename() if isinstance(name, apsw.URIFilename) else name
        file = self._unopened.pop(text, None)
        if file is None:
            raise apsw.CantOpenError(f"There is no file {text} here.")
        if not file.writable:
            flags[1] = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB
        return cast(apsw.VFSFile, file)

    def xFullPathname(self, name: str) -> str:
        return name

    def xAccess(self, pathname: str, flags: int) -> bool:
        return False  # no journal and no write-ahead log is ever left behind

    def xDelete(self, filename: str, syncdir: bool) -> None:
        raise apsw.ReadOnlyError(f"There is no file {filename} here.")

    def xCurrentTimeInt64(self) -> int:
        return self._julian_milliseconds

    def xCurrentTime(self) -> float:
        return self._julian_milliseconds / 86_400_000

    def xRandomness(self, numbytes: int) -> bytes:
        return bytes(numbytes)

    def xSleep(self, microseconds: int) -> int:
        return microseconds

    def xGetLastError(self) -> tuple[int, str | None]:
        return 0, None


def _later(counter: int, other: int) -> int:
    """The later of two counters that wrap at 32 bits, as long as they are less than half the range apart."""
    return other if (other - counter & _MASK) < 0x8000_0000 else counter
