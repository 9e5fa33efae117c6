from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core import _multiarray_umath as numpy_core

ROOT = Path(__file__).parents[3]
FINGERPRINT = """
import hashlib
import numpy as np
from simulator.world.generation import *

digest = hashlib.sha256()
stream = Stream(7, "t", "c")
n = 5003
for name, parameters in {
    "uniform": (-2, 6), "normal": (10, 3), "lognormal": (2.5, 1), "lognormal_median": (9, 1), "exponential": (7200,),
    "poisson": (5,), "pareto": (3, 2), "zipf": (1.1, 50),
}.items():
    numbers = Numbers(name, parameters, digits=9)
    digest.update(numbers.sample(stream, n).tobytes() + numbers.sample_integers(stream, n).tobytes())
digest.update(WeightedChoice(zipf_weights(1000, 0.7)).sample(stream, n).tobytes())
digest.update(stream.permutation(n).tobytes() + stream.distinct(n, 10**12).tobytes())
starts = draw_times(stream, np.zeros(n, np.int64), np.full(n, 10**9), WeekShape.daytime())
digest.update("".join(format_timestamps(starts)).encode())
hours = Numbers("exponential", (9000,))
walks = walk("a", [Step("a", "b", hours), Step("b", "a", hours, 2), Step("b", "c", hours)], stream, starts, 10**9)
digest.update(walks.at.tobytes() + walks.final.tobytes())
columns = [FakerColumn(provider, provider, provider in ("name", "email", "company")) for provider in PROVIDERS]
texts = FakerTable(columns, pools=PoolSet(), seed=7, table="t", rows=503, locales=["de_DE", "en_US"])
for provider in PROVIDERS:
    digest.update("|".join(texts.values(provider)).encode())
print(digest.hexdigest())
"""


def fingerprint(**variables):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-W", "error", "-c", FINGERPRINT]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120).stdout


def test_everything_generated_is_the_same_in_every_process_and_on_plainer_processors():
    optional = [name for name in numpy_core.__cpu_dispatch__ if numpy_core.__cpu_features__[name]]
    if not optional:
        pytest.skip("this processor has no feature that NumPy could be told not to use")
    runs = [
        fingerprint(PYTHONHASHSEED="0"),
        fingerprint(PYTHONHASHSEED="4242"),
        fingerprint(NPY_DISABLE_CPU_FEATURES=" ".join(optional)),
    ]
    assert len(runs[0]) == 65
    assert runs[0] == runs[1] == runs[2]
