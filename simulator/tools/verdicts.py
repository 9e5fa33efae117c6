"""Verdicts: what every action gets. ``ok``, or an error: a kind, a stable code, a message the agent can act on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "ok", "malformed", "unknown_tool", "bad_arguments", "bad_time", "sql_syntax", "sql_unknown_name",
    "sql_unsupported", "sql_forbidden", "sql_limit", "guard", "rule_denied", "constraint", "fault", "limit",
    "episode_over",
]  # fmt: skip
"""What sort of outcome it was. Reports on failures are built on these words."""

STATUSES: dict[Kind, int] = {
    "ok": 200, "malformed": 400, "unknown_tool": 404, "bad_arguments": 422, "bad_time": 422, "sql_syntax": 400,
    "sql_unknown_name": 400, "sql_unsupported": 501, "sql_forbidden": 403, "sql_limit": 413, "guard": 409,
    "rule_denied": 409, "constraint": 409, "fault": 503, "limit": 429, "episode_over": 410,
}  # fmt: skip
"""The HTTP status of a kind whose status nobody chose."""

LONGEST_ECHO = 200


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one action. ``flags`` are remarks for trainers; the agent does not see them."""

    kind: Kind
    code: str
    status: int
    message: str
    flags: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the action was carried out."""
        return self.kind == "ok"


OK = Verdict("ok", "ok", STATUSES["ok"], "")


def failed(kind: Kind, code: str, message: str, *, status: int | None = None, flags: tuple[str, ...] = ()) -> Verdict:
    """An error; ``status`` is the kind's own unless given."""
    return Verdict(kind, code, STATUSES[kind] if status is None else status, message, flags)


def echo(text: str) -> str:
    """Text that came from an agent, safe to show again: 200 characters at most, no NUL, no half characters."""
    cut = text if len(text) <= LONGEST_ECHO else text[: LONGEST_ECHO - 1] + "…"
    return cut.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode()
