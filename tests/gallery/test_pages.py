"""The pages of the ready scenarios show the tables that the scenarios have."""

import re
from pathlib import Path

import pytest

from simulator import load_scenario
from simulator.scenario import mermaid_diagram

ROOT = Path(__file__).parents[2]
PAGES = {path.stem: path for path in sorted((ROOT / "docs" / "gallery").glob("*.md"))}


def test_there_are_pages():
    assert "order_backoffice" in PAGES


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_the_diagram_that_its_scenario_gives(name):
    (shown,) = re.findall(r"^```mermaid\n(.*?)^```$", PAGES[name].read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    scenario = load_scenario(ROOT / "scenarios" / "gallery" / name)
    assert shown == mermaid_diagram(scenario.document), f"worldwright diagram scenarios/gallery/{name}"


@pytest.mark.parametrize("name", PAGES)
def test_a_pages_links_lead_somewhere(name):
    page = PAGES[name]
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target
