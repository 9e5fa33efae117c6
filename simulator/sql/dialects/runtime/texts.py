"""Texts: patterns in linear time, and the string functions SQLite has not or has for ASCII only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import re2

from simulator.sql.functions import FunctionProblem

MAX_PATTERN = 1_000
MAX_TEXT = 100_000


def bounded(text: str) -> str:
    """A text that is not too long to hand on."""
    if len(text) > MAX_TEXT:
        raise FunctionProblem(f"a text of more than {MAX_TEXT:,} characters is too long here")
    return text


def joined(pieces: Iterable[str]) -> str:
    """Pieces as one text. It stops as soon as they are too long together, so that what is made stays small."""
    found, length = [], 0
    for piece in pieces:
        length += len(piece)
        if length > MAX_TEXT:
            raise FunctionProblem(f"a text of more than {MAX_TEXT:,} characters is too long here")
        found.append(piece)
    return "".join(found)


def _compile(pattern: str, *, ignore_case: bool = False, longest: bool = False) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 22
    options.case_sensitive = not ignore_case
    options.dot_nl = True
    options.longest_match = longest
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        raise FunctionProblem(f"invalid regular expression: {reason}") from None


def simple_upper(text: str) -> str:
    """Upper case, a character for a character: ``ß`` stays, as in PostgreSQL."""
    return text.upper() if text.isascii() else "".join(c.upper() if len(c.upper()) == 1 else c for c in text)


def simple_lower(text: str) -> str:
    """Lower case, a character for a character."""
    return text.lower() if text.isascii() else "".join(c.lower()[0] for c in text)


# -- LIKE --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _like(pattern: str, escape: str) -> Any:
    if len(pattern) > MAX_PATTERN:
        raise FunctionProblem(f"LIKE takes a pattern of at most {MAX_PATTERN} characters")
    if len(escape) > 1:
        raise FunctionProblem("invalid escape string")
    result = ""
    characters = iter(pattern)
    for character in characters:
        if character == escape:
            following = next(characters, None)
            if following is None:
                raise FunctionProblem("LIKE pattern must not end with escape character")
            result += re2.escape(following)
        else:
            result += {"%": ".*", "_": "."}.get(character) or re2.escape(character)
    return _compile(result)


def like(text: str, pattern: str, escape: str) -> int:
    """``text LIKE pattern``, case counting."""
    return int(_like(pattern, escape).fullmatch(text) is not None)


def ilike(text: str, pattern: str, escape: str) -> int:
    """``text ILIKE pattern``."""
    return like(simple_lower(text), simple_lower(pattern), escape)


# -- Regular expressions -----------------------------------------------------------------------------------------------

_CLASSES = {
    "d": r"\p{Nd}", "D": r"\P{Nd}", "w": r"[\p{L}\p{M}\p{N}_]", "W": r"[^\p{L}\p{M}\p{N}_]", "s": r"[\s\x{a0}]",
    "S": r"[^\s\x{a0}]",
}  # fmt: skip
_IN_BRACKETS = {"d": r"\p{Nd}", "w": r"\p{L}\p{M}\p{N}_", "s": r"\s\x{a0}"}
_NAMED = {
    "alpha": r"\p{L}", "digit": r"\p{Nd}", "alnum": r"\p{L}\p{N}", "upper": r"\p{Lu}", "lower": r"\p{Ll}",
    "space": r"\s\x{a0}", "punct": "[:punct:]",
}  # fmt: skip
_TOKEN = re.compile(
    r"\\(?P<escaped>.)|\[\[:(?P<edge>[<>]):\]\]|(?P<class>\[\^?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\])|(?P<special>\(\?.?)|(?P<lazy>[*+?}]\?)|(?P<plain>.)",
    re.DOTALL,
)


@lru_cache(maxsize=256)
def regex(pattern: str, ignore_case: bool, lazy_allowed: bool) -> Any:
    """PostgreSQL's regular expression as RE2's.

    Raises :class:`FunctionProblem` for what RE2 has not (backward references, looking around), and for non-greedy
    repetition where it matters which text was matched, as the two then differ.
    """
    if len(pattern) > MAX_PATTERN:
        raise FunctionProblem(f"a pattern of more than {MAX_PATTERN} characters is too long here")
    result = ""
    for match in _TOKEN.finditer(pattern):
        if match["escaped"] is not None:
            result += _escape(match["escaped"])
        elif match["edge"] is not None:
            raise FunctionProblem("[[:<:]] and [[:>:]] are not supported in patterns here; write \\y")
        elif match["class"] is not None:
            result += _bracket(match["class"])
        elif match["special"] not in (None, "(?:"):
            raise FunctionProblem("looking around and options in patterns are not supported here")
        elif match["lazy"] is not None and not lazy_allowed:
            raise FunctionProblem("non-greedy repetition is not supported here; write a class such as [^,]*")
        else:
            result += match.group()
    return _compile(result, ignore_case=ignore_case, longest=not lazy_allowed)


def _escape(character: str) -> str:
    if character in _CLASSES:
        return _CLASSES[character]
    if character in "ntr":
        return "\\" + character
    if character == "y":
        return r"\b"
    if character == "A":
        return r"\A"
    if character == "Z":
        return r"\z"
    if character.isalnum():
        raise FunctionProblem(f"\\{character} is not supported in patterns here")
    return str(re2.escape(character))


_ESCAPED_OPEN = re.escape("[")
_OPEN_BRACKET = re.compile(r"\[(?!:)")


def _bracket(text: str) -> str:
    inner = re.sub(r"\[:([a-z]+):\]", lambda match: _NAMED.get(match[1], "\0"), text[1:-1])
    inner = re.sub(r"\\([dws])", lambda match: _IN_BRACKETS[match[1]], inner)
    if "\0" in inner or re.search(r"\\[DWS]", inner):
        raise FunctionProblem(f"{text} is not supported in patterns here")
    negated = "^" if inner.startswith("^") else ""
    inner = inner[len(negated) :]
    if inner.startswith("]"):
        inner = "\\" + inner
    return f"[{negated}{_OPEN_BRACKET.sub(lambda _: _ESCAPED_OPEN, inner)}]"


def regex_matches(text: str, pattern: str, ignore_case: int) -> int:
    """``text ~ pattern`` and ``text ~* pattern``."""
    return int(regex(pattern, bool(ignore_case), True).search(text) is not None)


def regex_replace(text: str, pattern: str, replacement: str, flags: str) -> str:
    """``regexp_replace``: the first match, or with ``g`` all."""
    _check_flags(flags, "gi")
    expression = regex(pattern, "i" in flags, False)
    pieces = re.split(r"\\([0-9&\\])", replacement)

    def parts() -> Iterator[str]:
        position = 0
        for match in expression.finditer(text):
            yield text[position : match.start()]
            for index, piece in enumerate(pieces):
                if index % 2 == 0 or piece == "\\":
                    yield piece
                else:
                    number = 0 if piece == "&" else int(piece)
                    yield (match.group(number) or "") if number <= expression.groups else ""
            position = match.end()
            if "g" not in flags:
                break
        yield text[position:]

    return joined(parts())


def regex_substring(text: str, pattern: str) -> str | None:
    """``substring(text from pattern)``: the first group if there is one, else the match."""
    expression = regex(pattern, False, False)
    match = expression.search(text)
    if match is None:
        return None
    return match.group(1 if expression.groups else 0)  # type: ignore[no-any-return]


def regex_count(text: str, pattern: str) -> int:
    """``regexp_count``."""
    return sum(1 for _ in regex(pattern, False, False).finditer(text))


def regex_first(text: str, pattern: str, flags: str) -> list[str | None] | None:
    """``regexp_match``: the groups of the first match."""
    _check_flags(flags, "i")
    expression = regex(pattern, "i" in flags, False)
    match = expression.search(text)
    if match is None:
        return None
    return list(match.groups()) if expression.groups else [match.group(0)]


def regex_split(text: str, pattern: str) -> list[str]:
    """``regexp_split_to_array``; empty matches split nothing here."""
    parts = []
    position = 0
    for match in regex(pattern, False, False).finditer(text):
        if match.end() == match.start():
            raise FunctionProblem("a pattern that matches an empty text cannot split here")
        parts.append(text[position : match.start()])
        position = match.end()
    return [*parts, text[position:]]


def _check_flags(flags: str, known: str) -> None:
    if set(flags) - set(known):
        raise FunctionProblem(f"of the flags of regular expressions, only {', '.join(known)} are known here")


@lru_cache(maxsize=256)
def _similar(pattern: str) -> Any:
    if len(pattern) > MAX_PATTERN:
        raise FunctionProblem(f"SIMILAR TO takes a pattern of at most {MAX_PATTERN} characters")
    result = ""
    for match in re.finditer(r"\\(?P<escaped>.)|(?P<class>\[[^\]]*\])|(?P<plain>.)", pattern, re.DOTALL):
        if match["escaped"] is not None:
            result += re2.escape(match["escaped"])
        elif match["class"] is not None:
            result += _bracket(match["class"])
        else:
            result += {"%": ".*", "_": ".", ".": r"\.", "^": r"\^", "$": r"\$"}.get(match["plain"], match["plain"])
    return _compile(result)


def similar_to(text: str, pattern: str) -> int:
    """``text SIMILAR TO pattern``."""
    return int(_similar(pattern).fullmatch(text) is not None)


# -- Parts of texts ----------------------------------------------------------------------------------------------------


def left(text: str, count: int) -> str:
    """The first characters; a negative count leaves so many off the end."""
    return text[:count]


def right(text: str, count: int) -> str:
    """The last characters; a negative count leaves so many off the beginning."""
    return text[-count:] if count > 0 else text[-count:] if count < 0 else ""


def substring(text: str, start: int, length: int) -> str:
    """``substring(text from start for length)``; places before the first count as empty."""
    if length < 0:
        raise FunctionProblem("negative substring length not allowed")
    return text[max(start - 1, 0) : max(start - 1 + length, 0)]


def substring_from(text: str, start: int) -> str:
    """``substring(text from start)``."""
    return text[max(start - 1, 0) :]


def split_part(text: str, separator: str, number: int) -> str:
    """The n-th field, from the end if negative."""
    if number == 0:
        raise FunctionProblem("field position must not be zero")
    parts = text.split(separator) if separator else [text]
    index = number - 1 if number > 0 else len(parts) + number
    return parts[index] if 0 <= index < len(parts) else ""


def pad_left(text: str, length: int, filling: str) -> str:
    """``lpad``."""
    return text[: max(length, 0)] if length <= len(text) or not filling else _filling(text, length, filling) + text


def pad_right(text: str, length: int, filling: str) -> str:
    """``rpad``."""
    return text[: max(length, 0)] if length <= len(text) or not filling else text + _filling(text, length, filling)


def _filling(text: str, length: int, filling: str) -> str:
    if length > MAX_TEXT:
        raise FunctionProblem(f"a text of more than {MAX_TEXT:,} characters is too long here")
    missing = length - len(text)
    return (filling * (missing // len(filling) + 1))[:missing]


def capitalized(text: str) -> str:
    """``initcap``: the first letter of each word, a word being letters and digits."""
    result = ""
    inside = False
    for character in bounded(text):
        result += simple_lower(character) if inside else simple_upper(character)
        inside = character.isalnum()
    return result


def repeated(text: str, count: int) -> str:
    """``repeat``."""
    if len(text) * max(count, 0) > MAX_TEXT:
        raise FunctionProblem(f"a text of more than {MAX_TEXT:,} characters is too long here")
    return text * max(count, 0)


def reversed_text(text: str) -> str:
    """``reverse``."""
    return text[::-1]


def translated(text: str, old: str, new: str) -> str:
    """``translate``: each character of ``old`` becomes the one of ``new`` in its place, or nothing."""
    table: dict[int, str | None] = {}
    for index, character in enumerate(old[:MAX_PATTERN]):
        table.setdefault(ord(character), new[index] if index < len(new) else None)
    return text.translate(table)


def position(text: str, part: str) -> int:
    """Where ``part`` begins in ``text``, counted from 1; 0 if nowhere."""
    return text.find(part) + 1


def overlaid(text: str, new: str, start: int, length: int) -> str:
    """``overlay``."""
    if start <= 0:
        raise FunctionProblem("negative substring length not allowed")
    return bounded(text[: start - 1] + new + text[max(start - 1 + length, 0) :])


def replaced(text: str, old: str, new: str) -> str:
    """``replace``."""
    if not old:
        return text
    if len(text) + text.count(old) * (len(new) - len(old)) > MAX_TEXT:  # not made before it is known to be short
        raise FunctionProblem(f"a text of more than {MAX_TEXT:,} characters is too long here")
    return text.replace(old, new)


def from_code(code: int) -> str:
    """``chr``."""
    if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
        raise FunctionProblem(f"requested character not valid: {code}")
    return chr(code)


def to_code(text: str) -> int:
    """``ascii``: the first character's code."""
    return ord(text[0]) if text else 0


def stripped(text: str, characters: str, side: str) -> str:
    """``btrim``, ``ltrim`` and ``rtrim``, by ``side``: ``b``, ``l`` or ``r``."""
    strips: dict[str, Callable[[str, str], str]] = {"b": str.strip, "l": str.lstrip, "r": str.rstrip}
    # Python strips its own idea of blanks when given an empty set.
    return strips[side](text, characters[:MAX_PATTERN]) if characters else text


def starts_with(text: str, beginning: str) -> int:
    """``starts_with``."""
    return int(text.startswith(beginning))


def read_boolean(text: str) -> int:
    """A text cast to boolean: any beginning of true, false, yes, no, on, off; 1, 0."""
    word = text.strip().lower()
    if word and (word in ("1", "on") or "true".startswith(word) or "yes".startswith(word)):
        return 1
    if word and (word in ("0", "of", "off") or "false".startswith(word) or "no".startswith(word)):
        return 0
    raise FunctionProblem(f'invalid input syntax for type boolean: "{text[:80]}"')


# -- As warehouses have them -------------------------------------------------------------------------------------------


def part(text: str, start: int, length: int) -> str:
    """``SUBSTR``: 0 counts as 1, a negative start from the end."""
    if length < 0:
        raise FunctionProblem("the length of a substring cannot be negative")
    first = max(start - 1, 0) if start >= 0 else max(len(text) + start, 0)
    return text[first : first + length]


_WORD_ENDS = frozenset('!?@"^#$&~_,.:;+-*%/|\\[](){}<> \t\r\n')


def capitalized_words(text: str) -> str:
    """``INITCAP``: the first letter after a blank or a sign, but not after an apostrophe."""
    result = ""
    inside = False
    for character in bounded(text):
        result += simple_lower(character) if inside else simple_upper(character)
        inside = character not in _WORD_ENDS
    return result


def ends_with(text: str, ending: str) -> int:
    """``ENDS_WITH``."""
    return int(text.endswith(ending))


def split(text: str, separator: str) -> list[str]:
    """The parts of a text; without a separator its characters."""
    return text.split(separator) if separator else list(text)


def words(text: str, separators: str, number: int) -> str | None:
    """``STRTOK``: the n-th part that is not empty, any of the characters separating."""
    parts = [item for item in re.split(f"[{re.escape(separators)}]", text) if item] if separators else [text]
    return parts[number - 1] if 1 <= number <= len(parts) else None
