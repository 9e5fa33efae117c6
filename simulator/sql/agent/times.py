"""Literals that meet a timestamp or a date: brought into the world's form, or refused.

Times are texts here. A literal in another form (``2026-03-01T10:00Z``, a date alone, a number) compares without an
error and gives rows that nobody meant; in PostgreSQL it would have been read as a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from simulator.scenario.times import normalise_date, normalise_timestamp
from simulator.sql.agent.shape import Shape
from simulator.sql.catalogue import TableNames
from simulator.sql.problems import SqlProblem, line_and_column
from simulator.sql.rewriting import Edit
from simulator.sql.tokens import Token

_COMPARISONS = frozenset({"=", "==", "<>", "!=", "<", ">", "<=", ">=", "is"})
_CONTINUES = frozenset({"||", "+", "-", "*", "/", "%", "->", "->>", "<<", ">>", "&", "|", "(", "."})
_FORMS = {"timestamp": "YYYY-MM-DD HH:MM:SS, in UTC", "date": "YYYY-MM-DD"}
_LONGEST_SHOWN = 60

Types = Mapping[str, Mapping[str, str]]
"""Of each granted table, by name, the language's types of its columns."""


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A literal, and the column of a time that it is compared with or written to."""

    literal: Token
    column: str
    type: str


def time_edits(
    sql: str, tokens: Sequence[Token], shape: Shape, aliases: Mapping[str, TableNames], types: Types
) -> tuple[Edit, ...] | SqlProblem:
    """The edits that bring a statement's time literals into the world's form, or the first that names no time.

    ``aliases`` says which table each name in the statement stands for.
    """
    times = _TimeColumns(tokens, aliases, types)
    edits = []
    for meeting in (*_compared(tokens, times), *_inserted(tokens, shape, types.get(shape.target.lower(), {}))):
        token = meeting.literal
        text = (token.name or "") if token.kind == "string" else token.text
        normalise = normalise_timestamp if meeting.type == "timestamp" else normalise_date
        canonical = normalise(text) if token.kind == "string" else None
        if canonical is None:
            shown = token.text if len(token.text) <= _LONGEST_SHOWN else token.text[:_LONGEST_SHOWN] + "…"
            message = f"{shown} does not fit `{meeting.column}`, which is a {meeting.type}."
            place = line_and_column(sql, token.start)
            return SqlProblem("bad_time", message, *place, f"Write {_FORMS[meeting.type]}.", (meeting.column,))
        if canonical != text:
            edits.append(Edit(token.start, token.end, f"'{canonical}'"))
    return tuple(edits)


class _TimeColumns:
    """Tells which names in a statement are columns of times."""

    def __init__(self, tokens: Sequence[Token], aliases: Mapping[str, TableNames], types: Types) -> None:
        self._aliases = aliases
        self._types = types
        # A result can have the name of a column and hold something else: `strftime('%Y-%m', at) as at`.
        self._results = {
            (token.name or "").lower()
            for before, token in pairwise(tokens)
            if before.folded == "as" or before.text == ")"
        }

    def type(self, name: str, qualifier: str | None) -> str:
        """``timestamp``, ``date``, or nothing where it is not certain."""
        folded = name.lower()
        if qualifier is not None:
            table = self._aliases.get(qualifier.lower())
            candidates = [table] if table is not None else []
        elif folded in self._results:
            return ""
        else:
            candidates = list(self._aliases.values())
        columns = (self._types.get(table.name.lower(), {}) for table in candidates)
        found = {known[folded] for known in columns if folded in known}
        kind = found.pop() if len(found) == 1 else ""
        return kind if kind in _FORMS else ""


def _compared(tokens: Sequence[Token], times: _TimeColumns) -> Iterator[_Meeting]:
    for index, token in enumerate(tokens):
        if token.kind not in ("word", "quoted") or _text(tokens, index + 1) in (".", "("):
            continue
        start = index
        qualifier = None
        if _text(tokens, index - 1) == ".":
            qualifier = tokens[index - 2].name if index >= 2 else None
            start = index - 2
        kind = times.type(token.name or "", qualifier)
        if kind and _text(tokens, start - 1) not in _CONTINUES - {"("}:
            for literal in (*_before(tokens, start), *_after(tokens, index)):
                yield _Meeting(literal, token.name or "", kind)


def _before(tokens: Sequence[Token], start: int) -> Iterator[Token]:
    """A literal in front of a comparison with the column that starts at ``start``."""
    if _text(tokens, start - 1) in _COMPARISONS and _text(tokens, start - 3) not in _CONTINUES - {"("}:
        yield from _literal(tokens, start - 2)


def _after(tokens: Sequence[Token], index: int) -> Iterator[Token]:
    """The literals that the column at ``index`` is compared with, or set to."""
    place = index + 1
    place += _text(tokens, place) == "not"
    word = _text(tokens, place)
    if word in _COMPARISONS:
        place += 1
        place += _text(tokens, place) == "not"
        yield from _alone(tokens, place)
    elif word == "between":
        yield from _alone(tokens, place + 1)
        if _text(tokens, place + 2) == "and":
            yield from _alone(tokens, place + 3)
    elif word == "in" and _text(tokens, place + 1) == "(":
        place += 2
        while _text(tokens, place + 1) in (",", ")"):
            yield from _literal(tokens, place)
            if _text(tokens, place + 1) == ")":
                return
            place += 2


def _alone(tokens: Sequence[Token], index: int) -> Iterator[Token]:
    """The literal at ``index`` unless it begins a longer expression."""
    if _text(tokens, index + 1) not in _CONTINUES:
        yield from _literal(tokens, index)


def _literal(tokens: Sequence[Token], index: int) -> Iterator[Token]:
    if 0 <= index < len(tokens) and tokens[index].kind in ("string", "number"):
        yield tokens[index]


def _text(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].folded if 0 <= index < len(tokens) else ""


def _inserted(tokens: Sequence[Token], shape: Shape, types: Mapping[str, str]) -> Iterator[_Meeting]:
    """Literals in VALUES, by the columns of the INSERT."""
    start, end = shape.values
    columns = shape.columns
    if start < 0 or columns is None or not any(kind in _FORMS for kind in types.values()):
        return
    depth = position = 0
    for index, token in enumerate(tokens):
        if not start <= token.start < end:
            continue
        if token.text == "(":
            depth += 1
            position = 0 if depth == 1 else position
        elif token.text == ")":
            depth -= 1
        elif token.text == "," and depth == 1:
            position += 1
        elif depth == 1 and token.kind in ("string", "number") and position < len(columns):
            alone = _text(tokens, index - 1) in ("(", ",") and _text(tokens, index + 1) in (")", ",")
            kind = types.get(columns[position].name.lower(), "")
            if alone and kind in _FORMS:
                yield _Meeting(token, columns[position].name, kind)
