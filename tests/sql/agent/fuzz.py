"""Random statements against the guard: ``python tests/sql/agent/fuzz.py MINUTES [--seed N] [--dialect NAME]``.

Every dialect that agents may write takes its turn, in a process of its own, so that a crash is seen as one. Each
statement goes through everything an agent's statement does; what must always hold is checked, and time and memory are
watched. A statement that breaks a promise, crashes or never ends stops its dialect and is kept in
``fixtures/found/<dialect>/``, where the ordinary tests try it again from then on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from collections import Counter
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from simulator.tools import DIALECTS
from tests.sql.agent.office import document, office
from tests.sql.agent.promises import check
from tests.sql.agent.statements import FOUND, statement, texts_of

SLOWEST = 30.0
"""Seconds of the processor for one statement; the engine's own watchdog."""

PATIENCE = 600.0
"""Seconds after which a statement is taken to hang, however busy the machine is."""


def main() -> int:
    """The exit status: 1 after a failure in any dialect."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=float, help="all dialects together")
    parser.add_argument("--seed", type=int, default=0, help="the first statement's")
    parser.add_argument("--dialect", action="append", choices=list(DIALECTS), help="only this one; may be repeated")
    options = parser.parse_args()
    chosen = options.dialect or list(DIALECTS)
    failed = [name for name in chosen if not _holds(name, options.minutes * 60 / len(chosen), options.seed)]
    return int(bool(failed))


def _holds(dialect: str, seconds: float, seed: int) -> bool:
    """Whether a dialect withstands that many seconds."""
    context = multiprocessing.get_context("spawn")
    current = context.Value("q", seed)
    child = context.Process(target=_fuzz, args=(dialect, seconds, seed, current))
    child.start()
    seen, since = -1, time.monotonic()
    while child.is_alive():
        child.join(1.0)
        if current.value != seen:
            seen, since = current.value, time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            child.kill()
    if child.exitcode == 0:
        return True
    number = current.value
    sql = statement(number, texts_of(dialect))
    place = FOUND / dialect / f"{number}.sql"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(sql, encoding="utf-8", errors="surrogatepass", newline="")
    sys.stderr.write(f"{dialect}, exit status {child.exitcode}, seed {number}, kept in {place}: {sql!r}\n")
    return False


def _fuzz(dialect: str, seconds: float, seed: int, current: Synchronized[int]) -> None:
    """Statements one after the other; ``current`` tells the parent which."""
    texts = texts_of(dialect)
    end = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    slowest, slow_text = 0.0, ""
    with office(document(dialect=dialect)) as place:
        number = seed
        while time.monotonic() < end:
            current.value = number
            sql = statement(number, texts)
            begun = time.process_time()
            verdict = check(place, sql)
            took = time.process_time() - begun
            if took > slowest:
                slowest, slow_text = took, sql
            assert took < SLOWEST, f"{took:.1f} s"
            counts[verdict.kind] += 1
            number += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(
        f"{dialect}: {number - seed:,} statements from seed {seed}; slowest {slowest:.2f} s: {slow_text[:200]!r}; "
        f"peak memory {peak} MB\n    {', '.join(f'{kind} {count:,}' for kind, count in sorted(counts.items()))}\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
