"""Trajectories as training data: what is written can be played to the same reward, and nothing held out gets in."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from simulator import Environment
from simulator.agents import NoisyAgent, NullAgent, OracleAgent, play
from simulator.bundle.datasets import Selection, read_attempts, records_of, write_dataset
from simulator.errors import TrajectoryError, UsageError
from tests.bundle.conformance import ask
from tests.bundle.venvs import venv_with
from tests.episode.desk import world

SCRIPT = Path(__file__).parent / "scripts" / "load_datasets.py"
TESTED = "5.2.0"
AGENTS = {"oracle": OracleAgent, "noisy": lambda: NoisyAgent(2), "null": NullAgent}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three agents at every third task, whichever its split."""
    folder = tmp_path_factory.mktemp("runs")
    for number, task in enumerate(world().tasks()[::3]):
        for name, make in AGENTS.items():
            env = Environment(world())
            play(env, make(), task, 1)
            env.trajectory.save(folder / f"{number:03}-{name}.jsonl")
    return folder


@pytest.fixture(scope="module")
def attempts(runs):
    return read_attempts(runs).scored


def train(attempts):
    return [attempt for attempt in attempts if attempt.split == "train"]


def reward_of(task, messages):
    """The score of the calls in a chat, played again."""
    env = Environment(world())
    env.reset(task=task, seed=1)
    for message in messages:
        for call in message.get("tool_calls", ()):
            function = call["function"]
            env.step({"tool": function["name"], "arguments": json.loads(function["arguments"])})
    if env.snapshot().ending is None:
        env.stop("the agent stopped")
    return env.score().total


def test_a_chat_for_tuning_is_a_success_that_can_be_played_to_its_reward(attempts):
    records = list(records_of("sft", train(attempts), Selection(least=0.8)))
    assert len({record["task"] for record in records}) > 5
    for record in records:
        roles = [message["role"] for message in record["messages"]]
        assert roles[:3] == ["system", "user", "assistant"]
        assert roles[-1] == "assistant"
        assert record["tools"][0]["type"] == "function"
        assert reward_of(record["task"], record["messages"]) == record["reward"] >= 0.8


def test_every_call_is_answered_under_its_id(attempts):
    for record in records_of("sft", train(attempts), Selection()):
        *answered, last = [message for message in record["messages"] if message["role"] != "user"]
        calls = [call["id"] for message in answered for call in message.get("tool_calls", ())]
        assert calls == [message["tool_call_id"] for message in answered if message["role"] == "tool"]
        assert len(set(calls)) == len(calls)
        assert last["tool_calls"]


def test_of_a_pair_the_chosen_one_earns_more_and_both_are_what_they_say(attempts):
    records = list(records_of("dpo", train(attempts), Selection(margin=0.2)))
    assert len(records) > 5
    for record in records:
        assert record["chosen_reward"] - record["rejected_reward"] >= 0.2
        assert [message["role"] for message in record["prompt"]] == ["system", "user"]
        assert reward_of(record["task"], record["chosen"]) == record["chosen_reward"]
        assert reward_of(record["task"], record["rejected"]) == record["rejected_reward"]


def test_the_rewards_of_the_steps_sum_to_the_episode_and_points_are_the_scores(attempts):
    records = list(records_of("steps", train(attempts), Selection()))
    first = [record for record in records if record["turn"] == 1]
    assert {round(record["return"], 6) for record in first} == {round(record["episode_reward"], 6) for record in first}
    for record, following in pairwise(records):
        if following["turn"] > 1:
            assert record["return"] - record["reward"] == pytest.approx(following["return"])
            assert following["prompt"][: len(record["prompt"])] == record["prompt"]
            assert following["prompt"][len(record["prompt"])] == record["completion"][0]
    blamed = [record for record in records if record["points"] < 0]
    assert blamed
    assert all(record["why"] for record in blamed)


def test_what_is_held_out_stays_out_unless_it_is_named(attempts, tmp_path):
    def tasks(out, splits):
        write_dataset(attempts, out, kinds=["sft", "steps"], splits=splits, formats=["jsonl"], selection=Selection())
        return {
            (file.stem, json.loads(line)["split"], json.loads(line)["task"])
            for file in out.rglob("*.jsonl")
            for line in file.read_text().splitlines()
        }

    only = tasks(tmp_path / "train", ["train"])
    assert {(file, split) for file, split, _ in only} == {("train", "train")}
    named = tasks(tmp_path / "all", ["train", "validation", "test"])
    assert all(file == split for file, split, _ in named)
    assert {task for file, _, task in named if file == "test"}
    assert not {task for file, _, task in named if file == "test"} & {task for _, _, task in only}


def test_equal_trajectories_are_written_to_equal_bytes(attempts, tmp_path):
    def files(name):
        written = write_dataset(
            attempts, tmp_path / name, kinds=["sft", "dpo", "steps"], splits=["train"], formats=["jsonl", "parquet"],
            selection=Selection(),
        )  # fmt: skip
        return [(item.file, item.records, (tmp_path / name / item.file).read_bytes()) for item in written]

    assert files("first") == files("second")


def test_what_was_no_call_is_said_as_it_was_and_parallel_calls_share_a_message(tmp_path):
    env = Environment(world())
    env.reset(task=world().tasks("train")[0].id)
    env.step("I would \ud83d rather talk", raw="I would \ud83d rather talk", turn=1)
    env.step({"tool": "list_tickets", "arguments": {}}, turn=2, call_id="a")
    env.step({"tool": "get_ticket", "arguments": "{not json"}, turn=2, call_id="b")
    env.stop("enough")
    env.trajectory.save(tmp_path / "one.jsonl")
    (attempt,) = read_attempts(tmp_path).scored
    steps = list(records_of("steps", [attempt], Selection()))
    assert steps[0]["completion"][0]["content"].startswith("I would ")
    assert steps[1]["prompt"][-1]["role"] == "user"
    calls = steps[1]["completion"][0]["tool_calls"]
    assert [(call["id"], call["function"]["arguments"]) for call in calls] == [("a", "{}"), ("b", "{not json")]
    for form in ("jsonl", "parquet"):
        out = tmp_path / form
        write_dataset([attempt], out, kinds=["steps"], splits=["train"], formats=[form], selection=Selection())
        assert (out / f"steps/train.{form}").stat().st_size


def test_only_what_has_an_end_and_a_score_is_learnt_from(runs, tmp_path):
    lines = next(iter(sorted(runs.iterdir()))).read_text().splitlines()
    (tmp_path / "whole.jsonl").write_text("\n".join(lines))
    (tmp_path / "cut.jsonl").write_text("\n".join(lines[:-1]))
    footer = json.loads(lines[-1]) | {"ending": "invalid", "score": None, "success": None}
    (tmp_path / "fault.jsonl").write_text("\n".join([*lines[:-1], json.dumps(footer)]))
    found = read_attempts(tmp_path)
    assert [attempt.file for attempt in found.scored] == ["whole.jsonl"]
    assert found.left_out == {"not at its end": 1, "without a score": 1}


def test_what_cannot_be_used_is_told(runs, attempts, tmp_path):
    with pytest.raises(UsageError, match="no trajectory"):
        read_attempts(tmp_path)
    (tmp_path / "other.jsonl").write_text('{"messages": []}\n')
    with pytest.raises(TrajectoryError, match=r"other\.jsonl: .*no Worldwright trajectory"):
        read_attempts(tmp_path)
    nothing = Selection(least=1.0, margin=2.0)
    with pytest.raises(UsageError, match="none makes a record"):
        write_dataset(attempts, tmp_path / "d", kinds=["dpo"], splits=["train"], formats=["jsonl"], selection=nothing)


def test_datasets_reads_every_file_as_it_was_written(attempts, tmp_path):
    out = tmp_path / "data"
    kinds = ("sft", "dpo", "steps")
    write_dataset(
        attempts, out, kinds=kinds, splits=["train"], formats=["jsonl", "parquet"], selection=Selection()
    )  # fmt: skip
    names = [str(out / kind / f"train.{form}") for kind in kinds for form in ("jsonl", "parquet")]
    read = ask(venv_with(f"datasets=={TESTED}"), SCRIPT, names)
    for kind in kinds:
        wanted = [json.loads(line) for line in (out / kind / "train.jsonl").read_text().splitlines()]
        parquet = read[str(out / kind / "train.parquet")]
        assert [json.loads(row.pop("tools")) for row in parquet] == [record["tools"] for record in wanted]
        for rows in (parquet, read[str(out / kind / "train.jsonl")]):
            assert [without_tools(row) for row in rows] == [without_tools(record) for record in wanted]


def without_tools(record):
    """The rest of a record; numbers to seven places, as far as the reader of JSON keeps them."""
    return {
        name: round(value, 7) if isinstance(value, float) else value
        for name, value in record.items()
        if name != "tools"
    }
