"""The worlds of a scenario: generate one, look into its tables, take it away."""

from __future__ import annotations

from django import forms
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scenarios.access import ScenarioRequest, scenario_page
from scenarios.models import World
from scenarios.services.refusals import Refused
from scenarios.services.stored_files import open_local
from scenarios.services.worlds import request_world
from scenarios.services.worlds_reading import Look, table_csv, table_page


class WorldForm(forms.Form):
    """Which world to generate."""

    seed = forms.IntegerField(
        label=gettext_lazy("Seed"), min_value=0, max_value=2**53 - 1, initial=1,
        widget=forms.NumberInput(attrs={"class": "form-control"}),
        help_text=gettext_lazy("Equal seeds make equal worlds."),
    )  # fmt: skip
    scale = forms.FloatField(
        label=gettext_lazy("Scale"), min_value=0.01, initial=1,
        widget=forms.NumberInput(attrs={"class": "form-control", "step": "any"}),
        help_text=gettext_lazy("What the tables' row counts are multiplied by."),
    )  # fmt: skip


@scenario_page("read", post="run")
def worlds(request: ScenarioRequest) -> HttpResponse:
    """The worlds there are, newest first, and a form for another, of the draft as it is now."""
    form = WorldForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            world = request_world(
                scenario=request.scenario,
                files=request.scenario.draft.head.files,
                seed=form.cleaned_data["seed"],
                scale=form.cleaned_data["scale"],
                user=request.user,
            )
            return redirect("world", request.workspace.slug, request.scenario.key, world.pk)
        except Refused as refused:
            form.add_error(None, str(refused))
    rows = request.scenario.worlds.select_related("job", "created_by", "version", "file")
    context = {"form": form, "page": Paginator(rows, 25).get_page(request.GET.get("page"))}
    return render(request, "worlds/worlds.html", context, status=422 if form.errors else 200)


@scenario_page("read")
def world(request: ScenarioRequest, number: int) -> HttpResponse:
    """One world: its tables, or how far its making is."""
    row = _world(request, number)
    return render(request, "worlds/world.html", {"world": row, "tables": sorted(row.tables.items())})


@scenario_page("read")
def world_table(request: ScenarioRequest, number: int, table: str) -> HttpResponse:
    """Rows of a table, filtered and sorted as the address says."""
    row = _world(request, number)
    look = _look(request)
    context = {"world": row, "table": table, "tables": sorted(row.tables.items()), "look": look}
    try:
        context["rows"] = table_page(row, table, look)
    except KeyError:
        raise Http404 from None
    except Refused as refused:
        context["refused"] = str(refused)
        return render(request, "worlds/table.html", context, status=422)
    return render(request, "worlds/table.html", context)


@scenario_page("download")
def world_download(request: ScenarioRequest, number: int) -> HttpResponseBase:
    """The world as a SQLite file."""
    row = _world(request, number)
    if row.file is None:
        raise Http404
    with open_local(row.file) as path:
        response = FileResponse(path.open("rb"), as_attachment=True, filename=_name(row, "sqlite"))
    response["Content-Type"] = "application/vnd.sqlite3"
    return response


@scenario_page("download")
def world_csv(request: ScenarioRequest, number: int, table: str) -> HttpResponseBase:
    """One table as CSV."""
    row = _world(request, number)
    if row.file is None:
        raise Http404
    try:
        pieces = table_csv(row, table)
    except KeyError:
        raise Http404 from None
    response = StreamingHttpResponse(pieces, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{table}.csv"'
    return response


def _world(request: ScenarioRequest, number: int) -> World:
    return get_object_or_404(request.scenario.worlds.select_related("job", "version", "file", "created_by"), pk=number)


def _look(request: ScenarioRequest) -> Look:
    page = request.GET.get("page", "1")
    return Look(
        column=request.GET.get("column", "")[:100],
        text=request.GET.get("text", "")[:200],
        exact=request.GET.get("exact") == "1",
        sort=request.GET.get("sort", "")[:100],
        descending=request.GET.get("order") == "desc",
        page=int(page) if page.isdecimal() and len(page) < 9 else 1,
    )


def _name(row: World, ending: str) -> str:
    return _("{key}-world-{seed}").format(key=row.scenario.key, seed=row.seed) + f".{ending}"


urlpatterns = [
    path("worlds/", worlds, name="worlds"),
    path("worlds/<int:number>/", world, name="world"),
    path("worlds/<int:number>/sqlite/", world_download, name="world_download"),
    path("worlds/<int:number>/<slug:table>/", world_table, name="world_table"),
    path("worlds/<int:number>/<slug:table>/csv/", world_csv, name="world_csv"),
]
