"""What is wrong with a piece of SQL, as data.

Nothing in this room raises for SQL that cannot be used: functions hand back a :class:`SqlProblem`, which lint turns
into a scenario problem and an episode into a verdict.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

SqlCode = Literal[
    "sql_syntax",
    "sql_unknown_name",
    "sql_unsupported",
    "sql_forbidden",
    "sql_limit",
    "sql_value",
    "bad_time",
    "key_update",
    "not_a_query",
    "not_a_write",
    "view_cycle",
    "constraint",
    "nullable_comparison",
    "lost_json_subtype",
    "tautological_where",
    "sum_of_nothing",
    "whole_division",
]
"""Stable codes. ``bad_time`` is a text that names no time where one belongs, ``sql_value`` a statement that stopped on
a value while it ran (malformed JSON, a bad pattern), ``constraint`` a row that a table refuses; the last three are
advice, the others refuse the statement."""


@dataclass(frozen=True, slots=True)
class SqlProblem:
    """One thing wrong with a statement.

    ``line`` and ``column`` count from 1 within the statement's own text; 0 means unknown. ``names`` are the tables,
    columns, functions or parameters the message speaks of, without quotes.
    """

    code: SqlCode
    message: str
    line: int = 0
    column: int = 0
    suggestion: str = ""
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = f" (line {self.line}, column {self.column})" if self.line else ""
        text = f"{self.code}: {self.message}{place}"
        return f"{text} {self.suggestion}" if self.suggestion else text


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The place of a character offset in ``text``, both counted from 1; (0, 0) where the offset lies outside."""
    if not 0 <= offset <= len(text):
        return 0, 0
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def did_you_mean(name: str, known: Iterable[str], *, prefix: str = "") -> str:
    """``Did you mean `prefix.tier`?`` for the known name nearest to ``name``, or nothing when none is near."""
    by_folded = {candidate.lower(): candidate for candidate in sorted(known, reverse=True)}
    near = difflib.get_close_matches(name.lower(), sorted(by_folded), n=1, cutoff=0.65)
    return f"Did you mean `{prefix}{by_folded[near[0]]}`?" if near else ""
