"""The Django application of scenarios."""

from django.apps import AppConfig


class ScenariosConfig(AppConfig):
    """Scenarios, drafts, versions, jobs and what jobs make."""

    name = "scenarios"
    default_auto_field = "django.db.models.BigAutoField"
