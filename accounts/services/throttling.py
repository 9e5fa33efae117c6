"""Failed sign-ins are counted by name and by address; too many make the next ones wait, right or wrong."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from accounts.models import SignInFailure

WINDOW = timedelta(minutes=15)


def is_throttled(*, username: str, address: str) -> bool:
    """Whether a sign-in has to wait. What is older than the window no longer counts."""
    since = timezone.now() - WINDOW
    return any(
        SignInFailure.objects.filter(subject=subject, at__gt=since).count() >= settings.SIGN_IN_ATTEMPTS
        for subject in _subjects(username, address)
    )


def note_failure(*, username: str, address: str) -> None:
    """Count a failed sign-in, and forget those that no longer count."""
    SignInFailure.objects.filter(at__lte=timezone.now() - WINDOW).delete()
    SignInFailure.objects.bulk_create(SignInFailure(subject=subject) for subject in _subjects(username, address))


def _subjects(username: str, address: str) -> list[str]:
    return [f"name:{username.lower()}"[:200], f"address:{address}"[:200]]
