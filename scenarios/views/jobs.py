"""Jobs of a workspace: what runs, how far it is, and stopping it."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path

from accounts.access import WorkspaceRequest, workspace_page


@workspace_page("read")
def jobs(request: WorkspaceRequest) -> HttpResponse:
    """The jobs, newest first."""
    rows = request.workspace.jobs.select_related("scenario", "created_by")
    return render(request, "jobs/jobs.html", {"page": Paginator(rows, 50).get_page(request.GET.get("page"))})


@workspace_page("read")
def job(request: WorkspaceRequest, number: int) -> HttpResponse:
    """One job, with its log."""
    row = get_object_or_404(request.workspace.jobs.select_related("scenario", "created_by"), pk=number)
    return render(request, "jobs/job.html", {"job": row})


urlpatterns = [
    path("jobs/", jobs, name="jobs"),
    path("jobs/<int:number>/", job, name="job"),
]
