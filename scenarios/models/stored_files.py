"""Large content by its digest; the bytes lie in the storage ``content`` (a folder or S3)."""

from __future__ import annotations

from django.db import models

from accounts.models import Workspace


class StoredFile(models.Model):
    """Bytes that a workspace keeps, named by their sha256. Which rows refer to it tells whether it may go."""

    class Kind(models.TextChoices):
        """What the bytes are."""

        SOURCE = "source"
        WORLD = "world"
        REPORT = "report"
        BUNDLE = "bundle"
        LOG = "log"

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="stored_files")
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "sha256"], name="one_stored_file_per_digest")]

    def __str__(self) -> str:
        return self.sha256

    @property
    def storage_name(self) -> str:
        """Its name in the storage; apart for each workspace, so that nobody learns by digest what others keep."""
        return f"{self.workspace_id}/{self.sha256[:2]}/{self.sha256}"
