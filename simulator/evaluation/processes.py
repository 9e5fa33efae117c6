"""Worker processes: spawned, not forked, and stopped with the process that started them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any


@contextmanager
def worker_pool(workers: int, initializer: Callable[..., None], *arguments: Any) -> Iterator[ProcessPoolExecutor]:
    """Processes that each call ``initializer`` first.

    What they have not begun is dropped when the caller fails or is stopped. A process starts when work is submitted:
    submit inside :func:`interrupts_held_back`.
    """
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer, arguments)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Processes started inside never see Ctrl-C, which is for the process that started them: they inherit the mask.

    One that comes meanwhile is not lost: it is delivered at the end.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
