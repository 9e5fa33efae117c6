"""Tasks that somebody already has, with the calls that solve each ("golden calls"), made tasks of a scenario.

Each call is made in a world of the scenario, in order. One that fails is marked with the code of its error, so that
the solution means it to fail; the rest of the task follows from what the calls changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from simulator.episode import Environment, workplace_of
from simulator.errors import Location, Problem, ScenarioError, UsageError
from simulator.lint import checked
from simulator.scenario import (
    Positions,
    collect_files,
    did_you_mean,
    document_from_files,
    parse_document,
    read_task_lines,
    write_task_lines,
)
from simulator.scenario.folder import MAIN_FILE
from simulator.scenario.folder_files import read_bounded
from simulator.scenario.source_text import TextLimits
from simulator.scenario.task_lines import task_name
from simulator.tasks import World, generate_world

_NAME_RULE = "use small letters, digits and underscores"


@dataclass(frozen=True, slots=True)
class IdleCall:
    """A call that is there to change something, and without which all ends the same.

    ``why`` is the code of its error, ``no_change`` when it worked and changed nothing, ``undone`` when a later call
    leaves nothing of what it changed.
    """

    number: int
    tool: str
    why: str


@dataclass(frozen=True, slots=True)
class ImportedTask:
    """One task. ``judged_by`` says what tells that it was done: `changes`, `answer`, `ending`, `refusal`, `checks`
    (the file's own), several with `+`; empty when nothing does.
    """

    id: str
    calls: int
    errors: int
    changes: int
    idle: tuple[IdleCall, ...]
    judged_by: str


@dataclass(frozen=True, slots=True)
class TaskImportReport:
    """What was imported into ``file``."""

    file: Path
    tasks: tuple[ImportedTask, ...]

    @property
    def without_effect(self) -> tuple[ImportedTask, ...]:
        """Tasks with a call that should change something and changes nothing: often a mistake of who wrote them."""
        return tuple(task for task in self.tasks if task.idle)

    @property
    def unjudged(self) -> tuple[ImportedTask, ...]:
        """Tasks that nothing can judge: no call changes anything, ends the episode or answers."""
        return tuple(task for task in self.tasks if not task.judged_by)


def import_tasks(
    source: Path, scenario_folder: Path, name: str, *, seed: int, refusal: str | None = None, replace: bool = False
) -> TaskImportReport:
    """Write ``source`` to ``tasks/<name>.jsonl`` of a scenario's folder, and tell what its tasks are.

    Each line of ``source`` is an object with ``id``, ``instruction`` and ``calls`` (a list of ``{"tool": …,
    "arguments": {…}}``; ``name`` for ``tool`` will do), perhaps ``answer`` (a text), and whatever else a task template
    may hold. The calls are made in the world of ``seed``. A task whose calls change nothing, answer nothing and do not
    end the episode expects ``refusal``, if that is given, and otherwise cannot be judged: nothing is written then.

    Raises UsageError for names, folders and files that cannot be used; ScenarioError for content that cannot be read,
    and for tasks that the scenario does not understand.
    """
    if task_name(name, 0) is None:
        raise UsageError(f"{name[:80]!r} is no name for tasks: {_NAME_RULE}.")
    if not (scenario_folder / MAIN_FILE).is_file():
        raise UsageError(f"{scenario_folder} is no scenario's folder: there is no {MAIN_FILE} in it.")
    file = scenario_folder / "tasks" / f"{name}.jsonl"
    if file.exists() and not replace:
        raise UsageError(f"{file} is there already.")
    problems: list[Problem] = []
    content = read_bounded(source, Path(os.path.realpath(source)).parent, source.name, TextLimits().size, problems)
    if content is None:
        raise ScenarioError(problems)
    lines, positions = read_task_lines(content, file=source.name, name=name)
    if not lines:
        raise UsageError(f"{source} holds no tasks.")
    drafts: dict[str, dict[str, JsonValue]] = {}
    for called, line in lines.items():
        if isinstance(line, dict):
            drafts[called] = _draft(line, called, positions.value((called,)))
    places = Positions({("tasks", *path): mark for path, mark in positions.marks.items() if len(path) == 1})
    world = _world(scenario_folder, file, drafts, places, seed)
    if refusal is not None and refusal not in world.scenario.document.refusals:
        hint = did_you_mean(refusal, world.scenario.document.refusals) or "Declare it under `refusals`."
        raise UsageError(f"The scenario has no refusal {refusal[:80]!r}. {hint}")
    imported = [_Playthrough(world, called, draft, refusal) for called, draft in drafts.items()]
    report = TaskImportReport(file, tuple(item.task for item in imported))
    if not report.unjudged:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(
            write_task_lines({"id": item.called.removeprefix(f"{name}_"), **item.template} for item in imported)
        )
    return report


def _draft(line: Mapping[str, JsonValue], called: str, place: Location) -> dict[str, JsonValue]:
    """The template that a line makes before its calls have been tried; texts are literal, so braces are doubled."""
    draft = {key: value for key, value in line.items() if key not in ("calls", "answer", "instruction")}
    draft["instruction"] = _literal(line.get("instruction"))
    calls = line.get("calls")
    answer = line.get("answer")
    if not isinstance(calls, list) or not isinstance(answer, str | None) or "solution" in line or "solutions" in line:
        message = f"The task `{called}` needs `calls`, a list; `answer`, if it has one, is a text."
        raise ScenarioError([Problem("task_line", message, location=place)])
    solution: list[JsonValue] = list(_calls(calls, called, place))
    if answer is not None or not solution:
        solution.append({"tool": "finish", "arguments": {} if answer is None else {"answer": _literal(answer)}})
    draft["solution"] = solution
    if answer is not None and "checks" not in draft:
        draft["checks"] = {"answer": {"answer": {"exact": _literal(answer)}}}
    return draft


def _calls(calls: Sequence[JsonValue], called: str, place: Location) -> Iterator[JsonValue]:
    for call in calls:
        tool = call.get("tool", call.get("name")) if isinstance(call, dict) else None
        arguments = call.get("arguments", {}) if isinstance(call, dict) else None
        if not isinstance(tool, str) or not isinstance(arguments, dict):
            message = f'Every call of `{called}` is written {{"tool": name, "arguments": {{…}}}}.'
            raise ScenarioError([Problem("task_line", message, location=place)])
        yield {"tool": tool, "arguments": _literal(arguments)}


def _literal(value: JsonValue) -> JsonValue:
    """The same value as a template's: no brace of it is a placeholder's."""
    if isinstance(value, str):
        return value.replace("{", "{{").replace("}", "}}")
    if isinstance(value, list):
        return [_literal(item) for item in value]
    if isinstance(value, dict):
        return {name: _literal(item) for name, item in value.items()}
    return value


def _world(
    folder: Path, file: Path, drafts: Mapping[str, Mapping[str, JsonValue]], places: Positions, seed: int
) -> World:
    files = collect_files(folder)
    files.pop(f"tasks/{file.name}", None)
    document, positions = document_from_files(files)
    tasks = document.get("tasks")
    twice = sorted(drafts.keys() & tasks.keys()) if isinstance(tasks, dict) else []
    if twice:
        raise UsageError(f"The scenario has a task `{twice[0]}` already; import under another name.")
    document["tasks"] = {**(tasks if isinstance(tasks, dict) else {}), **{name: {**it} for name, it in drafts.items()}}
    located = Positions({**positions.marks, **places.marks})
    return generate_world(checked(parse_document(document, located, folder)), seed=seed)


class _Playthrough:
    """A task whose calls have been made: what they came to, and the template it becomes."""

    def __init__(self, world: World, called: str, draft: Mapping[str, JsonValue], refusal: str | None) -> None:
        self.template = dict(draft)
        self.called = called
        self.world = world
        self.task = self._played(refusal)

    def _played(self, refusal: str | None) -> ImportedTask:
        environment = self._begun()
        toolbox = workplace_of(self.world).engine.toolbox
        solution: list[Any] = []
        made: list[dict[str, Any]] = []
        idle: list[IdleCall] = []
        changing: list[int] = []
        answered, ending = "", ""
        written: Any = self.world.scenario.document.tasks[self.called].solution or ()
        for number, call in enumerate(written, start=1):
            entry: dict[str, Any] = {"tool": call.tool, "arguments": call.arguments}
            solution.append(entry)
            if call.tool == "finish":
                answered = str(call.arguments.get("answer", ""))
                break
            made.append({"tool": call.tool, "arguments": _unescaped(call.arguments)})
            told, _, terminated, _, info = environment.step(made[-1])
            if not told["ok"]:
                entry["errs"] = told["code"]
            operation = toolbox.operation(call.tool)
            if any(change["source"] == "agent" for change in info["changes"]):
                changing.append(number)
            elif operation is None or not operation.reads_only:
                idle.append(IdleCall(number, call.tool, "no_change" if told["ok"] else told["code"]))
            if terminated:
                ending = call.tool
                break
        self.template["solution"] = solution
        idle += (
            IdleCall(number, made[number - 1]["tool"], "undone")
            for number in (changing if len(changing) > 1 else ())
            if self._digest_after(made[: number - 1] + made[number:]) == environment.state_digest
        )
        idle.sort(key=lambda call: call.number)
        changed = len(environment.changes())
        judged_by = self._checks(changed, answered, ending, refusal)
        calls = [call for call in solution if call["tool"] != "finish"]
        errors = sum("errs" in call for call in calls)
        return ImportedTask(self.called, len(calls), errors, changed, tuple(idle), judged_by)

    def _begun(self) -> Environment:
        environment = Environment(self.world)
        environment.reset(task=next(task for task in self.world.tasks() if task.template == self.called))
        return environment

    def _digest_after(self, calls: Sequence[Mapping[str, Any]]) -> str:
        environment = self._begun()
        for call in calls:
            environment.step(call)
        return environment.state_digest

    def _checks(self, changed: int, answered: str, ending: str, refusal: str | None) -> str:
        """What judges the task; puts the checks it needs into the template."""
        if self.template.get("expects") is not None:
            return "refusal"
        checks: Any = self.template.get("checks")
        own = "" if checks is None else "answer" if answered and set(checks) == {"answer"} else "checks"
        checks = dict(checks or {})
        parts = [own] if own else []
        if changed and "changes" not in checks:
            checks["changes"] = {"same_as_solution": True}
            parts.insert(0, "changes")
        if ending and not own:
            checks["ending"] = {
                "summary": f"{ending} was called.",
                "passes": f"select exists (select 1 from action where tool = '{ending}' and outcome = 'ok')",
            }
            parts.append("ending")
        if not parts and refusal is not None:
            self.template["expects"] = {"refusal": refusal}
            last: Any = {"tool": "finish", "arguments": {"refusal": refusal}}
            solution: Any = self.template["solution"]
            self.template["solution"] = [*(call for call in solution if call["tool"] != "finish"), last]
            return "refusal"
        if checks:
            self.template["checks"] = checks
        return "+".join(parts)


def _unescaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("{{", "{").replace("}}", "}")
    if isinstance(value, list):
        return [_unescaped(item) for item in value]
    if isinstance(value, dict):
        return {name: _unescaped(item) for name, item in value.items()}
    return value
