"""The author's bytes as text: how much of it, and which characters, any reader accepts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from simulator.errors import Location, Problem, ScenarioError

REFUSED_CHARACTERS = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Control characters, lone surrogates, non-characters and the byte order mark: no text of a scenario holds one."""


@dataclass(frozen=True, slots=True)
class TextLimits:
    """What one text may hold: bytes in all, levels of nesting, nodes (keys and values), characters in one value."""

    size: int = 10_000_000
    depth: int = 64
    nodes: int = 250_000
    scalar: int = 1_000_000


MOST_PROBLEMS = 100
"""Where one reading gives up and reports what it has found."""


def decode_text(text: str | bytes, *, file: str, size: int) -> str:
    """``text`` as characters, without a byte order mark.

    Raises ScenarioError: ``too_large`` (over ``size`` bytes), ``encoding`` (not UTF-8), ``bad_character`` (a control
    character, a lone surrogate).
    """
    if len(text) > size or (isinstance(text, str) and len(text.encode("utf-8", "surrogatepass")) > size):
        raise _stop("too_large", f"The text is larger than {size:,} bytes.", file)
    if isinstance(text, bytes):
        text = _decode(text, file)
    text = text.removeprefix("\ufeff")
    refused = REFUSED_CHARACTERS.search(text)
    if refused:
        character = ord(refused.group())
        message = f"The character U+{character:04X} cannot stand in a text."
        raise _stop("bad_character", message, file, place_in(text, refused.start()), "Remove it; is this a text file?")
    return text


def place_in(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character of ``text``."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def _decode(text: bytes, file: str) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        if text.startswith((b"\xff\xfe", b"\xfe\xff")):
            message = "The text is UTF-16."
        else:
            message = f"The text is not UTF-8: byte {text[error.start]:#04x} at offset {error.start}."
        place = place_in(text[: error.start].decode("utf-8"), len(text[: error.start].decode("utf-8")))
        raise _stop("encoding", message, file, place, "Save the file as UTF-8.") from None


def _stop(code: str, message: str, file: str, place: tuple[int, int] = (0, 0), suggestion: str = "") -> ScenarioError:
    return ScenarioError([Problem(code, message, location=Location(file, *place), suggestion=suggestion)])
