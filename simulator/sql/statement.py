"""Surgery on a statement's text, by its tokens: comments, strings and quotes cannot mislead it.

The text an author wrote is what runs; it is never generated anew from a parse tree, which would change its meaning in
small ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from simulator.sql.gate import check_text
from simulator.sql.problems import SqlCode, SqlProblem, line_and_column
from simulator.sql.rowset import ROWS_TABLE
from simulator.sql.tokens import Token, significant

_FIRST_WORDS = frozenset({"select", "values", "with", "insert", "replace", "update", "delete"})
_DATE_FUNCTIONS = frozenset({"date", "time", "datetime", "julianday", "strftime", "unixepoch"})


@dataclass(frozen=True, slots=True)
class Cte:
    """A common table expression laid before a statement: ``name(columns) as (select)``."""

    name: str
    columns: tuple[str, ...]
    select: str


@dataclass(frozen=True, slots=True)
class RowNames:
    """One row that a condition looks at: what it is called there, and its columns. Bound like a row set."""

    name: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spliced:
    """A statement with text put in: ``length`` characters at offset ``at`` are not the author's."""

    sql: str
    at: int = 0
    length: int = 0

    def original_offset(self, offset: int) -> int:
        """Where a character of ``sql`` stood in the author's text; -1 for characters put in."""
        if offset < self.at:
            return offset
        return -1 if offset < self.at + self.length else offset - self.length


def quote(name: str) -> str:
    """An identifier as SQL text."""
    return '"' + name.replace('"', '""') + '"'


def row_set_cte(name: str, columns: Sequence[str]) -> Cte:
    """The CTE that shows a row set as table ``name``. Bind its rows (``row_set(rows)``) to the parameter ``_name``."""
    fields = ", ".join(f"c{index}" for index in range(len(columns)))
    return Cte(name, tuple(columns), f"select {fields} from {ROWS_TABLE}(:_{name})")


Form = Literal["statement", "condition"]


@lru_cache(maxsize=1024)
def assemble(
    sql: str, ctes: tuple[Cte, ...] = (), form: Form = "statement", over: tuple[RowNames, ...] = ()
) -> Spliced | SqlProblem:
    """The text to run for what an author wrote, or why it is refused unread.

    Passes the gate and :func:`one_statement`, turns a condition into the query whose one value it is, and lays the
    needed ``ctes`` before it. ``over`` are rows whose columns a condition names directly (``new.priority``).
    """
    if problem := check_text(sql):
        return problem
    if form == "statement":
        statement = one_statement(sql)
        return statement if isinstance(statement, SqlProblem) else splice_ctes(statement, ctes)
    if problem := _check_condition(sql):
        return problem
    # The line end keeps a closing comment from swallowing the bracket.
    opening = "select (\n"
    whole = splice_ctes(f"{opening}{sql}\n){_from(over)}", ctes)
    return Spliced(whole.sql, 0, whole.length + len(opening))


def _from(rows: Sequence[RowNames]) -> str:
    sources = []
    for row in rows:
        fields = ", ".join(f"c{index} as {quote(column)}" for index, column in enumerate(row.columns))
        sources.append(f"(select {fields} from {ROWS_TABLE}(:_{row.name})) as {quote(row.name)}")
    return f" from {', '.join(sources)}" if sources else ""


def one_statement(sql: str) -> str | SqlProblem:
    """The text up to its closing semicolon, if it is a single query or write written the way scenarios write SQL.

    Refused: no statement or more than one; anything but SELECT, VALUES, WITH, INSERT, REPLACE, UPDATE and DELETE;
    parameters other than ``:name``; names beginning with ``_`` for parameters and the table of row sets;
    ``OR ROLLBACK``, which would undo the engine's transaction; and time zones of the machine (``localtime``).
    """
    tokens = significant(sql)
    end = len(sql)
    statement: list[Token] = []
    for token in tokens:
        if token.text == ";":
            end = min(end, token.start)
        elif end < len(sql):
            return _at(sql, token, "sql_syntax", "There is more than one statement here.", "Write one statement.")
        else:
            statement.append(token)
    if not statement:
        return SqlProblem("sql_syntax", "There is no statement here.", 1, 1)
    if statement[0].folded not in _FIRST_WORDS:
        return _not_a_statement(sql, statement[0])
    return _check_tokens(sql, statement) or sql[:end].rstrip()


def parameters_of(sql: str) -> tuple[str, ...]:
    """Names of the parameters ``:name``, in order of first appearance."""
    found = (token.text[1:] for token in significant(sql) if token.kind == "parameter")
    return tuple(dict.fromkeys(found))


def splice_ctes(sql: str, ctes: Sequence[Cte]) -> Spliced:
    """``sql`` with those of ``ctes`` laid before it that it names, directly or through a later one of them.

    A statement's own WITH is extended in place.
    """
    tokens = significant(sql)
    named = {name.lower() for token in tokens if (name := token.name) is not None}
    needed: list[Cte] = []
    for cte in reversed(ctes):
        if cte.name.lower() in named:
            needed.insert(0, cte)
            named |= {name.lower() for token in significant(cte.select) if (name := token.name) is not None}
    if not needed or not tokens:
        return Spliced(sql)
    text = ", ".join(f"{quote(cte.name)}({', '.join(map(quote, cte.columns))}) as ({cte.select})" for cte in needed)
    if tokens[0].folded != "with":
        at, text = tokens[0].start, f"with {text} "
    elif len(tokens) > 1 and tokens[1].folded == "recursive":
        at, text = tokens[1].end, f" {text},"
    else:
        at, text = tokens[0].end, f" {text},"
    return Spliced(sql[:at] + text + sql[at:], at, len(text))


def _check_condition(condition: str) -> SqlProblem | None:
    tokens = significant(condition)
    if not tokens:
        return SqlProblem("sql_syntax", "There is no condition here.", 1, 1)
    for token in tokens:
        if token.text == ";":
            return _at(condition, token, "sql_syntax", "A condition has no semicolon.")
    return _check_tokens(condition, tokens)


def _not_a_statement(sql: str, first: Token) -> SqlProblem:
    if first.kind != "word":
        return _at(sql, first, "sql_syntax", f"A statement cannot begin with {first.text[:20]}.")
    if first.folded in _KNOWN_COMMANDS:
        word = first.text.upper()
        return _at(sql, first, "sql_forbidden", f"{word} is not possible here.", "Write a query or a write.")
    return _at(sql, first, "sql_syntax", f"`{first.text[:40]}` begins no statement.")


_KNOWN_COMMANDS = frozenset(
    (
        *("alter", "analyze", "attach", "begin", "commit", "create", "detach", "drop", "end", "explain", "pragma"),
        *("reindex", "release", "rollback", "savepoint", "vacuum"),
    )
)


def _check_tokens(sql: str, tokens: Sequence[Token]) -> SqlProblem | None:
    callers: list[str] = []
    before: Token | None = None
    for token in tokens:
        if token.kind == "parameter":
            if problem := _check_parameter(sql, token):
                return problem
        elif (name := token.name) is not None and name.lower() == ROWS_TABLE:
            return _at(sql, token, "sql_forbidden", f"`{name}` belongs to the engine.")
        elif token.folded == "rollback" and before is not None and before.folded == "or":
            return _at(
                sql, token, "sql_forbidden", "OR ROLLBACK would undo more than this statement.", "Write OR ABORT."
            )
        elif token.text == "(":
            callers.append(before.folded if before is not None else "")
        elif token.text == ")" and callers:
            callers.pop()
        elif token.kind == "string" and callers and callers[-1] in _DATE_FUNCTIONS:
            modifier = (token.name or "").strip().lower()
            if modifier in ("localtime", "utc"):
                message = f"'{modifier}' depends on the machine's time zone; times in a world are UTC."
                return _at(sql, token, "sql_forbidden", message)
        before = token
    return None


def _check_parameter(sql: str, token: Token) -> SqlProblem | None:
    if not token.text.startswith(":"):
        return _at(sql, token, "sql_syntax", f"`{token.text}` is no parameter here.", "Parameters are written `:name`.")
    if token.text.startswith(":_"):
        return _at(sql, token, "sql_forbidden", f"`{token.text}` belongs to the engine: parameters have no leading _.")
    return None


def _at(sql: str, token: Token, code: SqlCode, message: str, suggestion: str = "") -> SqlProblem:
    line, column = line_and_column(sql, token.start)
    return SqlProblem(code, message, line, column, suggestion)
