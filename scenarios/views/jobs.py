"""Jobs of a workspace: what runs, how far it is, and stopping it. One event stream follows all open jobs of a page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from asgiref.sync import sync_to_async
from django.core.paginator import Paginator
from django.db import connection
from django.http import HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.access import WorkspaceRequest, workspace_page
from scenarios.models import Job
from scenarios.services.jobs import cancel

_LOOK_SECONDS = 1.0
_LONGEST_SECONDS = 300
"""After this long a stream ends, and the page opens another: nobody who left keeps one."""
_MOST_JOBS = 20


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


@workspace_page(post="run")
def job_cancel(request: WorkspaceRequest, number: int) -> HttpResponse:
    """Stop a job, and go back to where the button was."""
    row = get_object_or_404(request.workspace.jobs.select_related("workspace"), pk=number)
    cancel(job=row, user=request.user)
    back = request.META.get("HTTP_REFERER", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return redirect(back)
    return redirect("job", workspace=request.workspace.slug, number=number)


@workspace_page("read")
def job_progress(request: WorkspaceRequest) -> HttpResponseBase:
    """The named jobs as a stream of events until all have ended; with ``once``, as one JSON answer."""
    words = request.GET.get("jobs", "").split(",")
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 19][:_MOST_JOBS]
    workspace = request.workspace.pk
    if request.GET.get("once"):
        return JsonResponse({"jobs": _states(workspace, numbers)})
    response = StreamingHttpResponse(_events(workspace, numbers), content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


def _states(workspace: int, numbers: list[int]) -> list[dict[str, Any]]:
    rows = Job.objects.filter(workspace=workspace, pk__in=numbers).order_by("pk")
    return [
        {
            "id": row.pk,
            "open": row.is_open,
            "state": row.state,
            "state_label": str(row.get_state_display()),
            "percent": row.percent,
            "message": row.message,
            "ended": "" if row.is_open else f"{row.kind_label} {row.pk}: {row.get_state_display()}",
        }
        for row in rows
    ]


def _look(workspace: int, numbers: list[int]) -> list[dict[str, Any]]:
    """As `_states`, without keeping the connection until the next look."""
    try:
        return _states(workspace, numbers)
    finally:
        connection.close()


async def _events(workspace: int, numbers: list[int]) -> AsyncIterator[bytes]:
    told: dict[int, dict[str, Any]] = {}
    yield b"retry: 2000\n\n"
    for _turn in range(int(_LONGEST_SECONDS / _LOOK_SECONDS)):
        states = await sync_to_async(_look, thread_sensitive=False)(workspace, numbers)
        for state in states:
            if told.get(state["id"]) != state:
                told[state["id"]] = state
                yield f"event: job\ndata: {json.dumps(state)}\n\n".encode()
        if not any(state["open"] for state in states):
            break
        yield b": still here\n\n"
        await asyncio.sleep(_LOOK_SECONDS)
    yield b"event: end\ndata: {}\n\n"


urlpatterns = [
    path("jobs/", jobs, name="jobs"),
    path("jobs/progress/", job_progress, name="job_progress"),
    path("jobs/<int:number>/", job, name="job"),
    path("jobs/<int:number>/cancel/", job_cancel, name="job_cancel"),
]
