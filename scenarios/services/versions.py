"""Versions: files set apart under a number, and what is decided on them. A version's state is its newest decision.

saved → in review → approved → published → retired; sent back or withdrawn, it is saved again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User, Workspace
from accounts.services.audit import record
from scenarios.models import Review, Scenario, Version
from scenarios.services.refusals import Refused
from scenarios.services.source_files import facts_of
from scenarios.services.verifications import speaking_for
from scenarios.services.worlds import readable
from simulator.version import ENGINE_VERSION

Decision = Review.Decision


class VersionState(TextChoices):
    """Where a version stands."""

    SAVED = "saved", gettext_lazy("saved")
    IN_REVIEW = "in_review", gettext_lazy("in review")
    APPROVED = "approved", gettext_lazy("approved")
    PUBLISHED = "published", gettext_lazy("published")
    RETIRED = "retired", gettext_lazy("retired")


STATE_AFTER: Final[Mapping[str, VersionState]] = {
    Decision.REQUESTED: VersionState.IN_REVIEW,
    Decision.WITHDRAWN: VersionState.SAVED,
    Decision.APPROVED: VersionState.APPROVED,
    Decision.REJECTED: VersionState.SAVED,
    Decision.PUBLISHED: VersionState.PUBLISHED,
    Decision.RETIRED: VersionState.RETIRED,
}
POSSIBLE: Final[Mapping[VersionState, tuple[Decision, ...]]] = {
    VersionState.SAVED: (Decision.REQUESTED,),
    VersionState.IN_REVIEW: (Decision.APPROVED, Decision.REJECTED, Decision.WITHDRAWN),
    VersionState.APPROVED: (Decision.PUBLISHED, Decision.REJECTED),
    VersionState.PUBLISHED: (Decision.RETIRED,),
    VersionState.RETIRED: (),
}
"""The decisions that can be taken on a version in each state."""

PERMISSION: Final[Mapping[str, str]] = {
    Decision.REQUESTED: "edit",
    Decision.WITHDRAWN: "edit",
    Decision.APPROVED: "review",
    Decision.REJECTED: "review",
    Decision.PUBLISHED: "publish",
    Decision.RETIRED: "publish",
}
"""The permission that each decision takes."""


def state_of(version: Version) -> VersionState:
    """Where the version stands."""
    newest = version.reviews.last()
    return VersionState.SAVED if newest is None else STATE_AFTER[newest.decision]


def save_version(*, scenario: Scenario, message: str, user: User) -> Version:
    """Set the draft's files apart under the next number. Raises Refused when they mean nothing, or nothing changed."""
    head = scenario.draft.head
    meant = readable(scenario, head.files)
    with transaction.atomic():
        newest = Scenario.objects.select_for_update().get(pk=scenario.pk).versions.first()
        if newest is not None and newest.tree_digest == head.tree_digest:
            raise Refused(_("The draft is what version {number} is already.").format(number=newest.number))
        version = Version.objects.create(
            workspace=scenario.workspace,
            scenario=scenario,
            number=newest.number + 1 if newest else 1,
            message=message[:500],
            files=head.files,
            tree_digest=head.tree_digest,
            scenario_digest=meant.digest,
            engine=ENGINE_VERSION,
            facts=facts_of(meant),
            author=user,
        )
        record(workspace=scenario.workspace, actor=user, action="version.saved", subject=version)
    return version


def decide(*, version: Version, decision: Decision, user: User, message: str = "") -> Review:
    """Take a decision on a version. Raises Refused when it cannot be taken now, or not by its author.

    Publishing needs a passing verification of the version's meaning by this engine, and retires what was published.
    Whether the user's role holds the permission is for the caller to check.
    """
    with transaction.atomic():
        Scenario.objects.select_for_update().get(pk=version.scenario_id)
        state = state_of(version)
        if decision not in POSSIBLE[state]:
            raise Refused(
                _("A version that is {state} cannot be {decision}.").format(
                    state=state.label, decision=Decision(decision).label
                )
            )
        if decision == Decision.APPROVED and version.author_id == user.pk and not own_approval(version.workspace):
            raise Refused(_("Somebody else has to approve what you wrote."))
        if decision == Decision.PUBLISHED:
            _check_verified(version)
            for other in version.scenario.versions.exclude(pk=version.pk):
                if state_of(other) == VersionState.PUBLISHED:
                    _add(other, Decision.RETIRED, user, _("Replaced by version {n}.").format(n=version.number))
        return _add(version, decision, user, message)


def own_approval(workspace: Workspace) -> bool:
    """Whether authors may approve what they wrote: as the workspace says, otherwise in a workspace of one."""
    if workspace.self_approval is not None:
        return workspace.self_approval
    return workspace.memberships.count() == 1


def _check_verified(version: Version) -> None:
    verification = speaking_for(version)
    if verification is None:
        raise Refused(_("Verify this version with engine {engine} first.").format(engine=ENGINE_VERSION))
    if not verification.passed:
        raise Refused(_("The last verification of this version did not pass."))


def _add(version: Version, decision: Decision, user: User, message: str) -> Review:
    record(
        workspace=version.workspace,
        actor=user,
        action=f"version.{decision}",
        subject=version,
        details={"message": message[:500]} if message else {},
    )
    return Review.objects.create(
        workspace=version.workspace, version=version, decision=decision, message=message[:5000], author=user
    )
