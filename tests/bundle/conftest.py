"""One bundle of the repair desk, exported once, and a way to make hostile copies of it."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from simulator import load_scenario
from simulator.bundle import TARGETS, export_bundle

DESK = Path(__file__).parents[1] / "episode" / "scenarios" / "desk"
SEEDS = (7, 10_000, 20_000)
COLUMNS = ("target", "tested with", "oracle", "noisy", "null")


def pytest_terminal_summary(terminalreporter):
    """The table of one reward everywhere: which targets gave the engine's reward and digest, and which were not run."""
    reports = terminalreporter.stats
    rows = [
        list(map(str, value))
        for report in reports.get("passed", ())
        for name, value in report.user_properties
        if name == "conformance"
    ]
    if rows:
        widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
        terminalreporter.section("one reward everywhere: reward and final digest are the engine's")
        for row in (COLUMNS, *sorted(rows)):
            terminalreporter.line(
                "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            )


@pytest.fixture(scope="session")
def desk():
    return load_scenario(DESK)


@pytest.fixture(scope="session")
def exported(desk, tmp_path_factory):
    """The report of the export: its folder and zip file must not be altered."""
    out = tmp_path_factory.mktemp("bundle") / "desk"
    return export_bundle(desk, seeds=SEEDS, targets=list(TARGETS), out=out, unverified=True)


@pytest.fixture
def copied(exported, tmp_path):
    """A copy of the folder, to be altered."""
    return Path(shutil.copytree(exported.folder, tmp_path / "copy"))


@pytest.fixture
def relisted(copied):
    """Writes a file of the copy, and its new digest into the manifest, as somebody who means harm would."""

    def write(name, content):
        (copied / name).write_bytes(content)
        manifest = json.loads((copied / "MANIFEST.json").read_text())
        manifest["files"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        (copied / "MANIFEST.json").write_text(json.dumps(manifest))
        return copied

    return write


@pytest.fixture
def remade(copied):
    """Alters the manifest of the copy."""

    def alter(change):
        manifest = json.loads((copied / "MANIFEST.json").read_text())
        change(manifest)
        (copied / "MANIFEST.json").write_text(json.dumps(manifest))
        return copied

    return alter
