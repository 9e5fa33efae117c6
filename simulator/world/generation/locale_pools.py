"""One pool in several locales at once: row i takes a value of its own locale, and still everything is vectorised."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence

import numpy as np

from simulator.world.generation.pools import PoolSet
from simulator.world.generation.streams import Integers, Stream
from simulator.world.generation.uniqueness import unique_positions

_IBAN_LETTERS = {ord(letter): str(number) for number, letter in enumerate(string.ascii_uppercase, start=10)}


class Words:
    """The pools called ``name`` of some locales; ``transform`` is applied to each value once, with its position."""

    __slots__ = ("_offsets", "_values", "sizes")

    def __init__(
        self,
        pools: PoolSet,
        locales: Sequence[str],
        name: str,
        transform: Callable[[str, int], str] | None = None,
    ) -> None:
        each = [pools.pool(locale, name) for locale in locales]
        self.sizes: Integers = np.asarray([len(values) for values in each], dtype=np.int64)
        self._offsets = np.cumsum(self.sizes) - self.sizes
        joined = [value for values in each for value in values]
        if transform is not None:
            joined = [transform(value, position) for position, value in enumerate(joined)]
        self._values = joined

    def take(self, locale: Integers, position: Integers) -> list[str]:
        """The value at ``position[i]`` of the pool of locale number ``locale[i]``."""
        return list(map(self._values.__getitem__, (self._offsets[locale] + position).tolist()))


class Masks:
    """Numbers written into masks: ``#`` is a digit, ``@@`` an IBAN's check digits. Positions count all numbers."""

    __slots__ = ("_capacities", "_masks", "_starts", "sizes")

    def __init__(self, pools: PoolSet, locales: Sequence[str], name: str) -> None:
        self._masks = [pools.pool(locale, name) for locale in locales]
        self._capacities: list[Integers] = [
            np.asarray([10 ** mask.count("#") for mask in masks], dtype=np.int64) for masks in self._masks
        ]
        self._starts = [np.cumsum(capacity) - capacity for capacity in self._capacities]
        self.sizes: Integers = np.asarray([capacity.sum() for capacity in self._capacities], dtype=np.int64)

    def draw(self, stream: Stream, locale: Integers) -> Integers:
        """A position for each row: each mask of its locale is as likely, whatever it holds."""
        counts = np.asarray([len(masks) for masks in self._masks], dtype=np.int64)
        mask = stream.split("mask").integers(locale.size, 0, counts[locale])
        result = np.zeros(locale.size, dtype=np.int64)
        digits = stream.split("digits").raw(locale.size) >> np.uint64(1)
        for number, (capacity, starts) in enumerate(zip(self._capacities, self._starts, strict=True)):
            rows = np.flatnonzero(locale == number)
            # the remainder favours no value by more than 10**18 / 2**63, about a tenth, and that only for IBANs
            result[rows] = starts[mask[rows]] + digits[rows].astype(np.int64) % capacity[mask[rows]]
        return result

    def take(self, locale: Integers, position: Integers) -> list[str]:
        """The text of ``position[i]`` in locale number ``locale[i]``."""
        result = [""] * locale.size
        for number, (masks, starts) in enumerate(zip(self._masks, self._starts, strict=True)):
            rows = np.flatnonzero(locale == number)
            mask = np.searchsorted(starts, position[rows], side="right") - 1
            rest = position[rows] - starts[mask]
            for row, which, value in zip(rows.tolist(), mask.tolist(), rest.tolist(), strict=True):
                result[row] = fill_mask(masks[which], value)
        return result


def fill_mask(mask: str, number: int) -> str:
    """``number``, with leading zeros, in place of the mask's ``#``; ``@@`` becomes IBAN check digits (ISO 13616)."""
    count = mask.count("#")
    if not count:
        return mask
    text = mask.replace("#", "%s") % tuple(f"{number:0{count}d}")
    if "@@" in text:
        rearranged = text.replace("@@", "")[2:] + text[:2] + "00"
        value = int(rearranged.translate(_IBAN_LETTERS))
        text = text.replace("@@", f"{98 - value % 97:02d}")
    return text


def draw_unique(
    stream: Stream,
    locale: Integers,
    names: Sequence[str],
    sizes: Integers,
    take: Callable[[Integers, Integers], list[str]],
    *,
    what: str,
) -> Integers:
    """A position for each row such that all texts ``take(locale, position)`` differ, over all locales together.

    Raises WorldError when a locale runs out.
    """
    seen: set[str] = set()
    result = np.zeros(locale.size, dtype=np.int64)
    for number, name in enumerate(names):
        rows = np.flatnonzero(locale == number)

        def render(positions: Integers, number: int = number) -> list[str]:
            return take(np.full(positions.size, number, dtype=np.int64), positions)

        result[rows] = unique_positions(
            stream.split(name), rows.size, int(sizes[number]), render, what=f"{what} in {name}", seen=seen
        )
    return result
