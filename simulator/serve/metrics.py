"""The numbers at ``/metrics``, in Prometheus' text format. Labels are names of the scenario, no inputs."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MEDIA_TYPE = CONTENT_TYPE_LATEST

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """What a server counts."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.requests = Counter(
            "worldwright_requests", "Requests answered.", ["operation", "status"], registry=registry
        )
        self.seconds = Histogram(
            "worldwright_request_seconds", "From a request's head to its answer.", ["operation"], buckets=_BUCKETS,
            registry=registry,
        )  # fmt: skip
        self.episodes = Gauge("worldwright_episodes", "Episodes held now.", registry=registry)
        self.begun = Counter("worldwright_episodes_begun", "Episodes begun.", registry=registry)
        self.gone = Counter("worldwright_episodes_gone", "Episodes no longer held.", ["reason"], registry=registry)
        self.workers_ready = Gauge("worldwright_workers_ready", "Worker processes that answer.", registry=registry)
        self.workers_lost = Counter("worldwright_workers_lost", "Worker processes that ended.", registry=registry)

    def count(self, operation: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self.requests.labels(operation, str(status)).inc()
        self.seconds.labels(operation).observe(seconds)

    def text(self) -> bytes:
        """All of them."""
        return generate_latest(self._registry)
