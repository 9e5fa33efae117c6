"""Messages between the front and a worker: four bytes of length, then JSON. Both ends are our own processes."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

_LENGTH = 4
_MOST = 256_000_000


def framed(value: Any) -> bytes:
    """A message."""
    content = json.dumps(value, separators=(",", ":")).encode()
    return len(content).to_bytes(_LENGTH, "big") + content


async def read_frame(reader: asyncio.StreamReader) -> Any:
    """The next message. Raises asyncio.IncompleteReadError at the end, ConnectionError when the other side is gone."""
    size = _checked(await reader.readexactly(_LENGTH))
    return json.loads(await reader.readexactly(size))


def receive_frame(connection: socket.socket) -> Any:
    """The next message. Raises EOFError at the end."""
    return json.loads(_receive(connection, _checked(_receive(connection, _LENGTH))))


def _receive(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(min(size - len(parts), 1 << 20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def _checked(head: bytes) -> int:
    size = int.from_bytes(head, "big")
    if size > _MOST:
        raise ConnectionError(f"a message of {size:,} bytes")
    return size
