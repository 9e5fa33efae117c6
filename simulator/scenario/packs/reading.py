"""A pack's file as a value: what it adds to a document, and where each part of it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import get_args

from pydantic import JsonValue

from simulator.errors import EngineFault
from simulator.scenario.models.world import PackName
from simulator.scenario.positions import Positions
from simulator.scenario.yaml_text import read_yaml

PACKS_FOLDER = FilePath(__file__).resolve().parent
"""Where the packs' files lie."""

PACKS: tuple[str, ...] = get_args(PackName)
"""The names there are, in the order in which pages list them."""

_OWN_KEYS = ("summary", "includes")


@dataclass(frozen=True, slots=True)
class Pack:
    """One pack.

    ``includes`` names the fragments that come before it; two packs may share one. ``parts`` is what it adds, laid out
    as in a document, and never changed. ``positions`` hold the absolute path of its file, ``text`` what stands in it.
    """

    name: str
    summary: str
    includes: tuple[str, ...]
    parts: Mapping[str, JsonValue]
    positions: Positions
    text: str


@cache
def read_pack(name: str) -> Pack:
    """The pack, or the fragment that packs include, of this name. Raises EngineFault when its file is damaged."""
    file = PACKS_FOLDER / f"{name}.yaml"
    text = file.read_text(encoding="utf-8")
    value, positions = read_yaml(text, file=str(file))
    summary, includes = value.get("summary"), value.get("includes", [])
    if not isinstance(summary, str) or not isinstance(includes, list):
        raise EngineFault(f"the pack {name} has no summary, or includes no list")
    parts = {key: item for key, item in value.items() if key not in _OWN_KEYS}
    return Pack(name, summary, tuple(map(str, includes)), parts, positions, text)
