"""A request as the front reads it: bounded in size and time, its text undecided."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope

from simulator.serve.replies import CLOSE, Refusal
from simulator.serve.settings import MOST_BODY
from simulator.tools.plain_values import Refused, parsed_json

_MOST_FIELDS = 100


class Disconnected(Exception):
    """The client went away: nobody waits for an answer."""


class Request:
    """One request. ``parts`` are the parts of its path, percent-encoded."""

    def __init__(self, scope: Scope, receive: Receive, *, slowest: float) -> None:
        self.method: str = scope["method"]
        self.raw_path: bytes = scope["raw_path"]
        self.parts = tuple(self.raw_path.decode("latin-1").removeprefix("/").split("/"))
        self._headers: list[tuple[bytes, bytes]] = scope["headers"]
        self._query: bytes = scope["query_string"]
        self._receive = receive
        self._slowest = slowest

    def header(self, name: bytes) -> str | None:
        """The value of a header (its name in small letters); the last when there are several."""
        values = [value for key, value in self._headers if key == name]
        return values[-1].decode("latin-1") if values else None

    def bearer(self) -> str | None:
        """What the Authorization header bears (RFC 6750)."""
        scheme, _, token = (self.header(b"authorization") or "").partition(" ")
        return token.strip() if scheme.lower() == "bearer" and token.strip() else None

    def query(self) -> list[tuple[str, str]]:
        """The fields of the query. Raises Refusal when there are too many."""
        try:
            return parse_qsl(
                self._query.decode("latin-1"), keep_blank_values=True, errors="surrogateescape",
                max_num_fields=_MOST_FIELDS,
            )  # fmt: skip
        except ValueError:
            raise Refusal(400, "too_many_fields", f"A query has at most {_MOST_FIELDS} fields.") from None

    async def text(self) -> str:
        """The body. Raises Refusal when it is too large or takes too long, Disconnected when nobody is there."""
        size = self.header(b"content-length") or "0"
        if len(size) > 18 or int(size) > MOST_BODY:  # the parser let nothing but digits pass
            raise _too_large()
        parts = bytearray()
        try:
            async with asyncio.timeout(self._slowest):
                while True:
                    message = await self._receive()
                    if message["type"] != "http.request":
                        raise Disconnected
                    parts += message.get("body", b"")
                    if len(parts) > MOST_BODY:
                        raise _too_large()
                    if not message.get("more_body", False):
                        return parts.decode("utf-8", "surrogateescape")
        except TimeoutError:
            raise Refusal(408, "too_slow", "The request's body took too long.", CLOSE) from None

    async def object(self) -> dict[str, Any]:
        """The body as a JSON object, an empty one when there is none. Raises Refusal for anything else."""
        text = await self.text()
        try:
            value = parsed_json(text) if text.strip() else {}
        except Refused as refused:
            raise Refusal(400, "bad_json", refused.verdict.message.replace("The arguments", "The body")) from None
        if not isinstance(value, dict):
            raise Refusal(400, "bad_json", "The body is a JSON object.")
        return value


def _too_large() -> Refusal:
    return Refusal(413, "too_large", f"A body has at most {MOST_BODY:,} bytes.", CLOSE)
