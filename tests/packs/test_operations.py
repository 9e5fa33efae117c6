"""Every operation of every pack, and every guard, in worlds whose rows are written: calls and what they give.

A case is a list of calls that one agent makes in turn. A call names the operation, its arguments and either ``gives``,
the part of the result that matters (a mapping holds at least these keys, a list or page has just these items), or
``fails``, the code of the error.
"""

from pathlib import Path

import pytest
import yaml

from simulator.episode import Environment
from simulator.scenario.models import Operation
from simulator.scenario.packs import PACKS
from simulator.tasks import generate_world
from tests.packs.minimal import scenario

CASES = Path(__file__).parent / "cases"


def read(pack):
    return yaml.safe_load((CASES / f"{pack}.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def worlds():
    made = {}

    def world(pack):
        if pack not in made:
            made[pack] = generate_world(scenario(pack, world=read(pack)["world"]), 1)
        return made[pack]

    return world


def matches(expected, found):
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            key in found and matches(item, found[key]) for key, item in expected.items()
        )
    if isinstance(expected, list):
        items = found["items"] if isinstance(found, dict) and "next_page" in found else found
        return isinstance(items, list) and len(items) == len(expected) and all(map(matches, expected, items))
    return expected == found


def every_case():
    return [(pack, name) for pack in PACKS for name in read(pack)["cases"]]


@pytest.mark.parametrize(("pack", "name"), every_case())
def test_calls_give_what_is_expected_of_them(worlds, pack, name):
    environment = Environment(worlds(pack))
    environment.reset(seed=0)
    for number, call in enumerate(read(pack)["cases"][name], start=1):
        (tool, arguments) = next((key, value) for key, value in call.items() if key not in ("gives", "fails"))
        observation, *_ = environment.step({"tool": tool, "arguments": arguments or {}})
        where = f"call {number}, {tool}: {observation}"
        if "fails" in call:
            assert observation["code"] == call["fails"], where
        else:
            assert observation["kind"] == "ok", where
            assert "gives" not in call or matches(call["gives"], observation["result"]), where


@pytest.mark.parametrize("pack", PACKS)
def test_the_cases_leave_out_no_operation_and_no_guard(pack):
    succeeded, failed = set(), set()
    for calls in read(pack)["cases"].values():
        for call in calls:
            tool = next(key for key in call if key not in ("gives", "fails"))
            if "fails" in call:
                failed.add((tool, call["fails"]))
            else:
                succeeded.add(tool)
    operations = {name: tool for name, tool in scenario(pack).document.tools.items() if isinstance(tool, Operation)}
    guards = {(name, guard.else_.code) for name, tool in operations.items() for guard in tool.guards}
    assert operations.keys() - succeeded == set()
    assert guards - failed == set()
