"""Reading pages: what the document says of its world, tools, rules and tasks."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
