"""What jobs make of a scenario: worlds, verifications, exports, each bound to its digest and the engine's version."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models import Workspace
from scenarios.models.authoring import Scenario, Version
from scenarios.models.jobs import Job
from scenarios.models.stored_files import StoredFile


class World(models.Model):
    """A generated world: built once for each scenario digest, seed, scale and engine. ``file`` is empty until then."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="worlds")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="worlds")
    version = models.ForeignKey(Version, on_delete=models.SET_NULL, null=True, related_name="worlds")
    tree_digest = models.CharField(max_length=80)
    files = models.JSONField(default=dict)
    scenario_digest = models.CharField(max_length=80)
    seed = models.PositiveBigIntegerField()
    scale = models.FloatField(default=1.0)
    engine = models.CharField(max_length=40)
    rows = models.BigIntegerField(null=True)
    tables = models.JSONField(default=dict)
    file = models.ForeignKey(StoredFile, on_delete=models.RESTRICT, null=True, related_name="+")
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="worlds")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scenario", "scenario_digest", "seed", "scale", "engine"], name="a_world_is_built_once"
            )
        ]
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.scenario} world {self.seed}"


class Verification(models.Model):
    """One verification of a meaning by an engine. ``passed`` is unknown until its job is done."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="verifications")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="verifications")
    version = models.ForeignKey(Version, on_delete=models.SET_NULL, null=True, related_name="verifications")
    files = models.JSONField(default=dict)
    scenario_digest = models.CharField(max_length=80)
    engine = models.CharField(max_length=40)
    seeds = models.JSONField(default=list)
    tasks = models.PositiveIntegerField(null=True)
    passed = models.BooleanField(null=True)
    summary = models.JSONField(default=dict)
    report = models.ForeignKey(StoredFile, on_delete=models.RESTRICT, null=True, related_name="+")
    page = models.ForeignKey(StoredFile, on_delete=models.RESTRICT, null=True, related_name="+")
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="verifications")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["scenario", "scenario_digest", "engine"])]
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.scenario} verification {self.pk}"


class Export(models.Model):
    """A bundle of a version, kept for 30 days unless pinned."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="exports")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="exports")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="exports")
    verification = models.ForeignKey(Verification, on_delete=models.SET_NULL, null=True, related_name="exports")
    engine = models.CharField(max_length=40)
    targets = models.JSONField(default=list)
    seeds = models.JSONField(default=list)
    pinned = models.BooleanField(default=False)
    problems = models.JSONField(null=True)
    file = models.ForeignKey(StoredFile, on_delete=models.RESTRICT, null=True, related_name="+")
    job = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="exports")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.scenario} export {self.pk}"
