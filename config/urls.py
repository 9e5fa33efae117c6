"""Every URL of the studio: people's pages, then each workspace's."""

from django.urls import include, path

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("scenarios.urls")),
]
