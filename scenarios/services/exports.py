"""Exports asked for: a bundle of a version, verified unless an owner means otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import record
from scenarios.models import Export, Version
from scenarios.services.jobs import enqueue
from scenarios.services.refusals import Refused
from scenarios.services.verifications import check_seeds, speaking_for
from scenarios.services.worlds import check_space
from simulator.bundle import TARGETS
from simulator.version import ENGINE_VERSION


def request_export(
    *, version: Version, targets: Sequence[str], seeds: Sequence[int], user: User, unverified: bool = False
) -> Export:
    """A bundle of the version, or the one that is being made of the same. Raises Refused.

    ``unverified`` says that no passing verification is meant to be needed; who may say so is for the caller to check.
    """
    check_seeds(seeds)
    if not targets or not set(targets) <= set(TARGETS):
        raise Refused(_("Choose one or more of the targets."))
    check_space(version.scenario)
    verification = speaking_for(version)
    passed = verification is not None and verification.passed
    if not passed and not unverified:
        raise Refused(_("An export needs a passing verification of this version by this engine."))
    arguments = {
        "version": version.number,
        "engine": ENGINE_VERSION,
        "targets": sorted(set(targets)),
        "seeds": list(seeds),
        "verified": passed,
    }
    with transaction.atomic():
        job = enqueue(
            workspace=version.workspace, scenario=version.scenario, kind="export", arguments=arguments, user=user
        )
        export, made = Export.objects.get_or_create(
            job=job,
            version=version,
            defaults={
                "workspace": version.workspace,
                "scenario": version.scenario,
                "verification": verification if passed else None,
                "engine": ENGINE_VERSION,
                "targets": arguments["targets"],
                "seeds": list(seeds),
                "created_by": user,
            },
        )
        if made:
            record(
                workspace=version.workspace,
                actor=user,
                action="version.exported" if passed else "version.exported_unverified",
                subject=version,
                details={"targets": arguments["targets"]},
            )
    return export
