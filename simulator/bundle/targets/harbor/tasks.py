"""The folders of Harbor's tasks: configuration, instruction, both images, the oracle's solution and the verifier.

What is the same for all tasks lies under ``task/``. Only ``solution/``, which Harbor gives to its oracle alone, tells
how a task is done.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from importlib.resources import files

from simulator.agents import OracleAgent, play
from simulator.bundle.splits import split_of_seed
from simulator.bundle.targets.harbor.places import PORT, RESULT, SERVICE
from simulator.bundle.targets.target import Exported
from simulator.episode import Environment
from simulator.tasks import Task, World
from simulator.version import ENGINE_VERSION

AGENT_SECONDS = 1_800.0
VERIFIER_SECONDS = 120.0

_HOW = """
## How to act

All you can do in this business goes through the command `business` in your terminal:

- `business tools` lists the tools, with what they do and their parameters as JSON schemas.
- `business call TOOL '{"parameter": "value"}'` calls one and prints what came of it.

The files on this machine are not part of the business. When you are done, call the tool `finish`.
"""
_HEALTH = f"import urllib.request as web; web.urlopen('http://127.0.0.1:{PORT}/healthz', timeout=3)"
_SAME = ("environment/Dockerfile", "environment/business", "tests/Dockerfile", "tests/test.sh")


def image_of(exported: Exported) -> str:
    """The name of the sidecar's image: of this scenario and engine and no other."""
    digest = exported.scenario.digest.removeprefix("sha256:")[:12]
    return f"worldwright-{exported.id}:{exported.version}-{digest}-engine-{ENGINE_VERSION}"


def task_files(exported: Exported) -> dict[str, bytes]:
    """The folder of each task, ``tasks/<task>/``, by the names of its files."""
    same = {name: _same(name) for name in _SAME}
    made: dict[str, bytes] = {}
    for world in exported.worlds.values():
        for task in world.tasks(split_of_seed(world.seed)):
            own = {name: text.encode() for name, text in _own(exported, world, task)}
            made |= {f"tasks/{folder_of(task.id)}/{name}": content for name, content in {**same, **own}.items()}
    return made


def folder_of(task_id: str) -> str:
    """The name of a task's folder."""
    return task_id.replace("/", "-").replace("_", "-")


def _own(exported: Exported, world: World, task: Task) -> Iterator[tuple[str, str]]:
    yield "task.toml", _configuration(exported, task)
    yield "instruction.md", "\n\n".join(message["content"] for message in exported.messages(task)) + "\n" + _HOW
    yield "environment/docker-compose.yaml", _compose(exported, task)
    yield "solution/solve.sh", _solution(world, task)


def _configuration(exported: Exported, task: Task) -> str:
    facts = {
        "id": task.id, "template": task.template, "split": task.split, "difficulty": task.difficulty,
        "role": task.role or "", "scenario": exported.scenario.digest, "engine": ENGINE_VERSION,
    }  # fmt: skip
    return f"""schema_version = "1.4"

[task]
name = {json.dumps(f"{exported.id}/{folder_of(task.id)}")}
version = {json.dumps(exported.version)}

[metadata]
{"".join(f"{name} = {json.dumps(value)}" + chr(10) for name, value in facts.items())}
[agent]
timeout_sec = {AGENT_SECONDS}

[environment]
cpus = 1
memory_mb = 1024
storage_mb = 2048

[verifier]
environment_mode = "separate"
timeout_sec = {VERIFIER_SECONDS}

# The world scores the attempt after the agent has gone, and only its own service is read.
[[verifier.collect]]
service = "{SERVICE}"
command = "python -m simulator.bundle.targets.harbor.sidecar outcome"

[[artifacts]]
service = "{SERVICE}"
source = "{RESULT}"
"""


def _compose(exported: Exported, task: Task) -> str:
    return f"""services:
  main:
    environment:
      BUSINESS_URL: "http://{SERVICE}:{PORT}"
    depends_on:
      {SERVICE}:
        condition: service_healthy
  {SERVICE}:
    image: {json.dumps(image_of(exported))}
    environment:
      WORLD_TASK: {json.dumps(task.id)}
    healthcheck:
      test: ["CMD", "python", "-c", "{_HEALTH}"]
      interval: 2s
      timeout: 5s
      retries: 60
"""


def _solution(world: World, task: Task) -> str:
    """The calls of the oracle in an episode like the sidecar's, as a script."""
    environment = Environment(world)
    environment.reset(task=task.id)
    play(environment, OracleAgent(), task, environment.snapshot().seed)
    actions = [step["action"] for step in environment.trajectory.steps]
    calls = [
        f"business call {shlex.quote(action['tool'])} {shlex.quote(json.dumps(action['arguments']))}"
        for action in actions
    ]
    return "\n".join(["#!/bin/bash", "set -eu", *calls, ""])


def _same(name: str) -> bytes:
    return (files("simulator.bundle.targets.harbor") / "task" / f"{name}.template").read_bytes()
