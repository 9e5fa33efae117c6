"""Verifications asked for, and which of them speaks for a version: the newest of its meaning by this engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from scenarios.models import Scenario, Verification, Version
from scenarios.services.jobs import enqueue
from scenarios.services.refusals import Refused
from scenarios.services.worlds import check_space, readable
from simulator.version import ENGINE_VERSION

SEEDS = (1, 2, 3)
TASKS = 5
MOST_SEEDS = 20


def request_verification(
    *,
    scenario: Scenario,
    files: Mapping[str, str],
    user: User,
    seeds: Sequence[int] = SEEDS,
    tasks: int | None = TASKS,
    version: Version | None = None,
) -> Verification:
    """A verification of these files, or the one that runs for the same. Raises Refused."""
    check_seeds(seeds)
    if tasks is not None and not 1 <= tasks <= 1000:
        raise Refused(_("Between 1 and 1,000 tasks of each template can be verified."))
    check_space(scenario)
    digest = readable(scenario, files).digest
    arguments = {"scenario_digest": digest, "engine": ENGINE_VERSION, "seeds": list(seeds), "tasks": tasks}
    with transaction.atomic():
        job = enqueue(
            workspace=scenario.workspace, scenario=scenario, kind="verification", arguments=arguments, user=user
        )
        verification, _made = Verification.objects.get_or_create(
            job=job,
            scenario=scenario,
            defaults={
                **arguments,
                "workspace": scenario.workspace,
                "version": version,
                "files": dict(files),
                "created_by": user,
            },
        )
    return verification


def speaking_for(version: Version) -> Verification | None:
    """The newest finished verification of the version's meaning by this engine, whichever files it was asked for."""
    return (
        Verification.objects.filter(
            scenario=version.scenario_id,
            scenario_digest=version.scenario_digest,
            engine=ENGINE_VERSION,
            passed__isnull=False,
        )
        .select_related("report", "page")
        .first()
    )


def check_seeds(seeds: Sequence[int]) -> None:
    """Raise Refused unless these are between one and twenty different seeds."""
    usable = all(0 <= seed < 2**53 for seed in seeds) and len(set(seeds)) == len(seeds)
    if not usable or not 1 <= len(seeds) <= MOST_SEEDS:
        raise Refused(_("Name between one and {most} different seeds, whole numbers from 0.").format(most=MOST_SEEDS))
