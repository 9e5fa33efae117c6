"""A worker process: holds episodes, does one request after the other, and ends when the front is gone.

Started by the front as ``python -m simulator.serve.worker DESCRIPTOR``, with its end of a socket pair.
"""

from __future__ import annotations

import gc
import signal
import socket
import sys

from simulator.errors import WorldwrightError
from simulator.serve.framing import framed, receive_frame
from simulator.serve.held_episodes import HeldEpisodes


def main() -> None:
    """Open the bundle that the first message names, say that all is ready, and answer until the front goes away."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # a terminal's Ctrl-C reaches all processes: the front decides
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        try:
            held = _opened(receive_frame(connection))
        except WorldwrightError as error:
            connection.sendall(framed({"failed": str(error)[:2_000]}))
            return
        connection.sendall(framed({"ready": True}))
        try:
            while True:
                connection.sendall(framed(held.answer(receive_frame(connection))))
        except (EOFError, ConnectionError):
            return


def _opened(settings: dict[str, object]) -> HeldEpisodes:
    from simulator.bundle import open_bundle

    held = HeldEpisodes(open_bundle(str(settings["bundle"])))
    seeds = settings["seeds"]
    for seed in seeds if isinstance(seeds, list) else ():
        held.warm_up(seed)
    # What is there now stays: the collector need not walk it again and again.
    gc.collect()
    gc.freeze()
    return held


if __name__ == "__main__":
    main()
