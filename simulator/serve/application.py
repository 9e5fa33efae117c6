"""The ASGI application: who asks, for what, and which worker does it.

What is no call (an unknown path or token, a wrong method, too large a body) is the server's to refuse and costs the
episode nothing. A call is the episode's, with all its mistakes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from simulator.serve.desk import Desk
from simulator.serve.episode_api import AGENT_PATHS, TRAINER_PATHS
from simulator.serve.metrics import MEDIA_TYPE
from simulator.serve.registry import Episode
from simulator.serve.replies import CLOSE, Refusal, Reply, encoded, json_reply, operation_reply
from simulator.serve.requests import Disconnected, Request
from simulator.serve.routes import Match, WrongMethod

_Found = TypeVar("_Found")
_log = logging.getLogger("worldwright.serve")
_QUERY_METHODS = ("GET", "DELETE")
_WHILE_DRAINING = ("healthz", "readyz", "metrics")

RESERVED = ("healthz", "readyz", "metrics", "openapi.json", "worldwright")
"""What the server's own paths begin with: no operation can have one of these."""


@dataclass(slots=True)
class Traffic:
    """``running`` counts the requests being answered; while ``draining`` no new one is taken."""

    running: int = 0
    draining: bool = False


class Application:
    """Answers HTTP for the episodes of a desk."""

    def __init__(self, desk: Desk) -> None:
        self.traffic = Traffic()
        self._desk = desk
        self._open: Mapping[str, Callable[[Request], Awaitable[Reply]]] = {
            "healthz": self._health,
            "readyz": self._readiness,
            "metrics": self._metrics,
            "openapi.json": self._openapi,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request (https://asgi.readthedocs.io/en/latest/specs/www.html)."""
        if scope["type"] != "http":
            return
        begun = perf_counter()
        request = Request(scope, receive, slowest=self._desk.settings.slowest_request)
        label = ["none"]
        self.traffic.running += 1
        try:
            try:
                reply = await self._answer(request, label)
            except Refusal as refusal:
                reply = refusal.reply
            except Disconnected:
                return
            except Exception:  # noqa: BLE001 - the last resort: told, logged, and no connection broken
                _log.exception("a request could not be answered")
                reply = Refusal(500, "server_fault", "The server failed.", CLOSE).reply
            self._desk.metrics.count(label[0], reply.status, perf_counter() - begun)
            headers = {"Cache-Control": "no-store", **reply.headers}
            await Response(reply.body, reply.status, headers, reply.media_type)(scope, receive, send)
        finally:
            self.traffic.running -= 1

    async def _answer(self, request: Request, label: list[str]) -> Reply:
        """The reply; ``label`` gets the name under which it is counted."""
        first = request.parts[0]
        if self.traffic.draining and not (len(request.parts) == 1 and first in _WHILE_DRAINING):
            raise Refusal(503, "stopping", "The server is stopping.", {"Retry-After": "5", **CLOSE})
        if len(request.parts) == 1 and first in self._open:
            label[0] = first
            if request.method != "GET":
                raise _wrong_method(("GET",))
            return await self._open[first](request)
        if first == "worldwright":
            return await self._own(request, label)
        episode = self._agent(request)
        found = self._desk.routes.find(request.method, request.raw_path, episode.role)
        if isinstance(found, WrongMethod):
            raise _wrong_method(found.allowed)
        if not isinstance(found, Match):
            raise _no_path()
        label[0] = found.operation
        told = await self._desk.ask(
            episode,
            {
                "do": "operation",
                "operation": found.operation,
                "path": found.values,
                "query": request.query(),
                "key": request.header(b"idempotency-key"),
                "body": "" if request.method in _QUERY_METHODS else await request.text(),
            },
        )
        return operation_reply(told["told"], over=told["over"])

    async def _own(self, request: Request, label: list[str]) -> Reply:
        """The server's own interface. Who may use a path is settled before anything is said of its methods."""
        handlers, name = _found(TRAINER_PATHS, request.parts)
        if handlers is not None:
            self._trainer(request)
            handler = _of_method(handlers, request.method)
            label[0] = handler.__name__
            return await handler(self._desk, name, request)
        agent_handlers, name = _found(AGENT_PATHS, request.parts)
        if agent_handlers is None:
            raise _no_path()
        episode = self._agent(request)
        act = _of_method(agent_handlers, request.method)
        label[0] = act.__name__
        return await act(self._desk, episode, name, request)

    def _trainer(self, request: Request) -> None:
        token = request.bearer()
        if token is not None and self._desk.tokens.is_server_key(token):
            return
        if token is not None and self._desk.tokens.episode_of(token) is not None:
            raise Refusal(403, "trainers_only", "This needs the server's key; an episode's token does not open it.")
        raise _unauthorized()

    def _agent(self, request: Request) -> Episode:
        token = request.bearer()
        if token is None:
            raise _unauthorized()
        name = self._desk.tokens.episode_of(token)
        if name is not None:
            return self._desk.held(name)
        if self._desk.tokens.is_server_key(token):
            raise Refusal(403, "agents_only", "This needs the token of an episode, not the server's key.")
        raise _unauthorized()

    async def _health(self, request: Request) -> Reply:
        return json_reply({"status": "ok"})

    async def _readiness(self, request: Request) -> Reply:
        ready = sum(worker.ready for worker in self._desk.workers)
        good = ready > 0 and not self.traffic.draining
        status = "stopping" if self.traffic.draining else "ready" if good else "starting"
        facts = {"status": status, "workers_ready": ready, "workers": len(self._desk.workers)}
        return json_reply(facts, 200 if good else 503)

    async def _metrics(self, request: Request) -> Reply:
        self._trainer(request)
        metrics = self._desk.metrics
        metrics.episodes.set(len(self._desk.registry))
        metrics.workers_ready.set(sum(worker.ready for worker in self._desk.workers))
        return Reply(200, metrics.text(), {}, MEDIA_TYPE)

    async def _openapi(self, request: Request) -> Reply:
        token = request.bearer()
        if token is not None and self._desk.tokens.is_server_key(token):
            return json_reply(self._desk.documents.for_role(self._desk.role_asked(dict(request.query()).get("role"))))
        return Reply(200, encoded(self._desk.documents.for_role(self._agent(request).role)), {})


def _found(paths: Mapping[tuple[str, ...], _Found], parts: tuple[str, ...]) -> tuple[_Found | None, str]:
    """What is at a path, and the part that stands where the path has a ``*``."""
    for pattern, found in paths.items():
        if len(pattern) == len(parts) - 1:
            pairs = list(zip(pattern, parts[1:], strict=True))
            if all(own in (part, "*") for own, part in pairs):
                return found, next((part for own, part in pairs if own == "*"), "")
    return None, ""


def _of_method(handlers: Mapping[str, _Found], method: str) -> _Found:
    if method not in handlers:
        raise _wrong_method(tuple(handlers))
    return handlers[method]


def _unauthorized() -> Refusal:
    message = "Send the header `Authorization: Bearer TOKEN` with a token that this server gave."
    return Refusal(401, "bad_token", message, {"WWW-Authenticate": "Bearer"})


def _wrong_method(allowed: tuple[str, ...]) -> Refusal:
    methods = ", ".join(allowed)
    return Refusal(405, "wrong_method", f"This path takes {methods}.", {"Allow": methods})


def _no_path() -> Refusal:
    return Refusal(404, "no_such_path", "There is no such path. /openapi.json lists all there are.")
