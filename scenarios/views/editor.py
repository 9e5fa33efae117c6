"""The editor: a draft's files, their problems, saving, undoing. It works without a script; with one, it is handier."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.permissions import allows
from scenarios.access import ScenarioRequest, scenario_page
from scenarios.models import Draft, DraftRevision
from scenarios.services.differences import differences
from scenarios.services.editing import Conflict, restore, save_file
from scenarios.services.problems import problems_of
from scenarios.services.refusals import Refused
from scenarios.services.source_files import contents_of

_MAIN = "scenario.yaml"
_MOST_SHOWN = 2_000_000


@scenario_page("read")
def editor(request: ScenarioRequest) -> HttpResponse:
    """One file of the draft, the others beside it, and what is wrong."""
    return _page(request, request.GET.get("file", ""))


@scenario_page(post="edit")
def editor_save(request: ScenarioRequest) -> HttpResponse:
    """Save, add or delete a file. 409 when somebody else has changed it; their text, yours and the base are shown."""
    name = request.POST.get("file", "").strip()
    base = request.POST.get("base", "")
    text = request.POST.get("text", "").replace("\r\n", "\n")
    removed = request.POST.get("do") == "delete"
    if not base.isdecimal() or len(base) > 9:
        return _page(request, name, text=text, refused=_("The page is out of date; reload it."))
    try:
        save_file(
            scenario=request.scenario, base=int(base), name=name,
            content=None if removed else text.encode("utf-8", "surrogatepass"), user=request.user,
        )  # fmt: skip
    except Refused as refused:
        return _page(request, name, text=text, refused=str(refused))
    except UnicodeError:
        return _page(request, name, text=text, refused=_("The text holds characters that cannot be kept."))
    except Conflict as conflict:
        return _conflict(request, name, text, int(base), conflict)
    messages.success(request, _("Deleted.") if removed else _("Saved."))
    where = reverse("editor", args=(request.workspace.slug, request.scenario.key))
    return redirect(where if removed else f"{where}?{urlencode({'file': name})}")


@scenario_page(post="edit")
def editor_restore(request: ScenarioRequest, number: int) -> HttpResponse:
    """Go back to an earlier revision, by a new one."""
    revision = get_object_or_404(request.scenario.revisions, number=number)
    restore(scenario=request.scenario, files=revision.files, kind=DraftRevision.Kind.UNDO, user=request.user)
    messages.success(request, _("The draft is as it was in revision {number}.").format(number=number))
    return redirect("editor", request.workspace.slug, request.scenario.key)


@scenario_page("read")
def editor_history(request: ScenarioRequest) -> HttpResponse:
    """The draft's revisions, newest first."""
    rows = request.scenario.revisions.select_related("author").order_by("-number")[:100]
    return render(request, "editor/history.html", {"revisions": rows, "head": request.scenario.draft.head})


def _page(request: ScenarioRequest, name: str, *, text: str | None = None, refused: str = "") -> HttpResponse:
    head = request.scenario.draft.head
    contents = contents_of(workspace=request.workspace, files=head.files)
    chosen = name if name in contents or text is not None else _MAIN if _MAIN in contents else next(iter(contents), "")
    shown = text if text is not None else _text(contents.get(chosen, b""))
    line = request.GET.get("line", "")
    context: dict[str, Any] = {
        "names": sorted(contents),
        "name": chosen,
        "text": shown,
        "base": request.POST.get("base") or head.number,
        "head": head,
        "line": line if line.isdecimal() and len(line) < 8 else "",
        "problems": problems_of(contents),
        "refused": refused,
        "may_edit": allows(request.membership.role, "edit") and shown is not None,
    }
    return render(request, "editor/editor.html", context, status=422 if refused else 200)


def _conflict(request: ScenarioRequest, name: str, text: str, base: int, conflict: Conflict) -> HttpResponse:
    """Three ways: what it was, what it is now, what you wrote."""
    head = Draft.objects.select_related("head").get(scenario=request.scenario).head
    started = get_object_or_404(request.scenario.revisions, number=base)

    def one(files: dict[str, str]) -> dict[str, str]:
        return {name: files[name]} if name in files else {}

    context = {
        "name": name,
        "text": text,
        "head": head,
        "kept": conflict.kept,
        "theirs": differences(request.workspace, one(started.files), one(head.files)),
        "mine": differences(request.workspace, one(started.files), one(conflict.kept.files)),
    }
    return render(request, "editor/conflict.html", context, status=409)


def _text(content: bytes) -> str | None:
    """The content as text, None for what is none or too large for a page."""
    if len(content) > _MOST_SHOWN:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


urlpatterns = [
    path("source/", editor, name="editor"),
    path("source/save/", editor_save, name="editor_save"),
    path("source/history/", editor_history, name="editor_history"),
    path("source/history/<int:number>/restore/", editor_restore, name="editor_restore"),
]
