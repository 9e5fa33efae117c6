"""verifiers v1 (https://github.com/PrimeIntellect-ai/verifiers): the package exports one taskset.

The tools run as a server beside the evaluation; the reward is made by the evaluation itself, from the calls.
"""

from __future__ import annotations

from simulator.bundle.targets.target import Target

VERIFIERS = Target(name="verifiers", title="verifiers", requirement="verifiers>=0.4,<0.5", tested="0.4.0")
