"""The corpus of broken scenarios: a sound base, and cases that each break it in one place. Verification names that.

A case has ``about``, what to ``set`` in the document by path, and the ids to ``expect``; ``follows`` lists ids of what
follows from the fault, such as that nobody passes a task that cannot be done.
"""

from pathlib import Path

import pytest
import yaml

from simulator.evaluation.verification import verify_scenario
from simulator.evaluation.verification.checks import CHECKS
from simulator.lint import load_scenario

HERE = Path(__file__).parent
CASES = sorted((HERE / "cases").glob("*.yaml"))
LOOKED_AT = tuple(check for check in CHECKS if check.id not in ("determinism", "cost"))


def patched(document, path, value):
    """Set what is at a path; a number names a place of a list, the one after the last to add to it."""
    *steps, last = path.split(".")
    for step in steps:
        document = document[int(step)] if isinstance(document, list) else document.setdefault(step, {})
    if isinstance(document, list):
        document[int(last) : int(last) + 1] = [value]
    elif value is None:
        del document[last]
    else:
        document[last] = value


def findings(tmp_path, case):
    document = yaml.safe_load((HERE / "base" / "scenario.yaml").read_text())
    document["policy"] = case.get("policy") or (HERE / "base" / "policy.md").read_text()
    for path, value in case.get("set", {}).items():
        patched(document, path, value)
    file = tmp_path / "scenario.yaml"
    file.write_text(yaml.safe_dump(document, sort_keys=False))
    report = verify_scenario(load_scenario(file), seeds=(1,), tasks=2, checks=LOOKED_AT)
    return {(finding.check, finding.severity, finding.about) for finding in report.findings}


@pytest.fixture(scope="module")
def of_base(tmp_path_factory):
    return findings(tmp_path_factory.mktemp("base"), {})


def test_the_base_is_sound(of_base):
    assert not [finding for finding in of_base if finding[1] != "review"]


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_verification_names_the_fault(file, of_base, tmp_path):
    case = yaml.safe_load(file.read_text())
    new = findings(tmp_path, case) - of_base
    found, loud = {check for check, _, _ in new}, {check for check, severity, _ in new if severity != "review"}
    assert set(case["expect"]) <= found
    assert loud <= {*case["expect"], *case.get("follows", ())}


def test_there_are_enough_cases():
    assert len(CASES) >= 20
