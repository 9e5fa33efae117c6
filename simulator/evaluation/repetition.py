"""Whether an agent succeeds again: pass@k and pass^k, from several episodes of each task.

pass@k is the chance that at least one of k episodes succeeds (M. Chen et al., "Evaluating large language models trained
on code", 2021, arXiv:2107.03374), pass^k the chance that all k do (S. Yao et al., "τ-bench", 2024, arXiv:2406.12045).
Both are the unbiased estimators of those papers: over all ways to choose k of the n episodes there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, fsum


def pass_at_k(successes: int, episodes: int, k: int) -> float:
    """The chance that one of ``k`` episodes of a task succeeds: 1 - C(n - c, k) / C(n, k).

    Raises ValueError unless 1 <= k <= episodes and 0 <= successes <= episodes.
    """
    _checked(successes, episodes, k)
    return 1 - comb(episodes - successes, k) / comb(episodes, k)


def pass_all_k(successes: int, episodes: int, k: int) -> float:
    """The chance that all of ``k`` episodes of a task succeed, pass^k: C(c, k) / C(n, k). Raises as `pass_at_k`."""
    _checked(successes, episodes, k)
    return comb(successes, k) / comb(episodes, k)


def mean_pass_at_k(tasks: Sequence[tuple[int, int]], k: int) -> float:
    """The mean of `pass_at_k` over tasks, given as (successes, episodes). Raises ValueError without tasks."""
    return _mean([pass_at_k(successes, episodes, k) for successes, episodes in tasks])


def mean_pass_all_k(tasks: Sequence[tuple[int, int]], k: int) -> float:
    """The mean of `pass_all_k` over tasks, given as (successes, episodes). Raises ValueError without tasks."""
    return _mean([pass_all_k(successes, episodes, k) for successes, episodes in tasks])


def _mean(values: Sequence[float]) -> float:
    if not values:
        raise ValueError("a mean is taken of one task at least")
    return fsum(values) / len(values)


def _checked(successes: int, episodes: int, k: int) -> None:
    if not (0 <= successes <= episodes and 1 <= k <= episodes):
        raise ValueError(f"there are no {k} of {episodes} episodes with {successes} successes")
