"""How texts compare in dialects that pass over case: as keys, made of each character once.

Letters of the Latin script follow the Unicode collation algorithm's default table: signs before digits before letters,
letters by their first level without accents (``ß`` as ``ss``, ``ø`` as ``o``), then by accent where the collation
minds them. Characters of other scripts come after, by code point.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_SIGNS = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
_FIRST_LEVEL = {
    **{sign: (index,) for index, sign in enumerate(_SIGNS)},
    **{digit: (100 + index,) for index, digit in enumerate("0123456789")},
    **{letter: (200 + index,) for index, letter in enumerate("abcdefghijklmnopqrstuvwxyz")},
}
# Letters that Unicode does not take apart, but that its collation sorts as others with something added.
_PLAIN = {
    "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ŧ": "t", "ĳ": "ij", "ſ": "s",
    "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " ",
}  # fmt: skip
_APART = "-'"


@lru_cache(maxsize=8192)
def letter_key(text: str) -> tuple[int, ...]:
    """A text by its letters, without case and accents."""
    key: list[int] = []
    for character in unicodedata.normalize("NFKD", text.casefold() if text.isascii() else _lowered(text)):
        if unicodedata.combining(character):
            continue
        for plain in _PLAIN.get(character, character):
            key += _FIRST_LEVEL.get(plain, (1000 + ord(plain),))
    return tuple(key)


def _lowered(text: str) -> str:
    return "".join(character.lower() if character not in "ẞ" else "ß" for character in text)


@lru_cache(maxsize=8192)
def _accent_key(text: str) -> tuple[tuple[int, ...], tuple[str, ...], tuple[int, ...]]:
    kept = text.rstrip(" ")
    apart = tuple(index for index, character in enumerate(kept) if character in _APART)
    words = "".join(character for character in kept if character not in _APART)
    accents: list[str] = []
    for character in unicodedata.normalize("NFKD", _lowered(words)):
        if unicodedata.combining(character) and accents:
            accents[-1] += character
        else:
            accents.append(character if character in _PLAIN else "")
    return letter_key(words), tuple(accents), tuple(key for index in apart for key in (index, ord(kept[index])))


def by_letter(first: str, second: str) -> int:
    """Neither case nor accents count: MySQL's ``utf8mb4_0900_ai_ci``."""
    if first == second:
        return 0
    one, other = letter_key(first), letter_key(second)
    return (one > other) - (one < other)


def by_letter_and_accent(first: str, second: str) -> int:
    """Case and blanks at the end do not count, accents do: SQL Server's ``Latin1_General_CI_AS``, which minds hyphens
    and apostrophes last.
    """
    if first == second:
        return 0
    one, other = _accent_key(first), _accent_key(second)
    return (one > other) - (one < other)


@lru_cache(maxsize=8192)
def without_accents(text: str) -> str:
    """A text for patterns: each character by its letter, in lower case, as many characters as before."""
    return "".join(_letter(character) for character in text)


@lru_cache(maxsize=4096)
def _letter(character: str) -> str:
    parts = unicodedata.normalize("NFKD", character.lower() if len(character.lower()) == 1 else character)
    plain = _PLAIN.get(parts[:1], parts[:1])
    return plain if len(plain) == 1 else character.lower()
