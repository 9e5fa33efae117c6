"""What authors make: a scenario, its one shared draft with its revisions, its versions and what was decided on them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import AddOnly, Workspace


class Scenario(models.Model):
    """One scenario of a workspace. ``facts`` tells of the draft what lists show, brought up to date by each save."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="scenarios")
    key = models.SlugField(_("id"), max_length=80)
    title = models.CharField(_("title"), max_length=200)
    summary = models.TextField(_("summary"), blank=True)
    facts = models.JSONField(default=dict)
    origin = models.CharField(max_length=100, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    edited_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "key"], name="one_scenario_per_key")]
        indexes = [models.Index(fields=["workspace", "-edited_at"])]
        ordering = ["-edited_at", "-pk"]

    def __str__(self) -> str:
        return self.title


class DraftRevision(AddOnly):
    """The draft's files at one moment: ``files`` gives the sha256 of each by path.

    ``base`` is the number of the revision it was made from. A ``name`` marks one kept on purpose, such as the losing
    text of a conflict, which is not the draft's head.
    """

    class Kind(models.TextChoices):
        """How it came about."""

        START = "start", _("started")
        SAVE = "save", _("saved")
        UNDO = "undo", _("undone")
        RESTORE = "restore", _("restored")
        KEPT = "kept", _("kept aside")

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    base = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=200, blank=True)
    files = models.JSONField(default=dict)
    tree_digest = models.CharField(max_length=80)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scenario", "number"], name="one_revision_per_number")]
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"{self.scenario} #{self.number}"


class Draft(models.Model):
    """The one text of a scenario that everybody edits: ``head`` is its newest revision."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    scenario = models.OneToOneField(Scenario, on_delete=models.CASCADE, related_name="draft")
    head = models.ForeignKey(DraftRevision, on_delete=models.RESTRICT, related_name="+")

    def __str__(self) -> str:
        return str(self.head)


class Version(AddOnly):
    """Files that were set apart under a number. ``tree_digest`` names the files, ``scenario_digest`` their meaning."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    message = models.CharField(_("message"), max_length=500)
    files = models.JSONField(default=dict)
    tree_digest = models.CharField(max_length=80)
    scenario_digest = models.CharField(max_length=80)
    engine = models.CharField(max_length=40)
    facts = models.JSONField(default=dict)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scenario", "number"], name="one_version_per_number")]
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"{self.scenario} v{self.number}"


class Review(AddOnly):
    """One decision on a version. The newest tells the version's state, so a version itself need not change."""

    class Decision(models.TextChoices):
        """What was decided."""

        REQUESTED = "requested", _("asked for review")
        WITHDRAWN = "withdrawn", _("withdrawn")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("sent back")
        PUBLISHED = "published", _("published")
        RETIRED = "retired", _("retired")

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="reviews")
    decision = models.CharField(max_length=10, choices=Decision.choices)
    message = models.TextField(_("message"), blank=True, max_length=5000)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.version}: {self.decision}"
