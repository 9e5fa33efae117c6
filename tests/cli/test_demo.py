"""`demo` and `bench`: what a newcomer runs first, and what a maintainer runs last."""

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
        "What next",
    ):
        assert words in result.stdout
    files = list((tmp_path / "demo").rglob("*.jsonl"))
    assert len(files) == 8
    assert all(Trajectory.load(file).footer for file in files)


def test_an_unknown_benchmark_is_told_with_those_there_are(run):
    assert "There are: " in run("bench", "no-such-measurement", exits=2).stderr
