"""Whether the studio lives, and whether it is ready."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import path


@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    """The web process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


urlpatterns = [path("healthz", healthz, name="healthz")]
