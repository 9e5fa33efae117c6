"""The packs' files travel in the wheel, and are found there."""

import tomllib
from importlib.resources import files
from pathlib import Path

from simulator.scenario.packs import PACKS, PACKS_FOLDER, read_pack

ROOT = Path(__file__).parents[2]


def test_every_pack_and_what_it_includes_lies_in_what_the_wheel_takes():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    taken = [ROOT / folder for folder in wheel["only-include"]]
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    assert not {"*.yaml", "packs", "packs/"} & set(ignored), "hatchling leaves out what git ignores"
    for name in {needed for pack in PACKS for needed in (*read_pack(pack).includes, pack)}:
        file = PACKS_FOLDER / f"{name}.yaml"
        assert file.is_file()
        assert any(file.is_relative_to(folder) for folder in taken)


def test_the_packs_are_resources_of_their_package():
    names = {item.name for item in files("simulator.scenario.packs").iterdir()}
    assert {f"{name}.yaml" for name in PACKS} <= names
