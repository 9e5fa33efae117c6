"""The Makefile explains itself, and the documented commands exist."""

import re
import subprocess

import pytest


@pytest.fixture(scope="module")
def targets(root):
    """The targets meant for people: every phony one."""
    return set(re.findall(r"^\.PHONY: (\S+)$", (root / "Makefile").read_text(), re.MULTILINE))


def test_make_alone_explains_every_target(root, targets):
    shown = subprocess.run(
        ["make", "--no-print-directory"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    explained = dict(re.findall(r"^  make (\S+) +(\S.*)$", shown, re.MULTILINE))
    assert set(explained) == targets
    assert all(len(line.split()) >= 2 for line in explained.values())


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_the_pages_name_only_targets_that_exist(root, targets, page):
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", (root / page).read_text(), re.MULTILINE))
    assert named
    assert named <= targets


def test_continuous_integration_runs_what_a_contributor_runs(root):
    script = root / ".ci/run"
    assert script.stat().st_mode & 0o111, "must be executable"
    commands = [line for line in script.read_text().splitlines() if line and not line.startswith("#")]
    assert commands[-1] == "make test"
