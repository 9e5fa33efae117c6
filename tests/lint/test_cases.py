"""Each case is the small scenario of base.yaml with one thing wrong, and exactly the problems lint must tell."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from simulator.lint import lint_scenario
from simulator.scenario import read_scenario

HERE = Path(__file__).parent
BASE = (HERE / "base.yaml").read_text("utf-8")


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    expected: list


def compose(case):
    text = BASE
    for old, new in case.get("replace", {}).items():
        assert text.count(old) == 1, f"{old!r} must stand once in base.yaml"
        text = text.replace(old, new)
    for line in BASE.splitlines():
        indent, mark, name = line.partition("#@ ")
        if mark and name in case:
            text = text.replace(line, "\n".join(indent + added for added in case[name].splitlines()))
    return text


def all_cases():
    for file in sorted((HERE / "cases").glob("*.yaml")):
        for name, case in yaml.safe_load(file.read_text("utf-8")).items():
            yield Case(f"{file.stem}: {name}", compose(case), case["expect"])


def place_of(text, location):
    return text.splitlines()[location.line - 1][location.column - 1 :]


@pytest.mark.parametrize("case", list(all_cases()), ids=lambda case: case.name)
def test_exactly_this_is_told_at_exactly_this_place(case, tmp_path):
    file = tmp_path / "desk.yaml"
    file.write_text(case.text, "utf-8")
    problems = lint_scenario(read_scenario(file))
    found = [(problem.severity, problem.code, problem.path) for problem in problems]
    assert found == [(item.get("severity", "error"), item["code"], item["path"]) for item in case.expected], problems
    for problem, item in zip(problems, case.expected, strict=True):
        assert problem.location.file == "desk.yaml"
        assert place_of(case.text, problem.location).startswith(item["at"]), problem
        assert item.get("says", "") in f"{problem.message} {problem.suggestion}", problem


def test_the_scenario_all_cases_start_from_has_no_problem(tmp_path):
    file = tmp_path / "desk.yaml"
    file.write_text(BASE, "utf-8")
    assert lint_scenario(read_scenario(file)) == ()
