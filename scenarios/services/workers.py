"""Which workers live: each says so every few seconds, and is believed for a while."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from scenarios.models import Worker

BELIEVED = timedelta(seconds=20)


def note_alive(*, name: str, queues: str) -> None:
    """Say that a worker lives; forget those long silent."""
    now = timezone.now()
    Worker.objects.update_or_create(name=name, defaults={"queues": queues, "seen_at": now})
    Worker.objects.filter(seen_at__lt=now - 30 * BELIEVED).delete()


def forget(*, name: str) -> None:
    """A worker ended."""
    Worker.objects.filter(name=name).delete()


def queues_served() -> set[str]:
    """The queues that a living worker takes jobs from."""
    living = Worker.objects.filter(seen_at__gt=timezone.now() - BELIEVED).values_list("queues", flat=True)
    return {queue for queues in living for queue in queues.split(",")}
