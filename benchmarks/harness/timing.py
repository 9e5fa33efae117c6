"""Timing on a machine that does other things too: all cases in turn, round after round, collector off.

A round takes the mean of many calls; what is reported is the median over the rounds, with the fastest round beside it.
Cases that are compared run in the same rounds, so what disturbs one disturbs the other.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Case:
    """What is timed. ``prepare`` runs before each call, untimed; ``calls`` is how many things one ``run`` does."""

    run: Callable[[], object]
    prepare: Callable[[], object] | None = None
    calls: int = 1


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds for one thing: the median over the rounds and the fastest round."""

    median: float
    fastest: float


def interleaved(cases: Mapping[str, Case], *, rounds: int = 9, seconds: float = 0.1) -> dict[str, Timing]:
    """Time every case in turn, ``rounds`` times, each about ``seconds`` long in a round (one call at least)."""
    calls = {}
    for name, case in cases.items():
        _round(case, 1)
        calls[name] = max(1, int(seconds / max(_round(case, 1) * case.calls, 1e-7)))
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            found[name].append(_round(case, calls[name]))
    return {name: Timing(median(times), min(times)) for name, times in found.items()}


def _round(case: Case, calls: int) -> float:
    """Seconds for one thing, over ``calls`` calls."""
    gc.collect()
    gc.disable()
    try:
        if case.prepare is None:
            begun = perf_counter()
            for _ in range(calls):
                case.run()
            spent = perf_counter() - begun
        else:
            spent = 0.0
            for _ in range(calls):
                case.prepare()
                begun = perf_counter()
                case.run()
                spent += perf_counter() - begun
    finally:
        gc.enable()
    return spent / (calls * case.calls)
