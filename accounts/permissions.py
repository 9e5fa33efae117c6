"""Who may do what, as data. Views name a permission; tests are generated from this table and the list of URLs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Role(TextChoices):
    """What a member is in a workspace, from the least to the most trusted."""

    VIEWER = "viewer", _("Viewer")
    REVIEWER = "reviewer", _("Reviewer")
    EDITOR = "editor", _("Editor")
    OWNER = "owner", _("Owner")


_VIEWERS = frozenset(Role)
_REVIEWERS = _VIEWERS - {Role.VIEWER}
_EDITORS = _REVIEWERS - {Role.REVIEWER}
_OWNERS = frozenset({Role.OWNER})

PERMISSIONS: Final[Mapping[str, frozenset[Role]]] = {
    "read": _VIEWERS,
    "play": _VIEWERS,
    "download": _VIEWERS,
    "leave": _VIEWERS,
    "review": _REVIEWERS,
    "edit": _EDITORS,
    "run": _EDITORS,
    "publish": _EDITORS,
    "export": _EDITORS,
    "members": _OWNERS,
    "settings": _OWNERS,
    "audit": _OWNERS,
    "delete": _OWNERS,
    "export_unverified": _OWNERS,
}
"""The roles that hold each permission."""


def allows(role: str, permission: str) -> bool:
    """Whether a role holds a permission. Raises KeyError for a permission there is not."""
    return role in PERMISSIONS[permission]
