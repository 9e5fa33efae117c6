import json
import re
from pathlib import Path

import pytest

from simulator import Trajectory, TrajectoryError
from tests.episode.desk import begin, call, open_tickets

OPEN, OTHER = open_tickets()[-2:]
DOCUMENT = Path(__file__).parents[2] / "docs" / "trajectory.md"


def episode():
    """An episode in which every part of a trajectory has something to say."""
    env = begin("ask_and_close", seed=4)
    number = env.task.parameters["ticket_id"]
    env.agent = {"name": "tester"}
    env.step(call("get_ticket", ticket_id=number), turn=1, call_id="c1", raw="{}", extras={"messages": [{"a": 1}]})
    env.step(call("write_note", ticket_id=number, text="works?\u2028\U0001f600", request="k"), extras={"tokens": [1]})
    env.step(
        call("write_note", ticket_id=number, text="works?\u2028\U0001f600", request="k"), extras={"logprobs": [-1]}
    )
    env.step(call("drop_note", note_id=1))
    env.step(call("get_ticket", ticket_id=float("nan")))
    env.step(call("wait", duration="1h"))
    env.step(call("set_status", ticket_id=number, status="closed", resolution="fixed"))
    env.step(call("finish", answer="1"))
    return env


def documented(section):
    text = DOCUMENT.read_text()
    part = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
    return set(re.findall(r"`([a-z_]+)`", part)), {
        name for row in re.findall(r"^\| (.*?) \|", part, re.M) for name in re.findall(r"`([a-z_]+)`", row)
    }


@pytest.mark.parametrize("section", ["Header", "Step", "Footer"])
def test_the_document_names_every_field_there_is(section):
    words, rows = documented(section)
    trajectory = episode().trajectory
    lines = {"Header": [trajectory.header], "Step": trajectory.steps, "Footer": [trajectory.footer]}[section]
    used = {name for line in lines for name in line}
    extras = {"messages", "tokens", "logprobs"} if section == "Step" else set()
    assert used - extras == rows
    assert extras <= words
    inner = {
        "Header": ["scenario", "world", "task", "limits", "observation"],
        "Step": ["verdict", "observation"],
        "Footer": ["score"],
    }[section]
    nested = {name for line in lines for part in inner for name in line[part]}
    nested |= {
        name for line in lines for part in ("changes", "violations") for item in line.get(part, ()) for name in item
    }
    nested |= {name for line in lines if section == "Footer" for item in line["score"]["lines"] for name in item}
    assert nested <= words


def test_what_is_saved_is_what_is_loaded(tmp_path):
    trajectory = episode().trajectory
    trajectory.save(tmp_path / "one.jsonl")
    assert Trajectory.load(tmp_path / "one.jsonl") == trajectory
    assert list(tmp_path.iterdir()) == [tmp_path / "one.jsonl"]
    assert len((tmp_path / "one.jsonl").read_text().rstrip("\n").split("\n")) == len(trajectory.lines()) == 10


def test_an_episode_that_goes_on_has_no_footer(tmp_path):
    env = begin("close")
    env.step(call("list_tickets"))
    env.trajectory.save(tmp_path / "one.jsonl")
    loaded = Trajectory.load(tmp_path / "one.jsonl")
    assert loaded.footer is None
    assert len(loaded.steps) == 1
    assert loaded.total_reward == 0.0


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        begin("close").trajectory.save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def lines_of(trajectory):
    return [json.loads(json.dumps(line)) for line in trajectory.lines()]


def replaced(index, **values):
    def alter(lines):
        lines[index].update(values)
        return lines

    return alter


def without(index, name):
    def alter(lines):
        del lines[index][name]
        return lines

    return alter


WRONG = {
    "another format": (1, replaced(0, format="something")),
    "a later schema": (1, replaced(0, schema=2)),
    "a schema that is true": (1, replaced(0, schema=True)),
    "a list as schema": (1, replaced(0, schema=[1] * 1000)),
    "no header": (1, lambda lines: lines[1:]),
    "two headers": (2, lambda lines: [lines[0], *lines]),
    "a footer in the middle": (2, lambda lines: [lines[0], lines[-1], *lines[1:]]),
    "a step after the footer": (10, lambda lines: [*lines, lines[1]]),
    "an unknown line": (3, replaced(2, type=["step"])),
    "a list as a line": (3, lambda lines: [*lines[:2], [], *lines[2:]]),
    "no task": (1, without(0, "task")),
    "a task that is a text": (1, replaced(0, task="w7")),
    "a world that is a list": (1, replaced(0, world=[["seed", 7]])),
    "a seed that is a text": (1, replaced(0, reset_seed="4")),
    "no action": (4, without(3, "action")),
    "no reward": (4, without(3, "reward")),
    "a reward that is a text": (4, replaced(3, reward="1")),
    "a reward that is true": (4, replaced(3, reward=True)),
    "a verdict that is a text": (4, replaced(3, verdict="ok")),
    "an observation that is null": (4, replaced(3, observation=None)),
    "a step that is a fraction": (4, replaced(3, step=1.5)),
    "an ending that is null": (10, replaced(-1, ending=None)),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_in_the_wrong_form_is_refused_with_its_line(name, tmp_path):
    line, alter = WRONG[name]
    lines = alter(lines_of(episode().trajectory))
    (tmp_path / "one.jsonl").write_text("".join(json.dumps(item) + "\n" for item in lines))
    with pytest.raises(TrajectoryError) as caught:
        Trajectory.load(tmp_path / "one.jsonl")
    assert caught.value.line == line
    assert len(str(caught.value)) < 500


HOSTILE = {
    "empty": b"",
    "blank": b"\n\n \n",
    "not json": b"{'type': 'header'}\n",
    "binary": bytes(range(256)) * 10,
    "zeros": b"\x00" * 1000,
    "another encoding": '{"type": "header"}\n'.encode("utf-16"),
    "a mark before": b"\xef\xbb\xbf{}",
    "half a pair": b'{"type": "\xed\xa0\x80"}',
    "deep": b"[" * 200_000,
    "deep object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a huge integer": b'{"type": "header", "schema": ' + b"9" * 100_000 + b"}",
    "not a number": b'{"type": "header", "x": NaN}',
    "infinite": b'{"type": "header", "x": 1e999}',
    "very infinite": b'{"type": "header", "x": -Infinity}',
    "many lines": b"{}\n" * 10_001,
    "cut off": b'{"type": "header", "format": "worldwright-traj',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused(name, tmp_path):
    (tmp_path / "one.jsonl").write_bytes(HOSTILE[name])
    with pytest.raises(TrajectoryError) as caught:
        Trajectory.load(tmp_path / "one.jsonl")
    assert len(str(caught.value)) < 1000


def test_hostile_numbers_anywhere_are_refused_with_their_line(tmp_path):
    episode().trajectory.save(tmp_path / "one.jsonl")
    lines = (tmp_path / "one.jsonl").read_text().split("\n")
    for number in ("NaN", "1e999", "9" * 5000):
        altered = [*lines[:4], lines[4].replace('"wall_ms": ', f'"wall_ms": {number}, "x": '), *lines[5:]]
        (tmp_path / "one.jsonl").write_text("\n".join(altered))
        with pytest.raises(TrajectoryError) as caught:
            Trajectory.load(tmp_path / "one.jsonl")
        assert caught.value.line == 5


def test_what_is_no_file_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none.jsonl", "\x00", tmp_path / ("x" * 5000)):
        with pytest.raises(TrajectoryError):
            Trajectory.load(path)


def test_blank_lines_are_passed_over_and_lines_still_counted(tmp_path):
    trajectory = episode().trajectory
    trajectory.save(tmp_path / "one.jsonl")
    text = "\n\n" + (tmp_path / "one.jsonl").read_text().replace("\n", "\n\n")
    (tmp_path / "one.jsonl").write_text(text)
    assert Trajectory.load(tmp_path / "one.jsonl") == trajectory
    (tmp_path / "one.jsonl").write_text(text.replace('"action"', '"notion"'))
    with pytest.raises(TrajectoryError) as caught:
        Trajectory.load(tmp_path / "one.jsonl")
    assert caught.value.line == 5
