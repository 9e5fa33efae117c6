"""A bundle in TRL itself: tools as it reads them, steps of GRPO on recorded actions, and the recipe as shipped."""

import json
import math
import subprocess
from pathlib import Path

import pytest

from simulator import generate_world
from simulator.bundle.opening import shared_bundle
from simulator.bundle.targets.trl.environment import FAILED, environment_factories
from simulator.bundle.targets.trl.names import check_tool_names
from simulator.episode import workplace_of
from simulator.errors import UsageError
from tests.bundle.conformance import AGENTS, ask, hold, recordings
from tests.bundle.venvs import environment, venv_with

pytestmark = pytest.mark.slow

MODULE = "repair_desk_trl"
SCRIPT = Path(__file__).parent / "scripts" / "play_trl.py"
HOSTILE = (
    ["<tool_call>\n{not json\n</tool_call>", '<tool_call>\n{"name": "list_tickets", "arguments": []}\n</tool_call>'],
    ['<tool_call>\n{"name": "no_such_tool", "arguments": {}}\n</tool_call>'],
    [
        '<tool_call>\n{"name": "get_ticket", "arguments": {"ticket_id": "nine", "self": 1, "tool": 2}}\n</tool_call>',
        '<tool_call>\n{"name": "finish", "arguments": {}}\n</tool_call>',
        '<tool_call>\n{"name": "list_tickets", "arguments": {}}\n</tool_call>',
    ],
)


ODD = {
    "name": "send",
    "description": "Returns: nothing. Args:\n    none: of these\nRaises: hands (choices: left)",
    "parameters": {
        "type": "object",
        "properties": {
            "note": {"type": "string", "description": "Args:\n  from: here (choices: [1])"},
            "from": {"type": "string", "format": "date", "enum": ["home", "work"]},
            "self": {"type": ["integer", "null"], "minimum": 1},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"quantity": {"type": "integer"}}}},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        },
        "required": ["from", "lines"],
    },
}


@pytest.fixture(scope="module")
def python():
    return venv_with("trl==1.16.0", "torch==2.13.0", "transformers==5.24.0")


@pytest.fixture(scope="module")
def tools(exported):
    """The tools of each environment by name, as the agent's side of the bundle has them."""
    roles = json.loads((exported.folder / "agent" / "tools.json").read_text())
    return {
        f"repair-desk:{role}" if role else "repair-desk": {
            tool["function"]["name"]: tool["function"] for tool in functions
        }
        for role, functions in roles.items()
    }


@pytest.fixture(scope="module")
def trained(python, desk, exported, tools, tmp_path_factory):
    """What the engine says of recorded actions, what TRL made of them, and the folder of the model."""
    out = tmp_path_factory.mktemp("trl")
    world = generate_world(desk, 7)
    recorded = recordings(world)
    scripts = {}
    for item in recorded:
        scripts.setdefault(item["task"], []).append([_said(action) for action in item["actions"]])
    other = next(task.id for task in world.tasks("train") if task.id not in scripts and task.template == "close")
    asked = {
        "module": MODULE,
        "scripts": {**scripts, other: HOSTILE},
        "tools": {name: list(functions) for name, functions in tools.items()},
        "odd": ODD,
        "out": str(out / "out"),
        "save": str(out / "model"),
    }
    answer = ask(python, SCRIPT, asked, exported.folder / "targets" / "trl")
    return recorded, other, answer, out / "model"


def _said(action):
    call = {"name": action["tool"], "arguments": action["arguments"]}
    return f"<tool_call>\n{json.dumps(call)}\n</tool_call>"


def test_recorded_actions_earn_what_they_earn_in_the_engine_and_train(trained, record_property):
    recorded, other, answer, _ = trained
    by_task = {}
    for item in answer["played"]:
        by_task.setdefault(item["task"], []).append(item)
    agents = list(AGENTS)
    played = [by_task[item["task"]][agents.index(item["agent"])] for item in recorded]
    hold(record_property, "trl", answer["version"], recorded, played)
    assert [item["trained_on"] for item in played] == pytest.approx([item["total"] for item in recorded], abs=1e-6)
    assert len(answer["logs"]) == len(by_task)
    assert all(math.isfinite(line["grad_norm"]) for line in answer["logs"])
    assert answer["moved"]
    assert other in by_task


def test_success_and_the_parts_of_the_score_are_logged(trained):
    _, _, answer, _ = trained
    for line in answer["logs"]:
        assert line["score/success"] in (0, pytest.approx(1 / 3), pytest.approx(2 / 3))
        assert "score/completion" in line


def test_the_recipe_does_not_scale_rewards(trained):
    assert trained[2]["scale_rewards"] == "none"


def test_a_models_mistakes_are_answered(trained):
    _, other, answer, _ = trained
    assert [item["reward"] for item in answer["played"] if item["task"] == other] == [0, 0, pytest.approx(0, abs=0.5)]


def test_rows_hold_nothing_of_a_task_but_what_a_model_is_told_and_its_id(trained):
    assert trained[2]["columns"] == ["prompt", "task", "environment"]


def test_tools_have_the_names_types_and_descriptions_of_the_agents_side(trained, tools):
    schemas = trained[2]["schemas"]
    assert {name: set(functions) for name, functions in schemas.items()} == {
        name: set(functions) for name, functions in tools.items()
    }
    for name, functions in tools.items():
        for tool, function in functions.items():
            read = schemas[name][tool]["function"]
            assert read["description"] == " ".join(function["description"].split())
            assert sorted(read["parameters"].get("required", [])) == sorted(function["parameters"].get("required", []))
            assert list(read["parameters"]["properties"]) == list(function["parameters"]["properties"])
            for parameter, schema in function["parameters"]["properties"].items():
                told = read["parameters"]["properties"][parameter]
                assert told["type"] == schema["type"]
                assert told.get("enum") == schema.get("enum")
                assert schema.get("description", "") in told["description"]


def test_a_tool_with_odd_names_and_texts_is_read_as_it_is_meant(trained):
    read = trained[2]["odd"]["function"]
    properties = read["parameters"]["properties"]
    assert read["name"] == "send"
    assert read["description"] == "Returns - nothing. Args - none: of these Raises - hands (choices - left)"
    assert read["parameters"]["required"] == ["from", "lines"]
    assert list(properties) == list(ODD["parameters"]["properties"])
    assert properties["note"] == {"type": "string", "description": "Args - from: here (choices - [1])"}
    assert properties["from"] == {
        "type": "string",
        "enum": ["home", "work"],
        "description": 'from [format "date"]',
    }
    assert properties["self"] == {"type": "integer", "nullable": True, "description": "self [minimum 1]"}
    assert properties["tags"] == {"type": "array", "items": {"type": "string"}, "description": "tags [maxItems 3]"}
    assert "quantity" in properties["lines"]["description"]


def test_the_recipe_trains_a_step_as_it_is_shipped(trained, python, exported, tmp_path):
    target = exported.folder / "targets" / "trl"
    command = [python, target / "train.py", trained[3], "--max-steps", "1", "--group", "2", "--length", "16", "--cpu"]
    done = subprocess.run(
        [*map(str, command), "--out", str(tmp_path / "out")],
        env=environment(target), capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-8_000:]
    assert (tmp_path / "out" / "model.safetensors").exists()


def test_a_tool_whose_name_trl_keeps_for_itself_is_refused():
    with pytest.raises(UsageError, match="`reset`"):
        check_tool_names(["list_tickets", "reset"])


def test_an_attempt_in_which_the_engine_failed_has_no_reward(copied):
    bundle = shared_bundle(str(copied))
    task = next(task for task in bundle.tasks("train") if task["template"] == "close")
    attempt = environment_factories(str(copied))[f"repair-desk:{task['role']}" if task["role"] else "repair-desk"]()
    attempt.reset(task=task["id"], prompt=[])
    workplace_of(bundle.world_of(task["id"])).engine.database.close()  # the connection dies under the episode
    assert attempt.list_tickets() == FAILED
    assert attempt.get_reward() is None
    attempt.reset(task=next(task["id"] for task in bundle.tasks("test")), prompt=[])
    assert attempt.list_tickets() != FAILED
    assert attempt.get_reward() is not None
