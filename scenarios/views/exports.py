"""The exports of a scenario: make a bundle of a version, watch it, take it away."""

from __future__ import annotations

from django import forms
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.permissions import allows
from scenarios.access import ScenarioRequest, scenario_page
from scenarios.models import Export
from scenarios.services.exports import request_export
from scenarios.services.refusals import Refused
from scenarios.services.stored_files import open_local
from scenarios.views.verifications import numbers
from simulator.bundle import TARGETS


class ExportForm(forms.Form):
    """What goes into a bundle."""

    version = forms.ChoiceField(label=gettext_lazy("Version"), widget=forms.Select(attrs={"class": "form-select"}))
    targets = forms.MultipleChoiceField(
        label=gettext_lazy("Targets"), choices=[(target.name, target.title) for target in TARGETS.values()],
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip
    seeds = forms.CharField(
        label=gettext_lazy("Seeds"), max_length=200, initial="1, 2, 3, 10000, 20000",
        widget=forms.TextInput(attrs={"class": "form-control"}),
        help_text=gettext_lazy("Train below 10000, validation below 20000, test from there."),
    )  # fmt: skip
    unverified = forms.BooleanField(
        label=gettext_lazy("Without a passing verification; the manifest says so"), required=False,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )  # fmt: skip

    def clean_seeds(self) -> list[int]:
        """The seeds as numbers."""
        return numbers(self.cleaned_data["seeds"])


@scenario_page("read", post="export")
def exports(request: ScenarioRequest) -> HttpResponse:
    """The bundles there are, newest first, and a form for another."""
    versions = {str(version.number): version for version in request.scenario.versions.all()[:50]}
    form = ExportForm(request.POST if request.method == "POST" else None)
    form.fields["version"].choices = [  # type: ignore[attr-defined]
        (number, _("Version {number}").format(number=number)) for number in versions
    ]
    if not allows(request.membership.role, "export_unverified"):
        del form.fields["unverified"]
    if request.method == "POST" and form.is_valid():
        try:
            export = request_export(
                version=versions[form.cleaned_data["version"]],
                targets=form.cleaned_data["targets"],
                seeds=form.cleaned_data["seeds"],
                user=request.user,
                unverified=form.cleaned_data.get("unverified", False),
            )
            return redirect("export", request.workspace.slug, request.scenario.key, export.pk)
        except Refused as refused:
            form.add_error(None, str(refused))
    rows = request.scenario.exports.select_related("job", "created_by", "version", "file", "verification")
    context = {
        "form": form,
        "versions": versions,
        "page": Paginator(rows, 25).get_page(request.GET.get("page")),
        "targets": list(TARGETS.values()),
    }
    return render(request, "exports/exports.html", context, status=422 if form.errors else 200)


@scenario_page("read")
def export(request: ScenarioRequest, number: int) -> HttpResponse:
    """One export: what is in it and whether its check passed, or how far it is."""
    row = _export(request, number)
    context = {"export": row, "targets": [TARGETS[name] for name in row.targets if name in TARGETS]}
    return render(request, "exports/export.html", context)


@scenario_page("download")
def export_download(request: ScenarioRequest, number: int) -> HttpResponseBase:
    """The bundle as a zip file."""
    row = _export(request, number)
    if row.file is None:
        raise Http404
    with open_local(row.file) as path:
        name = f"{request.scenario.key}-{row.version.number}.zip"
        return FileResponse(path.open("rb"), as_attachment=True, filename=name, content_type="application/zip")


@scenario_page(post="export")
def export_pin(request: ScenarioRequest, number: int) -> HttpResponse:
    """Keep a bundle for good, or let it go after its time."""
    row = _export(request, number)
    row.pinned = request.POST.get("pinned") == "1"
    row.save(update_fields=["pinned"])
    return redirect("export", request.workspace.slug, request.scenario.key, row.pk)


def _export(request: ScenarioRequest, number: int) -> Export:
    rows = request.scenario.exports.select_related("job", "version", "file", "created_by", "verification")
    return get_object_or_404(rows, pk=number)


urlpatterns = [
    path("exports/", exports, name="exports"),
    path("exports/<int:number>/", export, name="export"),
    path("exports/<int:number>/bundle.zip", export_download, name="export_download"),
    path("exports/<int:number>/pin/", export_pin, name="export_pin"),
]
