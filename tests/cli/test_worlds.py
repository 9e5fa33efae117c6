"""`world` and `tasks`: what a scenario becomes, and the work in it."""

import pytest

from simulator import load_scenario, open_world


def test_a_world_shows_its_tables_and_rows(run, desk):
    shown = run("world", desk, "--scale", "2").stdout
    assert [line.split() for line in shown.splitlines()[2:4]] == [["team", "3"], ["ticket", "80"]]
    assert "83 rows in 2 tables" in shown


def test_equal_seeds_make_equal_worlds_and_other_seeds_others(run_json, desk):
    digests = [run_json("world", desk, "--seed", seed)["world"]["digest"] for seed in (3, 3, 4)]
    assert digests[0] == digests[1] != digests[2]


def test_a_world_is_kept_in_a_file_that_opens_again(run_json, desk, tmp_path):
    file = tmp_path / "world.sqlite"
    report = run_json("world", desk, "--seed", "9", "--out", file)
    assert report["bytes"] == file.stat().st_size
    opened = open_world(file, load_scenario(desk))
    assert (opened.seed, opened.digest) == (9, report["world"]["digest"])


def test_tasks_are_counted_by_template_split_and_difficulty(run, run_json, desk):
    report = run_json("tasks", desk)
    route = report["templates"]["route"]
    assert route["tasks"] == sum(route["splits"].values()) == sum(route["difficulties"].values())
    assert report["templates"]["count_urgent"]["tasks"] == 3
    total = run("tasks", desk).stdout.split("all")[1].split()[:4]
    assert [int(number) for number in total][-1] == len(report["tasks"]) == route["tasks"] + 3


def test_tasks_are_listed_with_their_instruction(run, desk):
    shown = run("tasks", desk, "--list").stdout
    assert "w7/count_urgent/" in shown
    assert "How many tickets of team Billing are urgent?" in shown


def test_only_the_tasks_of_a_split_are_shown(run_json, desk):
    everything = run_json("tasks", desk)["tasks"]
    train = run_json("tasks", desk, "--split", "train")["tasks"]
    assert train == [task for task in everything if task["split"] == "train"]
    assert 0 < len(train) < len(everything)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--split", "dev"), "train, validation, test"),
        (("--scale", "nan"), "scale"),
        (("--scale", "1e99"), "scale"),
        (("--seed", "-1"), "--seed"),
        (("--scale", "99999"), "rows"),
    ],
)
def test_numbers_and_names_that_cannot_be_are_told(run, own_desk, words, told):
    folder = own_desk("rows: 40", "rows: 400000")
    assert told in run("tasks", folder, *words, exits=2).stderr


def test_a_world_that_cannot_be_written_is_told(run, desk, tmp_path):
    assert "cannot be written" in run("world", desk, "--out", tmp_path / "no" / "w", exits=2).stderr
