"""The record of what was done."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import AuditEntry, User, Workspace


def record(
    *,
    workspace: Workspace,
    actor: User | None,
    action: str,
    subject: object,
    details: Mapping[str, object] | None = None,
) -> AuditEntry:
    """Add an entry. ``action`` is a verb with its object (``version.published``), ``subject`` what it was done to."""
    return AuditEntry.objects.create(
        workspace=workspace,
        actor=actor,
        actor_name=str(actor) if actor else "",
        action=action,
        subject=str(subject)[:200],
        details=dict(details or {}),
    )
