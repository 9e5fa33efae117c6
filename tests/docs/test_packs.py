"""`docs/packs.md` names everything each pack brings, and its examples are scenarios."""

import re
from pathlib import Path

import pytest
import yaml

from simulator.cli.packs import pack_json
from simulator.lint import lint_scenario
from simulator.scenario import parse_document
from simulator.scenario.packs import PACKS
from simulator.tasks import generate_world
from tests.packs.minimal import NOW

SECTION = re.compile(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def sections():
    page = Path(__file__).parents[2] / "docs/packs.md"
    return dict(SECTION.findall(page.read_text("utf-8")))


def rows_of(section, header):
    table = re.search(rf"^\| {header} \|.*?\n\|[-|]+\n((?:\|.*\n)+)", section, re.MULTILINE)
    return [tuple(cell.strip().strip("`") for cell in line.strip("|").split(" | ")) for line in table[1].splitlines()]


def test_there_is_a_section_for_every_pack(sections):
    assert list(sections) == list(PACKS)


@pytest.mark.parametrize("name", PACKS)
def test_a_section_lists_what_the_pack_brings(sections, name):
    pack = pack_json(name)
    assert sections[name].startswith(f"\n{pack['summary']}\n")
    assert rows_of(sections[name], "table") == [(item["name"], item["summary"]) for item in pack["tables"]]
    operations = [(item["name"], item["api"], item["summary"]) for item in pack["operations"]]
    assert rows_of(sections[name], "operation") == operations
    named = [*pack["lifecycles"], *(item["name"] for item in (*pack["views"], *pack["rules"]))]
    assert all(f"`{word}`" in sections[name] for word in named)


@pytest.mark.parametrize("name", PACKS)
def test_the_example_of_a_section_is_a_scenario_without_problems(sections, name):
    example = yaml.safe_load(re.search(rf'^```yaml example="{name}"\n(.*?)^```', sections[name], re.M | re.S)[1])
    example["world"]["now"] = NOW
    scenario = parse_document({"worldwright": 1, "id": "harbour", "title": "Harbour", **example})
    assert lint_scenario(scenario) == ()
    assert generate_world(scenario, 1).digest
