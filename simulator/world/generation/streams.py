"""One random stream per (seed, table, column), addressed by position.

A stream is a pure function from a position to 64 random bits: Philox counts, blake2b of the parts is its key. Asking
twice gives the same values, and ``raw(10)`` equals ``raw(4)`` followed by ``raw(6, start=4)``, so a column may be made
in chunks or in another process. Two independent draws for one column need two streams: :meth:`Stream.split`.

Only ``random_raw`` is taken from NumPy: NumPy promises the bits of a bit generator (NEP 19), not those of its
distributions. Everything else here is integer arithmetic and exact powers of two.
"""

from __future__ import annotations

import hashlib
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Bits: TypeAlias = npt.NDArray[np.uint64]

_WORDS_PER_COUNT = 4  # Philox4x64 gives four 64-bit words for each value of its counter
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_FEISTEL_ROUNDS = 6
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))  # splitmix64's multipliers


class Stream:
    """The random stream of one column; ``purpose`` tells apart several streams of the same column."""

    __slots__ = ("_parts",)

    def __init__(self, seed: int, table: str, column: str, purpose: str = "") -> None:
        self._parts: tuple[str, ...] = (str(int(seed)), table, column, purpose)

    def split(self, purpose: str) -> Stream:
        """A stream independent of this one."""
        child = Stream.__new__(Stream)
        child._parts = (*self._parts, purpose)
        return child

    def raw(self, n: int, *, start: int = 0) -> Bits:
        """``n`` uniform 64-bit words: those at positions ``start`` to ``start + n - 1``."""
        digest = hashlib.blake2b(digest_size=16, person=b"worldwright")
        for part in self._parts:
            data = part.encode()
            digest.update(len(data).to_bytes(8, "little"))  # lengths keep ("a", "bc") apart from ("ab", "c")
            digest.update(data)
        generator = np.random.Philox(key=int.from_bytes(digest.digest(), "little"))
        if start:
            generator.advance(start // _WORDS_PER_COUNT)
        skipped = start % _WORDS_PER_COUNT
        words: Bits = np.asarray(generator.random_raw(n + skipped), dtype=np.uint64)
        return words[skipped:]

    def uniform(self, n: int, *, start: int = 0) -> Floats:
        """``n`` multiples of 2⁻⁵³ in [0, 1)."""
        return (self.raw(n, start=start) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def integers(self, n: int, low: int | Integers, high: int | Integers, *, start: int = 0) -> Integers:
        """``n`` integers in [low, high); the bounds are numbers or arrays of length ``n``.

        ``low + floor(word * span / 2**64)``: no value is more likely than another by more than ``span / 2**64``
        (relative), 2e-10 for four thousand million values. ``span`` is below 2**63 and at least 1 (ValueError).
        """
        span = np.asarray(high, dtype=np.int64) - np.asarray(low, dtype=np.int64)
        if np.any(span <= 0):
            raise ValueError("integers() needs low < high, and high - low below 2**63")
        offset = _multiply_high(self.raw(n, start=start), span.astype(np.uint64))
        return np.asarray(low, dtype=np.int64) + offset.astype(np.int64)

    def bernoulli(self, n: int, share: float, *, start: int = 0) -> npt.NDArray[np.bool_]:
        """``n`` booleans, each true with probability ``share``."""
        return self.uniform(n, start=start) < share

    def permutation(self, n: int) -> Integers:
        """The numbers 0 to n-1 in random order."""
        return np.argsort(self.raw(n), kind="stable").astype(np.int64)

    def distinct(self, n: int, size: int, *, start: int = 0) -> Integers:
        """``n`` different integers in [0, size): positions ``start`` onwards of a permutation of that range.

        The permutation is never stored: a Feistel network over the next power of four, walked along its cycle until
        the value falls inside the range (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
        ValueError when ``start + n > size`` or ``size`` exceeds 2**62.
        """
        if start + n > size or size > 2**62:
            raise ValueError(f"there are no {start + n} different integers below {size}")
        half = max(1, ((size - 1).bit_length() + 1) // 2)
        keys = self.split("feistel").raw(_FEISTEL_ROUNDS)
        values = _feistel(np.arange(start, start + n, dtype=np.uint64), keys, half)
        outside = np.flatnonzero(values >= np.uint64(size))
        while outside.size:
            values[outside] = _feistel(values[outside], keys, half)
            outside = outside[values[outside] >= np.uint64(size)]
        return values.astype(np.int64)


def _multiply_high(a: Bits, b: Bits) -> Bits:
    """The upper 64 bits of the 128-bit product, from 32-bit halves; uint64 arithmetic never overflows here."""
    a_high, a_low = a >> _HALF, a & _LOW_HALF
    b_high, b_low = b >> _HALF, b & _LOW_HALF
    middle = a_high * b_low + ((a_low * b_low) >> _HALF)
    crossed = a_low * b_high + (middle & _LOW_HALF)
    product: Bits = a_high * b_high + (middle >> _HALF) + (crossed >> _HALF)
    return product


def _feistel(values: Bits, keys: Bits, half: int) -> Bits:
    """A keyed permutation of the integers below ``2 ** (2 * half)``."""
    shift, mask = np.uint64(half), np.uint64((1 << half) - 1)
    left, right = values >> shift, values & mask
    for key in keys:
        mixed = right ^ key
        for multiplier in _MIX:
            mixed = (mixed ^ (mixed >> np.uint64(31))) * multiplier
        left, right = right, left ^ ((mixed >> _HALF) & mask)
    return (left << shift) | right
