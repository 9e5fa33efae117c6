"""What a trajectory earns: completion, process and efficiency, less what went wrong, with every point's reason."""

from simulator.reward.explain import explanation
from simulator.reward.ledger import Ending, FailedAction, Ledger, SolutionTrace
from simulator.reward.promise import least_success, required_share, reward_problems
from simulator.reward.score import (
    PRICED_ROWS,
    SMALL_PENALTY_CAP,
    UNPRICED_KINDS,
    Score,
    ScoreLine,
    completion,
    potential,
    score,
    succeeded,
)

__all__ = [
    "PRICED_ROWS", "SMALL_PENALTY_CAP", "UNPRICED_KINDS", "Ending", "FailedAction", "Ledger", "Score", "ScoreLine",
    "SolutionTrace", "completion", "explanation", "least_success", "potential", "required_share", "reward_problems",
    "score", "succeeded",
]  # fmt: skip
