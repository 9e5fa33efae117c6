"""What a document says, for people to read: tables, operations, rules and tasks, each with its place in the source.

Nothing is run here: the files are parsed, and no SQL of an author is prepared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from accounts.models import Workspace
from scenarios.services.source_files import contents_of, parse_contents
from simulator.errors import Location, Problem, ScenarioError
from simulator.rules.sentences import describe, describe_lifecycle
from simulator.scenario import Scenario, document_value, write_yaml
from simulator.scenario.models import Operation
from simulator.tasks import difficulty

_KEPT = 16
_MOST_TEXT = 4_000
_SHOWN = frozenset({"type", "summary", "key", "unique", "nullable"})

Facts = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A scenario that could be parsed, or the problems that keep it from that."""

    scenario: Scenario | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One part of a document: its name, what it is for, and what it says, by heading."""

    name: str
    summary: str
    place: Location
    value: Mapping[str, Any]
    more: Mapping[str, Any]


def reading_of(workspace: Workspace, files: Mapping[str, str]) -> Reading:
    """The files' meaning. Parsed once for each content, whoever reads it."""
    return _parsed(workspace.pk, tuple(sorted(files.items())))


@lru_cache(maxsize=_KEPT)
def _parsed(workspace: int, files: tuple[tuple[str, str], ...]) -> Reading:
    contents = contents_of(workspace=Workspace.objects.get(pk=workspace), files=dict(files))
    try:
        return Reading(parse_contents(contents))
    except ScenarioError as error:
        return Reading(None, tuple(error.problems))


def tables_of(scenario: Scenario) -> list[Item]:
    """The tables with their columns."""
    found = []
    for name, table in _part(scenario, "world", "tables").items():
        columns = [
            {
                "name": column,
                "type": value.get("type", ""),
                "marks": [mark for mark in ("key", "unique", "nullable") if value.get(mark)],
                "ref": value.get("ref"),
                "source": _short({key: item for key, item in value.items() if key not in _SHOWN}),
                "summary": value.get("summary", ""),
            }
            for column, value in table.get("columns", {}).items()
        ]
        rows = table.get("rows")
        if not columns and isinstance(rows, list) and rows:
            columns = [
                {"name": name, "type": "", "marks": [], "ref": None, "source": "written", "summary": ""}
                for name in rows[0]
            ]
        count = f"{len(rows):,} written rows" if isinstance(rows, list) else _short(rows) if rows is not None else "–"
        rest = {key: item for key, item in table.items() if key not in ("summary", "columns", "rows")}
        found.append(_item(scenario, ("world", "tables", name), table, columns=columns, rows=count, rest=_facts(rest)))
    return found


def world_facts(scenario: Scenario) -> dict[str, Any]:
    """The rest of the world: its moment, state machines as sentences, what happens by itself."""
    world = scenario.document.world
    lifecycles = [
        _item(
            scenario,
            ("world", "lifecycles", name),
            {},
            sentence=describe_lifecycle(name, lifecycle),
            states=lifecycle.states(),
        )
        for name, lifecycle in world.lifecycles.items()
    ]
    timeline = [
        _item(scenario, ("world", "timeline", name), value, rest=_facts(value))
        for name, value in _part(scenario, "world", "timeline").items()
    ]
    views = [
        _item(scenario, ("world", "views", name), value if isinstance(value, dict) else {}, sql=_short(value))
        for name, value in _part(scenario, "world", "views").items()
    ]
    return {"now": world.now, "lifecycles": lifecycles, "timeline": timeline, "views": views}


def tools_of(scenario: Scenario) -> list[Item]:
    """The operations and SQL tools, as a reference."""
    found = []
    for name, value in _part(scenario, "tools").items():
        tool = scenario.document.tools[name]
        if not isinstance(tool, Operation):
            found.append(_item(scenario, ("tools", name), value, kind="sql", rest=_facts(value)))
            continue
        parameters = [
            {
                "name": parameter,
                "type": _short(given.get("type", "")),
                "required": not given.get("optional", False),
                "description": given.get("description", ""),
                "limits": _facts(
                    {key: item for key, item in given.items() if key not in ("type", "optional", "description")}
                ),
            }
            for parameter, given in value.get("parameters", {}).items()
        ]
        guards = [
            {
                "condition": guard.get("require") or guard.get("refuse", ""),
                "must": "require" in guard,
                "status": guard.get("else", {}).get("status", 409),
                "code": guard.get("else", {}).get("code", ""),
                "message": guard.get("else", {}).get("message", ""),
            }
            for guard in value.get("guards", [])
        ]
        rest = {key: value[key] for key in ("takes", "cost", "idempotency", "page", "ends", "roles") if key in value}
        found.append(
            _item(
                scenario,
                ("tools", name),
                value,
                kind="operation",
                api=value.get("api", ""),
                parameters=parameters,
                guards=guards,
                let=[(key, _yaml(item)) for key, item in value.get("let", {}).items()],
                effects=[_yaml(item) for item in value.get("effects", [])],
                returns=_yaml(value["returns"]) if "returns" in value else "",
                rest=_facts(rest),
            )
        )
    return found


def rules_of(scenario: Scenario) -> list[tuple[str, list[Item]]]:
    """The rules as sentences, by kind."""
    groups = []
    for kind in ("state", "change", "process"):
        rules = getattr(scenario.document.rules, kind)
        written = _part(scenario, "rules", kind)
        groups.append(
            (
                kind,
                [
                    _item(
                        scenario,
                        ("rules", kind, name),
                        written[name],
                        sentence=describe(rule),
                        severity=written[name].get("severity"),
                        message=written[name].get("message", ""),
                    )
                    for name, rule in rules.items()
                ],
            )
        )
    return groups


def tasks_of(scenario: Scenario) -> list[Item]:
    """The task templates."""
    found = []
    for name, value in _part(scenario, "tasks").items():
        template = scenario.document.tasks[name]
        instruction = value.get("instruction", "")
        solutions = value.get("solutions") or ([value["solution"]] if "solution" in value else [])
        checks = [{"name": check, "summary": given.get("summary", ""), "keeps": given.get("keeps", False),
                   "says": _yaml({key: item for key, item in given.items() if key not in ("summary", "keeps")})}
                  for check, given in value.get("checks", {}).items()]  # fmt: skip
        rest = {key: value[key] for key in ("take", "split", "limits") if key in value}
        found.append(
            _item(
                scenario,
                ("tasks", name),
                value,
                instructions=[instruction] if isinstance(instruction, str) else instruction,
                difficulty=difficulty(scenario.document, template),
                role=_short(value.get("as", "")),
                draw=value.get("draw", ""),
                setup=value.get("setup", []),
                solutions=[[_step(step) for step in solution] for solution in solutions],
                checks=checks,
                may_change=[_short(change) for change in value.get("may_change") or []],
                expects=_short(value["expects"]) if "expects" in value else "",
                twin=value.get("twin", ""),
                rest=_facts(rest),
            )
        )
    return found


def _part(scenario: Scenario, *path: str) -> dict[str, Any]:
    """A mapping of the document as its author wrote it, empty where there is none."""
    value: Any = _written(scenario)
    for name in path:
        value = value.get(name, {})
    return value if isinstance(value, dict) else {}


@lru_cache(maxsize=_KEPT)
def _written(scenario: Scenario) -> Mapping[str, Any]:
    return document_value(scenario.document)


def _item(scenario: Scenario, path: tuple[str, ...], value: Any, **more: Any) -> Item:
    summary = value.get("summary", "") if isinstance(value, dict) else ""
    return Item(path[-1], summary, scenario.positions.key(path), value if isinstance(value, dict) else {}, more)


def _facts(value: Any) -> Facts:
    """A mapping as names and short texts; ``summary`` stands elsewhere."""
    if not isinstance(value, dict):
        return []
    return [(key, _short(item)) for key, item in value.items() if key != "summary"]


def _yaml(value: Any) -> str:
    """A value as its author would write it."""
    return write_yaml(value).strip()[:_MOST_TEXT] if isinstance(value, dict) else _short(value).strip()


def _step(step: Any) -> str:
    """A call as ``tool(argument: value)``; anything else as it is written."""
    if isinstance(step, dict) and isinstance(step.get("tool"), str) and isinstance(step.get("arguments", {}), dict):
        given = ", ".join(f"{name}: {_short(value)}" for name, value in step.get("arguments", {}).items())
        return f"{step['tool']}({given})"[:_MOST_TEXT]
    return _yaml(step)


def _short(value: Any) -> str:
    """A value as text: a text is itself, a list of plain values has commas, all else is JSON."""
    if isinstance(value, str):
        return value[:_MOST_TEXT]
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(map(str, value))[:_MOST_TEXT]
    if isinstance(value, dict) and len(value) == 1:
        ((key, item),) = value.items()
        if isinstance(item, str | int | float) and not isinstance(item, bool):
            return f"{key}: {item}"[:_MOST_TEXT]
    return json.dumps(value, ensure_ascii=False)[:_MOST_TEXT]


PAGES: Mapping[str, Callable[[Scenario], Any]] = {
    "world": tables_of,
    "tools": tools_of,
    "rules": rules_of,
    "tasks": tasks_of,
}
"""What each page reads."""
