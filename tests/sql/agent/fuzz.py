"""Random statements against the guard for a while: ``python tests/sql/agent/fuzz.py MINUTES [SEED]``.

Each goes through everything an agent's statement does; what must always hold is checked, and time and memory are
watched. The first failure stops it, with the seed and the statement.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.sql.agent.office import office
from tests.sql.agent.promises import check
from tests.sql.agent.statements import corpus, statement

SLOWEST = 30.0  # seconds; the engine's own watchdog


def main(minutes: float, seed: int) -> int:
    """The exit status: 1 after a failure."""
    texts = corpus()
    end = time.monotonic() + minutes * 60
    counts: dict[str, int] = {}
    slowest, slow_text = 0.0, ""
    with office() as place:
        number = seed
        while time.monotonic() < end:
            sql = statement(number, texts)
            begun = time.monotonic()
            try:
                check(place, sql)
            except Exception:
                sys.stderr.write(f"seed {number}: {sql!r}\n")
                raise
            took = time.monotonic() - begun
            if took > slowest:
                slowest, slow_text = took, sql
            kind = place.explain(sql).verdict.kind
            counts[kind] = counts.get(kind, 0) + 1
            number += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(
        f"{number - seed:,} statements; slowest {slowest:.2f} s: {slow_text[:200]!r}; peak memory {peak} MB\n"
        f"{', '.join(f'{kind} {count:,}' for kind, count in sorted(counts.items()))}\n"
    )
    return int(slowest > SLOWEST)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
