"""Runs a module, as ``python -m MODULE`` does, in a process that ends when the one that started it is gone.

The supervisor holds the other end of standard input. When it closes, for whatever reason, this process ends.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time

_GRACE_SECONDS = 3


def main() -> None:
    """Run the module that the first argument names with the other arguments."""
    del sys.argv[0]
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _end_with_supervisor() -> None:
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE_SECONDS)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
