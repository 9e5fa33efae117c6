"""The gate every statement passes before any parser sees it, whoever wrote it.

Parsers crash, or disagree, on inputs no honest author writes: deep nesting, invisible characters, blanks that only one
of two parsers takes for a blank. The gate reads the text once, in linear time, and lets only plain text through.
"""

from __future__ import annotations

import re
import unicodedata

from simulator.sql.problems import SqlCode, SqlProblem, line_and_column
from simulator.sql.tokens import Token, significant, tokenize

MAX_LENGTH = 20_000
MAX_DEPTH = 64
MAX_PREFIX_OPERATORS = 16

# Controls (tab and line ends excepted), soft hyphen, zero-width, bidirectional, line separators, tags, surrogates.
_NEVER = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
# Blanks for people and for sqlglot, identifier characters for SQLite; harmless inside a string.
FOREIGN_BLANK = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def check_text(sql: str) -> SqlProblem | None:
    """The first reason to refuse ``sql`` unread, or ``None``.

    Refused: more than 20,000 characters; brackets, CASE and prefix operators nested deeper than 64 together, brackets
    that do not match, more than 16 prefix operators in a row; control, zero-width and bidirectional characters and
    lone surrogates anywhere; foreign blanks outside strings and comments; ``U&`` literals; quotes and comments that
    never end.
    """
    if (problem := check_characters(sql)) is not None:
        return problem
    tokens = significant(sql)
    return _check_blanks(sql) or _check_literals(sql, tokens) or _check_nesting(sql, tokens)


def check_characters(sql: str) -> SqlProblem | None:
    """The part of the gate that knows no syntax, for texts in any dialect: length and characters never allowed."""
    if len(sql) > MAX_LENGTH:
        message = f"The statement has {len(sql):,} characters; at most {MAX_LENGTH:,} are read."
        return SqlProblem("sql_limit", message, 1, 1)
    if bad := _NEVER.search(sql):
        return _at(sql, bad.start(), "sql_forbidden", f"The character {_character(bad.group())} is not allowed in SQL.")
    return None


def _check_blanks(sql: str) -> SqlProblem | None:
    if FOREIGN_BLANK.search(sql) is None:
        return None
    for token in tokenize(sql):
        if token.kind not in ("string", "comment") and (blank := FOREIGN_BLANK.search(token.text)):
            message = f"The character {_character(blank.group())} is not a blank in SQL."
            return _at(sql, token.start + blank.start(), "sql_forbidden", message, "Write a plain space.")
    return None


def _check_literals(sql: str, tokens: tuple[Token, ...]) -> SqlProblem | None:
    if tokens and tokens[-1].kind == "broken":
        token = tokens[-1]
        if token.text in ("'", '"', "`", "["):
            return _at(sql, token.start, "sql_syntax", f"The quote {token.text} is never closed.")
        if token.text == "/*":
            return _at(sql, token.start, "sql_syntax", "This comment is never closed.")
        return _at(sql, token.start, "sql_syntax", f"The character {token.text} means nothing here.")
    for first, second, literal in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (
            second.text == "&"
            and literal.kind in ("string", "quoted")
            and first.folded == "u"
            and first.end == second.start
            and second.end == literal.start
        ):
            return _at(sql, first.start, "sql_forbidden", "`U&` literals are not supported.", "Write the characters.")
    return None


def _check_nesting(sql: str, tokens: tuple[Token, ...]) -> SqlProblem | None:
    opened: list[tuple[Token, int]] = []  # each bracket or CASE, with the prefix operators in front of it
    depth = prefixes = 0
    for token in tokens:
        folded = token.folded
        if folded in ("not", "-", "+", "~"):
            prefixes += 1
            if prefixes > MAX_PREFIX_OPERATORS or depth + prefixes > MAX_DEPTH:
                return _at(sql, token.start, "sql_limit", "Too many prefix operators follow each other here.")
            continue
        if folded in ("(", "case"):
            opened.append((token, prefixes))
            depth += 1 + prefixes
            if depth > MAX_DEPTH:
                message = f"Brackets, CASE and prefix operators are nested more than {MAX_DEPTH} deep."
                return _at(sql, token.start, "sql_limit", message)
        elif folded == ")" and not opened:
            return _at(sql, token.start, "sql_syntax", "This bracket closes nothing.")
        elif folded == ")" and opened[-1][0].folded == "case":
            break
        elif folded == ")" or (folded == "end" and opened and opened[-1][0].folded == "case"):
            depth -= 1 + opened.pop()[1]
        prefixes = 0
    if not opened:
        return None
    last = opened[-1][0]
    what = "This CASE has no END." if last.folded == "case" else "This bracket is never closed."
    return _at(sql, last.start, "sql_syntax", what)


def _character(character: str) -> str:
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}" + (f" ({name.lower()})" if name else "")


def _at(sql: str, offset: int, code: SqlCode, message: str, suggestion: str = "") -> SqlProblem:
    line, column = line_and_column(sql, offset)
    return SqlProblem(code, message, line, column, suggestion)
