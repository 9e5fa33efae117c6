"""The demo workspace of a new studio: a published support desk with its verification report and a small world.

It is made like anybody's: jobs build the world and verify, and the version is published when the report is there.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.workspaces import create_workspace
from scenarios.models import Review, Scenario
from scenarios.services.drafts import start_from_gallery
from scenarios.services.refusals import Refused
from scenarios.services.verifications import request_verification, speaking_for
from scenarios.services.versions import VersionState, decide, save_version, state_of
from scenarios.services.worlds import request_world

_READY = "support_desk"
_SEED, _SCALE = 1, 0.5
_VERIFIED_SEEDS, _VERIFIED_TASKS = (1,), 2


def begin_demo(*, username: str, password: str) -> None:
    """Make the demo's user, workspace and version, and ask for its world and verification."""
    with transaction.atomic():
        user = User.objects.create_user(username, password=password)
        workspace = create_workspace(name=_("Demo"), owner=user)
    scenario = start_from_gallery(workspace=workspace, name=_READY, user=user)
    version = save_version(scenario=scenario, message=_("As it came from the gallery"), user=user)
    decide(version=version, decision=Review.Decision.REQUESTED, user=user)
    decide(version=version, decision=Review.Decision.APPROVED, user=user)
    request_world(scenario=scenario, files=version.files, seed=_SEED, scale=_SCALE, user=user, version=version)
    request_verification(
        scenario=scenario,
        files=version.files,
        seeds=_VERIFIED_SEEDS,
        tasks=_VERIFIED_TASKS,
        user=user,
        version=version,
    )


def demo_is_unfinished(*, username: str) -> bool:
    """Whether the demo's version still waits to be published."""
    scenario = _scenario(username)
    version = scenario.versions.last() if scenario else None
    return version is not None and state_of(version) == VersionState.APPROVED


def advance_demo(*, username: str) -> bool:
    """Publish the demo's version once its verification is there; True when nothing is left to do."""
    scenario = _scenario(username)
    version = scenario.versions.last() if scenario else None
    if scenario is None or version is None or state_of(version) != VersionState.APPROVED:
        return True
    verification = speaking_for(version)
    if verification is None:
        return not scenario.jobs.filter(kind="verification", state__in=["queued", "running"]).exists()
    try:
        decide(version=version, decision=Review.Decision.PUBLISHED, user=User.objects.get(username=username))
    except Refused:
        return True
    return True


def _scenario(username: str) -> Scenario | None:
    rows = Scenario.objects.filter(origin=_READY, created_by__username=username)
    return rows.select_related("workspace").order_by("pk").first()
