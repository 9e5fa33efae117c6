"""The verifications of a scenario: run one, watch it, read what it found."""

from __future__ import annotations

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scenarios.access import ScenarioRequest, scenario_page
from scenarios.models import Verification
from scenarios.services.refusals import Refused
from scenarios.services.stored_files import read_bytes
from scenarios.services.verifications import MOST_SEEDS, SEEDS, TASKS, request_verification
from scenarios.services.verifications_reading import reading


class VerificationForm(forms.Form):
    """What to verify, and how much of it."""

    subject = forms.ChoiceField(label=gettext_lazy("What"), widget=forms.Select(attrs={"class": "form-select"}))
    seeds = forms.CharField(
        label=gettext_lazy("Seeds"), max_length=200, initial=", ".join(map(str, SEEDS)),
        widget=forms.TextInput(attrs={"class": "form-control"}),
        help_text=gettext_lazy("Of the worlds to verify in, with commas."),
    )  # fmt: skip
    tasks = forms.IntegerField(
        label=gettext_lazy("Tasks of each template"), min_value=1, max_value=1000, initial=TASKS, required=False,
        widget=forms.NumberInput(attrs={"class": "form-control"}),
        help_text=gettext_lazy("In each world. Empty: all."),
    )  # fmt: skip

    def clean_seeds(self) -> list[int]:
        """The seeds as numbers."""
        return numbers(self.cleaned_data["seeds"])


def numbers(text: str) -> list[int]:
    """Whole numbers with commas or blanks between them. Raises ValidationError."""
    words = text.replace(",", " ").split()
    if not words or len(words) > MOST_SEEDS or not all(word.isdecimal() and len(word) < 16 for word in words):
        raise forms.ValidationError(_("Write up to {most} whole numbers, with commas.").format(most=MOST_SEEDS))
    return [int(word) for word in words]


@scenario_page("read", post="run")
def verifications(request: ScenarioRequest) -> HttpResponse:
    """The verifications there are, newest first, and a form for another."""
    versions = {str(version.number): version for version in request.scenario.versions.all()[:50]}
    form = VerificationForm(
        request.POST if request.method == "POST" else None, initial={"subject": request.GET.get("version", "")}
    )
    form.fields["subject"].choices = [  # type: ignore[attr-defined]
        ("draft", _("The draft")),
        *((number, _("Version {number}").format(number=number)) for number in versions),
    ]
    if request.method == "POST" and form.is_valid():
        version = versions.get(form.cleaned_data["subject"])
        try:
            verification = request_verification(
                scenario=request.scenario,
                files=version.files if version is not None else request.scenario.draft.head.files,
                seeds=form.cleaned_data["seeds"],
                tasks=form.cleaned_data["tasks"],
                user=request.user,
                version=version,
            )
            return redirect("verification", request.workspace.slug, request.scenario.key, verification.pk)
        except Refused as refused:
            form.add_error(None, str(refused))
    rows = request.scenario.verifications.select_related("job", "created_by", "version")
    context = {"form": form, "page": Paginator(rows, 25).get_page(request.GET.get("page"))}
    return render(request, "verifications/verifications.html", context, status=422 if form.errors else 200)


@scenario_page("read")
def verification(request: ScenarioRequest, number: int) -> HttpResponse:
    """One verification: what it found, or how far it is."""
    row = _verification(request, number)
    return render(request, "verifications/verification.html", {"verification": row, "reading": reading(row)})


@scenario_page("download")
def verification_download(request: ScenarioRequest, number: int, form: str) -> HttpResponse:
    """The report, as JSON or as a page of its own, to keep."""
    row = _verification(request, number)
    stored = row.report if form == "json" else row.page
    if stored is None:
        raise Http404
    kind = "application/json" if form == "json" else "text/html; charset=utf-8"
    response = HttpResponse(read_bytes(stored), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{request.scenario.key}-verification-{row.pk}.{form}"'
    return response


def _verification(request: ScenarioRequest, number: int) -> Verification:
    rows = request.scenario.verifications.select_related("job", "version", "report", "page", "created_by")
    return get_object_or_404(rows, pk=number)


urlpatterns = [
    path("verifications/", verifications, name="verifications"),
    path("verifications/<int:number>/", verification, name="verification"),
    path("verifications/<int:number>/report.json", verification_download, {"form": "json"}, name="verification_json"),
    path("verifications/<int:number>/report.html", verification_download, {"form": "html"}, name="verification_html"),
]
