"""Pools of words per locale: names, streets, companies, sentences, as ordered lists that are sampled by number.

Five locales are committed as data, so Faker does not run for them and its releases cannot change a world. Pools of
other locales are built by Faker once, with a seed that depends on nothing but locale, pool and size, and can be saved
with :meth:`PoolSet.save` to freeze them. Nothing that reads the wall clock is here: times come from `time` columns.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

import faker
from faker.config import AVAILABLE_LOCALES

from simulator.errors import WorldError

COMMITTED_LOCALES: tuple[str, ...] = ("de_DE", "en_GB", "en_US", "es_ES", "fr_FR")
ANY_LOCALE = "any"
"""The name under which pools are kept that do not differ between locales."""


@dataclass(frozen=True, slots=True)
class PoolSource:
    """Where a pool comes from: a Faker method, how many values to draw and how many different ones to keep."""

    method: str
    draws: int
    size: int


SOURCES: dict[str, PoolSource] = {
    "first_name": PoolSource("first_name", 4000, 600),
    "last_name": PoolSource("last_name", 4000, 600),
    "street_name": PoolSource("street_name", 600, 400),
    "building_number": PoolSource("building_number", 400, 150),
    "city": PoolSource("city", 1200, 400),
    "postcode": PoolSource("postcode", 500, 400),
    "state": PoolSource("state", 1000, 100),
    "country": PoolSource("country", 2000, 250),
    "company": PoolSource("company", 800, 500),
    "company_suffix": PoolSource("company_suffix", 200, 20),
    "job": PoolSource("job", 2000, 400),
    "catch_phrase": PoolSource("catch_phrase", 600, 400),
    "word": PoolSource("word", 2000, 400),
    "sentence": PoolSource("sentence", 600, 500),
    "paragraph": PoolSource("paragraph", 250, 200),
    "text": PoolSource("text", 120, 100),
    "license_plate": PoolSource("license_plate", 400, 300),
    "phone_mask": PoolSource("phone_number", 2000, 2000),
    "iban_mask": PoolSource("iban", 2000, 2000),
}
"""The pools of every locale. In a mask each ``#`` stands for a digit and ``@@`` for an IBAN's check digits."""

SHARED_SOURCES: dict[str, PoolSource] = {
    "bs": PoolSource("bs", 500, 400),
    "color_name": PoolSource("color_name", 1000, 140),
    "country_code": PoolSource("country_code", 2000, 250),
    "currency_code": PoolSource("currency_code", 2000, 170),
    "ean13": PoolSource("ean13", 500, 500),
    "file_extension": PoolSource("file_extension", 500, 60),
    "file_name": PoolSource("file_name", 600, 500),
    "http_method": PoolSource("http_method", 200, 10),
    "isbn13": PoolSource("isbn13", 500, 500),
    "language_code": PoolSource("language_code", 2000, 200),
    "mime_type": PoolSource("mime_type", 500, 80),
    "slug": PoolSource("slug", 600, 500),
    "swift": PoolSource("swift", 500, 500),
    "timezone": PoolSource("timezone", 1500, 300),
    "user_agent": PoolSource("user_agent", 500, 300),
}
"""The pools that are the same for all locales."""


class PoolSet:
    """Pools by locale and name. One set may serve any number of worlds; a pool is loaded or built when first asked for.

    ``built`` names the pools that Faker made in this process (``ja_JP/city``): worlds using them also depend on
    ``faker.VERSION``, unless the set is saved and loaded again.
    """

    __slots__ = ("_frozen", "_used", "built")

    def __init__(self, frozen: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None) -> None:
        self._frozen = {locale: dict(pools) for locale, pools in (frozen or {}).items()}
        self._used: dict[tuple[str, str], tuple[str, ...]] = {}
        self.built: list[str] = []

    def pool(self, locale: str, name: str) -> tuple[str, ...]:
        """The values, sorted and all different. WorldError when the locale is unknown or has no such pool."""
        if name in SHARED_SOURCES:
            locale = ANY_LOCALE
        found = self._used.get((locale, name))
        if found is None:
            found = self._find(locale, name)
            self._used[locale, name] = found
        return found

    def _find(self, locale: str, name: str) -> tuple[str, ...]:
        if name in self._frozen.get(locale, {}):
            return self._frozen[locale][name]
        if locale in COMMITTED_LOCALES or locale == ANY_LOCALE:
            return committed_pools(locale)[name]
        pool = build_pool(locale, name)
        self.built.append(f"{locale}/{name}")
        return pool

    def save(self, path: Path) -> None:
        """Write every pool used so far as JSON; the same pools give the same bytes."""
        pools: dict[str, dict[str, list[str]]] = {}
        for (locale, name), values in self._used.items():
            pools.setdefault(locale, {})[name] = list(values)
        path.write_text(render_pools(pools), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> PoolSet:
        """Read what :meth:`save` wrote. Raises WorldError when the file is something else."""
        try:
            return cls(read_pools(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise WorldError(f"{path} is not a file of pools: {error}") from error


def render_pools(pools: Mapping[str, Mapping[str, list[str]]]) -> str:
    """The JSON text of pools by locale and name."""
    document = {"faker": faker.VERSION, "pools": pools}
    return json.dumps(document, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def read_pools(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """The inverse of :func:`render_pools`. Raises ValueError when the text has another shape."""
    document = json.loads(text)
    pools = document.get("pools") if isinstance(document, dict) else None
    if not isinstance(pools, dict):
        raise ValueError("there is no object `pools` in it")
    result: dict[str, dict[str, tuple[str, ...]]] = {}
    for locale, by_name in pools.items():
        if not isinstance(by_name, dict):
            raise ValueError(f"the pools of {locale} are not an object")
        for name, values in by_name.items():
            if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
                raise ValueError(f"{locale}/{name} is not a list of texts")
            result.setdefault(locale, {})[name] = tuple(values)
    return result


@lru_cache(maxsize=len(COMMITTED_LOCALES) + 1)
def committed_pools(locale: str) -> dict[str, tuple[str, ...]]:
    """The committed pools of one locale, or of :data:`ANY_LOCALE`."""
    text = resources.files(__package__).joinpath(f"data/pools/{locale}.json").read_text(encoding="utf-8")
    return read_pools(text)[locale]


@lru_cache(maxsize=512)
def build_pool(locale: str, name: str) -> tuple[str, ...]:
    """Ask Faker for a pool. Raises WorldError when Faker has no such locale, or not this kind of value for it."""
    if locale not in AVAILABLE_LOCALES and locale != ANY_LOCALE:
        raise WorldError(f"`{locale}` is not a locale of Faker; use a form such as en_US, de_DE or ja_JP")
    source = SHARED_SOURCES[name] if locale == ANY_LOCALE else SOURCES[name]
    key = f"{source.method}/{locale}/{source.draws}/{source.size}"
    generator = faker.Faker("en_US" if locale == ANY_LOCALE else locale, use_weighting=False)
    generator.seed_instance(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little"))
    try:
        method = getattr(generator, source.method)
    except AttributeError:
        raise WorldError(f"Faker has no `{source.method}` for the locale {locale}") from None
    values: dict[str, None] = {}
    for _ in range(source.draws):
        if len(values) == source.size:
            break
        values[" ".join(str(method()).split())] = None
    values.pop("", None)
    return tuple(sorted(values))
