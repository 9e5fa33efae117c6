"""What the navigation shows: the tabs of a scenario and the places of a workspace that are built and permitted."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from accounts.permissions import allows
from scenarios.services.workers import queues_served
from simulator import __version__


class Place(NamedTuple):
    """One entry: its words, the name of its URL, the permission to see it, and the group of URL names it stands for."""

    label: str | Promise
    url_name: str
    permission: str
    group: str


TABS = (
    Place(_("Overview"), "scenario", "read", "scenario"),
    Place(_("Source"), "editor", "read", "editor"),
    Place(_("World"), "reading_world", "read", "reading_world"),
    Place(_("Tools"), "reading_tools", "read", "reading_tools"),
    Place(_("Rules"), "reading_rules", "read", "reading_rules"),
    Place(_("Tasks"), "reading_tasks", "read", "reading_tasks"),
    Place(_("Worlds"), "worlds", "read", "world"),
    Place(_("Verification"), "verifications", "read", "verification"),
    Place(_("Versions"), "versions", "read", "version"),
    Place(_("Export"), "exports", "read", "export"),
)
PLACES = (
    Place(_("Scenarios"), "home", "read", "home"),
    Place(_("Jobs"), "jobs", "read", "job"),
    Place(_("Members"), "members", "members", "member"),
    Place(_("Settings"), "workspace_settings", "settings", "workspace_settings"),
    Place(_("Audit log"), "audit", "audit", "audit"),
)


def navigation(request: HttpRequest) -> dict[str, Any]:
    """For every page: the engine's version, and on a workspace's page its navigation."""
    context: dict[str, Any] = {"engine_version": __version__}
    membership = getattr(request, "membership", None)
    if membership is None:
        return context
    match = request.resolver_match
    current = match.url_name or "" if match else ""
    workspace = membership.workspace
    scenario = getattr(request, "scenario", None)
    context |= {
        "job_queues_served": SimpleLazyObject(queues_served),
        "workspace": workspace,
        "membership": membership,
        "allowed": _Allowed(membership.role),
        "places": _links(PLACES, membership.role, current, {"workspace": workspace.slug}),
        "places_of": _others(request, workspace.slug),
    }
    if scenario is not None:
        context["scenario"] = scenario
        context["tabs"] = _links(TABS, membership.role, current, {"workspace": workspace.slug, "key": scenario.key})
    return context


class _Allowed:
    """For templates: ``{% if allowed.edit %}``."""

    def __init__(self, role: str) -> None:
        self._role = role

    def __getitem__(self, permission: str) -> bool:
        return allows(self._role, permission)


def _links(places: tuple[Place, ...], role: str, current: str, arguments: dict[str, str]) -> list[dict[str, Any]]:
    links = []
    for place in places:
        if not allows(role, place.permission):
            continue
        try:
            url = reverse(place.url_name, kwargs=arguments)
        except NoReverseMatch:
            continue
        links.append({"label": place.label, "url": url, "current": current.startswith(place.group)})
    return links


def _others(request: HttpRequest, slug: str) -> Any:
    return request.user.workspaces.exclude(slug=slug).order_by("name")  # type: ignore[union-attr]
