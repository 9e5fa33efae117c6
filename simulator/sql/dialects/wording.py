"""Problems in a dialect's own words: the shared rules tell them in PostgreSQL's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from simulator.sql.problems import SqlProblem

Told = Callable[[re.Match[str], SqlProblem], SqlProblem]
"""From a message that was recognised to the problem in the dialect's words."""

_LABELS = re.compile(
    r"\b(timestamp without time zone|timestamp with time zone|time without time zone|double precision|integer|bigint"
    r"|numeric|text|boolean|date|interval|jsonb|unknown)(\[\])?(?=$|[ ,)\]])"
)
_OF_TYPES = re.compile(r"does not exist: |^function |types |must be type |is of type |cannot cast ")


_NEAR_COLUMN = re.compile(r'^Perhaps you meant to reference the column "(.+)"\.$')


@dataclass(frozen=True, slots=True)
class Wording:
    """How a dialect tells problems. ``messages`` are tried in turn on PostgreSQL's message; ``types`` are its names of
    types; ``suggestions`` replace whole suggestions; ``finish`` is asked last, for what every message has.
    """

    messages: Sequence[tuple[re.Pattern[str], Told]]
    types: Mapping[str, str]
    suggestions: Mapping[str, str]
    finish: Callable[[SqlProblem], SqlProblem]

    def __call__(self, problem: SqlProblem) -> SqlProblem:
        """The problem in the dialect's words."""
        message = problem.message
        if _OF_TYPES.search(message):
            message = _LABELS.sub(self._label, message)
        problem = replace(
            problem, message=message, suggestion=self.suggestions.get(problem.suggestion, problem.suggestion)
        )
        for pattern, told in self.messages:
            if (match := pattern.search(message)) is not None:
                problem = told(match, problem)
                break
        return self.finish(problem)

    def _label(self, match: re.Match[str]) -> str:
        name = self.types.get(match[1], match[1])
        return f"ARRAY<{name}>" if match[2] else name


def said(template: str, suggestion: str = "") -> Told:
    """A message with ``{1}``, ``{2}``… for the groups, ``{line}``, ``{column}`` and ``{position}`` (from 0)."""

    def told(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
        groups = [match.group(0), *(group or "" for group in match.groups())]
        place = {"line": problem.line, "column": problem.column, "position": max(problem.column - 1, 0)}
        text = template.format(*groups, **place)
        return replace(problem, message=text, suggestion=suggestion or problem.suggestion)

    return told


def unlike_operands(suggestion: str) -> tuple[re.Pattern[str], Told]:
    """For dialects that would turn one operand into the other's type by rules of their own: refused, not an error."""
    return re.compile(r"^operator does not exist: (.+) (\S+) (.+)$"), _unsupported(
        "A {1} beside a {3} ({2}) is not supported here.", suggestion
    )


def unlike_types(suggestion: str) -> tuple[re.Pattern[str], Told]:
    """The same for values that must be of one type, as those of a CASE."""
    return re.compile(r"^(\S+) types (.+) and (.+) cannot be matched$"), _unsupported(
        "{1} of {2} and {3} is not supported here.", suggestion
    )


def near_column(suggestion: str) -> str:
    """PostgreSQL's hint at a column with a similar name, in short."""
    return _NEAR_COLUMN.sub(r"Did you mean `\1`?", suggestion)


def _unsupported(template: str, suggestion: str) -> Told:
    tell = said(template, suggestion)
    return lambda match, problem: replace(tell(match, problem), code="sql_unsupported")
