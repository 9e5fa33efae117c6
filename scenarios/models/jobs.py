"""Background work. The Job row is the queue and the truth; a broker's message is only a hint that there is one."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Workspace
from scenarios.models.authoring import Scenario


class Job(models.Model):
    """One piece of work. ``lease`` is the token of the attempt that may report on it, until ``lease_until``.

    ``identity`` names what is asked for, so that the same running job is joined, not started twice.
    """

    class State(models.TextChoices):
        """Where it stands."""

        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        SUCCEEDED = "succeeded", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    class Queue(models.TextChoices):
        """Whom it may keep waiting."""

        INTERACTIVE = "interactive"
        BATCH = "batch"

    OPEN = (State.QUEUED, State.RUNNING)

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="jobs")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, null=True, related_name="jobs")
    kind = models.CharField(max_length=30)
    queue = models.CharField(max_length=20, choices=Queue.choices)
    identity = models.CharField(max_length=64)
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    message = models.CharField(max_length=300, blank=True)
    cancel_asked_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    log = models.TextField(blank=True)
    result = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "identity"],
                condition=models.Q(state__in=["queued", "running"]),
                name="one_open_job_per_identity",
            )
        ]
        indexes = [models.Index(fields=["state", "lease_until"]), models.Index(fields=["workspace", "-id"])]
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def is_open(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in self.OPEN

    @property
    def kind_label(self) -> str:
        """What it does, in words."""
        return str(_KIND_LABELS.get(self.kind, self.kind))

    @property
    def percent(self) -> int | None:
        """How much is done, of 100; None while nobody knows."""
        return min(100, 100 * self.done // self.total) if self.total else None


_KIND_LABELS = {"world": _("World"), "verification": _("Verification"), "export": _("Export")}


class Worker(models.Model):
    """A running worker and when it last said so. It serves every workspace, so it carries none."""

    name = models.CharField(max_length=100, unique=True)
    queues = models.CharField(max_length=100)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
