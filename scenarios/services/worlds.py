"""Worlds asked for: refused before the build when they would be too large, built once, found again."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from accounts.models import User
from scenarios.models import Scenario, StoredFile, Version, World
from scenarios.services.jobs import enqueue
from scenarios.services.refusals import Refused
from scenarios.services.source_files import contents_of, parse_contents, tree_digest
from simulator.errors import ScenarioError, WorldError
from simulator.scenario import Scenario as EngineScenario
from simulator.version import ENGINE_VERSION
from simulator.world import estimate_rows


def request_world(
    *,
    scenario: Scenario,
    files: Mapping[str, str],
    seed: int,
    scale: float = 1.0,
    user: User,
    version: Version | None = None,
) -> World:
    """The world of these files, seed and scale: the one there is, or one with a job that builds it. Raises Refused."""
    meant = readable(scenario, files)
    if not 0 <= seed < 2**53:
        raise Refused(_("A seed is a whole number from 0."))
    _check_size(scenario, meant, scale)
    named = {"scenario_digest": meant.digest, "seed": seed, "scale": scale, "engine": ENGINE_VERSION}
    world = World.objects.filter(scenario=scenario, **named).select_related("job").first()
    if world is not None and (world.file_id or (world.job is not None and world.job.is_open)):
        return world
    with transaction.atomic():
        job = enqueue(workspace=scenario.workspace, scenario=scenario, kind="world", arguments=named, user=user)
        world, _made = World.objects.get_or_create(
            scenario=scenario,
            **named,
            defaults={
                "workspace": scenario.workspace,
                "version": version,
                "files": dict(files),
                "tree_digest": tree_digest(files),
                "created_by": user,
            },
        )
        World.objects.filter(pk=world.pk, file=None).update(job=job)
    world.refresh_from_db()
    return world


def readable(scenario: Scenario, files: Mapping[str, str]) -> EngineScenario:
    """What the files mean. Raises Refused when they mean nothing yet."""
    try:
        return parse_contents(contents_of(workspace=scenario.workspace, files=files))
    except ScenarioError as error:
        count = len(error.problems)
        raise Refused(
            _("The files have {count} problems, the first of them: {first}").format(
                count=count, first=error.problems[0]
            )
        ) from error


def check_space(scenario: Scenario) -> None:
    """Raise Refused when the workspace's files fill its bound."""
    used = StoredFile.objects.filter(workspace=scenario.workspace).aggregate(sum=Sum("size"))["sum"] or 0
    if used >= settings.WORKSPACE_BYTES:
        raise Refused(
            _("The workspace holds {used} MB of files, and no more than {most} MB. Delete worlds or exports.").format(
                used=f"{used // 1_000_000:,}", most=f"{settings.WORKSPACE_BYTES // 1_000_000:,}"
            )
        )


def _check_size(scenario: Scenario, meant: EngineScenario, scale: float) -> None:
    if not 0 < scale <= settings.WORKSPACE_SCALE:
        raise Refused(_("A scale is above 0 and at most {most}.").format(most=settings.WORKSPACE_SCALE))
    try:
        rows = sum(estimate_rows(meant.document, scale).values())
    except WorldError as error:
        raise Refused(str(error)) from error
    if rows > settings.WORKSPACE_ROWS:
        raise Refused(
            _("This world would have about {rows} rows; a workspace's worlds have at most {most}.").format(
                rows=f"{rows:,}", most=f"{settings.WORKSPACE_ROWS:,}"
            )
        )
    check_space(scenario)
