"""How the noisy agent's scores must lie: what is a success without much harm ranks above every failure."""


class NoisyScores:
    """Scores of episodes, as they come."""

    def __init__(self):
        self._successes = []
        self._failures = []

    def add(self, score):
        """Take a score in; a success with a violation or collateral damage above the smallest price is left out."""
        small = all(line.points > -0.11 for line in score.lines if line.part in ("violation", "collateral"))
        if not score.success:
            self._failures.append(score.total)
        elif small:
            self._successes.append(score.total)

    def are_in_order(self):
        """Whether the least success is above the best failure."""
        return min(self._successes, default=1) > max(self._failures, default=-1)
