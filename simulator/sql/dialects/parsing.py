"""One statement of a dialect as sqlglot's tree, read from tokens that keep what was written (:mod:`.hiding`)."""

from __future__ import annotations

import logging
from itertools import islice

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from simulator.sql.dialects.hiding import PREFIX, hidden, restore
from simulator.sql.dialects.refusals import refuse, unsupported
from simulator.sql.dialects.strictness import Reading, check_written
from simulator.sql.dialects.text_gate import check_tokens
from simulator.sql.gate import check_characters
from simulator.sql.problems import SqlProblem, line_and_column

logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of what it reads as a Command, which is refused here

MAX_NODES = 3_000
# What sqlglot's parser itself stumbles with over texts that are no SQL, beside its own errors.
_TREE_ERRORS = (RecursionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
_ROOTS = (exp.Select, exp.SetOperation, exp.Values, exp.Subquery, exp.Insert, exp.Update, exp.Delete)


def parse_statement(sql: str, reading: Reading) -> exp.Expr | SqlProblem:
    """The tree of the one statement in ``sql``, or what is wrong with the text. The gate is passed first."""
    if (problem := check_characters(sql)) is not None:
        return problem
    reader = SqlglotDialect.get_or_raise(reading.parser)
    try:
        tokens = reader.tokenize(sql)
        tokens = reading.retold(tokens) if reading.retold is not None else tokens
        if (problem := check_tokens(sql, tokens) or check_written(sql, tokens, reading)) is not None:
            return problem
        trees = [tree for tree in reader.parser().parse(hidden(reader, tokens, reading), sql) if tree is not None]
    except sqlglot.errors.ParseError as error:
        return _syntax(error, sql)
    except (sqlglot.errors.SqlglotError, *_TREE_ERRORS):
        return SqlProblem("sql_syntax", "The statement cannot be read.", 1, 1)
    if not trees:
        return SqlProblem("sql_syntax", "There is no statement.", 1, 1)
    if len(trees) > 1:
        return SqlProblem("sql_forbidden", "There is more than one statement; send them one at a time.", 1, 1)
    tree = trees[0]
    if any(True for _ in islice(tree.walk(), MAX_NODES, None)):
        return SqlProblem("sql_limit", "The statement has too many parts.", 1, 1, "Split it into several.")
    restore(tree)
    check_root(tree, reading)
    return tree


def check_root(tree: exp.Expr, reading: Reading) -> None:
    """Raises :class:`Refused` for what is no query, insert, update or delete."""
    if isinstance(tree, exp.Merge):
        raise unsupported("MERGE", tree, reading.instead_of_merge)
    if not isinstance(tree, _ROOTS) or tree.find(exp.Command) is not None:
        raise refuse("sql_forbidden", "Only SELECT, INSERT, UPDATE and DELETE are allowed.", tree)


def _syntax(error: sqlglot.errors.ParseError, sql: str) -> SqlProblem:
    first = error.errors[0] if error.errors else {}
    near = str(first.get("highlight") or "").removeprefix(PREFIX)
    line, column = first.get("line") or 1, first.get("col") or 1
    if not near or (sql.rstrip().rstrip(";").endswith(near) and "Required keyword" in str(first.get("description"))):
        return SqlProblem("sql_syntax", "syntax error at end of input", *line_and_column(sql, len(sql.rstrip())))
    column = max(column - len(near) + 1, 1)  # sqlglot gives the place of the last character
    return SqlProblem("sql_syntax", f'syntax error at or near "{near}"', line, column, names=(near,))
