"""Child processes: output with a prefix, a crashed one started again after a growing pause, all ended together."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, cast

_LOOK_SECONDS = 0.2
_GRACE_SECONDS = 3.5
_LONGEST_PAUSE = 30.0
_STEADY_SECONDS = 60.0
_EVERY_SECONDS = 3.0


@dataclass(slots=True)
class Process:
    """One child: its name, the module with arguments that it runs, and the address at which it is ready, if any."""

    name: str
    arguments: Sequence[str]
    ready: tuple[str, int] | None = None
    running: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = 1.0
    again_at: float = field(default=0.0)

    def start(self) -> None:
        """Start it in a session of its own, so that a terminal's Ctrl-C reaches the supervisor alone."""
        self.started = time.monotonic()
        self.running = subprocess.Popen(  # noqa: S603 -- this interpreter and our own module
            [sys.executable, "-m", "config.supervised", *self.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        output = cast("IO[bytes]", self.running.stdout)
        threading.Thread(target=_print_lines, args=(self.name, output), daemon=True).start()

    def send(self, number: signal.Signals) -> None:
        """Send a signal to it and all that it started in its session."""
        if self.running is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.running.pid, number)


class Processes:
    """All children of one supervisor."""

    def __init__(self, processes: Sequence[Process]) -> None:
        self._processes = list(processes)
        self._ending = threading.Event()

    def start(self) -> None:
        """Start all; from now on SIGINT, SIGTERM and SIGHUP end them."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self._ending.set())
        for process in self._processes:
            process.start()

    def watch(self, *, ready: Callable[[], None], every: Callable[[], bool] | None) -> int:
        """Keep all running until told to end; gives 0.

        ``ready`` is called once, when all that have an address answer there; ``every``, some seconds apart, until it
        says that it has no more to do.
        """
        greeted, next_time = False, time.monotonic() + _EVERY_SECONDS
        while not self._ending.wait(_LOOK_SECONDS):
            for process in self._processes:
                self._look(process)
            if not greeted and all(_answers(process) for process in self._processes):
                greeted = True
                ready()
            if greeted and every is not None and time.monotonic() > next_time:
                next_time = time.monotonic() + _EVERY_SECONDS
                if every():
                    every = None
        self._end()
        return 0

    def _look(self, process: Process) -> None:
        now = time.monotonic()
        if process.running is None:
            if now >= process.again_at:
                process.start()
            return
        status = process.running.poll()
        if status is None:
            return
        if now - process.started > _STEADY_SECONDS:
            process.pause = 1.0
        _write(process.name, f"ended with {status}; starting it again in {process.pause:.0f} s")
        process.send(signal.SIGKILL)
        process.running, process.again_at = None, now + process.pause
        process.pause = min(_LONGEST_PAUSE, process.pause * 2)

    def _end(self) -> None:
        for process in self._processes:
            process.send(signal.SIGTERM)
        until = time.monotonic() + _GRACE_SECONDS
        for process in self._processes:
            if process.running is not None:
                with suppress(subprocess.TimeoutExpired):
                    process.running.wait(timeout=max(0.0, until - time.monotonic()))
                process.send(signal.SIGKILL)
                process.running.wait()


def _answers(process: Process) -> bool:
    if process.ready is None:
        return True
    try:
        with socket.create_connection(process.ready, timeout=1):
            return True
    except OSError:
        return False


def _print_lines(name: str, output: IO[bytes]) -> None:
    for line in output:
        _write(name, line.decode("utf-8", errors="replace").rstrip("\n"))
    output.close()


def _write(name: str, text: str) -> None:
    sys.stdout.write(f"{name:>11} | {text}\n")
    sys.stdout.flush()
