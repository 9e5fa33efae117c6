"""Workspaces and their members. The last owner stays."""

from __future__ import annotations

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import Membership, User, Workspace
from accounts.permissions import Role
from accounts.services.audit import record


class LastOwner(Exception):
    """A workspace would be left without an owner."""

    def __str__(self) -> str:
        return _("A workspace keeps at least one owner. Make somebody else an owner first.")


@transaction.atomic
def create_workspace(*, name: str, owner: User) -> Workspace:
    """A new workspace of its first owner, under an address made from its name."""
    workspace = Workspace.objects.create(name=name, slug=_free_slug(name))
    Membership.objects.create(workspace=workspace, user=owner, role=Role.OWNER)
    record(workspace=workspace, actor=owner, action="workspace.created", subject=workspace)
    return workspace


@transaction.atomic
def add_member(*, workspace: Workspace, user: User, role: Role, by: User | None = None) -> Membership:
    """Make somebody a member, or give a member another role. Raises LastOwner."""
    membership = Membership.objects.filter(workspace=workspace, user=user).first()
    if membership is None:
        membership = Membership.objects.create(workspace=workspace, user=user, role=role)
    else:
        if role != Role.OWNER:
            _refuse_last_owner(membership)
        membership.role = role
        membership.save(update_fields=["role"])
    record(workspace=workspace, actor=by, action="member.role", subject=user, details={"role": str(role)})
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, by: User) -> None:
    """End a membership, one's own or another's. Raises LastOwner."""
    _refuse_last_owner(membership)
    record(workspace=membership.workspace, actor=by, action="member.removed", subject=membership.user)
    membership.delete()


def _refuse_last_owner(membership: Membership) -> None:
    owners = Membership.objects.select_for_update().filter(workspace=membership.workspace_id, role=Role.OWNER)
    if membership.role == Role.OWNER and len(owners) == 1:
        raise LastOwner


def _free_slug(name: str) -> str:
    stem = slugify(name)[:40] or "workspace"
    taken = set(Workspace.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(slug for slug in [stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))] if slug not in taken)
