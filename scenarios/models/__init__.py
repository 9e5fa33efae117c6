"""The rows of scenarios. Every row carries its workspace; large content is a StoredFile; Version is never updated."""

from scenarios.models.authoring import Draft, DraftRevision, Review, Scenario, Version
from scenarios.models.jobs import Job, Worker
from scenarios.models.results import Export, Verification, World
from scenarios.models.stored_files import StoredFile

__all__ = [
    "Draft", "DraftRevision", "Export", "Job", "Review", "Scenario", "StoredFile", "Verification", "Version", "Worker",
    "World",
]  # fmt: skip
