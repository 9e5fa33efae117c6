"""Messages with places for values: ``There is no ticket {ticket_id}.`` Read once, filled at each use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from simulator.scenario.canonical import canonical_json
from simulator.tools.verdicts import echo

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """A text whose ``{name}`` stand for values; ``{{`` and ``}}`` are braces. Nothing else is interpreted.

    ``names`` are the names used, in order of appearance, each once. ``problems`` says in words what is wrong with the
    braces; a template that has problems keeps the offending characters as they are.
    """

    names: tuple[str, ...]
    problems: tuple[str, ...]
    _pieces: tuple[tuple[str, bool], ...]

    @classmethod
    def parse(cls, text: str) -> MessageTemplate:
        """Read a template. Never fails: see ``problems``."""
        pieces: list[tuple[str, bool]] = []
        problems: list[str] = []
        for match in _PIECE.finditer(text):
            piece = match[0]
            if match[1] is not None and _NAME.fullmatch(match[1]):
                pieces.append((match[1], True))
                continue
            if match[1] is not None:
                problems.append(f"`{piece[:40]}` is not a name in braces; write {{{{ and }}}} for literal braces")
            elif piece in ("{", "}"):
                problems.append(f"a stray `{piece}` at character {match.start() + 1}; write `{piece * 2}` for a brace")
            pieces.append(({"{{": "{", "}}": "}"}.get(piece, piece), False))
        names = tuple(dict.fromkeys(piece for piece, is_name in pieces if is_name))
        return cls(names, tuple(problems), tuple(pieces))

    def fill(self, values: Mapping[str, object]) -> str:
        """The text with values in place, each cut at 200 characters. A name without a value reads ``none``."""
        return "".join(echo(shown(values.get(piece))) if is_name else piece for piece, is_name in self._pieces)


def shown(value: object) -> str:
    """A value in words: None is ``none``, booleans are ``true`` and ``false``, lists and objects are JSON."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (list, dict)):
        return canonical_json(value)
    return str(value)
