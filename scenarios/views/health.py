"""Whether the studio lives, and whether it is ready to do all its work."""

from __future__ import annotations

from collections.abc import Callable

from celery import current_app
from django.contrib.auth.decorators import login_not_required
from django.core.files.storage import storages
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from scenarios.models import Job
from scenarios.services.workers import queues_served


@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    """The web process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@login_not_required
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether database, broker, storage and workers can be reached; 503 with the names of those that cannot."""
    checks: dict[str, Callable[[], bool]] = {
        "database": _database,
        "broker": _broker,
        "storage": _storage,
        "worker": lambda: set(Job.Queue.values) <= queues_served(),
    }
    states = {name: _holds(check) for name, check in checks.items()}
    return JsonResponse(states, status=200 if all(states.values()) else 503)


def _holds(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:  # noqa: BLE001 -- whatever a server that is away raises, the answer is no
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("select 1")
        return bool(cursor.fetchone() == (1,))


def _broker() -> bool:
    with current_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=1)
    return True


def _storage() -> bool:
    storages["content"].exists("0/00/ready")
    return True


urlpatterns = [path("healthz", healthz, name="healthz"), path("readyz", readyz, name="readyz")]
