"""The gate in front of every page of a scenario, beside the one in front of every page of a workspace."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404

from accounts.access import View, WorkspaceRequest, let_in, methods
from scenarios.models import Scenario


class ScenarioRequest(WorkspaceRequest):
    """A member's request for a page of a scenario."""

    scenario: Scenario


def scenario_page(get: str | None = None, *, post: str | None = None) -> Callable[[View], View]:
    """A page at ``w/<workspace>/scenarios/<key>/…``.

    The view is called with ``request.scenario`` and what else its address names.
    """
    permissions = methods(get, post)

    def decorate(view: View) -> View:
        @wraps(view)
        def gate(request: HttpRequest, *, workspace: str, key: str, **arguments: Any) -> HttpResponseBase:
            refused = let_in(request, workspace, permissions)
            if refused is not None:
                return refused
            rows = Scenario.objects.select_related("draft__head", "workspace", "edited_by")
            request.scenario = get_object_or_404(rows, workspace__slug=workspace, key=key)  # type: ignore[attr-defined]
            return view(request, **arguments)

        gate.permissions = permissions  # type: ignore[attr-defined]
        return gate

    return decorate
