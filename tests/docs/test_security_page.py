"""`docs/security.md`: its bounds are the code's, its counts the fixtures', its files there."""

import importlib
import re
from pathlib import Path

import pytest

from tests.sql.agent.statements import FIXTURES, corpus, legal

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text()
BOUNDS = re.findall(r"^\| [^|]+ \| ([\d,]+)[^|]* \| `([\w.]+)` `([\w.]+)` \|$", PAGE, re.MULTILINE)


def test_the_table_of_bounds_is_found():
    assert len(BOUNDS) > 15


@pytest.mark.parametrize(("told", "module", "name"), BOUNDS, ids=[name for _, _, name in BOUNDS])
def test_a_bound_is_what_the_code_says(told, module, name):
    value = importlib.import_module(module)
    for part in name.split("."):
        is_default = value.__class__ is type and name.startswith("TextLimits.")
        value = getattr(value() if is_default else value, part)
    if name == "TIERS":
        value = value[-1][0]
    assert value == int(told.replace(",", ""))


def test_the_fixtures_are_counted():
    attacks = len(corpus()) - len(legal())
    assert f"`): {attacks:,} statements" in PAGE
    assert f"`): {len(legal()):,} that must run" in PAGE
    assert FIXTURES.exists()


def test_every_file_that_is_named_is_there():
    packages = ("", "simulator/sql/", "simulator/sql/dialects/", "simulator/tools/")
    for name in re.findall(r"`([\w/]+\.(?:py|yaml|sql))`", PAGE):
        assert any((ROOT / package / name).exists() for package in packages), name
