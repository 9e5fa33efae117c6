"""Run one task in a folder, within its limits."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from scenarios.child.tasks import TASKS

_BETWEEN_LINES = 0.5
"""Seconds between two lines of progress."""


def main(folder: Path) -> int:
    """Run the task. 0 when it is done, 1 when the author or the caller has to change something, 2 for a fault."""
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    _limit(task["memory"], task["seconds"])
    threading.Thread(target=_end_with_parent, daemon=True).start()
    result: dict[str, Any]
    try:
        result, status = {"result": TASKS[task["kind"]](folder, task["arguments"], _Progress())}, 0
    except Exception as error:  # noqa: BLE001 -- whatever went wrong is told to the parent
        result, status = _told(error)
    (folder / "result.json").write_text(json.dumps(result, allow_nan=False), encoding="utf-8")
    return status


def _told(error: Exception) -> tuple[dict[str, Any], int]:
    from simulator.errors import EngineFault, WorldwrightError

    if isinstance(error, MemoryError):
        return {"error": "It needs more memory than a job may have."}, 1
    if isinstance(error, WorldwrightError) and not isinstance(error, EngineFault):
        return {"error": str(error)}, 1
    return {"error": f"The engine failed: {type(error).__name__}: {error}", "log": traceback.format_exc()}, 2


class _Progress:
    def __init__(self) -> None:
        self._told = 0.0

    def __call__(self, done: int, total: int, message: str) -> None:
        now = time.monotonic()
        if now - self._told >= _BETWEEN_LINES or done >= total:
            self._told = now
            sys.stdout.write(json.dumps({"done": done, "total": total, "message": str(message)[:300]}) + "\n")
            sys.stdout.flush()


def _limit(memory: int, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_parent() -> None:
    while os.read(0, 1024):
        pass
    os.killpg(os.getpgid(0), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
