"""Members, settings and the audit log of a workspace."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path

from accounts.access import WorkspaceRequest, workspace_page


@workspace_page("members")
def members(request: WorkspaceRequest) -> HttpResponse:
    """Who is a member, and as what."""
    rows = request.workspace.memberships.select_related("user")
    return render(request, "members/members.html", {"memberships": rows})


urlpatterns = [path("members/", members, name="members")]
