"""What of a scenario and its worlds goes into a bundle: the agent's side and the grader's, apart.

The same scenario and worlds give the same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.bundle.layout import POLICY, SCENARIO, TOOLS, agent_tasks, grader_tasks
from simulator.bundle.manifest import Resources, SplitEntry, WorldEntry
from simulator.bundle.splits import split_of_seed
from simulator.episode import workplace_of
from simulator.scenario import Scenario, document_value
from simulator.scenario.canonical import document_value_of
from simulator.tasks import SPLITS, Task, World

REWARD_RANGE = (-1.0, 1.0)
"""What the rewards of an episode sum to lies within; see :mod:`simulator.reward.score`."""


@dataclass(frozen=True, slots=True)
class Content:
    """The files that tell of the scenario and its work, by name, and what the manifest says of them.

    ``tasks`` are the tasks of each split, ``role_tools`` the tools of each role that has a task (``""`` for tasks
    without one), in the format of OpenAI's functions.
    """

    files: Mapping[str, bytes]
    tasks: Mapping[str, tuple[Task, ...]]
    role_tools: Mapping[str, Sequence[Mapping[str, Any]]]
    worlds: tuple[WorldEntry, ...]
    splits: Mapping[str, SplitEntry]
    tools: tuple[str, ...]
    resources: Resources


def content_of(scenario: Scenario, worlds: Sequence[World]) -> Content:
    """The content of a bundle of these worlds; of each, the tasks of its seed's split.

    Raises ScenarioError when tasks cannot be drawn or a solution is too long.
    """
    document = scenario.document
    files = {SCENARIO: scenario_text(scenario)}
    if document.policy:
        files[POLICY] = document.policy.encode()
    drawn = {split: [(world, task) for world in worlds for task in _tasks(world, split)] for split in SPLITS}
    roles: dict[str, Any] = {}
    for world, task in (pair for pairs in drawn.values() for pair in pairs):
        roles.setdefault(task.role or "", workplace_of(world).engine.tools(task.role))
    files[TOOLS] = (json.dumps(dict(sorted(roles.items())), indent=2, ensure_ascii=False) + "\n").encode()
    splits = {}
    for split, pairs in drawn.items():
        seeds = [world.seed for world in worlds if split_of_seed(world.seed) == split]
        counted = Counter(task.template for _, task in pairs)
        templates = {template: counted[template] for template in document.tasks if counted[template]}
        splits[split] = SplitEntry(seeds=seeds, tasks=len(pairs), templates=templates)
        if seeds:
            files[agent_tasks(split)] = _lines(_agent_line(task) for _, task in pairs)
            files[grader_tasks(split)] = _lines(_grader_line(world, task) for world, task in pairs)
    sizes = [world.image.image.size for world in worlds]
    return Content(
        files=files,
        tasks={split: tuple(task for _, task in pairs) for split, pairs in drawn.items()},
        role_tools=dict(sorted(roles.items())),
        worlds=tuple(
            WorldEntry(seed=world.seed, split=_literal(world.seed), digest=world.digest, size=size)
            for world, size in zip(worlds, sizes, strict=True)
        ),
        splits=splits,
        tools=tuple(sorted({tool["function"]["name"] for tools in roles.values() for tool in tools})),
        resources=Resources(
            largest_world_bytes=max(sizes),
            worlds_bytes=sum(sizes),
            most_steps=max(task.steps for pairs in drawn.values() for _, task in pairs),
        ),
    )


def scenario_text(scenario: Scenario) -> bytes:
    """The scenario as its one document. The digest of a scenario is the SHA-256 of this very text."""
    value = document_value(scenario.document)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def _literal(seed: int) -> Any:
    return split_of_seed(seed)


def _tasks(world: World, split: str) -> tuple[Task, ...]:
    return world.tasks(split) if split_of_seed(world.seed) == split else ()


def _agent_line(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "template": task.template,
        "instruction": task.instruction,
        "split": task.split,
        "difficulty": task.difficulty,
        "role": task.role,
    }


def _grader_line(world: World, task: Task) -> dict[str, Any]:
    template = world.scenario.document.tasks[task.template]
    return {
        "id": task.id,
        "world": task.world_seed,
        "parameters": dict(task.parameters),
        "actor": task.actor,
        "steps": task.steps,
        "checks": {name: document_value_of(check) for name, check in template.checks.items()},
        "expects": document_value_of(template.expects),
        "solutions": [
            [
                {
                    "tool": step.tool,
                    "arguments": dict(step.arguments),
                    "errs": step.errs,
                    "remember": dict(step.remember),
                }
                for step in solution
            ]
            for solution in workplace_of(world).solutions.solutions(task)
        ],
    }


def _lines(values: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n" for value in values).encode()
