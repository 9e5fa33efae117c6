"""URLs of people's pages."""

from django.urls import include, path

urlpatterns = [
    path("", include("accounts.views.signing_in")),
    path("w/<slug:workspace>/", include("accounts.views.members")),
]
