"""What a caller is told when a fault strikes: the statuses, codes and bodies of an API that fails as real ones do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from simulator.scenario.durations import format_duration
from simulator.tools.verdicts import Verdict, failed

FaultKind = Literal["timeout", "server_error", "rate_limit", "stale_read", "outage"]

STALE_READ = "stale_read"
"""The code of a successful read that was answered from the data of an earlier moment."""


@dataclass(frozen=True, slots=True)
class FaultReply:
    """The code, HTTP status and message that a kind of fault gives."""

    code: str
    status: int
    message: str


FAULT_REPLIES: Mapping[FaultKind, FaultReply] = {
    "timeout": FaultReply("timeout", 504, "There was no answer in time. Whether the call took effect is not known."),
    "server_error": FaultReply("server_error", 500, "The server failed, and nothing was done. Try again."),
    "rate_limit": FaultReply("rate_limited", 429, "Too many requests. Nothing was done; try again in {wait}."),
    "outage": FaultReply("unavailable", 503, "The service is not available, and nothing was done. Try again later."),
    # 203: answered, but not by the source itself (RFC 9110, 15.3.4).
    "stale_read": FaultReply(STALE_READ, 203, "These data are not the latest: they are of {as_of}, {steps} ago."),
}  # fmt: skip


def fault_verdict(kind: FaultKind, retry_after: int = 0) -> Verdict:
    """The verdict on a call that a fault struck; ``retry_after`` in seconds, for a rate limit."""
    reply = FAULT_REPLIES[kind]
    return failed("fault", reply.code, reply.message.format(wait=format_duration(retry_after)), status=reply.status)


def fault_body(kind: FaultKind, retry_after: int = 0) -> dict[str, JsonValue]:
    """The result that goes with the verdict: that trying again makes sense, and when."""
    return {"retryable": True, "retry_after": retry_after} if kind == "rate_limit" else {"retryable": True}


def stale_verdict(as_of: str, behind: int) -> Verdict:
    """The verdict on a read that shows the data of the moment ``as_of``, ``behind`` steps ago."""
    reply = FAULT_REPLIES["stale_read"]
    steps = "1 step" if behind == 1 else f"{behind} steps"
    return Verdict("ok", reply.code, reply.status, reply.message.format(as_of=as_of, steps=steps))
