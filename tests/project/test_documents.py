"""The written pages hold together: links lead somewhere, decisions have the agreed form, no machine shows through."""

import re
import subprocess

import pytest


@pytest.fixture(scope="module")
def tracked(root):
    """Every file under version control, as paths relative to the root."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: there is no list of tracked files")
    return [path for path in listed.stdout.split("\0") if path and (root / path).is_file()]


def links_of(page):
    """The relative links of a page, code blocks and anchors left out."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return [target for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", text) if not re.match(r"[a-z]+:", target)]


def test_every_relative_link_in_a_page_leads_to_a_file(root, tracked):
    links = [(page, target) for page in tracked if page.endswith(".md") for target in links_of(root / page)]
    broken = [f"{page}: {target}" for page, target in links if not (root / page).parent.joinpath(target).exists()]
    assert not broken


def test_every_decision_is_numbered_in_order_and_has_the_agreed_parts(root):
    pages = sorted(page for page in (root / "docs/adr").glob("*.md") if page.name != "template.md")
    parts = re.findall(r"^## .+$", (root / "docs/adr/template.md").read_text(), re.MULTILINE)
    assert [page.name[:5] for page in pages] == [f"{number:04d}-" for number in range(1, len(pages) + 1)]
    for page in pages:
        text = page.read_text()
        assert text.startswith(f"# {page.name[:4]}. "), page.name
        assert re.search(r"^Status: (proposed|accepted|replaced by \d{4})$", text, re.MULTILINE), page.name
        assert re.findall(r"^## .+$", text, re.MULTILINE) == parts, page.name


def test_no_tracked_file_names_a_path_of_the_machine_it_was_written_on(root, tracked):
    private = re.compile(rb"(?<![A-Za-z0-9_.])/(?:root|work|farm)/")
    named = [path for path in tracked if private.search((root / path).read_bytes())]
    assert not named
