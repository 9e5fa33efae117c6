"""The editor: a draft's files, their problems, saving."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
