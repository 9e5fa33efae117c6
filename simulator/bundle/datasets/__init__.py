"""Trajectories as training data: chats for fine-tuning, preference pairs, steps with what each won or lost.

Every record is of one split, its task's own, so that what is held out stays out unless it is asked for by name.
"""

from simulator.bundle.datasets.attempts import Attempt, Attempts, read_attempts
from simulator.bundle.datasets.records import KINDS, Kind, Selection, records_of
from simulator.bundle.datasets.writing import FORMATS, Format, Written, write_dataset

__all__ = [
    "FORMATS", "KINDS", "Attempt", "Attempts", "Format", "Kind", "Selection", "Written", "read_attempts", "records_of",
    "write_dataset",
]  # fmt: skip
