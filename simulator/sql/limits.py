"""How much a statement may cost: hard limits of the connection, and a work limit for each run.

Work is counted in instructions of SQLite's virtual machine, which are the same on every machine; so no verdict depends
on a wall clock. The watchdog behind it does, is generous, and is a fault of the engine.
"""

from __future__ import annotations

import time
from typing import Literal

import apsw

MAX_VALUE_BYTES = 1_000_000
"""The longest text or row."""

_LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: MAX_VALUE_BYTES,
    # A statement has at most 20,000 characters, of up to four bytes; row sets and filters are put before it.
    apsw.SQLITE_LIMIT_SQL_LENGTH: 200_000,
    apsw.SQLITE_LIMIT_COLUMN: 200,
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 100,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    apsw.SQLITE_LIMIT_VDBE_OP: 50_000,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 100,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    apsw.SQLITE_LIMIT_VARIABLE_NUMBER: 500,
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 8,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_SWITCHES = {
    apsw.SQLITE_DBCONFIG_DEFENSIVE: 1,
    apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA: 0,
    apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION: 0,
    # One plan for all values bound to a statement: otherwise it is prepared again each time it runs.
    apsw.SQLITE_DBCONFIG_ENABLE_QPSG: 1,
    # A misspelt column in double quotes would otherwise be a string.
    apsw.SQLITE_DBCONFIG_DQS_DML: 0,
    apsw.SQLITE_DBCONFIG_DQS_DDL: 0,
}


def apply_limits(connection: apsw.Connection) -> None:
    """Set SQLite's limits and safety switches for good. Databases attached so far stay; no more can be attached.

    Temporary tables and sorting stay in memory, where :class:`WorkLimit` counts them, instead of filling a disk.
    """
    connection.pragma("temp_store", 2)
    for limit, value in _LIMITS.items():
        connection.limit(limit, value)
    attached = len(connection.db_names()) - 2  # beside main and temp
    connection.limit(apsw.SQLITE_LIMIT_ATTACHED, max(attached, 0))
    for switch, value in _SWITCHES.items():
        connection.config(switch, value)


Excess = Literal["work", "memory", "time"]


class WorkLimit:
    """Counts the work of the statement that runs, and interrupts it when it goes beyond its limit.

    Counted in steps of :attr:`STEP` instructions. A statement from the cache may be interrupted one step earlier or
    later than a freshly prepared one; where the exact limit decides a verdict, run it fresh.

    An interrupted write inside a transaction makes SQLite roll back the *whole* transaction, savepoints included.
    """

    STEP = 1_000
    MEMORY = 256 * 1024 * 1024
    """Bytes SQLite may allocate for one statement (sorting, temporary tables)."""
    WATCHDOG = 30.0
    """Seconds."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._work: int | None = None
        self._limit = 0
        self._memory = 0
        self._deadline = 0.0
        self.excess: Excess | None = None
        connection.set_progress_handler(self._tick, self.STEP)

    def start(self, limit: int, *, patience: int = 1) -> tuple[int | None, int, int, float]:
        """Begin counting for a statement that may do ``limit`` instructions; hand the result to :meth:`stop`.

        ``patience`` multiplies the watchdog's.
        """
        outer = (self._work, self._limit, self._memory, self._deadline)
        self._work, self._limit, self.excess = 0, limit, None
        self._memory = apsw.memory_used() + self.MEMORY
        self._deadline = time.monotonic() + self.WATCHDOG * patience
        return outer

    def stop(self, outer: tuple[int | None, int, int, float]) -> int:
        """Stop counting, and go on counting for the statement around this one, if any. The work that was done."""
        done = self._work or 0
        self._work, self._limit, self._memory, self._deadline = outer
        return done

    def _tick(self) -> bool:
        """Called by SQLite; true interrupts."""
        if self._work is None:
            return False
        self._work += self.STEP
        if self._work > self._limit:
            self.excess = "work"
        elif apsw.memory_used() > self._memory:
            self.excess = "memory"
        elif time.monotonic() > self._deadline:
            self.excess = "time"
        return self.excess is not None
