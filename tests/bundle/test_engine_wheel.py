"""The engine that a bundle carries: the wheel that the project's build would make, and it runs where nothing is."""

import json
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

from simulator.bundle.engine_wheel import engine_wheel
from simulator.version import ENGINE_VERSION

ROOT = Path(__file__).parents[2]
INFO = f"worldwright-{ENGINE_VERSION}.dist-info"


def contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def carried(exported):
    """The wheel as it lies in a bundle."""
    return exported.folder / "engine" / engine_wheel().name


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel that the project's own build makes."""
    out = tmp_path_factory.mktemp("built")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = out.glob("*.whl")
    return wheel


def test_it_has_the_name_and_the_files_of_the_built_one_but_for_the_ready_scenarios(carried, built):
    assert carried.name == built.name
    mine, theirs = contents(carried), contents(built)
    told = {f"{INFO}/{name}" for name in ("METADATA", "WHEEL", "RECORD")}
    wanted = {name: content for name, content in theirs.items() if not name.startswith("simulator/gallery/")}
    assert set(mine) == set(wanted)
    assert [name for name in mine if name not in told and mine[name] != wanted[name]] == []


def test_it_says_of_itself_what_the_built_one_says(carried, built):
    mine, theirs = (HeaderParser().parsestr(contents(path)[f"{INFO}/METADATA"].decode()) for path in (carried, built))
    unwanted = {"Description-Content-Type", "Description"}
    assert [item for item in mine.items() if item[0] not in unwanted] == [
        item for item in theirs.items() if item[0] not in unwanted
    ]
    tags = [HeaderParser().parsestr(contents(path)[f"{INFO}/WHEEL"].decode()) for path in (carried, built)]
    assert [tag["Tag"] for tag in tags] == ["py3-none-any", "py3-none-any"]
    assert [tag["Root-Is-Purelib"] for tag in tags] == ["true", "true"]


def test_what_it_runs_on_is_locked_as_for_the_studio_and_much_less():
    mine = locked(engine_wheel().requirements.decode())
    runtime = locked((ROOT / "requirements" / "runtime.lock").read_text())
    assert mine.items() <= runtime.items()
    assert {"pydantic", "apsw", "sqlglot"} <= set(mine)
    assert not {"django", "celery", "starlette", "boto3"} & set(mine)


@pytest.mark.slow
def test_by_the_readmes_commands_it_checks_and_plays_the_bundle_where_nothing_is(exported, tmp_path):
    commands = [line for line in (exported.folder / "README.md").read_text().splitlines() if ".venv" in line]
    script = "\n".join(["set -e", *(line.replace(".venv", str(tmp_path / "venv")) for line in commands)])
    subprocess.run(
        ["bash", "-c", script], cwd=exported.folder, check=True, env={"PATH": "/usr/bin:/bin:/usr/local/bin"}
    )
    play = (
        "import json, sys; from simulator import Environment; from simulator.bundle import open_bundle;"
        "bundle = open_bundle(sys.argv[1]); task = bundle.tasks('train')[0]['id'];"
        "env = Environment(bundle.world_of(task)); env.reset(task=task);"
        "step = env.step({'tool': 'finish', 'arguments': {}}); print(json.dumps([step[1], env.state_digest]))"
    )
    answers = [
        json.loads(
            subprocess.run([python, "-c", play, exported.archive], cwd=tmp_path, check=True, capture_output=True).stdout
        )
        for python in (tmp_path / "venv" / "bin" / "python", sys.executable)
    ]
    assert answers[0] == answers[1]


def locked(text):
    return dict(line.split()[0].split("==") for line in text.splitlines() if "==" in line and not line.startswith(" "))
