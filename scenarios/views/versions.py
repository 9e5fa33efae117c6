"""The versions of a scenario: save one, review it, publish it, compare two, take one away."""

from __future__ import annotations

import io
import zipfile

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.permissions import allows
from scenarios.access import ScenarioRequest, scenario_page
from scenarios.models import Review, Version
from scenarios.services.differences import differences
from scenarios.services.refusals import Refused
from scenarios.services.source_files import contents_of
from scenarios.services.verifications import speaking_for
from scenarios.services.versions import PERMISSION, POSSIBLE, STATE_AFTER, VersionState, decide, save_version, state_of
from simulator.version import ENGINE_VERSION

_MOMENT = (1980, 1, 1, 0, 0, 0)


class VersionForm(forms.Form):
    """What is said of a version when it is saved."""

    message = forms.CharField(
        label=gettext_lazy("What has changed"), max_length=500,
        widget=forms.TextInput(attrs={"class": "form-control"}),
    )  # fmt: skip


@scenario_page("read", post="edit")
def versions(request: ScenarioRequest) -> HttpResponse:
    """The versions, newest first, and a form to save the draft as another."""
    form = VersionForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = save_version(scenario=request.scenario, message=form.cleaned_data["message"], user=request.user)
            return redirect("version", request.workspace.slug, request.scenario.key, made.number)
        except Refused as refused:
            form.add_error(None, str(refused))
    rows = request.scenario.versions.select_related("author").prefetch_related("reviews")
    page = Paginator(rows, 25).get_page(request.GET.get("page"))
    listed = [(row, _state(row)) for row in page.object_list]
    newest = request.scenario.versions.first()
    context = {
        "form": form,
        "page": page,
        "listed": listed,
        "changed": newest is None or newest.tree_digest != request.scenario.draft.head.tree_digest,
    }
    return render(request, "versions/versions.html", context, status=422 if form.errors else 200)


@scenario_page("read")
def version(request: ScenarioRequest, number: int) -> HttpResponse:
    """One version: what was decided on it, what can be, and what speaks for it."""
    return _version_page(request, _version(request, number))


@scenario_page(post="read")
def version_decide(request: ScenarioRequest, number: int) -> HttpResponse:
    """Take a decision on a version; which permission that takes depends on the decision."""
    row = _version(request, number)
    decision = request.POST.get("decision", "")
    if decision not in PERMISSION:
        return _version_page(request, row, _("Choose what to decide."))
    if not allows(request.membership.role, PERMISSION[decision]):
        return _version_page(request, row, _("Your role may not decide that."))
    try:
        decide(
            version=row, decision=Review.Decision(decision), user=request.user,
            message=request.POST.get("message", "")[:5000],
        )  # fmt: skip
    except Refused as refused:
        return _version_page(request, row, str(refused))
    return redirect("version", request.workspace.slug, request.scenario.key, row.number)


@scenario_page("download")
def version_zip(request: ScenarioRequest, number: int) -> HttpResponse:
    """The version's files as a zip file, byte for byte; the same version gives the same file."""
    row = _version(request, number)
    contents = contents_of(workspace=request.workspace, files=row.files)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in sorted(contents):
            file.writestr(zipfile.ZipInfo(name, _MOMENT), contents[name])
    response = HttpResponse(archive.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{request.scenario.key}-{row.number}.zip"'
    return response


@scenario_page("read")
def version_compare(request: ScenarioRequest, old: str, new: str) -> HttpResponse:
    """What differs between two versions, or a version and the draft, as text."""
    sides = [_files(request, name) for name in (old, new)]
    context = {
        "old": old,
        "new": new,
        "files": differences(request.workspace, *sides),
        "numbers": request.scenario.versions.values_list("number", flat=True)[:50],
    }
    return render(request, "versions/compare.html", context)


def _version_page(request: ScenarioRequest, row: Version, refused: str = "") -> HttpResponse:
    state = state_of(row)
    verification = speaking_for(row)
    older = request.scenario.verifications.filter(version=row, passed__isnull=False).first()
    context = {
        "version": row,
        "state": state,
        "reviews": row.reviews.select_related("author"),
        "decisions": [
            (decision, _words(decision))
            for decision in POSSIBLE[state]
            if allows(request.membership.role, PERMISSION[decision])
        ],
        "verification": verification,
        "older": older if verification is None else None,
        "engine": ENGINE_VERSION,
        "refused": refused,
        "before": request.scenario.versions.filter(number__lt=row.number).first(),
    }
    return render(request, "versions/version.html", context, status=422 if refused else 200)


def _words(decision: Review.Decision) -> str:
    return {
        Review.Decision.REQUESTED: _("Ask for review"),
        Review.Decision.WITHDRAWN: _("Withdraw"),
        Review.Decision.APPROVED: _("Approve"),
        Review.Decision.REJECTED: _("Send back"),
        Review.Decision.PUBLISHED: _("Publish"),
        Review.Decision.RETIRED: _("Retire"),
    }[decision]


def _state(row: Version) -> VersionState:
    """The state, from reviews that are fetched already."""
    reviews = list(row.reviews.all())
    return STATE_AFTER[reviews[-1].decision] if reviews else VersionState.SAVED


def _files(request: ScenarioRequest, name: str) -> dict[str, str]:
    if name == "draft":
        files: dict[str, str] = request.scenario.draft.head.files
        return files
    if not name.isdecimal() or len(name) > 8:
        raise Http404
    found: dict[str, str] = _version(request, int(name)).files
    return found


def _version(request: ScenarioRequest, number: int) -> Version:
    rows = Version.objects.filter(scenario=request.scenario).select_related("author", "scenario", "workspace")
    found: Version = get_object_or_404(rows, number=number)
    return found


urlpatterns = [
    path("versions/", versions, name="versions"),
    path("versions/<int:number>/", version, name="version"),
    path("versions/<int:number>/decide/", version_decide, name="version_decide"),
    path("versions/<int:number>/files.zip", version_zip, name="version_zip"),
    path("versions/compare/<slug:old>/<slug:new>/", version_compare, name="version_compare"),
]
