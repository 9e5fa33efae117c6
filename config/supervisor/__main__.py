"""Set up, start, watch, end."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
from pathlib import Path
from typing import IO

from config.supervisor.processes import Process, Processes

HOST = "127.0.0.1"
ALREADY, BUSY, UNUSABLE = 3, 4, 2


def main() -> int:
    """Serve until told to end. 0 then; otherwise what stands in the way has been said."""
    os.environ["WORLDWRIGHT_LOCAL"] = "1"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    word = os.environ.get("PORT", "8000")
    if not word.isdecimal() or not 0 < int(word) < 65536:
        _say(f"PORT is {word!r}; write a number from 1 to 65535.")
        return UNUSABLE
    port = int(word)

    from django.conf import settings

    lock = _lock(settings.DATA)
    if lock is None:
        _say(f"The studio runs already on the data in {settings.DATA}. End it first, or set WORLDWRIGHT_DATA.")
        return ALREADY
    if not _is_free(port):
        _say(f"Port {port} is in use by another program. Choose another: make run PORT={port + 1}")
        return BUSY
    with lock:
        _say(f"Setting up in {settings.DATA} …")

        from config.supervisor.setting_up import Demo, set_up

        demo = set_up()
        processes = Processes([_web(port), _worker("interactive", 2), _worker("batch", 1)])
        processes.start()
        return processes.watch(ready=lambda: _greet(port, demo), every=demo.advance if isinstance(demo, Demo) else None)


def _web(port: int) -> Process:
    arguments = ["uvicorn", "config.asgi:application", "--host", HOST, "--port", str(port), "--no-access-log"]
    return Process("web", [*arguments, "--timeout-graceful-shutdown", "2"], ready=("127.0.0.1", port))


def _worker(queue: str, threads: int) -> Process:
    arguments = ["celery", "--quiet", "--app", "config", "worker", "--queues", queue, "--pool", "threads"]
    options = ["--concurrency", str(threads), "--loglevel", "WARNING", "--without-gossip"]
    return Process(queue, [*arguments, *options, "--without-mingle", "--hostname", f"{queue}@localhost"])


def _greet(port: int, demo: object) -> None:
    from config.supervisor.setting_up import Demo

    _say(f"\nWorldwright is at http://{HOST}:{port}\n")
    if isinstance(demo, Demo) and demo.password:
        _say(f"  sign in as    {demo.username}\n  password      {demo.password}   (shown this once)\n")
    _say("Ctrl-C ends it.\n")


def _lock(data: Path) -> IO[str] | None:
    data.mkdir(parents=True, exist_ok=True)
    file = (data / "supervisor.lock").open("a", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
