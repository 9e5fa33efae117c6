"""The overview of a scenario."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path

from scenarios.access import ScenarioRequest, scenario_page


@scenario_page("read")
def overview(request: ScenarioRequest) -> HttpResponse:
    """What the scenario is, how far it has come, and what runs for it."""
    context = {
        "jobs": request.scenario.jobs.select_related("created_by")[:5],
        "verification": request.scenario.verifications.first(),
        "version": request.scenario.versions.first(),
        "worlds": request.scenario.worlds.count(),
    }
    return render(request, "overview/overview.html", context)


urlpatterns = [path("", overview, name="scenario")]
