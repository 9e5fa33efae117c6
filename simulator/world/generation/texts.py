"""The `faker` columns of a table: which providers there are, and which column of a row belongs to which person.

Providers are an allow-list. What depends on the wall clock, or is better said by another source of the language, is
refused with the source to use.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.errors import WorldError
from simulator.world.generation.locale_pools import Words, draw_unique
from simulator.world.generation.people import PERSON_PROVIDERS, People
from simulator.world.generation.pools import SHARED_SOURCES, PoolSet
from simulator.world.generation.streams import Integers, Stream

_LOCALE_TEXTS = ("catch_phrase", "country", "license_plate", "paragraph", "sentence", "text", "word")
_INTERNET_NUMBERS: dict[str, tuple[int, Callable[[int], str]]] = {
    # private and documentation ranges only: RFC 1918, RFC 3849, locally administered MAC addresses
    "ipv4": (254 << 16, lambda n: f"10.{n >> 8 & 255}.{n & 255}.{(n >> 16) + 1}"),
    "ipv6": (1 << 32, lambda n: f"2001:db8::{n >> 16:x}:{n & 0xFFFF:x}"),
    "mac_address": (1 << 40, lambda n: "02:" + n.to_bytes(5, "big").hex(":")),
}
_OTHER_SOURCES = {
    "date": "a `time` source, whose bounds are the world's clock",
    "time": "a `time` source, whose bounds are the world's clock",
    "year": "a `time` source, whose bounds are the world's clock",
    "uuid4": "the source `uuid`",
    "random_int": "a `number` source",
    "pyint": "a `number` source",
    "pyfloat": "a `number` source",
    "boolean": "a `choice` source",
    "random_element": "a `choice` source",
}

PROVIDERS: tuple[str, ...] = tuple(sorted({*PERSON_PROVIDERS, *_LOCALE_TEXTS, *SHARED_SOURCES, *_INTERNET_NUMBERS}))
"""Every provider a `faker` column may name."""


@dataclass(frozen=True, slots=True)
class FakerColumn:
    """A column filled by a provider; with ``unique`` no value comes twice; ``locales`` replaces the table's."""

    name: str
    provider: str
    unique: bool = False
    locales: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Person:
    """Which of the people in a row: the ``use``-th of those with these locales."""

    locales: tuple[str, ...]
    use: int
    apart: bool

    def label(self) -> str:
        """Names the person's streams; the table's own locales may change without reshuffling everybody."""
        return f"{self.use}:{','.join(self.locales)}" if self.apart else str(self.use)


class FakerTable:
    """All `faker` columns of one table, in declaration order.

    The first column of each person provider describes one person, the second of the same provider a second person
    and so on: name, email, manager_name, manager_email are two people. A column with locales of its own describes
    somebody else again. A person's locales are equally likely; texts of the row are in the first person's.
    Raises WorldError for an unknown provider.
    """

    def __init__(
        self,
        columns: Sequence[FakerColumn],
        *,
        pools: PoolSet,
        seed: int,
        table: str,
        rows: int,
        locales: Sequence[str],
    ) -> None:
        self._pools, self._seed, self._table, self._rows = pools, seed, table, rows
        self._columns = {column.name: column for column in columns}
        self._person: dict[str, _Person] = {}
        unique: dict[_Person, set[str]] = {}
        uses: dict[tuple[str, tuple[str, ...]], int] = {}
        for column in columns:
            check_provider(column.provider)
            own = column.locales or tuple(locales) or ("en_US",)
            person = _Person(own, 0, bool(column.locales))
            if column.provider in PERSON_PROVIDERS:
                use = uses.get((column.provider, own), 0)
                uses[column.provider, own] = use + 1
                person = _Person(own, use, bool(column.locales))
            self._person[column.name] = person
            unique.setdefault(person, set()).update({column.provider} if column.unique else ())
        self._people = {
            person: People(
                pools,
                seed=seed,
                table=table,
                rows=rows,
                locales=person.locales,
                person=person.label(),
                unique=frozenset(names),
            )
            for person, names in unique.items()
        }

    def values(self, name: str) -> list[str]:
        """The values of a column. Raises WorldError, naming the column, when it cannot be made unique."""
        column = self._columns[name]
        try:
            if column.provider in PERSON_PROVIDERS:
                return self._people[self._person[name]].values(column.provider)
            stream = Stream(self._seed, self._table, name, "faker")
            if column.provider in _INTERNET_NUMBERS:
                return self._numbers(column, stream)
            return self._texts(column, stream)
        except WorldError as error:
            raise WorldError(f"{self._table}.{name}: {error}") from error

    def _texts(self, column: FakerColumn, stream: Stream) -> list[str]:
        shared = column.provider in SHARED_SOURCES
        person = self._person[column.name]
        locales = person.locales[:1] if shared else person.locales
        locale: Integers = np.zeros(self._rows, dtype=np.int64) if shared else self._people[person].locale
        words = Words(self._pools, locales, column.provider)
        if column.unique:
            what = f"faker {column.provider}"
            return words.take(locale, draw_unique(stream, locale, locales, words.sizes, words.take, what=what))
        return words.take(locale, stream.integers(self._rows, 0, words.sizes[locale]))

    def _numbers(self, column: FakerColumn, stream: Stream) -> list[str]:
        size, render = _INTERNET_NUMBERS[column.provider]
        if column.unique and self._rows > size:
            raise WorldError(f"there are only {size} different values of faker {column.provider}")
        drawn = stream.distinct(self._rows, size) if column.unique else stream.integers(self._rows, 0, size)
        return list(map(render, drawn.tolist()))


def check_provider(provider: str) -> None:
    """Raises WorldError, with what to use instead, unless ``provider`` is one of :data:`PROVIDERS`."""
    if provider in PROVIDERS:
        return
    for word, source in _OTHER_SOURCES.items():
        if word == provider or (word in ("date", "time", "year") and word in provider.split("_")):
            raise WorldError(f"faker `{provider}` is not offered; use {source}")
    close = difflib.get_close_matches(provider, PROVIDERS, n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(PROVIDERS)}"
    raise WorldError(f"there is no faker provider `{provider}`; {hint}")
