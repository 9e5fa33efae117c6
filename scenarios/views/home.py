"""A workspace's home: its scenarios, and the gallery to start from."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from accounts.access import WorkspaceRequest, workspace_page
from accounts.services.workspaces import create_workspace
from scenarios.services.drafts import start_from_gallery
from scenarios.services.gallery import gallery
from scenarios.services.overview import with_state


def start(request: HttpRequest) -> HttpResponse:
    """The first page: the home of a workspace of the user, made if there is none."""
    workspace = request.user.workspaces.order_by("pk").first()  # type: ignore[union-attr]
    if workspace is None:
        name = _("{name}'s workspace").format(name=request.user)
        workspace = create_workspace(name=name, owner=request.user)  # type: ignore[arg-type]
    return redirect("home", workspace=workspace.slug)


@workspace_page("read")
def home(request: WorkspaceRequest) -> HttpResponse:
    """The scenarios, with search and paging."""
    query, archived = request.GET.get("q", "").strip(), request.GET.get("archived") == "1"
    rows = request.workspace.scenarios.filter(archived_at__isnull=not archived).select_related("edited_by")
    if query:
        rows = rows.filter(Q(title__icontains=query) | Q(key__icontains=query) | Q(summary__icontains=query))
    page = Paginator(with_state(rows), 25).get_page(request.GET.get("page"))
    context = {"page": page, "query": query, "archived": archived, "gallery": gallery()}
    return render(request, "home/home.html#results" if request.htmx else "home/home.html", context)  # type: ignore[attr-defined]


@workspace_page(post="edit")
def start_scenario(request: WorkspaceRequest) -> HttpResponse:
    """Start a scenario as a copy of a ready one."""
    try:
        scenario = start_from_gallery(
            workspace=request.workspace, name=request.POST.get("gallery", ""), user=request.user
        )
    except KeyError:
        raise Http404 from None
    messages.success(request, _("{title} is yours to change now.").format(title=scenario.title))
    return redirect("scenario", workspace=request.workspace.slug, key=scenario.key)


urlpatterns = [
    path("", start, name="start"),
    path("w/<slug:workspace>/", home, name="home"),
    path("w/<slug:workspace>/start/", start_scenario, name="start_scenario"),
]
