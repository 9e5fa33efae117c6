"""Reading pages: what the document says of its world, tools, rules and tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import NoReverseMatch, path, reverse

from scenarios.access import ScenarioRequest, scenario_page
from scenarios.services.reading import reading_of, rules_of, tables_of, tasks_of, tools_of, world_facts
from simulator.scenario import Scenario


@scenario_page("read")
def reading_world(request: ScenarioRequest) -> HttpResponse:
    """Tables, state machines, and what happens by itself."""
    return _page(request, "reading/world.html", lambda read: {"items": tables_of(read), **world_facts(read)})


@scenario_page("read")
def reading_tools(request: ScenarioRequest) -> HttpResponse:
    """The operations, as a reference."""
    return _page(request, "reading/tools.html", lambda read: {"items": tools_of(read)})


@scenario_page("read")
def reading_rules(request: ScenarioRequest) -> HttpResponse:
    """The rules, as sentences, and the policy."""
    return _page(request, "reading/rules.html", lambda read: {"groups": rules_of(read), "policy": read.document.policy})


@scenario_page("read")
def reading_tasks(request: ScenarioRequest) -> HttpResponse:
    """The task templates."""
    return _page(request, "reading/tasks.html", lambda read: {"items": tasks_of(read)})


def _page(request: ScenarioRequest, template: str, facts: Callable[[Scenario], dict[str, Any]]) -> HttpResponse:
    """A page of the draft, or of the version that the address names."""
    number = request.GET.get("version", "")
    version = None
    if number:
        wanted = int(number) if number.isdecimal() and len(number) < 9 else 0
        version = get_object_or_404(request.scenario.versions, number=wanted)
    reading = reading_of(request.workspace, version.files if version is not None else request.scenario.draft.head.files)
    context: dict[str, Any] = {
        "version": version,
        "versions": request.scenario.versions.values_list("number", flat=True)[:20],
        "problems": reading.problems[:50],
        "editor": _editor(request),
    }
    if reading.scenario is not None:
        context |= facts(reading.scenario)
    return render(request, template, context)


def _editor(request: ScenarioRequest) -> str:
    """Where the source is edited; empty while nothing edits it."""
    try:
        return reverse("editor", args=(request.workspace.slug, request.scenario.key))
    except NoReverseMatch:
        return ""


urlpatterns = [
    path("world/", reading_world, name="reading_world"),
    path("tools/", reading_tools, name="reading_tools"),
    path("rules/", reading_rules, name="reading_rules"),
    path("tasks/", reading_tasks, name="reading_tasks"),
]
