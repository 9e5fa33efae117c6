from __future__ import annotations

import runpy
from pathlib import Path

import faker
import pytest

from simulator.errors import WorldError
from simulator.world.generation.pools import (
    ANY_LOCALE,
    COMMITTED_LOCALES,
    SHARED_SOURCES,
    SOURCES,
    PoolSet,
    committed_pools,
    render_pools,
)

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "simulator" / "world" / "generation" / "data" / "pools"


@pytest.mark.parametrize("locale", [*COMMITTED_LOCALES, ANY_LOCALE])
def test_committed_pools_are_complete_sorted_and_free_of_repeats(locale):
    pools = committed_pools(locale)
    assert set(pools) == set(SHARED_SOURCES if locale == ANY_LOCALE else SOURCES)
    for values in pools.values():
        assert list(values) == sorted(set(values))
        assert all(value == " ".join(value.split()) != "" for value in values)


def test_committed_locales_never_call_faker():
    pools = PoolSet()
    for locale in COMMITTED_LOCALES:
        for name in SOURCES:
            pools.pool(locale, name)
    assert pools.built == []


def test_a_pool_file_is_what_its_script_writes():
    path = FOLDER / "es_ES.json"
    text = path.read_text(encoding="utf-8")
    if f'"faker": "{faker.VERSION}"' not in text:
        pytest.skip(f"the pools were made by another release of Faker than the installed {faker.VERSION}")
    script = runpy.run_path(str(ROOT / "scripts" / "make_pools.py"))
    assert render_pools({"es_ES": script["pools_of"]("es_ES")}) == text


def test_other_locales_are_built_once_recorded_and_frozen(tmp_path):
    pools = PoolSet()
    cities = pools.pool("ja_JP", "city")
    assert pools.built == ["ja_JP/city"]
    pools.pool("de_DE", "city")
    pools.save(tmp_path / "a.json")
    frozen = PoolSet.load(tmp_path / "a.json")
    assert frozen.pool("ja_JP", "city") == cities
    assert frozen.built == []
    frozen.pool("de_DE", "city")
    frozen.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_frozen_values_come_before_any_other(tmp_path):
    path = tmp_path / "pools.json"
    path.write_text(render_pools({"en_US": {"city": ["Springfield"]}}), encoding="utf-8")
    assert PoolSet.load(path).pool("en_US", "city") == ("Springfield",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"pools": {"en_US": []}}',
        '{"pools": {"en_US": {"city": []}}}',
        '{"pools": {"en_US": {"city": [1]}}}',
    ],
)
def test_a_file_that_holds_no_pools_is_refused(tmp_path, text):
    path = tmp_path / "pools.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WorldError, match="not a file of pools"):
        PoolSet.load(path)


def test_an_unknown_locale_and_a_value_it_lacks_are_refused():
    with pytest.raises(WorldError, match="`xx_XX` is not a locale"):
        PoolSet().pool("xx_XX", "city")
    with pytest.raises(WorldError, match="no `state` for the locale ja_JP"):
        PoolSet().pool("ja_JP", "state")
