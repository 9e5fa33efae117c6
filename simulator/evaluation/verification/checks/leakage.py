"""Leakage: nobody can know what is right but by working it out, and no split knows another.

Looked at is what the agent is told (policy, instruction, tools, OpenAPI), what its SQL can reach, and the instructions
of all tasks of all worlds, each held against the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulator.episode import workplace_of
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.checks.sql_leaks import sql_leaks
from simulator.evaluation.verification.findings import CheckResult, Evidence, Finding, Part, Tally
from simulator.evaluation.verification.subject import EPISODE_SEED, Subject
from simulator.scenario import Scenario
from simulator.scenario.models import ExpectedValue, ScenarioDocument, TaskTemplate
from simulator.tasks import Task, World, canonical_parameters, expected_answers
from simulator.tools import openapi_document

_SHORTEST_SECRET = 24
"""Characters of an SQL text from which on finding it elsewhere is no coincidence."""


def _of_template(subject: Subject) -> CheckResult:
    expected = [(task, _expected(subject, task)) for task in subject.tasks]
    options = {text for _, answers in expected for text in answers.values()}
    told: dict[str, list[Task]] = {}
    for task, answers in expected:
        for check, text in answers.items():
            # An instruction that lists every answer there is asks for a choice.
            choice = len(options) > 1 and all(_says(task.instruction, option) for option in options)
            if _says(task.instruction, text) and not choice:
                told.setdefault(check, []).append(task)
    findings = []
    for check, tasks in told.items():
        certain = 2 * len(tasks) > len(subject.tasks)
        task = tasks[0]
        answer = dict(expected)[task][check] if False else next(a[check] for t, a in expected if t.id == task.id)
        findings.append(
            Finding(
                "leakage.answer_in_instruction",
                "blocking" if certain else "review",
                f"{subject.about}.checks.{check}",
                f"The instruction holds the answer in {len(tasks)} of {len(subject.tasks)} tasks, such as {task.id}: "
                f"{answer[:100]!r}.",
                "Take the answer out of the instruction, or ask for something that has to be found.",
                Evidence(task.world_seed, task.id, EPISODE_SEED, ({"tool": "finish", "arguments": {"answer": answer}},)),
            )
        )
    asked = sum(bool(answers) for _, answers in expected)
    leaked = {task.id for tasks in told.values() for task in tasks}
    return CheckResult(tuple(findings), (Tally("answers", asked, asked - len(leaked)),) if asked else ())
