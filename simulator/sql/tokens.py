"""SQLite's tokens: just enough lexing to look at a statement without being fooled by strings, comments and quotes.

One regular expression with possessive repeats, so the time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["space", "comment", "string", "blob", "quoted", "word", "number", "parameter", "symbol", "broken"]

# Every character from U+0080 up is an identifier character for SQLite, blanks such as U+00A0 included.
_LEXER = re.compile(
    r"""(?P<space>[ \t\n\f\r]++)
      | (?P<comment>--[^\n]*+ | /\*(?:[^*]|\*(?!/))*+\*/)
      | (?P<string>'[^']*+(?:''[^']*+)*+')
      | (?P<blob>[xX]'[^']*+')
      | (?P<quoted>"[^"]*+(?:""[^"]*+)*+" | `[^`]*+(?:``[^`]*+)*+` | \[[^\]]*+\])
      | (?P<word>[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_$\x80-\U0010ffff]*+)
      | (?P<number>0[xX][0-9a-fA-F_]++ | (?:[0-9][0-9_]*+(?:\.[0-9_]*+)?|\.[0-9][0-9_]*+)(?:[eE][+-]?[0-9]++)?)
      | (?P<parameter>\?[0-9]*+ | [:@\#$][A-Za-z0-9_$\x80-\U0010ffff]++)
      | (?P<broken>['"`] | \[ | /\* | [:@\#$\\{}\x00])
      | (?P<symbol>->>|->|\|\||<=|>=|<>|<<|>>|==|!=|.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A piece of the text: its kind, the text as written and where it starts (characters, from 0)."""

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind the last character."""
        return self.start + len(self.text)

    @property
    def folded(self) -> str:
        """The text in lower case; quotes stay, so a quoted identifier never looks like a keyword."""
        return self.text.lower()

    @property
    def name(self) -> str | None:
        """The identifier this token spells, without quotes; ``None`` for anything that cannot be one.

        A string is one too where SQLite expects a name: ``select * from 'secret'``.
        """
        if self.kind == "word":
            return self.text
        if self.kind in ("quoted", "string"):
            quote = self.text[-1]
            inner = self.text[1:-1]
            return inner if quote == "]" else inner.replace(quote * 2, quote)
        return None


def tokenize(sql: str) -> Iterator[Token]:
    """Every token of ``sql`` in order, blanks and comments included.

    An unterminated quote or comment is ``broken`` and is the last token.
    """
    for match in _LEXER.finditer(sql):
        kind: Kind = match.lastgroup  # type: ignore[assignment]  # the pattern names its groups after the kinds
        yield Token(kind, match.group(), match.start())
        if kind == "broken":
            return


_SHORT = 1_000
"""The longest text, in characters, of which many are remembered: a scenario's, which is linted again and again."""


def significant(sql: str) -> tuple[Token, ...]:
    """The tokens that mean something: no blanks, no comments."""
    return _short(sql) if len(sql) <= _SHORT else _long(sql)


def _read(sql: str) -> tuple[Token, ...]:
    return tuple(token for token in tokenize(sql) if token.kind not in ("space", "comment"))


_short = lru_cache(maxsize=2_000)(_read)
_long = lru_cache(maxsize=16)(_read)  # the same text is looked at several times in a row
