"""Chance for agents: a stream of choices that depends on its seed and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

_Item = TypeVar("_Item")


class Chance:
    """Choices drawn from hashes of (seed, name, count): the same on every machine and in every release of Python."""

    def __init__(self, *seed: object) -> None:
        self._seed = "/".join(map(str, seed))
        self._drawn = 0

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound`` - 1."""
        digest = blake2b(f"{self._seed}#{self._drawn}".encode(), digest_size=16).digest()
        self._drawn += 1
        return int.from_bytes(digest, "big") % bound

    def choice(self, items: Sequence[_Item]) -> _Item:
        """One of ``items``, which must not be empty."""
        return items[self.below(len(items))]

    def happens(self, share: float) -> bool:
        """True in ``share`` of the cases."""
        return self.below(1 << 53) < share * (1 << 53)
