"""URLs of scenarios' pages: a workspace's, then each scenario's."""

from django.urls import include, path

urlpatterns = [
    path("", include("scenarios.views.health")),
    path("", include("scenarios.views.home")),
    path("w/<slug:workspace>/", include("scenarios.views.jobs")),
    path(
        "w/<slug:workspace>/scenarios/<slug:key>/",
        include(
            [
                path("", include(f"scenarios.views.{group}"))
                for group in ("overview", "editor", "reading", "versions", "worlds", "verifications", "exports")
            ]
        ),
    ),
]
