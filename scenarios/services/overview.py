"""What lists and overviews tell of scenarios: state, last verification, last edit."""

from __future__ import annotations

from django.db.models import OuterRef, QuerySet, Subquery

from scenarios.models import Review, Scenario, Verification, Version


def with_state(rows: QuerySet[Scenario]) -> QuerySet[Scenario]:
    """Scenarios with ``last_version`` (number), ``last_decision`` on it, and ``last_passed`` and ``last_engine``."""
    versions = Version.objects.filter(scenario=OuterRef("pk")).order_by("-number")
    reviews = Review.objects.filter(version__scenario=OuterRef("pk")).order_by("-version__number", "-pk")
    verifications = Verification.objects.filter(scenario=OuterRef("pk"), passed__isnull=False).order_by("-pk")
    return rows.annotate(
        last_version=Subquery(versions.values("number")[:1]),
        last_decision=Subquery(reviews.values("decision")[:1]),
        last_reviewed=Subquery(reviews.values("version__number")[:1]),
        last_passed=Subquery(verifications.values("passed")[:1]),
        last_engine=Subquery(verifications.values("engine")[:1]),
    )
