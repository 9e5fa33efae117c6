"""The guard of agent SQL: from a text to a statement that may run in the world, or the problem to tell the agent.

A text passes the gate, is translated if it is written in another dialect, is prepared on the role's twin (what is not
granted does not exist there), and gets the role's views put in. Running it, on the live connection and under the
authorizer again, is :mod:`.execution`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import apsw

from simulator.sql.agent.grants import GrantedTable, Role
from simulator.sql.agent.policy import WorldPolicy, hidden_column, is_reserved
from simulator.sql.agent.rounding import rounded, rounded_returning
from simulator.sql.agent.shape import Column, Kind, Shape, shape_of
from simulator.sql.agent.times import time_edits
from simulator.sql.agent.twin import RoleTwin
from simulator.sql.agent.views import PREFIX, changing_verbs, view_name
from simulator.sql.allowed import AGENT_FUNCTIONS, SAFE_ON_HIDDEN_ROWS
from simulator.sql.authorizer import Verb
from simulator.sql.gate import check_text
from simulator.sql.messages import explain, locate
from simulator.sql.preparing import Prepared
from simulator.sql.problems import SqlProblem, did_you_mean, line_and_column
from simulator.sql.rewriting import Edit, Rewritten, rewrite
from simulator.sql.statement import one_statement, quote
from simulator.sql.tokens import Token, significant

REMEMBERED = 512
"""Statements whose judgement is remembered, by text; the authorizer is asked again each time one runs."""

_LISTED = 40

NO_WHERE, TAUTOLOGICAL_WHERE, TIME_REWRITTEN = "no_where", "tautological_where", "time_rewritten"


@dataclass(frozen=True, slots=True)
class Judged:
    """A statement that may run in the world.

    ``sql`` is its text in SQLite's dialect, ``live`` the text to run. ``reads`` and ``writes`` are (table, column) as
    the agent meant them, with tables behind views in ``tables_read``; an insert or delete has an empty column.
    ``target`` is the table it writes. ``columns`` are those of its result where a dialect decides, None where SQLite
    does. ``flags`` are remarks for trainers.
    """

    sql: str
    live: str
    kind: Kind
    policy: WorldPolicy
    target: GrantedTable | None
    shape: Shape
    reads: tuple[tuple[str, str], ...]
    writes: tuple[tuple[Verb, str, str], ...]
    tables_read: frozenset[str]
    columns: Meaning | None = None
    flags: tuple[str, ...] = ()

    @property
    def is_write(self) -> bool:
        """Whether it changes the world."""
        return self.kind != "select"


Meaning = tuple[tuple[str, str], ...]
"""The columns of a result as the agent's dialect has them: name, and the language's type of the values or ""."""

Translate = Callable[[str], tuple[str, Meaning] | SqlProblem]
"""From the agent's dialect to SQLite's. It passes the dialect's own gate first."""


class Guard:
    """Judges the statements of one role. ``views`` are the world's views, granted or not.

    ``translate`` is None where the agent writes SQLite's dialect; ``functions`` are those a translation may call.
    """

    def __init__(
        self,
        role: Role,
        views: frozenset[str],
        translate: Translate | None = None,
        functions: frozenset[str] = AGENT_FUNCTIONS,
    ) -> None:
        self.role = role
        self._translate = translate
        self._functions = functions
        self._twin = RoleTwin(role, functions, dialects=translate is not None)
        self._granted = {name.lower(): table for name, table in role.tables.items()}
        self._types = {
            name: dict(zip(table.relation.columns, table.relation.types, strict=True))
            for name, table in self._granted.items()
        }
        self._own_views = frozenset(
            name
            for table in role.tables.values()
            for name in (view_name(role, table.name), *(view_name(role, table.name, verb) for verb in _CHANGING))
        )
        self._views = views
        triggers = frozenset(name for table in role.tables.values() for name in table.relation.triggers)
        # SQLite names the view or trigger that reads; no CTE may take a name that is trusted for that.
        self._trusted_names = frozenset(name.lower() for name in views | triggers)
        self.judge: Callable[[str], Judged | SqlProblem] = lru_cache(REMEMBERED)(self._judge)

    def _judge(self, sql: str) -> Judged | SqlProblem:
        if self._translate is None:
            return check_text(sql) or self._judge_sqlite(sql)
        translated = self._translate(sql)
        if isinstance(translated, SqlProblem):
            return translated
        text, columns = translated
        judged = self._judge_sqlite(text)
        if isinstance(judged, SqlProblem):
            # Its place is in the translation; in the agent's own text names are looked for.
            return locate(replace(judged, line=0, column=0), rewrite(sql, ()), sql)
        return replace(judged, columns=columns)

    def _judge_sqlite(self, sql: str) -> Judged | SqlProblem:
        statement = _check_names(sql) or one_statement(sql)
        if isinstance(statement, SqlProblem):
            return statement
        return self._judge_statement(self._without_schema(statement))

    def _judge_statement(self, sql: str) -> Judged | SqlProblem:
        tokens = significant(sql)
        shape = shape_of(tokens, len(sql))
        target = self._granted.get(shape.target.lower()) if shape.kind != "select" else None
        edits = [*_full_columns(shape, target), *_full_returning(shape, target)]
        shape = _with_columns(shape, target)
        aliases = self._twin.catalogue.aliases(tokens)
        times = time_edits(sql, tokens, shape, aliases, self._types)
        if isinstance(times, SqlProblem):
            return times
        edits += times
        prepared = self._prepare(sql, rewrite(sql, edits))
        if isinstance(prepared, SqlProblem):
            return prepared
        names = _cte_names(tokens)
        problem = (
            _disagreement(shape, prepared, target)
            or self._check_ctes(sql, names)
            or _check_insert(sql, shape, target)
            or _check_replace(shape, target)
            or _check_reading(prepared, target)
        )
        if problem is not None:
            return problem
        named = [
            self._granted[name]
            for name in dict.fromkeys((token.name or "").lower() for token in tokens)
            if name in self._granted
        ]
        careful = any(table.hides for table in named) and _may_fail(prepared, tokens)
        edits = [*rounded_returning(sql, tokens, shape, target), *edits]
        edits += self._row_filters(sql, shape, target, careful)
        edits.append(self._shadows(tokens, named, careful))
        policy = WorldPolicy(
            name="agent",
            functions=self._functions,
            views=self._own_views,
            trusted=self._own_views | self._views | (target.relation.triggers if target is not None else frozenset()),
            ctes=frozenset(name.lower() for name, _ in names),
            granted=frozenset(self._granted),
            target=target,
        )
        flags = (*_where_flags(sql, shape, target), *((TIME_REWRITTEN,) if times else ()))
        return self._judged(sql, rewrite(sql, edits), shape, target, prepared, policy, flags)

    def _judged(
        self,
        sql: str,
        live: Rewritten,
        shape: Shape,
        target: GrantedTable | None,
        prepared: Prepared,
        policy: WorldPolicy,
        flags: tuple[str, ...],
    ) -> Judged:
        reads = sorted(
            {(table, column) for _, table, column in prepared.access.reads if table.lower() in self._granted}
        )
        tables = {table for table, _ in reads}
        behind = {base for table in tables for base in self._granted[table.lower()].relation.base_tables}
        return Judged(
            sql=sql,
            live=live.sql,
            kind=shape.kind,
            policy=policy,
            target=target,
            shape=shape,
            reads=tuple(reads),
            writes=tuple(sorted(set(prepared.access.writes))),
            tables_read=frozenset(tables | behind),
            flags=flags,
        )

    def _without_schema(self, sql: str) -> str:
        """``main.ticket`` as ``ticket``: tables are granted, not schemas. Places stay where they are."""
        tokens = significant(sql)
        for first, dot, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if dot.text == "." and (first.name or "").lower() == "main" and (name.name or "").lower() in self._granted:
                sql = sql[: first.start] + " " * (name.start - first.start) + sql[name.start :]
        return sql

    def _prepare(self, sql: str, text: Rewritten) -> Prepared | SqlProblem:
        """The role's view of the statement, or the problem in words that help."""
        prepared = self._twin.prepare(text.sql)
        if isinstance(prepared, Prepared):
            return prepared
        if isinstance(prepared, apsw.Error):
            problem = explain(prepared, text, sql, self._twin.catalogue)
        else:
            problem = locate(prepared, text, sql)
        return self._helped(problem)

    def _helped(self, problem: SqlProblem) -> SqlProblem:
        """``problem`` with what the role can do instead."""
        if problem.code == "sql_unknown_name" and problem.message.startswith("There is no table"):
            name = problem.names[0].rsplit(".", 1)[-1]
            tables = tuple(self.role.tables)
            known = f"The tables are {', '.join(tables[:_LISTED])}."
            return replace(problem, suggestion=did_you_mean(name, tables) or known)
        if problem.code == "sql_unknown_name" and problem.message.startswith("There is no function"):
            return replace(problem, suggestion=did_you_mean(problem.names[0], self._functions))
        if problem.code != "sql_forbidden" or not problem.names:
            return problem
        table = self._granted.get(problem.names[0].lower())
        if table is None:
            return replace(problem, suggestion="")
        return replace(problem, suggestion=_rights_in_words(table))

    def _check_ctes(self, sql: str, names: Sequence[tuple[str, int]]) -> SqlProblem | None:
        for name, offset in names:
            if name.lower() in self._granted:
                message = f"`{name}` is the name of a table."
            elif name.lower() in self._trusted_names:
                message = f"`{name}` cannot be the name of a common table expression here."
            else:
                continue
            place = line_and_column(sql, offset)
            return SqlProblem("sql_unsupported", message, *place, "Choose another name in WITH.", (name,))
        return None

    def _shadows(self, tokens: Sequence[Token], tables: Sequence[GrantedTable], careful: bool) -> Edit:
        """The CTEs under whose names the role's views are read.

        With ``careful`` they are computed first, so that nothing is computed on a row that a filter hides.
        """
        ctes = [
            f"{quote(table.name)}({', '.join(map(quote, table.visible))}) as "
            f"{'materialized ' if careful and table.hides else ''}"
            f"(select * from temp.{quote(view_name(self.role, table.name))})"
            for table in tables
            if table.visible
        ]
        if not ctes:
            return Edit(0, 0, "")
        text = ", ".join(ctes)
        if tokens[0].folded != "with":
            return Edit(tokens[0].start, tokens[0].start, f"with {text} ")
        place = tokens[1].end if tokens[1].folded == "recursive" else tokens[0].end
        return Edit(place, place, f" {text}, ")

    def _row_filters(self, sql: str, shape: Shape, target: GrantedTable | None, careful: bool) -> Iterator[Edit]:
        """Conditions that keep an update or delete to the rows it is granted on."""
        for where in shape.wheres:
            verb: Verb = "delete" if shape.kind == "delete" else "update"
            if target is None or verb not in changing_verbs(target):
                continue
            own = quote(shape.alias or shape.target)
            row = quote(f"{PREFIX}row")
            same = " and ".join(f"{row}.{quote(key)} = {own}.{quote(key)}" for key in target.relation.key)
            view = f"temp.{quote(view_name(self.role, target.name, verb))}"
            granted = f"exists (select 1 from {view} as {row} where {same})"
            if where.start < 0:
                yield Edit(where.place, where.place, f" where {granted} ")
            elif careful:
                yield Edit(where.start, where.start, f" case when {granted} then (")
                yield Edit(where.end, where.end, "\n) end ")
            else:
                yield Edit(where.start, where.start, " (")
                yield Edit(where.end, where.end, f"\n) and {granted} ")


_CHANGING: tuple[Verb, ...] = ("update", "delete")


def _check_names(sql: str) -> SqlProblem | None:
    """Parameters and names that an agent's statement cannot have."""
    for token in significant(sql):
        if token.kind == "parameter":
            message = f"`{token.text[:60]}` is a parameter, and nothing is bound here."
            return SqlProblem("sql_syntax", message, *line_and_column(sql, token.start), "Write the value itself.")
        name = token.name
        if name is not None and is_reserved(name):
            message = f"Names beginning with `{PREFIX}` belong to the engine."
            return SqlProblem("sql_forbidden", message, *line_and_column(sql, token.start))
    return None


def _full_columns(shape: Shape, target: GrantedTable | None) -> Iterator[Edit]:
    """An INSERT without a list of columns sets those that may be set, in the table's order."""
    if shape.kind == "insert" and shape.columns is None and target is not None and target.insertable:
        listed = ", ".join(map(quote, target.insertable))
        yield Edit(shape.columns_place, shape.columns_place, f" ({listed}) ")


def _with_columns(shape: Shape, target: GrantedTable | None) -> Shape:
    if shape.kind != "insert" or shape.columns is not None or target is None:
        return shape
    return replace(shape, columns=tuple(Column(name, shape.columns_place) for name in target.insertable))


def _full_returning(shape: Shape, target: GrantedTable | None) -> Iterator[Edit]:
    """``returning *`` gives the visible columns."""
    if target is None:
        return
    masked = set(target.visible) - target.clear_everywhere
    listed = ", ".join(f"null as {quote(name)}" if name in masked else rounded(target, name) for name in target.visible)
    for star in shape.stars:
        yield Edit(star, star + 1, listed or "null")
    for alias in shape.returned_aliases:
        yield Edit(alias.start, alias.end, quote(target.name))


def _disagreement(shape: Shape, prepared: Prepared, target: GrantedTable | None) -> SqlProblem | None:
    """The refusal of a statement that SQLite reads otherwise than the guard did."""
    written = {table for _, table, _ in prepared.access.writes}
    kind = "select" if prepared.readonly else prepared.access.writes[0][0]
    expected = set() if target is None else {target.name}
    if kind != shape.kind or written != expected:
        message = "This statement is written in a way that is not supported here."
        return SqlProblem("sql_unsupported", message, suggestion="Write it plainly, without names that are keywords.")
    return None


def _check_insert(sql: str, shape: Shape, target: GrantedTable | None) -> SqlProblem | None:
    if shape.kind != "insert" or target is None:
        return None
    settable = {name.lower() for name in target.insertable}
    for column in shape.columns or ():
        if column.name.lower() not in settable:
            message = f"INSERT may not set `{target.name}.{column.name}`."
            place = line_and_column(sql, column.start)
            names = (target.name, column.name)
            return SqlProblem("sql_forbidden", message, *place, _rights_in_words(target), names)
    return None


def _check_replace(shape: Shape, target: GrantedTable | None) -> SqlProblem | None:
    """REPLACE deletes the rows in its way."""
    if not shape.replaces or target is None or target.may("delete"):
        return None
    message = f"REPLACE deletes rows of `{target.name}`, which is not allowed here."
    return SqlProblem("sql_forbidden", message, suggestion=_rights_in_words(target), names=(target.name,))


def _check_reading(prepared: Prepared, target: GrantedTable | None) -> SqlProblem | None:
    """A table that refers to itself: SQLite reads the reference when it writes, so the world's policy cannot refuse it.

    A write that reads it where it is hidden is refused here, even if it means other rows of the table.
    """
    if target is None:
        return None
    for _, table, column in sorted(prepared.access.reads):
        hidden = column in target.visible and column not in target.clear_everywhere
        if table == target.name and hidden and (table, column) in target.relation.foreign:
            return hidden_column(target, column)
    return None


def _rights_in_words(table: GrantedTable) -> str:
    """``On `ticket` you may read id, status; change status.``"""
    parts = []
    for word, columns in (("read", table.visible), ("insert", table.insertable), ("change", table.updatable)):
        if columns:
            listed = ", ".join(columns[:_LISTED]) + (", …" if len(columns) > _LISTED else "")
            parts.append(f"{word} {listed}")
    if table.may("delete"):
        parts.append("delete rows")
    return f"On `{table.name}` you may {'; '.join(parts)}."


def _cte_names(tokens: Sequence[Token]) -> tuple[tuple[str, int], ...]:
    """The names that WITH gives, and their places; a window's name may be among them."""
    found = []
    for index, token in enumerate(tokens[:-2]):
        if token.name is None or index == 0 or tokens[index - 1].folded not in ("with", "recursive", ","):
            continue
        place = index + 1
        if tokens[place].text == "(":
            depth = 0
            while place < len(tokens):
                depth += (tokens[place].text == "(") - (tokens[place].text == ")")
                place += 1
                if depth == 0:
                    break
        if place < len(tokens) and tokens[place].folded == "as":
            found.append((token.name, token.start))
    return tuple(found)


def _may_fail(prepared: Prepared, tokens: Sequence[Token]) -> bool:
    """Whether a value could make the statement fail, and so tell of itself."""
    if not prepared.access.functions <= SAFE_ON_HIDDEN_ROWS:
        return True
    for index, token in enumerate(tokens):
        if token.folded == "escape":
            return True
        if token.folded == "like" and (index + 1 == len(tokens) or tokens[index + 1].kind != "string"):
            return True
    return False


def _where_flags(sql: str, shape: Shape, target: GrantedTable | None) -> tuple[str, ...]:
    if shape.kind not in ("update", "delete"):
        return ()
    if shape.wheres and shape.wheres[0].start < 0:
        return (NO_WHERE,)
    from simulator.sql.advice import tautological_where  # loads a parser

    keys = target.relation.key if target is not None else ()
    return (TAUTOLOGICAL_WHERE,) if tautological_where(sql, keys) is not None else ()
