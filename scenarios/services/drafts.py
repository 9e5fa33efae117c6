"""Drafts: the files of a scenario as everybody edits them. They are the truth, unparsable or not."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from accounts.models import User, Workspace
from accounts.services.audit import record
from scenarios.models import Draft, DraftRevision, Scenario
from scenarios.services.source_files import (
    contents_of,
    facts_of,
    gallery_folder,
    keep_files,
    parse_contents,
    tree_digest,
)
from simulator.errors import ScenarioError
from simulator.scenario import collect_files

_ID_LINE = re.compile(rb"^id:[^\n]*$", re.MULTILINE)


def gallery_names() -> list[str]:
    """The ready scenarios, by folder name."""
    return sorted(path.parent.name for path in gallery_folder().glob("*/scenario.yaml"))


def start_from_gallery(*, workspace: Workspace, name: str, user: User) -> Scenario:
    """A copy of a ready scenario under an id of its own. Raises KeyError when there is none of this name."""
    if name not in gallery_names():
        raise KeyError(name)
    return start_scenario(workspace=workspace, contents=collect_files(gallery_folder() / name), user=user, origin=name)


def start_scenario(*, workspace: Workspace, contents: Mapping[str, bytes], user: User, origin: str = "") -> Scenario:
    """A new scenario of these files, with a draft. Its id is made free in the workspace, in the files too.

    Raises UnusableFile.
    """
    while True:
        key = _free_key(workspace, contents)
        mine = _with_id(contents, key)
        files = keep_files(workspace=workspace, contents=mine)
        facts = draft_facts(mine)
        try:
            with transaction.atomic():
                return _create(workspace, key, files, facts, user, origin)
        except IntegrityError:
            if not Scenario.objects.filter(workspace=workspace, key=key).exists():
                raise


def draft_contents(scenario: Scenario) -> dict[str, bytes]:
    """The draft's files by path."""
    return contents_of(workspace=scenario.workspace, files=scenario.draft.head.files)


def draft_facts(contents: Mapping[str, bytes]) -> dict[str, object]:
    """What lists show of a draft; of an unparsable one, how many problems it has."""
    try:
        return {**facts_of(parse_contents(contents)), "problems": 0}
    except ScenarioError as error:
        return {"problems": len(error.problems)}


def _create(
    workspace: Workspace, key: str, files: dict[str, str], facts: dict[str, object], user: User, origin: str
) -> Scenario:
    scenario = Scenario.objects.create(
        workspace=workspace,
        key=key,
        title=str(facts.get("title", key))[:200],
        summary=str(facts.get("summary", "")),
        facts=facts,
        origin=origin,
        created_by=user,
        edited_by=user,
        edited_at=timezone.now(),
    )
    head = DraftRevision.objects.create(
        workspace=workspace,
        scenario=scenario,
        number=1,
        kind=DraftRevision.Kind.START,
        files=files,
        tree_digest=tree_digest(files),
        author=user,
    )
    Draft.objects.create(workspace=workspace, scenario=scenario, head=head)
    record(workspace=workspace, actor=user, action="scenario.started", subject=scenario, details={"from": origin})
    return scenario


def _free_key(workspace: Workspace, contents: Mapping[str, bytes]) -> str:
    written = _ID_LINE.search(contents.get("scenario.yaml", b""))
    stem = slugify(written.group().decode("utf-8", "replace")[3:].split("#")[0])[:55].strip("-_") if written else ""
    stem = stem.replace("_", "-") or "scenario"
    taken = set(Scenario.objects.filter(workspace=workspace, key__startswith=stem).values_list("key", flat=True))
    return next(key for key in [stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))] if key not in taken)


def _with_id(contents: Mapping[str, bytes], key: str) -> dict[str, bytes]:
    main = contents.get("scenario.yaml")
    if main is None:
        return dict(contents)
    return {**contents, "scenario.yaml": _ID_LINE.sub(b"id: " + key.encode(), main, count=1)}
