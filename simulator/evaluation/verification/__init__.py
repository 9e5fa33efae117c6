"""Verification: whether a scenario's scores can be trusted, and what to mend where they cannot."""

from simulator.evaluation.verification.cache import ResultCache
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.evidence import write_evidence
from simulator.evaluation.verification.findings import (
    SEVERITIES,
    CheckResult,
    Evidence,
    Finding,
    Part,
    Severity,
    Tally,
    merged,
)
from simulator.evaluation.verification.html_report import html_report
from simulator.evaluation.verification.report import CheckOutcome, VerificationReport
from simulator.evaluation.verification.subject import EPISODE_SEED, Episode, Subject
from simulator.evaluation.verification.verifying import TASKS, verify_scenario

__all__ = [
    "EPISODE_SEED", "SEVERITIES", "TASKS", "Check", "CheckOutcome", "CheckResult", "Episode", "Evidence", "Finding",
    "Part", "ResultCache", "Severity", "Subject", "Tally", "VerificationReport", "html_report", "merged",
    "verify_scenario", "write_evidence",
]  # fmt: skip
