"""One statement of a dialect as sqlglot's tree, with every function call under the name it was written with.

sqlglot gives each known function a node of its own and normalises its arguments on the way; what was written is lost
then (``to_char`` templates, ``date_part`` or ``extract``). So known names are hidden from it, and put back in the tree.
"""

from __future__ import annotations

import logging
from itertools import islice

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.tokens import Token, TokenType

from simulator.sql.dialects.refusals import refuse, unsupported
from simulator.sql.dialects.text_gate import check_tokens
from simulator.sql.gate import check_characters
from simulator.sql.problems import SqlProblem, line_and_column

MAX_NODES = 3_000
_PREFIX = "fn\u00b7"

# Written with words or operators between their arguments: sqlglot must read them itself.
_OWN_SYNTAX = frozenset(
    "AND ARRAY CAST CASE EXISTS EXTRACT FILTER IF JSON_OBJECT NOT OR OVERLAY POSITION STRING_AGG GROUP_CONCAT LISTAGG "
    "SUBSTRING TRIM TRY_CAST UNNEST ANY ALL SOME ROW VALUES IN CONVERT TRY_CONVERT SAFE_CAST XMLTABLE JSON_TABLE "
    "XMLELEMENT GROUPING MATCH".split()  # noqa: SIM905
)
_ROOTS = (exp.Select, exp.SetOperation, exp.Values, exp.Subquery, exp.Insert, exp.Update, exp.Delete)


def parse_statement(sql: str, dialect: str) -> exp.Expr | SqlProblem:
    """The tree of the one statement in ``sql``, or what is wrong with the text. The gate is passed first."""
    if (problem := check_characters(sql)) is not None:
        return problem
    reader = SqlglotDialect.get_or_raise(dialect)
    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # what it falls back to a Command for is refused below
    try:
        tokens = reader.tokenize(sql)
        if (problem := check_tokens(sql, tokens)) is not None:
            return problem
        trees = [tree for tree in reader.parser().parse(_hidden(reader, tokens), sql) if tree is not None]
    except sqlglot.errors.ParseError as error:
        return _syntax(error, sql)
    except (sqlglot.errors.SqlglotError, RecursionError, ValueError):
        return SqlProblem("sql_syntax", "The statement cannot be read.", 1, 1)
    if not trees:
        return SqlProblem("sql_syntax", "There is no statement.", 1, 1)
    if len(trees) > 1:
        return SqlProblem("sql_forbidden", "There is more than one statement; send them one at a time.", 1, 1)
    tree = trees[0]
    if any(True for _ in islice(tree.walk(), MAX_NODES, None)):
        return SqlProblem("sql_limit", "The statement has too many parts.", 1, 1, "Split it into several.")
    _restore(tree)
    check_root(tree)
    return tree


def check_root(tree: exp.Expr) -> None:
    """Raises :class:`Refused` for what is no query, insert, update or delete."""
    if isinstance(tree, exp.Merge):
        raise unsupported("MERGE", tree, "Use INSERT … ON CONFLICT DO UPDATE, or UPDATE … FROM and then INSERT.")
    if not isinstance(tree, _ROOTS) or tree.find(exp.Command) is not None:
        raise refuse("sql_forbidden", "Only SELECT, INSERT, UPDATE and DELETE are allowed.", tree)


def _hidden(reader: SqlglotDialect, tokens: list[Token]) -> list[Token]:
    parser = reader.parser_class
    known = (set(parser.FUNCTIONS) | set(parser.FUNCTION_PARSERS)) - _OWN_SYNTAX
    result = []
    for index, token in enumerate(tokens):
        following = tokens[index + 1].token_type if index + 1 < len(tokens) else None
        before = tokens[index - 1].token_type if index else None
        if (
            following == TokenType.L_PAREN
            and token.text.upper() in known
            and token.token_type not in (TokenType.STRING, TokenType.IDENTIFIER)
            and before not in (TokenType.DCOLON, TokenType.ALIAS)
        ):
            hidden = _PREFIX + token.text
            token = Token(TokenType.VAR, hidden, token.line, token.col, token.start, token.end, token.comments)  # noqa: PLW2901
        result.append(token)
    return result


def _restore(tree: exp.Expr) -> None:
    for node in tree.walk():
        if isinstance(node, exp.Anonymous | exp.Identifier | exp.Var) and isinstance(node.this, str):
            node.set("this", node.this.removeprefix(_PREFIX))


def _syntax(error: sqlglot.errors.ParseError, sql: str) -> SqlProblem:
    first = error.errors[0] if error.errors else {}
    near = str(first.get("highlight") or "").removeprefix(_PREFIX)
    line, column = first.get("line") or 1, first.get("col") or 1
    if not near or sql.rstrip().rstrip(";").endswith(near) and "Required keyword" in str(first.get("description")):
        return SqlProblem("sql_syntax", "syntax error at end of input", *line_and_column(sql, len(sql.rstrip())))
    column = max(column - len(near) + 1, 1)  # sqlglot gives the place of the last character
    return SqlProblem("sql_syntax", f'syntax error at or near "{near}"', line, column, names=(near,))
