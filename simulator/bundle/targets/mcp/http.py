"""MCP over streamable HTTP at ``/mcp`` for agents, and beside it ``/episodes`` for the trainer.

An agent sends its episode's token as bearer, the trainer the server's key. Neither opens what the other's does. No MCP
session is kept: the token alone says which episode a request is about.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simulator.bundle.targets.mcp.episodes import Episodes, TooManyError
from simulator.bundle.targets.mcp.protocol import server_of
from simulator.bundle.tool_episode import ToolEpisode
from simulator.errors import EngineFault, UsageError
from simulator.tools.plain_values import Refused, parsed_json

MOST_BODY = 1_000_000
"""Bytes of the largest request."""

_Handler = Callable[[Request], Awaitable[Response]]

_BEARER = re.compile(r"[Bb]earer +([A-Za-z0-9_-]{1,200}) *")


def application(name: str, episodes: Episodes, key: str) -> ASGIApp:
    """The server as an ASGI application. ``key`` is the trainer's."""

    def episode_of(request: Any) -> ToolEpisode:
        episode = episodes.of_token(_token(request))
        if episode is None:
            raise UsageError("The episode has ended, and its token with it.")
        return episode

    manager = StreamableHTTPSessionManager(app=server_of(name, episode_of), json_response=True, stateless=True)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    async def agent(scope: Scope, receive: Receive, send: Send) -> None:
        if episodes.of_token(_token(Request(scope))) is None:
            await _refused(401, "Send the token of an episode as bearer.")(scope, receive, send)
        else:
            await manager.handle_request(scope, receive, send)

    routes = [Route("/healthz", _health), Route("/mcp", _Application(agent)), *_Trainer(episodes, key).routes()]
    return _Bounded(Starlette(routes=routes, lifespan=lifespan))


class _Trainer:
    """What the trainer may do."""

    def __init__(self, episodes: Episodes, key: str) -> None:
        self._episodes = episodes
        self._key = key.encode()

    def routes(self) -> list[Route]:
        return [
            Route("/tasks", self._guarded(self._tasks)),
            Route("/episodes", self._guarded(self._begin), methods=["POST"]),
            Route("/episodes/{name}/finish", self._guarded(self._finish), methods=["POST"]),
            Route("/episodes/{name}/trajectory", self._guarded(self._trajectory)),
            Route("/episodes/{name}", self._guarded(self._end), methods=["DELETE"]),
        ]

    def _guarded(self, handler: _Handler) -> _Handler:
        """The handler for whoever has the key; what it raises becomes an answer."""

        async def guarded(request: Request) -> Response:
            if not hmac.compare_digest(_token(request).encode(), self._key):
                return _refused(401, "Send the server's key as bearer.")
            try:
                return await handler(request)
            except TooManyError as error:
                return _refused(503, str(error))
            except UsageError as error:
                return _refused(422, str(error))
            except EngineFault as error:
                return _refused(500, f"The engine failed; leave this attempt out: {error}")

        return guarded

    async def _tasks(self, request: Request) -> Response:
        tasks = self._episodes.bundle.tasks(request.query_params.get("split"))
        return JSONResponse([dict(task) for task in tasks])

    async def _begin(self, request: Request) -> Response:
        asked = _object(await request.body())
        task, seed = asked.get("task"), asked.get("seed")
        if not isinstance(task, str) or isinstance(seed, bool) or not isinstance(seed, int | None):
            raise UsageError('Send {"task": id}, and "seed", a whole number, if you want another than the task\'s own.')
        begun = await anyio.to_thread.run_sync(lambda: self._episodes.begin(task, seed))
        return JSONResponse(dict(begun), 201)

    async def _finish(self, request: Request) -> Response:
        return _found(self._episodes.outcome(request.path_params["name"]))

    async def _trajectory(self, request: Request) -> Response:
        lines = self._episodes.trajectory(request.path_params["name"])
        if lines is None:
            return _found(None)
        text = "".join(json.dumps(line) + "\n" for line in lines)
        return PlainTextResponse(text, media_type="application/jsonl")

    async def _end(self, request: Request) -> Response:
        return Response(status_code=204) if self._episodes.end(request.path_params["name"]) else _found(None)


async def _health(_: Request) -> Response:
    return JSONResponse({"ok": True})


class _Application:
    """An ASGI application of a route of its own: an instance, because Starlette takes functions for handlers."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._application(scope, receive, send)


class _Bounded:
    """Refuses a body of more than MOST_BODY bytes before anybody reads it."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        body, more = b"", True
        while more and len(body) <= MOST_BODY:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        if len(body) > MOST_BODY:
            await _refused(413, f"A request has at most {MOST_BODY:,} bytes.")(scope, receive, send)
            return
        read = False

        async def again() -> Message:
            nonlocal read
            if read:
                return await receive()
            read = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._application(scope, again, send)


def _token(request: Request) -> str:
    match = _BEARER.fullmatch(request.headers.get("authorization", ""))
    return match[1] if match is not None else ""


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = parsed_json(body.decode("utf-8"))
    except (UnicodeDecodeError, Refused) as error:
        raise UsageError(f"The body is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError("The body must be a JSON object.")
    return value


def _found(value: Any) -> Response:
    return JSONResponse(dict(value)) if value is not None else _refused(404, "There is no such episode.")


def _refused(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status)
