"""SQLite's errors in an author's words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Protocol

import apsw

from simulator.sql.allowed import AUTHOR_FUNCTIONS
from simulator.sql.catalogue import Catalogue
from simulator.sql.problems import SqlCode, SqlProblem, did_you_mean, line_and_column
from simulator.sql.tokens import Token, significant

_NO_TABLE = re.compile(r"no such table: (?P<name>.+)", re.DOTALL)
_NO_COLUMN = re.compile(r"no such column: (?P<name>.+)", re.DOTALL)
_NO_COLUMN_NAMED = re.compile(r"table (?P<table>.+) has no column named (?P<name>.+)", re.DOTALL)
_NO_FUNCTION = re.compile(r"no such function: (?P<name>.+)", re.DOTALL)
_AMBIGUOUS = re.compile(r"ambiguous column name: (?P<name>.+)", re.DOTALL)
_NEAR = re.compile(r'near "(?P<name>.*)": syntax error', re.DOTALL)
_QUOTED_STRING = re.compile(r'"(?P<name>.*)" - should this be a string literal in single-quotes\?', re.DOTALL)
_LIMIT = re.compile(r"too many|too large|too big|too complex|too much|at most \d+ tables|stack overflow")


class Placed(Protocol):
    """A text made of an author's, and the way back."""

    @property
    def sql(self) -> str:
        """The text that is prepared."""

    def original_offset(self, offset: int) -> int:
        """Where a character of ``sql`` stood in the author's text; -1 for characters put in."""


def explain(error: apsw.Error, text: Placed, original: str, catalogue: Catalogue) -> SqlProblem:
    """The problem behind an error SQLite raised while it prepared ``text``, placed in the ``original``."""
    tokens = significant(text.sql)
    problem = _unknown_name(str(error), catalogue, tokens) or _misuse(str(error))
    byte_offset: int = getattr(error, "error_offset", -1)
    if byte_offset < 0:
        return locate(problem, text, original)
    return _placed(problem, original, text.original_offset(_characters(text.sql, byte_offset)))


def locate(problem: SqlProblem, text: Placed, original: str) -> SqlProblem:
    """``problem`` with the place where the last of its names first stands in the author's own text."""
    if not problem.names:
        return problem
    last = problem.names[-1].rsplit(".", 1)[-1].lower()
    for token in significant(text.sql):
        if (name := token.name) is not None and name.lower() == last:
            offset = text.original_offset(token.start)
            if offset >= 0:
                return _placed(problem, original, offset)
    return problem


def _placed(problem: SqlProblem, original: str, offset: int) -> SqlProblem:
    line, column = line_and_column(original, offset)
    return replace(problem, line=line, column=column)


def _unknown_name(message: str, catalogue: Catalogue, tokens: tuple[Token, ...]) -> SqlProblem | None:
    suggestion = ""
    if match := _NO_TABLE.fullmatch(message):
        names = [match["name"]]
        message, suggestion = catalogue.unknown_table(match["name"])
    elif match := _NO_COLUMN.fullmatch(message):
        quoted = _QUOTED_STRING.fullmatch(match["name"])
        names = [quoted["name"] if quoted else match["name"]]
        message, suggestion = catalogue.unknown_column(names[0], tokens)
        if quoted and not suggestion:
            suggestion = f"Texts are written in single quotes: '{names[0]}'."
    elif match := _NO_COLUMN_NAMED.fullmatch(message):
        names = [match["table"], match["name"]]
        message, suggestion = catalogue.unknown_column(".".join(names), tokens)
    elif match := _NO_FUNCTION.fullmatch(message):
        names = [match["name"]]
        message = f"There is no function {match['name']}()."
        suggestion = did_you_mean(match["name"], AUTHOR_FUNCTIONS)
    elif match := _AMBIGUOUS.fullmatch(message):
        names = [match["name"]]
        message = f"The column `{match['name']}` is in more than one of these tables."
        suggestion = "Write its table or alias before it."
    else:
        return None
    return SqlProblem("sql_unknown_name", message, suggestion=suggestion, names=tuple(names))


def _misuse(message: str) -> SqlProblem:
    if match := _NEAR.fullmatch(message):
        return SqlProblem("sql_syntax", f"Something is wrong near `{match['name']}`.")
    if message == "incomplete input":
        return SqlProblem("sql_syntax", "The statement ends too early.")
    code: SqlCode = "sql_syntax"
    if _LIMIT.search(message):
        code = "sql_limit"
    elif message.startswith("cannot modify") or message.endswith("may not be modified"):
        code = "sql_forbidden"
    return SqlProblem(code, f"SQLite says: {message}.")


def without_column(error: apsw.Error, sql: str) -> str | None:
    """``sql`` with the unknown column of ``error`` made a constant, lengths kept, to find the next one; or ``None``."""
    byte_offset: int = getattr(error, "error_offset", -1)
    if not _NO_COLUMN.fullmatch(str(error)) or byte_offset < 0:
        return None
    start = _characters(sql, byte_offset)
    end = start
    for token in significant(sql[start:]):
        if token.kind not in ("word", "quoted") and token.text != ".":
            break
        if token.start + start != end:
            break
        end = start + token.end
    return sql[:start] + "1" + " " * (end - start - 1) + sql[end:] if end > start else None


def _characters(sql: str, byte_offset: int) -> int:
    return byte_offset if sql.isascii() else len(sql.encode()[:byte_offset].decode(errors="ignore"))
