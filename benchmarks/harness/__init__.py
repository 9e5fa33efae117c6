"""What the benchmark scripts share: timing, the worlds they measure, the machine, how results are kept and shown."""

from harness.machine import resident
from harness.report import Report, main
from harness.timing import Case, Timing, interleaved
from harness.worlds import (
    LOOK,
    SEED,
    SIZES,
    actions,
    gallery,
    kept_support_desk,
    order_desk,
    order_desk_from,
    rows_of,
    support_desk,
)

__all__ = [
    "LOOK", "SEED", "SIZES", "Case", "Report", "Timing", "actions", "gallery", "interleaved", "kept_support_desk",
    "main", "order_desk", "order_desk_from", "resident", "rows_of", "support_desk",
]  # fmt: skip
