"""Person records: the name, e-mail address, telephone number, address and employer of one row belong together.

A row has one locale, and every part is taken from it: a German name has a German telephone number. E-mail addresses
and web sites lie under the domains that RFC 2606 keeps for examples, so none can belong to somebody.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from simulator.world.generation.locale_pools import Masks, Words, draw_unique
from simulator.world.generation.pools import PoolSet
from simulator.world.generation.streams import Integers, Stream
from simulator.world.generation.uniqueness import number_repeats

_MAIL_DOMAINS = ("@example.com", "@example.net", "@example.org")
_SPELLINGS = str.maketrans(
    {"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "ø": "o", "å": "a", "ł": "l", "đ": "d", "\u0131": "i"}
)
_NAMES = {"hu_HU": "{1} {0}", "ja_JP": "{1} {0}", "ko_KR": "{1}{0}", "zh_CN": "{1}{0}", "zh_TW": "{1}{0}"}
_STREETS = {"en": "{0} {1}", "fr": "{0}, {1}"}
_ADDRESSES = {"en_US": "{0}, {1}, {3} {2}", "en": "{0}, {1}, {2}"}


@lru_cache(maxsize=20_000)
def ascii_word(text: str) -> str:
    """Lower case letters and inner hyphens only: ``Müller-Lüdenscheidt`` is ``mueller-luedenscheidt``."""
    spelled = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).lower().translate(_SPELLINGS))
    return re.sub(r"-+", "-", re.sub(r"[^a-z-]", "", spelled)).strip("-")


def domain_label(text: str, position: int) -> str:
    """A company's name as a DNS label; names without Latin letters become ``company-<position>``."""
    words = [ascii_word(word) for word in text.split()]
    label = "-".join(word for word in words if word)
    return label[:60].strip("-") or f"company-{position}"


class People:
    """One person per row of a table; ``person`` tells apart several of them in one row (a customer and a manager).

    ``unique`` names the providers whose values must not repeat. Each part has its own stream, so asking for more
    columns of a person changes none of the others; asking for a part to be unique changes that part.
    """

    def __init__(
        self,
        pools: PoolSet,
        *,
        seed: int,
        table: str,
        rows: int,
        locales: Sequence[str],
        person: str = "0",
        unique: frozenset[str] = frozenset(),
    ) -> None:
        self._pools = pools
        self._locales = tuple(locales)
        self._unique = unique
        self._stream = Stream(seed, table, "", f"person:{person}")
        self._rows = rows
        self.locale: Integers = self._stream.split("locale").integers(rows, 0, len(self._locales))
        self._drawn: dict[str, Integers] = {}

    def values(self, provider: str) -> list[str]:
        """The column of a provider, one of :data:`PERSON_PROVIDERS`. WorldError when uniqueness is impossible."""
        return PERSON_PROVIDERS[provider](self)

    def _words(self, name: str) -> Words:
        return Words(self._pools, self._locales, name)

    def _formats(self, by_locale: dict[str, str], default: str) -> list[str]:
        """The format of each row: the one of its locale, else of its language, else the default."""
        formats = [by_locale.get(name, by_locale.get(name.split("_")[0], default)) for name in self._locales]
        return list(map(formats.__getitem__, self.locale.tolist()))

    def _position(self, name: str, words: Words, unique: bool = False) -> Integers:
        """Row positions in one pool, drawn once."""
        if name not in self._drawn:
            stream = self._stream.split(name)
            if unique:
                drawn = draw_unique(stream, self.locale, self._locales, words.sizes, words.take, what=f"faker {name}")
            else:
                drawn = stream.integers(self._rows, 0, words.sizes[self.locale])
            self._drawn[name] = drawn
        return self._drawn[name]

    def _pair(self, first: str, second: str, whole: frozenset[str]) -> tuple[Integers, Integers]:
        """Positions in two pools; when a text of ``whole`` must be unique, no pair of values comes twice."""
        one, two = self._words(first), self._words(second)
        if self._unique & whole and not self._unique & {first, second} and first not in self._drawn:
            others = two.sizes

            def take(locale: Integers, position: Integers) -> list[str]:
                left, right = np.divmod(position, others[locale])
                pairs = zip(one.take(locale, left), two.take(locale, right), strict=True)
                return [f"{a} {b}" for a, b in pairs]

            stream = self._stream.split(f"{first} {second}")
            what = f"faker {min(self._unique & whole)}"
            pair = draw_unique(stream, self.locale, self._locales, one.sizes * others, take, what=what)
            self._drawn[first], self._drawn[second] = np.divmod(pair, others[self.locale])
        return (
            self._position(first, one, first in self._unique),
            self._position(second, two, second in self._unique),
        )

    def _name_positions(self) -> tuple[Integers, Integers]:
        return self._pair("first_name", "last_name", frozenset({"name"}))

    def _first_names(self) -> list[str]:
        return self._words("first_name").take(self.locale, self._name_positions()[0])

    def _last_names(self) -> list[str]:
        return self._words("last_name").take(self.locale, self._name_positions()[1])

    def _names(self) -> list[str]:
        formats = self._formats(_NAMES, "{0} {1}")
        parts = zip(formats, self._first_names(), self._last_names(), strict=True)
        return [form.format(first, last) for form, first, last in parts]

    def _latin(self, name: str, positions: Integers) -> list[str]:
        def latin(text: str, position: int) -> str:
            return ascii_word(text) or f"p{position}x"

        return Words(self._pools, self._locales, name, latin).take(self.locale, positions)

    def _latin_names(self) -> tuple[list[str], list[str]]:
        first, last = self._name_positions()
        return self._latin("first_name", first), self._latin("last_name", last)

    def _mailboxes(self) -> list[str]:
        return [f"{first}.{last}" for first, last in zip(*self._latin_names(), strict=True)]

    def _numbered(self, provider: str, stems: list[str], endings: list[str]) -> list[str]:
        if provider in self._unique:
            return number_repeats(stems, endings)
        return [stem + ending for stem, ending in zip(stems, endings, strict=True)]

    def _emails(self) -> list[str]:
        which = self._stream.split("mail domain").integers(self._rows, 0, len(_MAIL_DOMAINS))
        domains = list(map(_MAIL_DOMAINS.__getitem__, which.tolist()))
        return self._numbered("email", self._mailboxes(), domains)

    def _user_names(self) -> list[str]:
        parts = zip(*self._latin_names(), strict=True)
        stems = [first[0] + last.replace("-", "") for first, last in parts]
        return self._numbered("user_name", stems, [""] * self._rows)

    def _company_emails(self) -> list[str]:
        domains = [f"@{domain}" for domain in self._domains()]
        return self._numbered("company_email", self._mailboxes(), domains)

    def _take_companies(self, locale: Integers, position: Integers) -> list[str]:
        """The pool's companies, then ``<last name> <last name> <suffix>`` for every combination."""
        words = self._words("company")
        known = position < words.sizes[locale]
        texts = words.take(locale, np.where(known, position, 0))
        unknown = np.flatnonzero(~known)
        if unknown.size:
            where, rest = locale[unknown], position[unknown] - words.sizes[locale[unknown]]
            names, suffixes = self._words("last_name"), self._words("company_suffix")
            rest, suffix = np.divmod(rest, suffixes.sizes[where])
            one, two = np.divmod(rest, names.sizes[where])
            made = zip(names.take(where, one), names.take(where, two), suffixes.take(where, suffix), strict=True)
            for row, parts in zip(unknown.tolist(), made, strict=True):
                texts[row] = " ".join(parts)
        return texts

    def _take_domains(self, locale: Integers, position: Integers) -> list[str]:
        companies = zip(self._take_companies(locale, position), position.tolist(), strict=True)
        return [domain_label(company, number) + ".example" for company, number in companies]

    def _company_positions(self) -> Integers:
        words = self._words("company")
        by_domain = bool(self._unique & {"domain_name", "url"})
        if "company" not in self._drawn and (by_domain or "company" in self._unique):
            sizes = words.sizes
            if self._rows * 2 > int(sizes.min()):  # combinations are plainer names, so only where the pool is short
                sizes = sizes + self._words("last_name").sizes ** 2 * self._words("company_suffix").sizes
            take = self._take_domains if by_domain else self._take_companies
            stream = self._stream.split("company")
            self._drawn["company"] = draw_unique(stream, self.locale, self._locales, sizes, take, what="faker company")
        return self._position("company", words)

    def _companies(self) -> list[str]:
        return self._take_companies(self.locale, self._company_positions())

    def _domains(self) -> list[str]:
        return self._take_domains(self.locale, self._company_positions())

    def _urls(self) -> list[str]:
        return [f"https://www.{domain}/" for domain in self._domains()]

    def _street_positions(self) -> tuple[Integers, Integers]:
        return self._pair("street_name", "building_number", frozenset({"address", "street_address"}))

    def _street_names(self) -> list[str]:
        return self._words("street_name").take(self.locale, self._street_positions()[0])

    def _street_addresses(self) -> list[str]:
        buildings = self._words("building_number").take(self.locale, self._street_positions()[1])
        formats = self._formats(_STREETS, "{1} {0}")
        parts = zip(formats, buildings, self._street_names(), strict=True)
        return [form.format(building, street) for form, building, street in parts]

    def _addresses(self) -> list[str]:
        parts = zip(
            self._street_addresses(), self._plain("city"), self._plain("postcode"), self._american_states(), strict=True
        )
        formats = self._formats(_ADDRESSES, "{0}, {2} {1}")
        return [form.format(*row) for form, row in zip(formats, parts, strict=True)]

    def _american_states(self) -> list[str]:
        """The state in each row's address if it is American, the only ones to have it; as in the column `state`."""
        if "en_US" not in self._locales:
            return [""] * self._rows
        if "state" in self._unique:
            return self._plain("state")
        words = Words(self._pools, ("en_US",), "state")
        position = self._stream.split("state").integers(self._rows, 0, int(words.sizes[0]))
        return words.take(np.zeros(self._rows, dtype=np.int64), position)

    def _plain(self, name: str) -> list[str]:
        words = self._words(name)
        return words.take(self.locale, self._position(name, words, name in self._unique))

    def _masked(self, provider: str, pool: str) -> list[str]:
        masks = Masks(self._pools, self._locales, pool)
        stream = self._stream.split(provider)
        if provider not in self._unique:
            return masks.take(self.locale, masks.draw(stream, self.locale))
        what = f"faker {provider}"
        drawn = draw_unique(stream, self.locale, self._locales, masks.sizes, masks.take, what=what)
        return masks.take(self.locale, drawn)


def _plain(name: str) -> Callable[[People], list[str]]:
    return lambda people: people._plain(name)


PERSON_PROVIDERS: dict[str, Callable[[People], list[str]]] = {
    "address": People._addresses,
    "city": _plain("city"),
    "company": People._companies,
    "company_email": People._company_emails,
    "domain_name": People._domains,
    "email": People._emails,
    "first_name": People._first_names,
    "iban": lambda people: people._masked("iban", "iban_mask"),
    "job": _plain("job"),
    "last_name": People._last_names,
    "name": People._names,
    "phone_number": lambda people: people._masked("phone_number", "phone_mask"),
    "postcode": _plain("postcode"),
    "state": _plain("state"),
    "street_address": People._street_addresses,
    "street_name": People._street_names,
    "url": People._urls,
    "user_name": People._user_names,
}
"""The providers whose columns agree with each other within a row, and how each is made."""
