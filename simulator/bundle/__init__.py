"""Bundles: a scenario frozen with its worlds and tasks, to be carried elsewhere and loaded by trainers.

A bundle holds data only, beside the thin packages under ``targets/``; opening one runs nothing of it.
"""

from simulator.bundle.checking import check_bundle
from simulator.bundle.exporting import BundleReport, export_bundle
from simulator.bundle.manifest import Manifest
from simulator.bundle.opening import Bundle, open_bundle
from simulator.bundle.splits import split_of_seed
from simulator.bundle.targets import TARGETS

__all__ = [
    "TARGETS", "Bundle", "BundleReport", "Manifest", "check_bundle", "export_bundle", "open_bundle", "split_of_seed",
]  # fmt: skip
