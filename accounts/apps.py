"""The Django application of people and workspaces."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users, workspaces, memberships and the audit log."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
