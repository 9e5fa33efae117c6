"""How to train with TRL on a bundle's rewards: a configuration to begin with.

Needs the package ``trl``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

from typing import Any

from trl import GRPOConfig


def grpo_config(most_steps: int, **changes: Any) -> GRPOConfig:
    """GRPO without scaling by a group's standard deviation. ``most_steps`` is how many calls an episode may have.

    Scaling would blow up whatever differs within a group. Where all attempts succeed, only their efficiency differs, by
    hundredths: divided by their standard deviation it would count as much as the difference of success and failure.
    """
    return GRPOConfig(
        **{
            "scale_rewards": "none",
            "max_tool_calling_iterations": most_steps + 1,
            "max_completion_length": 8_192,
            "num_generations": 8,
            "log_completions": False,
            **changes,
        }
    )
