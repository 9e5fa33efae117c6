"""Worlds: generate one, browse its tables, download it."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
