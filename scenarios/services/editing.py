"""Saving into a draft: each save names the revision it was made from, and nobody's text is lost.

Changes of different files merge. Where the same file was changed by somebody else meanwhile, the save is refused with a
conflict, and its text is kept aside as a revision with a name.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from scenarios.models import Draft, DraftRevision, Scenario
from scenarios.services.drafts import draft_facts
from scenarios.services.refusals import Refused
from scenarios.services.source_files import (
    MOST_FILES,
    UnusableFile,
    checked_path,
    contents_of,
    keep_files,
    tree_digest,
)


class Conflict(Exception):
    """Somebody else changed the same file. ``kept`` is the revision that holds the text that was not taken."""

    def __init__(self, kept: DraftRevision) -> None:
        super().__init__("the file was changed by somebody else")
        self.kept = kept


def save_file(*, scenario: Scenario, base: int, name: str, content: bytes | None, user: User) -> DraftRevision:
    """Put one file into the draft, or take it out where ``content`` is None; ``base`` is the revision it was made from.

    Gives the draft's head, which is the one there was if nothing changes. Raises Conflict, and Refused for a name or
    content that cannot be kept and for a base that there is not.
    """
    try:
        checked_path(name)
        kept = keep_files(workspace=scenario.workspace, contents={name: content}) if content is not None else {}
    except UnusableFile as error:
        raise Refused(str(error)) from error
    started = DraftRevision.objects.filter(scenario=scenario, number=base).first()
    if started is None:
        raise Refused(_("There is no revision {number}.").format(number=base))
    head, conflict = _put(scenario, started, name, kept.get(name), user)
    if conflict is not None:
        raise Conflict(conflict)
    _tell(scenario, head, user)
    return head


def restore(*, scenario: Scenario, files: Mapping[str, str], kind: DraftRevision.Kind, user: User) -> DraftRevision:
    """Make these files the draft's, as a new revision: to undo, or to go back to a version."""
    with transaction.atomic():
        draft = Draft.objects.select_for_update().select_related("head").get(scenario=scenario)
        head = _add(draft, dict(files), kind, user)
    _tell(scenario, head, user)
    return head


def _put(
    scenario: Scenario, started: DraftRevision, name: str, digest: str | None, user: User
) -> tuple[DraftRevision, DraftRevision | None]:
    """The draft's head after the change, and what was kept aside if it could not be made."""
    with transaction.atomic():
        draft = Draft.objects.select_for_update().select_related("head").get(scenario=scenario)
        now = draft.head.files.get(name)
        if now == digest:
            return draft.head, None
        if now != started.files.get(name):
            mine = _changed(started.files, name, digest)
            words = _("{name} by {user}, not taken").format(name=name, user=user)
            return draft.head, _row(draft, mine, DraftRevision.Kind.KEPT, user, base=started.number, name=words[:200])
        files = _changed(draft.head.files, name, digest)
        if len(files) > MOST_FILES:
            raise Refused(_("A scenario has at most {most} files.").format(most=f"{MOST_FILES:,}"))
        return _add(draft, files, DraftRevision.Kind.SAVE, user, base=started.number), None


def _changed(files: Mapping[str, str], name: str, digest: str | None) -> dict[str, str]:
    changed = {path: kept for path, kept in files.items() if path != name}
    if digest is not None:
        changed[name] = digest
    return dict(sorted(changed.items()))


def _add(
    draft: Draft, files: dict[str, str], kind: DraftRevision.Kind, user: User, base: int | None = None
) -> DraftRevision:
    draft.head = _row(draft, files, kind, user, base=draft.head.number if base is None else base)
    draft.save(update_fields=["head"])
    return draft.head


def _row(
    draft: Draft, files: dict[str, str], kind: DraftRevision.Kind, user: User, *, base: int, name: str = ""
) -> DraftRevision:
    newest = DraftRevision.objects.filter(scenario=draft.scenario_id).order_by("-number").first()
    return DraftRevision.objects.create(
        workspace_id=draft.workspace_id,
        scenario_id=draft.scenario_id,
        number=(newest.number if newest is not None else 0) + 1,
        base=base,
        kind=kind,
        name=name,
        files=files,
        tree_digest=tree_digest(files),
        author=user,
    )


def _tell(scenario: Scenario, head: DraftRevision, user: User) -> None:
    """Let lists show what the draft says now."""
    facts = draft_facts(contents_of(workspace=scenario.workspace, files=head.files))
    changed = {"facts": facts, "edited_by": user, "edited_at": timezone.now()}
    if "title" in facts:
        changed |= {"title": str(facts["title"])[:200], "summary": str(facts.get("summary", ""))}
    Scenario.objects.filter(pk=scenario.pk).update(**changed)
