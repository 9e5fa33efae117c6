"""A small desk, to be broken in one place at a time."""

from pathlib import Path

import pytest
import yaml

from simulator import generate_world
from simulator.evaluation.verification import Subject
from simulator.lint import load_scenario

DESK = Path(__file__).parents[2] / "cli" / "fixtures" / "desk"


@pytest.fixture
def desk(tmp_path):
    """The scenario, after ``change(document)`` has been at its document."""

    def load(change=lambda document: None):
        document = yaml.safe_load((DESK / "scenario.yaml").read_text())
        document["policy"] = (DESK / "policy.md").read_text()
        document["world"]["tables"]["ticket"]["rows"] = 16
        change(document)
        file = tmp_path / "scenario.yaml"
        file.write_text(yaml.safe_dump(document, sort_keys=False))
        return load_scenario(file)

    return load


@pytest.fixture
def subject(desk):
    """The first tasks of one template of the scenario, changed by ``change(template)``."""

    def make(template, change=lambda template: None, tasks=2):
        world = generate_world(desk(lambda document: change(document["tasks"][template])), 1)
        return Subject(world, template, [task for task in world.tasks() if task.template == template][:tasks])

    return make
