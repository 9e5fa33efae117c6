"""Verifications: run one, watch it, read its report."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
