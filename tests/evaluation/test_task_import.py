"""Tasks with golden calls become tasks of a scenario."""

import json
import shutil

import pytest

from simulator import Environment, ScenarioError, UsageError, generate_world, load_scenario
from simulator.agents import OracleAgent, play
from simulator.evaluation import import_tasks
from tests.episode.desk import FOLDER, begin, do, open_tickets

OPEN, OTHER = open_tickets()[-2:]

GOLDEN = [
    {
        "id": 1,
        "instruction": "Tell the customer of ticket {7} that we are on it.",
        "calls": [
            {"tool": "get_ticket", "arguments": {"ticket_id": 99999}},
            {"name": "write_note", "arguments": {"ticket_id": OPEN, "text": "On {it}", "request": None}},
        ],
    },
    {
        "id": "two-b",
        "instruction": "How many tickets are there?",
        "calls": [{"tool": "list_tickets", "arguments": {}}],
        "answer": "48 {all}",
    },
    {
        "id": "3",
        "instruction": "Do something for me that you must not do.",
        "calls": [{"tool": "write_note", "arguments": {"ticket_id": 99999, "text": "x"}}],
    },
]


@pytest.fixture
def folder(tmp_path):
    copy = tmp_path / "desk"
    shutil.copytree(FOLDER, copy)
    return copy


@pytest.fixture
def golden(tmp_path):
    def write(*tasks):
        file = tmp_path / "golden.jsonl"
        file.write_text("".join(json.dumps(task) + "\n" for task in tasks))
        return file

    lines = json.loads(json.dumps(GOLDEN))
    del lines[0]["calls"][1]["arguments"]["request"]
    return lambda *tasks: write(*(tasks or lines))


def test_imported_tasks_are_solved_by_their_calls(folder, golden):
    report = import_tasks(golden(), folder, "golden", seed=7, refusal="not_ours")
    assert [(task.id, task.calls, task.errors, task.judged_by) for task in report.tasks] == [
        ("golden_1", 2, 1, "changes"), ("golden_two_b", 1, 0, "answer"), ("golden_3", 1, 1, "refusal"),
    ]  # fmt: skip
    world = generate_world(load_scenario(folder), seed=7)
    tasks = {task.template: task for task in world.tasks() if task.template.startswith("golden")}
    assert tasks["golden_1"].instruction == "Tell the customer of ticket {7} that we are on it."
    assert len(tasks) == 3
    for task in tasks.values():
        env = Environment(world)
        assert play(env, OracleAgent(), task=task, seed=1).score.success
        env.reset(task=task)
        env.step({"tool": "finish", "arguments": {}})
        assert not env.score().success, "doing nothing is not enough"


def test_calls_that_should_change_something_and_do_not_are_told(folder, golden):
    report = import_tasks(golden(), folder, "golden", seed=7, refusal="not_ours")
    assert [(task.id, [(call.number, call.why) for call in task.idle]) for task in report.without_effect] == [
        ("golden_3", [(1, "no_ticket")])
    ]


def test_a_call_that_a_later_one_undoes_is_told(folder, golden):
    team = do(begin("close"), "get_ticket", ticket_id=OPEN)["result"]["team"]
    others = [name for name in ("Billing", "Network", "Field") if name != team]
    calls = [{"tool": "assign_ticket", "arguments": {"ticket_id": OPEN, "team": name}} for name in (*others, team)]
    report = import_tasks(golden({"id": 1, "instruction": "x", "calls": calls[:2]}), folder, "two", seed=7)
    assert [(call.number, call.why) for call in report.tasks[0].idle] == [(1, "undone")]
    back = import_tasks(golden({"id": 1, "instruction": "x", "calls": calls}), folder, "three", seed=7)
    assert back.unjudged == back.tasks, "all is as it was"


def test_what_nothing_can_judge_is_named_and_not_written(folder, golden):
    report = import_tasks(golden(), folder, "golden", seed=7)
    assert [task.id for task in report.unjudged] == ["golden_3"]
    assert not report.file.exists()


def test_tasks_are_replaced_only_on_demand(folder, golden):
    import_tasks(golden(), folder, "golden", seed=7, refusal="not_ours")
    with pytest.raises(UsageError, match="there already"):
        import_tasks(golden(), folder, "golden", seed=7, refusal="not_ours")
    import_tasks(golden(GOLDEN[1]), folder, "golden", seed=7, replace=True)
    assert [name for name in load_scenario(folder).document.tasks if name.startswith("golden")] == ["golden_two_b"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"instruction": "x", "calls": []}, "task_line"),
        ({"id": "a b?", "instruction": "x", "calls": []}, "task_line"),
        ({"id": 1, "instruction": "x"}, "task_line"),
        ({"id": 1, "instruction": "x", "calls": [{"arguments": {}}]}, "task_line"),
        ({"id": 1, "instruction": "x", "calls": [{"tool": "list_tickets", "arguments": []}]}, "task_line"),
        ({"id": 1, "instruction": "x", "calls": [{"tool": "list_ticket", "arguments": {}}]}, "unknown_tool"),
        ({"id": 1, "instruction": "x", "calls": [], "answer": 3}, "task_line"),
    ],
)
def test_lines_that_are_no_task_are_told(folder, golden, line, code):
    with pytest.raises(ScenarioError) as caught:
        import_tasks(golden(line), folder, "golden", seed=7)
    assert code in [problem.code for problem in caught.value.problems]


def test_names_and_files_that_cannot_be_used_are_told(folder, golden, tmp_path):
    for name in ("", "Golden", "../x", "a" * 80):
        with pytest.raises(UsageError):
            import_tasks(golden(), folder, name, seed=7)
    with pytest.raises(UsageError):
        import_tasks(golden(), tmp_path, "golden", seed=7)
    with pytest.raises(UsageError):
        import_tasks(golden(), folder, "golden", seed=7, refusal="nope")
    with pytest.raises(ScenarioError):
        import_tasks(folder / "none.jsonl", folder, "golden", seed=7)
    with pytest.raises(ScenarioError):
        import_tasks(golden(GOLDEN[1], GOLDEN[1]), folder, "golden", seed=7)
