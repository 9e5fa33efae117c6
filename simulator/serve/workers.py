"""The worker processes as the front sees them: started, asked, watched, and started again when they end."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import simulator
from simulator.errors import WorldError
from simulator.serve.framing import framed, read_frame
from simulator.serve.settings import MOST_WAITING

_MOST_FAILURES = 3
_PAUSE = 0.5


class WorkerGone(Exception):
    """The process that was asked ended before it answered."""


class WorkerBusy(Exception):
    """Too many requests wait for the process already, or it is not ready."""


class Worker:
    """One place for a process. ``life`` counts the processes that have been in it."""

    def __init__(self, place: int, opening: dict[str, Any], *, longest: float, lost: Callable[[int], None]) -> None:
        self.place = place
        self.life = 0
        self.ready = False
        self.process: asyncio.subprocess.Process | None = None
        self._opening = opening
        self._longest = longest
        self._lost = lost
        self._writer: asyncio.StreamWriter | None = None
        self._waiting: deque[asyncio.Future[Any]] = deque()

    async def ask(self, request: dict[str, Any]) -> Any:
        """What the process answers. Raises WorkerBusy at once, WorkerGone when it ends first.

        A process that takes too long for one operation is ended: nothing else would free those who wait behind it.
        """
        writer = self._writer
        if not self.ready or writer is None or len(self._waiting) >= MOST_WAITING:
            raise WorkerBusy
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        writer.write(framed(request))
        return await answer

    async def live(self) -> None:
        """Keep a process in this place until cancelled. Raises WorldError when none can get ready."""
        failures = 0
        while True:
            self.life += 1
            try:
                was_ready, said = await self._one_life()
            finally:
                await self._end()
            failures = 0 if was_ready else failures + 1
            if said or failures >= _MOST_FAILURES:
                raise WorldError(said or "A worker process ended before it was ready, several times.")
            await asyncio.sleep(_PAUSE * failures)

    async def _one_life(self) -> tuple[bool, str]:
        """Whether the process got ready, and why it said that it cannot."""
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "simulator.serve.worker", str(theirs.fileno())]
        try:
            self.process = await asyncio.create_subprocess_exec(
                *command, pass_fds=[theirs.fileno()], stdin=asyncio.subprocess.DEVNULL, cwd=_root()
            )
        finally:
            theirs.close()
        reader, self._writer = await asyncio.open_connection(sock=ours)
        self._writer.write(framed(self._opening))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            first = await read_frame(reader)
            if "failed" in first:
                return False, str(first["failed"])
            self.ready = True
            watch = asyncio.create_task(self._watch())
            try:
                while True:
                    answer = await read_frame(reader)
                    waiting = self._waiting.popleft()
                    if not waiting.done():
                        waiting.set_result(answer)
            finally:
                watch.cancel()
        return self.ready, ""

    async def _watch(self) -> None:
        """End a process that is at the same request for too long."""
        while True:
            first = self._waiting[0] if self._waiting else None
            await asyncio.sleep(self._longest)
            if first is not None and self._waiting and self._waiting[0] is first and self.process is not None:
                self.process.kill()

    async def _end(self) -> None:
        """Nobody waits for this process any more, and it is gone."""
        was_ready, self.ready = self.ready, False
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_exception(WorkerGone())
        if was_ready:
            self._lost(self.place)
        process = self.process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _root() -> Path:
    """Where ``simulator`` can be imported from, whether it is installed or a source tree."""
    return Path(simulator.__file__).parent.parent
