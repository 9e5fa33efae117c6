"""People's rows: User, Workspace, Membership, Invitation, and AuditEntry, which is only ever added to."""

from __future__ import annotations

from typing import Any, Never

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.permissions import Role


class User(AbstractUser):
    """Somebody who can sign in."""

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class Workspace(models.Model):
    """A team's place: every other row belongs to exactly one."""

    slug = models.SlugField(_("address"), unique=True, max_length=50)
    name = models.CharField(_("name"), max_length=100)
    self_approval = models.BooleanField(
        _("authors may approve their own versions"),
        null=True,
        default=None,
        help_text=_("Unset: only in a workspace of one."),
    )
    members: models.ManyToManyField[User, Membership] = models.ManyToManyField(
        User, through="Membership", related_name="workspaces"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """What one user is in one workspace."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="one_membership_per_user"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"


class Invitation(models.Model):
    """A link by which somebody joins a workspace, once. Only the digest of its token is kept."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail address"))
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    token_digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.email


class NeverUpdated(Exception):
    """A row that is only ever added was about to be changed: a fault of the studio's own code."""


class AddOnlyQuerySet(models.QuerySet[Any]):
    """Rows that may be added and read. Deleting a whole workspace still takes its rows along."""

    def update(self, **values: object) -> Never:
        """Refuse."""
        raise NeverUpdated(f"{self.model.__name__} rows are never updated.")

    def bulk_update(self, *arguments: object, **options: object) -> Never:
        """Refuse."""
        raise NeverUpdated(f"{self.model.__name__} rows are never updated.")


class AddOnly(models.Model):
    """A model whose rows are written once."""

    objects = models.Manager.from_queryset(AddOnlyQuerySet)()

    class Meta:
        abstract = True

    def save(self, *arguments: Any, **options: Any) -> None:
        """Write a new row. Raises NeverUpdated for one that was written before."""
        if not self._state.adding:
            raise NeverUpdated(f"{type(self).__name__} rows are never updated.")
        super().save(*arguments, **options)


class AuditEntry(AddOnly):
    """One thing that somebody did in a workspace."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="audit_entries")
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=150)
    action = models.CharField(max_length=50)
    subject = models.CharField(max_length=200)
    details = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["workspace", "-id"])]

    def __str__(self) -> str:
        return f"{self.actor_name} {self.action} {self.subject}"


class SignInFailure(models.Model):
    """One failed sign-in, kept as long as it counts against the next."""

    subject = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["subject", "at"])]

    def __str__(self) -> str:
        return self.subject
