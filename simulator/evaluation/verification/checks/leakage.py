"""Leakage: nobody can know what is right but by working it out, and no split knows another.

Looked at is what the agent is told (policy, instruction, tools, OpenAPI), what its SQL can reach, and the instructions
of all tasks of all worlds, each held against the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from simulator.episode import workplace_of
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.checks.sql_leaks import sql_leaks
from simulator.evaluation.verification.findings import CheckResult, Evidence, Finding, Part, Severity, Tally
from simulator.evaluation.verification.subject import EPISODE_SEED, Subject
from simulator.scenario import Scenario
from simulator.scenario.canonical import canonical_json
from simulator.scenario.models import ScenarioDocument, TaskTemplate
from simulator.tasks import Task, World, canonical_parameters, expected_answers
from simulator.tools import openapi_document

_SHORTEST_SECRET = 24
"""Characters of an SQL text from which on finding it elsewhere is no coincidence."""


def _of_template(subject: Subject) -> CheckResult:
    expected = [(task, _expected(subject, task)) for task in subject.tasks]
    options = {text for _, answers in expected for text in answers.values()}
    told: dict[str, list[tuple[Task, str]]] = {}
    for task, answers in expected:
        # An instruction that lists every answer there is asks for a choice.
        if len(options) > 1 and all(_says(task.instruction, option) for option in options):
            continue
        for check, text in answers.items():
            if _says(task.instruction, text):
                told.setdefault(check, []).append((task, text))
    findings = []
    for check, tasks in told.items():
        (task, answer), share = tasks[0], len(tasks) / len(subject.tasks)
        actions = ({"tool": "finish", "arguments": {"answer": answer}},)
        findings.append(
            Finding(
                "leakage.answer_in_instruction",
                "blocking" if share > 0.5 else "review",
                f"{subject.about}.checks.{check}",
                f"The instruction holds the answer in {len(tasks)} of {len(subject.tasks)} tasks, such as {task.id}: "
                f"{answer[:100]!r}.",
                "Take the answer out of the instruction, or ask for something that has to be found.",
                Evidence(task.world_seed, task.id, EPISODE_SEED, actions),
            )
        )
    asked = sum(bool(answers) for _, answers in expected)
    leaked = {task.id for tasks in told.values() for task, _ in tasks}
    return CheckResult(tuple(findings), (Tally("answers", asked, asked - len(leaked)),) if asked else ())


def _expected(subject: Subject, task: Task) -> dict[str, str]:
    """The single value that each answer check of a task expects, as text; 0 and 1 stand anywhere."""
    if subject.template.expects is not None:
        return {}
    engine = subject.workplace.engine
    state = engine.begin(task, EPISODE_SEED)
    with engine.laid_at_start(state) as database:
        found = expected_answers(database, subject.template, task)
    return {
        name: value.strip() if isinstance(value, str) else canonical_json(value)
        for name, value in found.items()
        if (isinstance(value, str) and value.strip())
        or (isinstance(value, int | float) and not isinstance(value, bool))
    }


def _says(text: str, value: str) -> bool:
    """Whether a text holds a value as a word or number of its own."""
    return re.search(rf"(?<![\w.]){re.escape(value.casefold())}(?!\w|\.\d)", text.casefold()) is not None


def _of_world(world: World, tasks: Sequence[Task]) -> CheckResult:
    first: dict[str | None, Task] = {}
    for task in tasks:
        first.setdefault(task.role, task)
    findings = [*_sql_told(world, first), *sql_leaks(world, tuple(first.values()))]
    return CheckResult(tuple(findings))


def _sql_told(world: World, first: dict[str | None, Task]) -> Iterator[Finding]:
    """SQL of checks, draws and solutions that stands in what agents are told."""
    document = world.scenario.document
    engine = workplace_of(world).engine
    told = {"policy": document.policy, "OpenAPI": json.dumps(openapi_document(document, engine.toolbox))}
    for role in first:
        told[f"tools of {role or 'everyone'}"] = json.dumps(engine.toolbox.descriptions(role, document.refusals))
    told = {name: _plain(text) for name, text in told.items()}
    for path, secret in _secrets(document):
        for name, text in told.items():
            if secret in text:
                message = f"The {name} holds the SQL of {path}, so agents know what is looked at."
                yield Finding("leakage.secret_told", "blocking", path, message, "Say it in words, or not at all.")
                break


def _secrets(document: ScenarioDocument) -> Iterator[tuple[str, str]]:
    """SQL texts that are the author's alone, with their paths."""
    for name, template in document.tasks.items():
        for place, sql in _sql_of(template):
            plain = _plain(sql)
            if len(plain) >= _SHORTEST_SECRET:
                yield f"tasks.{name}.{place}", plain


def _sql_of(template: TaskTemplate) -> Iterator[tuple[str, str]]:
    if template.draw is not None:
        yield "draw", template.draw
    for name, check in template.checks.items():
        if check.passes is not None:
            yield f"checks.{name}", check.passes
        answer: Any = check.answer.model_dump() if check.answer is not None else {}
        for value in answer.values():
            if isinstance(value, dict) and isinstance(value.get("sql"), str):
                yield f"checks.{name}", value["sql"]


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("\\n", " ").split())


def _of_scenario(scenario: Scenario, worlds: Sequence[World], parts: Sequence[Part]) -> CheckResult:
    document = scenario.document
    tasks = [task for world in worlds for task in world.tasks()]
    findings = [*_in_two_splits(tasks), *_same_tasks(document, worlds), *_pairs(document, worlds)]
    return CheckResult(tuple(findings), (Tally("tasks held apart", len(tasks), len(tasks) - len(findings)),))


def _in_two_splits(tasks: Sequence[Task]) -> Iterator[Finding]:
    """Tasks of one template with equal parameters in different splits, over all worlds."""
    split: dict[tuple[str, str], Task] = {}
    told = set()
    for task in tasks:
        first = split.setdefault((task.template, canonical_parameters(task.parameters)), task)
        if first.split != task.split and task.template not in told:
            told.add(task.template)
            message = f"{first.id} ({first.split}) and {task.id} ({task.split}) are the same task."
            advice = "This is a bug in Worldwright: please report it, with the scenario."
            yield Finding("leakage.task_in_two_splits", "blocking", f"tasks.{task.template}", message, advice)


def _same_tasks(document: ScenarioDocument, worlds: Sequence[World]) -> Iterator[Finding]:
    """Tasks of one world that are asked in the same words, and are not a refusal and its twin.

    What a setup prepares may tell tasks apart that are asked alike.
    """
    families = {name: template.twin or name for name, template in document.tasks.items()}
    alike: dict[tuple[str, str], list[tuple[Task, Task]]] = {}
    for world in worlds:
        first: dict[tuple[str, str | None, str], Task] = {}
        for task in world.tasks():
            same = first.setdefault((task.instruction, task.role, canonical_json(task.actor)), task)
            twins = same.template != task.template and families[same.template] == families[task.template]
            if same is not task and not twins and not document.tasks[task.template].setup:
                alike.setdefault((same.template, task.template), []).append((same, task))
    for (one, other), pairs in alike.items():
        apart = [pair for pair in pairs if pair[0].split != pair[1].split]
        mine, theirs = (apart or pairs)[0]
        message = (
            f"{len(pairs):,} tasks ask for the same, such as {mine.id} ({mine.split}) and {theirs.id} ({theirs.split})."
        )
        advice = (
            "Say in the instruction what tells them apart, or draw distinct rows."
            if one == other
            else f"Let `{one}` and `{other}` ask for different things, or make them one template."
        )
        severity: Severity = "blocking" if apart else "warning"
        yield Finding("leakage.same_instruction", severity, f"tasks.{other}", message, advice)


def _pairs(document: ScenarioDocument, worlds: Sequence[World]) -> Iterator[Finding]:
    """Refusals and their twins: worded alike, both drawn, and in the same splits."""
    drawn = {task.template for world in worlds for task in world.tasks()}
    for name, template in document.tasks.items():
        if template.expects is None:
            continue
        about = f"tasks.{name}"
        twin = document.tasks.get(template.twin or "")
        if twin is None:
            message = "The refusal has no twin where acting is right, so refusing blindly is a good policy."
            advice = "Write a template with the same wording whose tasks can be done, and name it as `twin`."
            yield Finding("leakage.refusal_without_twin", "warning", about, message, advice)
            continue
        if twin.expects is not None:
            message = f"The twin `{template.twin}` is a refusal too, so refusing blindly is a good policy."
            yield Finding("leakage.twin_refuses", "blocking", about, message, "Name a template where acting is right.")
        elif twin.instruction != template.instruction:
            message = f"The twin `{template.twin}` is worded otherwise, so the words tell which of the two it is."
            yield Finding("leakage.twin_wording", "blocking", about, message, "Word both alike.")
        elif twin.split != template.split:
            message = f"The twin `{template.twin}` is in another split, so one of them teaches refusing blindly."
            yield Finding("leakage.twin_split", "blocking", about, message, "Give both the same `split`.")
        elif name in drawn and template.twin not in drawn:
            message = f"The twin `{template.twin}` has no task in any of the worlds."
            yield Finding("leakage.twin_not_drawn", "blocking", about, message, "Widen the twin's draw.")


_TITLE = "What is right is told nowhere, and no split knows another's tasks"
CHECK = Check("leakage", _TITLE, "template", _of_template)
OF_WORLD = Check("leakage", _TITLE, "world", _of_world)
OF_SCENARIO = Check("leakage", _TITLE, "scenario", _of_scenario)
