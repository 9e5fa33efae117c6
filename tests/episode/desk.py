"""The repair desk, made once a process, and short ways to speak of what happens in it."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import yaml

from simulator import Environment, generate_world, load_scenario
from simulator.scenario import parse_document

FOLDER = Path(__file__).parent / "scenarios" / "desk"


@cache
def scenario():
    return load_scenario(FOLDER)


@cache
def world(seed=7):
    return generate_world(scenario(), seed=seed)


def document():
    """The scenario as one value, to be altered."""
    value = yaml.safe_load((FOLDER / "scenario.yaml").read_text())
    return json.loads(json.dumps({**value, "policy": (FOLDER / "policy.md").read_text()}))


def altered(alter, seed=7):
    """A world of its own, from the document after ``alter`` has changed it."""
    value = document()
    alter(value)
    return generate_world(parse_document(value), seed=seed)


def task(template, index=0, of=None):
    return [item for item in (of or world()).tasks() if item.template == template][index]


def begin(template="close", index=0, of=None, **options):
    env = Environment(of or world())
    env.reset(task=task(template, index, of), **options)
    return env


def call(tool, **arguments):
    return {"tool": tool, "arguments": arguments}


def do(env, tool, **arguments):
    """The observation of a call."""
    return env.step(call(tool, **arguments))[0]


@cache
def open_tickets():
    """Numbers of tickets open in every task, as an agent reads them."""
    env = begin("close", 1)
    return tuple(item["id"] for item in do(env, "list_tickets", status="open")["result"]["items"])


def trace(env):
    """Everything of an episode but the wall times."""
    lines = json.loads(json.dumps(env.trajectory.lines()))
    for line in lines:
        line.pop("wall_ms", None)
    return lines


def elsewhere(module):
    """What ``reference()`` of a test module gives in a process of its own, under another hash seed."""
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", f"from {module} import reference; print(reference(), end='')"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": other, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return done.stdout
