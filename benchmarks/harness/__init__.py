"""What the benchmark scripts share: interleaved timing, the world they measure, and how results are kept and shown."""

from harness.order_desk import CHANGE, LOOK, SCALES, actions, order_desk
from harness.report import Figure, Report, main
from harness.timing import Case, Timing, interleaved

__all__ = [
    "CHANGE", "LOOK", "SCALES", "Case", "Figure", "Report", "Timing", "actions", "interleaved", "main", "order_desk",
]  # fmt: skip
