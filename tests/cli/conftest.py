"""The command line as tests use it: run in this process, or as a user's shell would run it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simulator.cli.application import app

FIXTURES = Path(__file__).parent / "fixtures"
ENTRY = [sys.executable, "-c", "from simulator.cli import main; main()"]


@pytest.fixture
def run(monkeypatch):
    """Runs a command in this process; checks the exit code; gives the result with ``stdout`` and ``stderr``."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def invoke(*words, exits=0):
        result = CliRunner().invoke(app, [str(word) for word in words], prog_name="worldwright")
        assert result.exit_code == exits, result.output
        return result

    return invoke


@pytest.fixture
def run_json(run):
    """The same with ``--json``: what standard output holds, which must be JSON and nothing else."""

    def invoke(*words, exits=0):
        return json.loads(run(*words, "--json", exits=exits).stdout)

    return invoke


@pytest.fixture
def shell():
    """Runs the real entry point in a process of its own."""

    def invoke(*words, **options):
        return subprocess.run([*ENTRY, *map(str, words)], capture_output=True, text=True, check=False, **options)

    return invoke


@pytest.fixture
def desk():
    """A small scenario without problems."""
    return FIXTURES / "desk"


@pytest.fixture
def own_desk(tmp_path):
    """A copy of it to change, and a way to change it: ``own_desk(before, after)``."""
    folder = tmp_path / "own_desk"
    shutil.copytree(FIXTURES / "desk", folder)
    main = folder / "scenario.yaml"

    def change(before="", after=""):
        text = main.read_text()
        assert before in text
        main.write_text(text.replace(before, after))
        return folder

    return change


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the source tree."""
    return Path(__file__).parents[2]
