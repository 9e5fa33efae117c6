"""docs/verification.md names every check and every finding there is, and no other."""

import re
from pathlib import Path

from simulator.evaluation.verification.checks import CHECKS

ROOT = Path(__file__).parents[2]
SOURCE = "\n".join(file.read_text() for file in sorted((ROOT / "simulator/evaluation/verification").rglob("*.py")))
PAGE = (ROOT / "docs/verification.md").read_text()
IDS = {check.id for check in CHECKS} | {"engine"}
NAMED = set(re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", PAGE, re.MULTILINE))


def test_every_check_has_a_chapter_and_no_other_has():
    assert set(re.findall(r"^## `(\w+)`", PAGE, re.MULTILINE)) == IDS


def test_every_id_in_the_source_is_explained():
    written = set(re.findall(rf'"((?:{"|".join(IDS)})\.[a-z_]+)"', SOURCE))
    assert written
    assert written <= NAMED


def test_every_id_explained_is_in_the_source():
    made = set(re.findall(r'f"(\w+)\.\{', SOURCE))
    for name in NAMED:
        check, _, what = name.partition(".")
        assert f'"{name}"' in SOURCE or (check in made and re.search(rf'"{what}"', SOURCE)), name
