"""One attempt at a job: claim it, run the engine in a process of its own, keep what it made, report under the lease."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from django.conf import settings

from scenarios.models import Job
from scenarios.services.job_kinds import KINDS
from scenarios.services.jobs import State, claim, conclude, give_back, renew
from scenarios.services.source_files import contents_of
from simulator.scenario import write_folder

_BEAT = 1.0
"""Seconds between two looks at the job's row: progress is written at most that often."""


ENDING = threading.Event()
"""Set when this worker is about to end: what runs is stopped and put back."""


class _End(NamedTuple):
    status: int | None
    stopped: str
    """Why it was stopped, empty if it ended by itself."""


def run_job(number: int) -> State | None:
    """Run a job to its end; gives its state. None when somebody else has it, or took it over meanwhile."""
    taken = claim(number)
    if taken is None:
        return None
    job, lease = taken
    kind = KINDS[job.kind]
    with tempfile.TemporaryDirectory(prefix="worldwright-job-") as name:
        folder = Path(name)
        task = {
            "kind": job.kind,
            "arguments": job.arguments,
            "memory": settings.JOB_MEMORY_BYTES,
            "seconds": settings.JOB_SECONDS,
        }
        (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
        (folder / "out").mkdir()
        write_folder(contents_of(workspace=job.workspace, files=kind.source(job)), folder / "source")
        kind.prepare(job, folder)
        end = _run(folder, lambda done, total, words: renew(number, lease, done=done, total=total, message=words))
        told = _told(folder)
        log = (folder / "log.txt").read_text(encoding="utf-8", errors="replace") + told.get("log", "")
        if end.stopped == "ending":
            give_back(number, lease)
            return None
        if end.stopped == "lease":
            return _stopped(job, lease, log)
        if end.stopped or "result" not in told:
            error = told.get("error") or end.stopped or f"The engine's process ended with {end.status}."
            return _kept(conclude(number, lease, State.FAILED, error=error, log=log), State.FAILED)
        commit = kind.keep(job, folder, told["result"])
        done = conclude(number, lease, State.SUCCEEDED, result=told["result"], log=log, commit=commit)
        return _kept(done, State.SUCCEEDED)


def _stopped(job: Job, lease: str, log: str) -> State | None:
    return _kept(conclude(job.pk, lease, State.CANCELLED, log=log), State.CANCELLED)


def _kept(done: bool, state: State) -> State | None:
    return state if done else None


def _told(folder: Path) -> Mapping[str, Any]:
    path = folder / "result.json"
    if not path.exists():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _run(folder: Path, beat: Callable[[int, int, str], bool]) -> _End:
    environment = {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "PYTHONPATH": str(settings.BASE_DIR)}
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 -- this interpreter and our own module
            [sys.executable, "-m", "scenarios.child", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    lines: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
    output = cast("IO[bytes]", process.stdout)
    reader = threading.Thread(target=_read, args=(output, lines), daemon=True)
    reader.start()
    try:
        return _watch(process, lines, beat)
    finally:
        _kill(process)
        reader.join()
        output.close()
        if process.stdin is not None:
            process.stdin.close()


def _watch(
    process: subprocess.Popen[bytes], lines: queue.SimpleQueue[Mapping[str, Any]], beat: Callable[[int, int, str], bool]
) -> _End:
    last: Mapping[str, Any] = {}
    ends = time.monotonic() + settings.JOB_SECONDS
    while True:
        while not lines.empty():
            last = lines.get()
        if not beat(int(last.get("done", 0)), int(last.get("total", 0)), str(last.get("message", ""))):
            return _End(None, "lease")
        if ENDING.is_set():
            return _End(None, "ending")
        if time.monotonic() > ends:
            return _End(None, f"It took longer than the {settings.JOB_SECONDS:,} seconds a job may take.")
        try:
            return _End(process.wait(timeout=_BEAT), "")
        except subprocess.TimeoutExpired:
            continue


def _read(output: IO[bytes], lines: queue.SimpleQueue[Mapping[str, Any]]) -> None:
    for line in output:
        try:
            value = json.loads(line[:2000])
        except ValueError:
            continue
        if isinstance(value, dict):
            lines.put(value)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
