"""The front process: listens, and on SIGTERM ends what runs and takes nothing new."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from simulator.bundle import open_bundle
from simulator.errors import UsageError
from simulator.serve.application import RESERVED, Application
from simulator.serve.connections import protocol_class
from simulator.serve.desk import Desk
from simulator.serve.settings import Settings

_KEEP_ALIVE = 75
_LAST_WRITES = 2


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. ``announce`` is told the address once the server listens.

    Raises BundleError, UsageError or WorldError for what cannot be served, OSError for an address that is taken.
    """
    bundle = open_bundle(settings.bundle)
    desk = Desk(settings, bundle)
    taken = desk.routes.reserved(RESERVED)
    if taken:
        own = ", ".join(f"/{name}" for name in RESERVED)
        raise UsageError(f"The operation `{taken[0]}` has a path that begins like the server's own: {own}.")
    _raise_descriptor_limit()
    asyncio.run(_serve(settings, desk, announce))


async def _serve(settings: Settings, desk: Desk, announce: Callable[[str], None]) -> None:
    application = Application(desk)
    config = uvicorn.Config(
        application,
        http=protocol_class(settings),
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=settings.most_connections,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=_LAST_WRITES,
    )
    server = _Server(config, application, settings.longest_drain)
    with _listening(settings) as listener:
        host, port = listener.getsockname()[:2]
        announce(f"http://{f'[{host}]' if ':' in host else host}:{port}")
        workers = asyncio.create_task(desk.live())
        workers.add_done_callback(lambda _: server.stop_now())
        try:
            await server.serve(sockets=[listener])
        finally:
            failed = workers.done()
            workers.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                if failed:
                    workers.result()
                await workers


class _Server(uvicorn.Server):
    """Stops when told to: at once if nothing runs, else when all that runs is done or the time is up."""

    def __init__(self, config: uvicorn.Config, application: Application, longest: float) -> None:
        super().__init__(config)
        self._traffic = application.traffic
        self._longest = longest
        self._since: float | None = None

    def stop_now(self) -> None:
        """Stop without waiting."""
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal drains, the second ends."""
        if self._traffic.draining:
            self.force_exit = self.should_exit = True
        self._traffic.draining = True

    async def on_tick(self, counter: int) -> bool:
        """Asked ten times a second whether to stop."""
        if self._traffic.draining:
            now = asyncio.get_running_loop().time()
            self._since = now if self._since is None else self._since
            if not self._traffic.running or now - self._since > self._longest:
                self.should_exit = True
        return await super().on_tick(counter)


def _listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    return socket.create_server((settings.host, settings.port), family=family, backlog=2_048)


def _raise_descriptor_limit() -> None:
    """As many connections as the system allows, where the shell allows fewer."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
