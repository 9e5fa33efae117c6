"""The digest of a state: its image's content and the sum of its changed cells.

Every cell of the database has a hash of (table, key, column, value). A state's delta is the sum, modulo 2**128, of
the hashes of the cells it has and the image has not, less those the image has and it has not. So the delta follows
from the changes of each action, whatever the order of edits, and equal rows give equal digests. The construction is
Bellare and Micciancio's AdHash (https://cseweb.ucsd.edu/~daniele/papers/IncHash.html); it tells states apart, it does
not withstand someone who looks for collisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b

from simulator.world.changes import RowChange, Value

_MODULUS = 1 << 128
_INTEGER_RANGE = float(1 << 63)  # SQLite's integers end here; a larger whole float equals none of them


def delta(changes: Iterable[RowChange]) -> int:
    """What ``changes`` add to a state's delta, in 0 .. 2**128 - 1. Add the deltas of actions modulo 2**128."""
    total = 0
    for change in changes:
        key = b"".join(_encoded(value) for value in change.key)
        if change.new is not None:
            total += _row(change.table, key, change.new)
        if change.old is not None:
            total -= _row(change.table, key, change.old)
    return total % _MODULUS


def state_digest(content_digest: str, delta: int) -> str:
    """The digest, 32 hex digits, of the state whose changes sum up to ``delta``, on an image of this content digest."""
    text = f"{content_digest}:{delta % _MODULUS:032x}"
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _row(table: str, key: bytes, cells: Mapping[str, Value]) -> int:
    total = 0
    for column, value in cells.items():
        cell = blake2b(_column(table, column) + key + _encoded(value), digest_size=16)
        total += int.from_bytes(cell.digest(), "little")
    return total


@lru_cache(maxsize=4096)
def _column(table: str, column: str) -> bytes:
    return _encoded(table) + _encoded(column)


def _encoded(value: Value) -> bytes:
    """A value as bytes: equal values equal, and no encoding the beginning of another, so that they may be joined."""
    if value is None:
        return b"-"
    if isinstance(value, str):
        text = value.encode()
        return b"t%d:%b" % (len(text), text)
    if isinstance(value, bytes):
        return b"b%d:%b" % (len(value), value)
    if isinstance(value, float):
        if not (value.is_integer() and -_INTEGER_RANGE <= value < _INTEGER_RANGE):
            return b"r%b;" % value.hex().encode()
        value = int(value)
    return b"n%d;" % value
