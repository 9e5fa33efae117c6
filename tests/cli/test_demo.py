"""`demo` and `bench`: what a newcomer runs first, and what a maintainer runs last."""

import re
from pathlib import Path

from simulator import Trajectory


def test_the_demo_tells_the_whole_story_and_leaves_trajectories(run, tmp_path):
    result = run("demo", "--episodes", "2", "--out", tmp_path / "demo")
    for words in (
        "tasks of",
        "oracle",
        "95 % interval",
        "It earned",
        "The same again",
        "order_backoffice",
        "sales_crm",
        "incident_room",
        "mean reward",
        "What next",
    ):
        assert words in result.stdout
    files = list((tmp_path / "demo").rglob("*.jsonl"))
    assert len(files) == 4 * 2 + 3 * 4 * 1, "two episodes of each agent, one in each other business"
    assert all(Trajectory.load(file).footer for file in files)


def test_an_unknown_benchmark_is_told_with_those_there_are(run):
    assert "There are: " in run("bench", "no-such-measurement", exits=2).stderr


def test_the_tables_hold_every_benchmark_there_is(run):
    benchmarks = Path(__file__).parents[2] / "benchmarks"
    told = run("bench", "no-such-measurement", exits=2).stderr.replace("\n", " ")
    names = re.split(r",\s+", told.partition("There are: ")[2].strip().rstrip("."))
    assert sorted(names) == sorted(path.stem for path in benchmarks.glob("*.py") if path.stem != "report")
    order = re.search(r"^ORDER = \(([^)]*)\)", (benchmarks / "report.py").read_text(), re.MULTILINE)
    assert sorted(re.findall(r'"(\w+)"', order.group(1))) == sorted(names)
