"""What the front answers: JSON with a status, and refusals of the server's own, which cost an episode nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.episode import Observation

SERVER = "server"
"""The kind of a refusal that is the server's and not the business's."""

CLOSE = {"Connection": "close"}


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. ``headers`` are ASCII."""

    status: int
    body: bytes
    headers: Mapping[str, str]
    media_type: str = "application/json"


class Refusal(Exception):
    """The server does not do what was asked."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        content = {"kind": SERVER, "code": code, "message": message}
        self.reply = Reply(status, encoded(content), headers or {})


def json_reply(value: Any, status: int = 200) -> Reply:
    """A value as JSON."""
    return Reply(status, encoded(value), {})


def operation_reply(told: Observation, *, over: bool) -> Reply:
    """An observation as an API answers: the result with its status, or a failure; the rest in headers.

    ``Retry-After`` is in seconds of the world's time.
    """
    headers = {"Worldwright-Now": told["now"], "Worldwright-Steps-Left": str(told["steps_left"])}
    if over:
        headers["Worldwright-Over"] = "true"
    if "as_of" in told:
        headers["Worldwright-As-Of"] = told["as_of"]
    if told.get("notices"):
        headers["Worldwright-Notices"] = json.dumps(told["notices"])
    if told["ok"]:
        if told["message"]:
            headers["Worldwright-Message"] = json.dumps(told["message"])
        return Reply(told["status"], encoded(told["result"]), headers)
    more = told["result"] if isinstance(told["result"], dict) else {}
    if "retry_after" in more:
        headers["Retry-After"] = str(more["retry_after"])
    failure = {**more, "kind": told["kind"], "code": told["code"], "message": told["message"]}
    return Reply(told["status"], encoded(failure), headers)


def encoded(value: Any) -> bytes:
    """JSON as bytes; what is no character stays an escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")
